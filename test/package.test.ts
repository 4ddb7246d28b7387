import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t from 'tap'
import { commandsOf, linksOf, snippetsOf } from './docs/snippets.ts'
import { testFolder } from './folder.ts'
import { root } from './root.ts'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { bin, exports } = JSON.parse(read('package.json')) as {
  bin: Readonly<Record<string, string>>
  exports: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** npm, without the runner's options for Node and without building again. */
function npm([verb = '', ...args]: readonly string[], cwd = root): string {
  const { NODE_OPTIONS: _, ...env } = process.env
  return execFileSync('npm', [verb, '--ignore-scripts', ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Pages that others link to, and that speak of the sources. */
const isForClones = (page: string) => page.startsWith('bench/') || page === 'CONTRIBUTING.md'

t.test('nothing is published before the package says where its sources are', async t => {
  const folder = testFolder(t, { 'package.json': '{"name":"x"}' })
  const publish = () =>
    spawnSync(process.execPath, [join(root, 'scripts/prepublish.mjs')], { cwd: folder, encoding: 'utf8' })
  const { status, stderr } = publish()
  t.equal(status, 1)
  t.match(stderr, 'npm pkg set repository.type=git')
  writeFileSync(join(folder, 'package.json'), '{"repository":{"url":"git+https://example.org/a/b.git"}}')
  t.equal(publish().status, 0)
})

t.test('the program that was built can be executed, however it is linked', t => {
  for (const path of Object.values(bin)) accessSync(join(root, path), constants.X_OK)
  t.end()
})

t.test('the package holds what runs and what its users read', async t => {
  const [{ files }] = JSON.parse(npm(['pack', '--dry-run', '--json'])) as [{ files: { path: string }[] }]
  const paths = files.map(({ path }) => path)
  const held = new Set(paths)
  t.strictSame(
    paths.filter(path =>
      /^dist\/(test|bench|scripts)\/|tsbuildinfo|^(test|scripts|engine|server|cli|python)\//.test(path),
    ),
    [],
    'no tests, benchmarks, scripts, sources or build info',
  )
  const targets = [...Object.values(bin), ...Object.values(exports).flatMap(entry => Object.values(entry))]
  for (const path of [
    ...targets.map(path => path.replace(/^\.\//, '')),
    'LICENSE',
    'CHANGELOG.md',
    'SECURITY.md',
  ])
    t.ok(held.has(path), path)
  for (const site of ['dist/web', 'dist/guide'])
    if (existsSync(join(root, site)))
      t.ok(
        paths.some(path => path.startsWith(`${site}/`)),
        site,
      )
  const scripts = paths.filter(path => /^dist\/(engine|server|cli)\/.*\.js$/.test(path))
  t.strictSame(
    scripts.filter(path => !held.has(`${path}.map`)),
    [],
    'every module has its source map',
  )
  const map = JSON.parse(read('dist/engine/engine.js.map')) as { sourcesContent?: string[] }
  t.equal(
    map.sourcesContent?.[0],
    read('engine/engine.ts'),
    'with the source itself, which is not in the package',
  )
  const folders = new Set(paths.map(dirname))
  for (const page of paths.filter(path => path.endsWith('.md') && !isForClones(path)))
    for (const link of linksOf(page)) {
      const to = join(dirname(page), link).replace(/\/$/, '')
      t.ok(held.has(to) || folders.has(to), `${page} links to ${to}`)
    }
})

const consumer = `import { type Bond, type Engine, open, QueryError } from 'tranchedb'
import { client } from 'tranchedb/client'
import { fetchSources } from 'tranchedb/fetch'
import { type App, createApp } from 'tranchedb/server'
import { type Pulled, pullSnapshot } from 'tranchedb/store'

export const widest = async (engine: Engine): Promise<Bond | undefined> =>
  (await engine.call('search.bonds', { sort: '-pricing.spread', limit: 1 })).data[0]
export const fetched = () =>
  fetchSources([{ source: 'treasury', since: '2022-01-01' }], { to: 'fetched', agent: 'Jane Doe jane@example.com' })
export type Mounted = App
export const pulled = (): Promise<Pulled> => pullSnapshot('s3://desk/lake', 'copy')
const engine = await open(process.argv[2]!)
const { meta } = await engine.call('search.bonds', { min_ytm: 8 })
engine.close()
const { code } = new QueryError('NOT_FOUND', 'no such thing')
console.log(meta.total! > 0, code, typeof createApp, typeof client({ url: 'http://127.0.0.1:1', key: 'tr_x' }).call)
`

const settings = (module: string, moduleResolution: string) => ({
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023', 'dom'],
    module,
    moduleResolution,
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: false,
    outDir: module,
  },
  files: ['consumer.ts'],
})

/** Commands of README's five minutes with the sample, in order. */
function fiveMinutes(): readonly string[] {
  const lines = read('README.md').split('\n')
  const begin = lines.indexOf('## Five minutes with the sample')
  const end = lines.findIndex((line, i) => i > begin && line.startsWith('## '))
  return snippetsOf('README.md').flatMap(({ at, language, text }) => {
    const line = Number(at.split(':')[1])
    return language === 'sh' && line > begin && line < end ? commandsOf(text) : []
  })
}

t.test('the five minutes begin with a sample, and are found in README', async t => {
  const commands = fiveMinutes()
  t.equal(commands[0], 'npx tranche sample')
  t.ok(commands.length > 10, String(commands.length))
})

const isAsked = process.env['TRANCHE_PACKAGE'] === '1'
const timeout = 1_800_000
// The limit of the file, which is otherwise shorter than the installation.
if (isAsked) t.setTimeout(timeout)
const skip = isAsked ? false : 'TRANCHE_PACKAGE=1 installs the package from the registry'

t.test(
  'installed in an empty folder it runs, and compiles in strict projects',
  { skip, timeout },
  async t => {
    const folder = testFolder(t)
    const name = npm(['pack', '--pack-destination', folder]).trim().split('\n').at(-1)!
    const app = join(folder, 'app')
    mkdirSync(app)
    writeFileSync(join(app, 'package.json'), '{"name":"app","private":true,"type":"module"}\n')
    npm(['install', '--no-audit', '--no-fund', '--prefer-offline', join(folder, name)], app)
    const run = (command: string, ...args: string[]) => {
      const { NODE_OPTIONS: _, ...env } = process.env
      const { status, stdout, stderr } = spawnSync(command, args, { cwd: app, env, encoding: 'utf8' })
      return { status, out: stdout, err: stderr }
    }
    const tranche = join(app, 'node_modules/.bin/tranche')
    t.match(run(tranche, '--version'), { status: 0, out: `${JSON.parse(read('package.json')).version}\n` })
    t.match(run(join(app, 'node_modules/.bin/tranchedb'), '--help'), { status: 0, err: '' })
    // In a folder that has the package, npx runs its program.
    for (const command of fiveMinutes()) {
      const { status, out, err } = run('sh', '-e', '-c', command)
      t.equal(status, 0, `${command}${status === 0 ? '' : `\n${err.slice(-1500)}`}`)
      if (!/ -o /.test(command)) t.not(`${out}${err}`.trim(), '', `says something: ${command}`)
    }
    const four = ['--min-leverage', '4', '--limit', '2', '--fields', 'ticker']
    t.match(run(tranche, 'companies', '--lake', 'lake', ...four), {
      status: 0,
      out: /^\{"ticker":"\w+"\}\n\{"ticker":"\w+"\}\n$/,
    })
    t.match(run(tranche, 'doctor', '--lake', 'lake'), { status: 0 })
    for (const file of ['sbom.cdx.json', 'THIRD-PARTY-LICENCES.txt'])
      t.ok(existsSync(join(app, 'node_modules/tranchedb', file)), file)
    const tarball = join(folder, name)
    const prefix = join(folder, 'global')
    npm(
      ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', '--prefer-offline', tarball],
      app,
    )
    t.match(run(join(prefix, 'bin/tranche'), 'companies', '--lake', 'lake', ...four), { status: 0 })
    const cleared = join(folder, 'elsewhere')
    mkdirSync(cleared)
    const npx = npm(
      ['exec', '--yes', '--prefer-offline', `--package=${tarball}`, '--', 'tranche', '--version'],
      cleared,
    )
    t.equal(npx.trim(), JSON.parse(read('package.json')).version)
    writeFileSync(join(app, 'consumer.ts'), consumer)
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      writeFileSync(join(app, 'tsconfig.json'), JSON.stringify(settings(module, resolution)))
      const compiled = run(process.execPath, join(root, 'node_modules/typescript/bin/tsc'))
      t.strictSame(compiled, { status: 0, out: '', err: '' }, resolution)
      const said = run(process.execPath, join(module, 'consumer.js'), 'lake')
      t.strictSame(said, { status: 0, out: 'true NOT_FOUND function function\n', err: '' }, resolution)
    }
  },
)

t.test('README names the command that a clone alone has only for a clone', async t => {
  t.match(read('README.md'), /never `npx tranche` there: that name on the registry is another package/)
})

t.test('no package of the tree reports installs to its maker', async t => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, object>> }
  t.strictSame(
    Object.keys(packages).filter(path => path.includes('@scarf/')),
    [],
  )
})

t.test(
  'every package with an install script is allowed or refused by name, so that npm says nothing',
  async t => {
    const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: object }
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Readonly<Record<string, { hasInstallScript?: boolean }>>
    }
    for (const [path, { hasInstallScript }] of Object.entries(packages)) {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      if (hasInstallScript) t.ok(Object.hasOwn(allowScripts, name), name)
    }
  },
)
