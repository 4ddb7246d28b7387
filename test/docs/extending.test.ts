import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import t from 'tap'
import { root } from '../root.ts'
import { until } from '../server/serving.ts'
import { commandsOf, snippetsOf } from './snippets.ts'
import { edited, sourceEdit } from './source-edits.ts'

const PAGE = 'docs/extending.md'
const snippets = snippetsOf(PAGE)
const edits = snippets.flatMap(snippet => sourceEdit(snippet) ?? [])

/** Every file of the page after all its edits, applied in order. */
function editedFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  for (const edit of edits) {
    const path = join(root, edit.path)
    const source = files.get(edit.path) ?? (existsSync(path) ? readFileSync(path, 'utf8') : null)
    files.set(edit.path, edited(edit, source))
  }
  return files
}

t.test('every file of the page is new, and every line it changes exists once', async t => {
  t.ok(edits.length > 10)
  t.doesNotThrow(editedFiles)
  for (const { at, language, text } of snippets) if (language === 'diff') t.match(text, /^--- \S+\n@@\n/, at)
})

t.test('an unknown place in the sources is an error', async t => {
  const edit = { at: 'page:1', path: 'a.ts', text: null, hunks: [{ before: 'b\n', after: 'b\nc\n' }] }
  t.equal(edited(edit, 'a\nb\nd\n'), 'a\nb\nc\nd\n')
  t.throws(() => edited(edit, 'a\nbb\n'), /a\.ts has these lines nowhere/)
  t.throws(() => edited(edit, 'b\nb\n'), /more than once/)
  t.throws(() => edited(edit, null), /there is no a\.ts/)
  t.throws(() => edited({ ...edit, text: 'x' }, ''), /there already/)
})

/** Compiled and generated once, before any command of the page runs. */
const preparing = ['npx tsc -p .', 'npm run docs']

const hasCurl = spawnSync('curl', ['--version']).status === 0
const home = 'http://127.0.0.1:8787'
const plain = (line: string): string => line.trim().replaceAll(/\s+/g, ' ')

const isLong = process.env['TRANCHE_RECIPES'] === '1'
t.test(
  'the recipes, applied to a copy of the sources, compile and work',
  {
    timeout: 1_800_000,
    skip: isLong ? false : 'TRANCHE_RECIPES=1 compiles a copy of the sources, as the nightly run does',
  },
  async t => {
    const folder = await copyOfSources()
    t.teardown(() => rm(folder, { recursive: true, force: true }))
    for (const [path, text] of editedFiles()) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    for (const { file, text } of snippets) if (file) await writeFile(join(folder, file), text)

    /** The output of a shell in the folder. */
    async function run(command: string): Promise<{ code: number; out: string }> {
      const child = spawn('sh', ['-e', '-c', command], { cwd: folder, env: environment(folder) })
      let out = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', chunk => {
          out += chunk
        })
      const [code] = await once(child, 'close')
      return { code, out }
    }

    async function passes(at: string, command: string): Promise<string> {
      const { code, out } = await run(command)
      t.equal(code, 0, `${at}: ${command}${code === 0 ? '' : `\n${out.slice(-3000)}`}`)
      return out
    }

    let server: Promise<{ url: string; key: string }> | undefined
    let children: ChildProcess[] = []
    t.teardown(() => {
      for (const child of children) child.kill('SIGKILL')
    })
    const served = () => {
      server ??= serve(folder, child => {
        children = [...children, child]
      })
      return server
    }

    for (const command of [...preparing, preparing[0]!])
      if (!t.passing()) return
      else await passes(PAGE, command)
    let before = ''
    for (const { at, language, text, notRun } of snippets) {
      if (notRun || !t.passing()) continue
      if (language === 'text' && before !== '') {
        const said = new Set(before.split('\n').map(plain))
        t.strictSame(
          text.split('\n').filter(line => !said.has(plain(line))),
          [],
          `${at} is what is said: ${before.slice(0, 3000)}`,
        )
      }
      if (language !== 'sh') continue
      before = ''
      for (const command of commandsOf(text)) {
        if (preparing.includes(command)) continue
        if (!command.includes(home)) before += await passes(at, command)
        else if (!hasCurl) t.pass(at, { skip: `there is no curl here for ${command}` })
        else {
          const { url, key } = await served()
          before += await passes(at, command.replaceAll(home, url).replace('$KEY', key))
        }
      }
    }
  },
)

/** The sources, and the tests that the page runs, with a configuration that compiles only these. */
async function copyOfSources(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-recipes-'))
  const web = join(root, 'server/web')
  for (const name of ['engine', 'server', 'cli', 'scripts', 'test', 'docs', 'data', 'python', 'package.json'])
    await cp(join(root, name), join(folder, name), { recursive: true, filter: path => path !== web })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const tests = commandsOf(snippets.map(({ text }) => text).join('\n'))
    .flatMap(command => [...command.matchAll(/dist\/(test\/\S+)\.js/g)])
    .map(([, path]) => `${path}.ts`)
  const configuration = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'))
  configuration.include = ['engine', 'server', 'cli', 'scripts/write-docs.ts', ...tests]
  configuration.compilerOptions.declaration = false
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(configuration))
  await mkdir(join(folder, 'bin'))
  const programs = {
    curl: 'PATH=$(echo "$PATH" | cut -d: -f2-); exec curl --fail-with-body --silent --show-error "$@"',
    tranche: `exec '${process.execPath}' '${join(folder, 'dist/cli/main.js')}' "$@"`,
    npx: 'if [ "$1" = tap ]; then shift; exec node "$@"; fi; exec "node_modules/.bin/$@"',
  }
  for (const [name, line] of Object.entries(programs)) {
    await writeFile(join(folder, 'bin', name), `#!/bin/sh\n${line}\n`)
    chmodSync(join(folder, 'bin', name), 0o755)
  }
  return folder
}

/** The environment without what the test runner adds to child processes. */
function environment(folder: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _runner, ...own } = process.env
  return { ...own, PATH: `${join(folder, 'bin')}:${own['PATH']}`, TRANCHE_LAKE: '', TRANCHE_STATE: '' }
}

/** The lake of the page, served by the compiled copy. */
async function serve(
  folder: string,
  started: (child: ChildProcess) => void,
): Promise<{ url: string; key: string }> {
  const words = ['dist/cli/main.js', 'serve', '--demo', '--port', '0', '--lake', 'scratch']
  const child = spawn(process.execPath, words, { cwd: folder, env: environment(folder) })
  started(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      said += chunk
    })
  const [, url] = await until(() => {
    if (child.exitCode !== null) throw new Error(`serve ended: ${said}`)
    return /listening on (\S+)/.exec(said)
  })
  const [key] = await until(() => /tr_[0-9a-f]{32}/.exec(said))
  return { url: url!, key }
}
