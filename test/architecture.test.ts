import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { root } from './root.ts'

/**
 * The rooms, lowest floor first. A room imports its own files, rooms of lower floors, and rooms of its own floor as
 * long as no circle closes. CONTRIBUTING.md shows the same list.
 */
const floors: readonly (readonly string[])[] = [
  ['engine/base'],
  ['engine/names', 'engine/credit'],
  ['engine/schema'],
  ['engine/database', 'engine/filing'],
  ['engine/lake', 'engine/encode', 'engine/derive', 'engine/sql'],
  ['engine/ingest', 'engine/search', 'engine/query', 'engine/fetch'],
  ['engine/operations', 'engine/snapshot', 'engine/verify'],
  ['engine'],
  ['server/limits', 'server/log'],
  ['server/state'],
  ['server/sql', 'server/http'],
  ['server/v1'],
  ['server/account', 'server/mcp', 'server/openapi', 'server/pages'],
  ['server/app'],
  ['server/process', 'server'],
  ['cli'],
  ['scripts', 'bench'],
]

/** Files that may lie in the root of a tree of rooms. */
const fronts: Readonly<Record<string, readonly string[]>> = {
  engine: ['answer.ts', 'engine.ts', 'main.ts'],
  server: ['main.ts'],
}

interface Import {
  readonly file: string
  /** A path from the root of the project, or the name of a package. */
  readonly from: string
  readonly isDynamic: boolean
  /** Gone when compiled. */
  readonly isType: boolean
}

const sources = async (): Promise<string[]> => {
  const found: string[] = []
  for (const tree of ['engine', 'server', 'cli', 'scripts', 'bench'])
    for (const entry of await readdir(join(root, tree), { recursive: true, withFileTypes: true })) {
      const path = relative(root, join(entry.parentPath, entry.name))
      const isOurs = !/^server\/web\/|node_modules\//.test(path)
      if (entry.isFile() && isOurs && entry.name.endsWith('.ts')) found.push(path)
    }
  return found
}

/** Every import and re-export of a file, `import type` and `import()` included. */
async function importsOf(file: string): Promise<Import[]> {
  const text = await readFile(join(root, file), 'utf8')
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isDynamic: boolean, isType = false) => {
    if (!specifier || !ts.isStringLiteral(specifier)) return
    const from = specifier.text.startsWith('.')
      ? relative(root, join(root, dirname(file), specifier.text)).replace(/\.js$/, '.ts')
      : specifier.text
    found.push({ file, from, isDynamic, isType })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node))
      add(node.moduleSpecifier, false, node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword)
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, false, node.isTypeOnly)
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], true)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, false, true)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
  return found
}

const files = await sources()
const isOurs = new Set(files)
const imports = (await Promise.all(files.map(importsOf))).flat()
const internal = imports.filter(({ from }) => isOurs.has(from))
const external = imports.filter(({ from }) => !isOurs.has(from))

/** `engine/query/memory/lane.ts` is in room `engine/query`, `engine/main.ts` in `engine`. */
const roomOf = (file: string): string => {
  const parts = dirname(file).split('/')
  return /^(engine|server)$/.test(parts[0]!) ? parts.slice(0, 2).join('/') : parts[0]!
}
const floorOf = (room: string): number => floors.findIndex(rooms => rooms.includes(room))

/** Circles in a graph: its strongly connected components of more than one node (Tarjan). */
function circles(nodes: Iterable<string>, edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const found: string[][] = []
  const visit = (node: string): void => {
    const at = index.size
    index.set(node, at)
    low.set(node, at)
    stack.push(node)
    for (const next of edges.get(node) ?? [])
      if (!index.has(next)) {
        visit(next)
        low.set(node, Math.min(low.get(node)!, low.get(next)!))
      } else if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, index.get(next)!))
    if (low.get(node) !== at) return
    const circle = stack.splice(stack.indexOf(node))
    if (circle.length > 1) found.push(circle.sort())
  }
  for (const node of nodes) if (!index.has(node)) visit(node)
  return found
}

function edgesBetween(name: (file: string) => string): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>()
  for (const { file, from } of internal) {
    const [a, b] = [name(file), name(from)]
    if (a === b) continue
    const known = edges.get(a) ?? new Set()
    edges.set(a, known.add(b))
  }
  return edges
}

t.test('every file is in a room of a declared floor', async t => {
  t.strictSame(
    [...new Set(files.map(roomOf))].filter(room => floorOf(room) < 0),
    [],
  )
})

