// The program in a process that stays: loads its modules once, and runs one command line after another, each with its
// own folder and environment. Loading takes longer than most commands.
import { createServer } from 'node:net'
import { main } from '../../cli/program.ts'
import { type Asked, readJson, type Said } from './resident-wire.ts'

const own = { write: process.stdout.write, error: process.stderr.write }
const listeners = new Map(
  ['SIGINT', 'SIGTERM', 'SIGHUP'].map(name => [name, process.listeners(name as 'SIGINT')]),
)

/** Collects what is written to a stream. */
function collect(stream: NodeJS.WriteStream): Buffer[] {
  const parts: Buffer[] = []
  stream.write = ((part: string | Uint8Array, encoding?: BufferEncoding, done?: () => void) => {
    parts.push(typeof part === 'string' ? Buffer.from(part, encoding) : Buffer.from(part))
    const then = typeof encoding === 'function' ? (encoding as () => void) : done
    if (then) queueMicrotask(then)
    return true
  }) as typeof stream.write
  return parts
}

async function run({ args, folder, env }: Asked): Promise<Said> {
  process.chdir(folder)
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(env, name)) delete process.env[name]
  Object.assign(process.env, env)
  const [out, err] = [collect(process.stdout), collect(process.stderr)]
  try {
    const code = await main(args)
    return { code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() }
  } finally {
    process.stdout.write = own.write
    process.stderr.write = own.error
    // As the end of a process would.
    for (const [name, kept] of listeners)
      for (const listener of process.listeners(name as 'SIGINT'))
        if (!kept.includes(listener)) process.off(name, listener)
  }
}

/** Commands wait for each other. */
let turn: Promise<unknown> = Promise.resolve()

const server = createServer({ allowHalfOpen: true }, async socket => {
  const asked = await readJson<Asked>(socket)
  const said = turn.then(() => run(asked))
  turn = said.catch(() => {})
  socket.end(JSON.stringify(await said))
})
server.listen(process.argv[2], () => process.send!('listens'))
process.on('disconnect', () => process.exit())
