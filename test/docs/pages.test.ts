import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { plainProcess } from '../plain-process.ts'
import { root } from '../root.ts'
import { serving } from '../server/serving.ts'
import { linksOf, type Snippet, snippetsOf } from './snippets.ts'

/** In the order of reading: the first makes the sample that the others ask. */
const pages = [
  'docs/start.md',
  'docs/data.md',
  'docs/screens.md',
  'docs/point-in-time.md',
  'docs/search.md',
  'docs/library.md',
  'docs/mcp.md',
  'docs/server.md',
  'docs/README.md',
  'README.md',
]

t.setTimeout(600_000)

const program = fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url))
const [env, words] = plainProcess(import.meta.url, program, [])
const tranche = [env, ...words].map(word => `'${word}'`).join(' ')

// A terminal in which `tranche` is this build. The server of the examples and the sample are made once, by the test.
const folder = t.testdir({
  bin: {
    tranche: `#!/bin/sh\n[ "$1" = serve ] && exit\n[ "$1" = sample ] && [ -d lake ] && exit\nexec ${tranche} "$@"\n`,
    npx: '#!/bin/sh\nexec "$@"\n',
    curl: `#!/bin/sh\nPATH=\${PATH#*:}\nexec curl --fail-with-body --silent --show-error --retry 10 "$@"\n`,
  },
})
for (const name of ['tranche', 'npx', 'curl']) await run(`chmod +x bin/${name}`)

/** What a shell in the folder says: its exit code and what it wrote. Exported variables stay for the next. */
async function run(text: string): Promise<{ code: number; out: string }> {
  const child = spawn(
    'sh',
    ['-e', '-c', `[ -f variables ] && . ./variables\n${text}\nexport -p >variables`],
    {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        TRANCHE_LAKE: '',
        TRANCHE_STATE: '',
        TRANCHE_SECRET: '',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let out = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      out += chunk
    })
  const [code] = await once(child, 'close')
  return { code, out }
}

const plain = (line: string): string => line.trim().replaceAll(/\s+/g, ' ')

let demo: { url: string; key: string } | undefined

/** The text of an example, asked of the server that the test has started. */
async function addressed(t: Test, text: string): Promise<string> {
  if (!/:8787|tr_\.\.\.|\$KEY/.test(text)) return text
  const { url, key } = await startDemo(t)
  return text.replaceAll('http://127.0.0.1:8787', url).replaceAll('tr_...', key)
}

async function startDemo(own: Test) {
  if (!demo) {
    own.comment('starting the server of the examples')
    const { url, err } = await serving(t, ['--demo', '--enable-sql', '--lake', join(folder, 'lake')])
    demo = { url, key: /tr_\w+/.exec(err())![0] }
    // A first statement waits for the tables of SQL.
    await run(`export KEY=${demo.key}`)
  }
  return demo
}

async function runTypescript(text: string, name: string): Promise<{ code: number; out: string }> {
  writeFileSync(join(folder, `${name}.mts`), text)
  const options = '--target es2023 --module nodenext --types node --strict --skipLibCheck --noEmitOnError'
  const compiled = await run(`node '${join(root, 'node_modules/typescript/bin/tsc')}' ${options} ${name}.mts`)
  return compiled.code === 0 ? run(`env -u NODE_OPTIONS node ${name}.mjs`) : compiled
}

/** What a block does when it is run; text that it cannot run fails. */
async function outcome(t: Test, { language, text, file }: Snippet, name: string, before: string) {
  if (file) {
    writeFileSync(join(folder, file), text)
    return { code: 0, out: text }
  }
  const asked = await addressed(t, text)
  switch (language) {
    case 'sh':
      return run(asked)
    case 'ts':
      return runTypescript(asked, name)
    case 'sql':
      writeFileSync(join(folder, `${name}.sql`), text)
      return run(`tranche sql -f ${name}.sql --format table`)
    case 'json':
      return { code: 0, out: JSON.stringify(JSON.parse(text)) }
    case 'text': {
      const said = new Set(before.split('\n').map(plain))
      const missing = text
        .split('\n')
        .map(plain)
        .filter(line => line !== '...' && !said.has(line))
      return { code: missing.length, out: `not said: ${missing.join('\n')}, but: ${before.slice(0, 2000)}` }
    }
    default:
      throw new Error(`a block of "${language}" is run by nothing: mark it <!-- not run: why -->`)
  }
}

for (const page of pages)
  t.test(`${page}: what it shows runs and says what it shows`, async t => {
    rmSync(join(folder, 'variables'), { force: true })
    if (demo) await run(`export KEY=${demo.key}`)
    let before = ''
    for (const [i, snippet] of snippetsOf(page).entries()) {
      if (snippet.notRun) {
        t.pass(`${snippet.at} is not run: ${snippet.notRun}`)
        continue
      }
      const { code, out } = await outcome(t, snippet, `snippet-${i}`, before)
      t.equal(code, 0, `${snippet.at}: ${out.slice(-1500)}`)
      t.ok(out.length > 0, `${snippet.at} says something`)
      if (snippet.language !== 'text') before = out
    }
  })

t.test('pages link to files that are there', async t => {
  for (const page of pages)
    for (const link of linksOf(page))
      t.ok(existsSync(join(root, dirname(page), link)), `${page} links to ${link}`)
})
