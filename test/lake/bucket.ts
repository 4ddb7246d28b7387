import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { Test } from 'tap'
import { testFolder } from '../folder.ts'

/** A gateway that speaks S3 over a folder, where one is installed. */
const gateway = ((): string | null => {
  try {
    return execFileSync('sh', ['-c', 'command -v versitygw'], { encoding: 'utf8' }).trim()
  } catch {
    return null
  }
})()

export const noGateway =
  gateway === null &&
  'versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0'

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** What programs of AWS read from the environment. */
interface BucketSettings {
  readonly AWS_ENDPOINT_URL_S3: string
  readonly AWS_ACCESS_KEY_ID: string
  readonly AWS_SECRET_ACCESS_KEY: string
  readonly AWS_REGION: string
}

/** Starts a gateway with a bucket `desk`, the folder of that name in `root`, and puts its settings into the environment until the test ends. */
export async function startBucket(t: Test): Promise<{ root: string; settings: BucketSettings }> {
  const root = testFolder(t, { desk: {} })
  const port = await freePort()
  const secrets = { ROOT_ACCESS_KEY: 'test', ROOT_SECRET_KEY: 'a secret of the test' }
  const child = spawn(gateway!, ['--port', `127.0.0.1:${port}`, 'posix', root], {
    env: { ...process.env, ...secrets },
    stdio: 'ignore',
  })
  t.teardown(async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  })
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const isUp = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false)
    socket.destroy()
    if (isUp) break
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  const settings = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}`,
    AWS_ACCESS_KEY_ID: secrets.ROOT_ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: secrets.ROOT_SECRET_KEY,
    AWS_REGION: 'us-east-1',
  }
  const before = Object.fromEntries(Object.keys(settings).map(name => [name, process.env[name]]))
  Object.assign(process.env, settings)
  t.teardown(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  return { root, settings }
}
