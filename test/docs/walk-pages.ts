import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { resident } from '../cli/resident.ts'
import { testFolder } from '../folder.ts'
import { plainProcess } from '../plain-process.ts'
import { root } from '../root.ts'
import { copySample, madeSample } from '../sample-lake.ts'
import { patient, serving, until } from '../server/serving.ts'
import { pages } from './pages.ts'
import { commandsOf, type Snippet, sameCommand, snippetsOf } from './snippets.ts'

const program = fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url))
const [env, words] = plainProcess(import.meta.url, program, [])

/** The page whose commands run as a reader's do, each in a process of its own; those of the others share one. */
const asReaders: (typeof pages)[number] = 'docs/start.md'

// Starts many programs one after another, which takes a busy machine minutes.
const timeout = 1_800_000

const hasCurl = spawnSync('curl', ['--version']).status === 0

/** The address of the examples' server. */
const home = 'http://127.0.0.1:8787'

/** The page on which each repeated command runs: the first. */
const first = new Map<string, string>()
for (const page of pages)
  for (const { at, language, text, notRun } of snippetsOf(page))
    if (language === 'sh' && !notRun)
      for (const command of commandsOf(text))
        if (!first.has(sameCommand(command))) first.set(sameCommand(command), at)

/** Commands that later ones depend on: variables, and files that are written. */
const isSilent = (command: string): boolean => /^export |\s-o\s/.test(command)

const plain = (line: string): string => line.trim().replaceAll(/\s+/g, ' ')

interface Said {
  readonly code: number
  readonly out: string
}

/**
 * Runs the examples of pages in order, as a reader would in one folder: commands in a shell, TypeScript compiled
 * against this build, SQL over the sample; and compares their output with the text shown. The sample is made once,
 * and one server answers all pages.
 */