t.test('a room imports no higher floor, types included', async t => {
  const upward = internal.filter(({ file, from }) => floorOf(roomOf(from)) > floorOf(roomOf(file)))
  t.strictSame(upward, [])
})

t.test('files do not import each other in circles, types included', async t => {
  t.strictSame(
    circles(
      files,
      edgesBetween(file => file),
    ),
    [],
  )
})

t.test('folders do not import each other in circles, types included', async t => {
  // bench/run.ts collects the cases of a folder below it.
  const product = files.filter(file => !file.startsWith('bench/'))
  t.strictSame(circles(new Set(product.map(dirname)), edgesBetween(dirname)), [])
})

t.test('the root of each tree has only its entry points', async t => {
  for (const [tree, front] of Object.entries(fronts))
    t.strictSame(
      files.filter(file => dirname(file) === tree).sort(),
      front.map(name => `${tree}/${name}`),
      tree,
    )
})

t.test('only the database room imports DuckDB', async t => {
  const importing = external.filter(
    ({ file, from }) => from.startsWith('@duckdb') && !file.startsWith('bench/'),
  )
  t.strictSame([...new Set(importing.map(({ file }) => roomOf(file)))], ['engine/database'])
})

t.test('credit maths is pure: it imports nothing but itself', async t => {
  t.strictSame(
    imports.filter(i => i.file.startsWith('engine/credit/') && !i.from.startsWith('engine/credit/')),
    [],
  )
})

t.test('nothing is derived from the clock', async t => {
  for (const file of files.filter(each => each.startsWith('engine/derive/')))
    t.notMatch(
      await readFile(join(root, file), 'utf8'),
      /Date\.now\(\)|new Date\(\)|\bnow\(\)|current_date/i,
      file,
    )
})

t.test('the MCP code is loaded only on the first message', async t => {
  const eager = imports.filter(
    ({ file, from, isDynamic }) =>
      !isDynamic && !file.startsWith('server/mcp/') && /modelcontextprotocol|^server\/mcp\//.test(from),
  )
  t.strictSame(eager, [])
})

t.test('what derives tables is loaded only where a day or a build derives them', t => {
  const loaded = new Set(['engine/main.ts', 'cli/main.ts', 'server/main.ts', 'cli/operation-command.ts'])
  for (const file of loaded)
    for (const each of internal)
      if (each.file === file && !each.isDynamic && !each.isType) loaded.add(each.from)
  const pipeline = ['derive', 'steps', 'company-derivation'].map(name => `engine/derive/${name}.ts`)
  t.strictSame(
    pipeline.filter(file => loaded.has(file)),
    [],
  )
  t.ok(loaded.has('engine/operations/api.ts'))
  t.end()
})

t.test('only a store in a bucket needs the S3 client, which is loaded with it', async t => {
  const importing = external.filter(({ from }) => from.startsWith('@aws-sdk'))
  t.strictSame([...new Set(importing.map(({ file }) => file))], ['engine/lake/store/s3-store.ts'])
  t.match(
    await readFile(join(root, 'engine/lake/store/s3-store.ts'), 'utf8'),
    /^import type \{ S3Client \} from '@aws-sdk\/client-s3'$/m,
  )
  const eager = imports.filter(
    ({ from, isDynamic }) => !isDynamic && from === 'engine/lake/store/s3-store.ts',
  )
  t.strictSame(eager, [])
})

t.test(
  'only "tranche fetch" and the remote lane ask other servers, and their code is loaded on use',
  async t => {
    const eager = imports.filter(
      ({ file, from, isDynamic }) =>
        !isDynamic &&
        ((from.startsWith('engine/fetch/') && !/^(engine\/fetch\/|cli\/fetch\.ts$)/.test(file)) ||
          (from === 'engine/query/remote/trino-client.ts' &&
            !/^(engine\/query\/remote\/|cli\/remote-sql\.ts$)/.test(file))),
    )
    t.strictSame(eager, [])
    const asking: string[] = []
    for (const file of files.filter(each => /^(engine|cli)\//.test(each)))
      if (/\bfetch\((?!\))[^)]*\{?|\bnode:https?'|\bnode:net'/.test(await readFile(join(root, file), 'utf8')))
        asking.push(file)
    t.strictSame(asking.toSorted(), ['engine/fetch/http-client.ts', 'engine/query/remote/trino-client.ts'])
  },
)