export function walkPages(t: Test, walked: readonly (typeof pages)[number][]): void {
  t.setTimeout(timeout)
  const folder = testFolder(t, {
    bin: {
      npx: '#!/bin/sh\nexec "$@"\n',
      curl: '#!/bin/sh\nPATH=$(echo "$PATH" | cut -d: -f2-)\nexec curl --fail-with-body --silent --show-error --retry 10 "$@"\n',
    },
  })
  for (const name of ['npx', 'curl']) chmodSync(join(folder, 'bin', name), 0o755)

  const shared = onlyOnce(() => resident(t))

  async function installTranche(page: string): Promise<void> {
    const command = page === asReaders ? [env, ...words] : (await shared()).command
    const quoted = command.map(word => `'${word}'`).join(' ')
    writeFileSync(join(folder, 'bin/tranche'), `#!/bin/sh\nexec ${quoted} "$@"\n`, { mode: 0o755 })
  }

  /** The output of a shell in the folder. Exported variables stay for the next command. */
  async function run(text: string, variables: NodeJS.ProcessEnv = {}): Promise<Said> {
    const lines = ['[ -f variables ] && . ./variables', text, 'export -p >variables']
    const child = spawn('sh', ['-e', '-c', lines.join('\n')], {
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
        TRANCHE_LAKE: '',
        TRANCHE_STATE: '',
        TRANCHE_SECRET: '',
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        out += chunk
      })
    const [code] = await once(child, 'close')
    return { code, out }
  }

  const sample = onlyOnce(async () => {
    // Created here unless this command created it before.
    if (!madeSample) return run('npx tranche sample --lake lake')
    await copySample(join(folder, 'lake'))
    return { code: 0, out: 'copied' }
  })

  const demo = onlyOnce(async () => {
    await sample()
    const { url, err } = await serving(t, [
      '--demo',
      '--enable-sql',
      ...patient,
      '--lake',
      join(folder, 'lake'),
    ])
    // It is printed to another stream than the address, and may arrive later.
    const [key] = await until(() => /tr_[0-9a-f]{32}/.exec(err()))
    return { url, key }
  })

  /** All at once, which takes the compiler no longer than one. */
  const compiled = onlyOnce(async () => {
    const { url } = await demo()
    const names = walked.flatMap(snippetsOf).flatMap(snippet => {
      if (snippet.language !== 'ts' || snippet.notRun) return []
      writeFileSync(join(folder, `${nameOf(snippet)}.mts`), snippet.text.replaceAll(home, url))
      return [`${nameOf(snippet)}.mts`]
    })
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = '--target es2023 --module nodenext --types node --strict --skipLibCheck'
    return run(`env -u NODE_OPTIONS node '${tsc}' ${options} ${names.join(' ')}`)
  })

  async function runCommand(t: Test, at: string, command: string): Promise<Said> {
    if (/^npx tranche serve /.test(command)) return { code: 0, out: `listening on ${(await demo()).url}` }
    if (command === 'npx tranche sample') return sample()
    if (command.startsWith('curl ') && !hasCurl) {
      t.pass(at, { skip: `there is no curl here for ${command}` })
      return { code: 0, out: '-' }
    }
    if (!command.includes(home) && !command.includes('tr_...')) return run(command)
    const { url, key } = await demo()
    return run(command.replaceAll(home, url).replaceAll('tr_...', key), { KEY: key })
  }

  async function runShell(t: Test, { at, text }: Snippet, isShown: boolean): Promise<string> {
    let all = ''
    for (const command of commandsOf(text)) {
      const elsewhere = first.get(sameCommand(command))
      if (elsewhere !== at && !isShown && !command.startsWith('export ')) continue
      const { code, out } = await runCommand(t, at, command)
      t.equal(code, 0, `${at}: ${command}${code === 0 ? '' : `\n${out.slice(-1500)}`}`)
      if (!isSilent(command)) t.not(out.trim(), '', `${at} says something: ${command}`)
      all += out
    }
    return all
  }

  async function runTypescript(t: Test, snippet: Snippet): Promise<string> {
    const { code, out } = await compiled()
    t.equal(code, 0, `${snippet.at} compiles ${out}`)
    const said = await run(`env -u NODE_OPTIONS node ${nameOf(snippet)}.mjs`, { KEY: (await demo()).key })
    t.equal(said.code, 0, `${snippet.at} runs ${said.code === 0 ? '' : said.out}`)
    return said.out
  }

  async function runSql(t: Test, snippet: Snippet): Promise<string> {
    writeFileSync(join(folder, `${nameOf(snippet)}.sql`), snippet.text)
    const { code, out } = await run(`tranche sql -f ${nameOf(snippet)}.sql --format table`)
    t.equal(code, 0, `${snippet.at} runs ${code === 0 ? '' : out}`)
    return out
  }

  for (const page of walked)
    t.test(`${page}: its examples run and print what the page shows`, { timeout }, async t => {
      await installTranche(page)
      await sample()
      rmSync(join(folder, 'variables'), { force: true })
      let before = ''
      for (const [i, snippet] of snippetsOf(page).entries()) {
        const { at, language, text } = snippet
        const isShown = snippetsOf(page)[i + 1]?.language === 'text'
        if (snippet.notRun) t.comment(`${at} is not run: ${snippet.notRun}`)
        else if (snippet.file) writeFileSync(join(folder, snippet.file), text)
        else if (language === 'sh') before = await runShell(t, snippet, isShown)
        else if (language === 'ts') before = await runTypescript(t, snippet)
        else if (language === 'sql') before = await runSql(t, snippet)
        else if (language === 'json') t.doesNotThrow(() => JSON.parse(text), `${at} is JSON`)
        else if (language === 'text') {
          const said = new Set(before.split('\n').map(plain))
          const missing = text.split('\n').filter(line => line !== '...' && !said.has(plain(line)))
          t.strictSame(
            missing,
            [],
            `${at} is what is said${missing.length ? `: ${before.slice(0, 2000)}` : ''}`,
          )
        } else t.fail(`${at}: a block of "${language}" is run by nothing: mark it <!-- not run: why -->`)
      }
    })
}

const nameOf = ({ at }: Snippet): string => at.replaceAll(/\W+/g, '-')

function onlyOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
