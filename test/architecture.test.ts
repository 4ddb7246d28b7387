import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { root } from './root.ts'

async function imports(folder: string): Promise<{ file: string; from: string }[]> {
  const found: { file: string; from: string }[] = []
  for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
    const path = join(entry.parentPath, entry.name)
    const text = await readFile(path, 'utf8')
    for (const [, from] of text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g))
      found.push({
        file: relative(root, path),
        from: from!.startsWith('.') ? relative(root, join(dirname(path), from!)) : from!,
      })
  }
  return found
}

t.test('the engine imports nothing of the faces that stand on it', async t => {
  const outside = (await imports('engine')).filter(i => /^(server|cli|scripts|bench|test)\//.test(i.from))
  t.strictSame(outside, [])
})

t.test('only one file knows DuckDB', async t => {
  const knowing = new Set(
    (await imports('engine')).filter(i => i.from.startsWith('@duckdb')).map(i => i.file),
  )
  t.strictSame([...knowing], ['engine/database/database.ts'])
})

t.test('credit maths is pure: it imports nothing but itself', async t => {
  const outside = (await imports('engine/credit')).filter(i => !i.from.startsWith('engine/credit/'))
  t.strictSame(outside, [])
})

t.test('derivations do not look at the runtime, and nothing derives from the clock', async t => {
  const outside = (await imports('engine/derive')).filter(i =>
    /^engine\/(operations|ingest|lake|encode|engine|api|build)/.test(i.from),
  )
  t.strictSame(outside, [])
  for (const entry of await readdir(join(root, 'engine/derive'))) {
    const text = await readFile(join(root, 'engine/derive', entry), 'utf8')
    t.notMatch(text, /Date\.now\(\)|new Date\(\)|\bnow\(\)|current_date/i, entry)
  }
})

t.test('what speaks to assistants is loaded when one asks, and by nothing else', async t => {
  for (const folder of ['engine', 'server', 'cli'])
    for (const entry of await readdir(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = relative(root, join(entry.parentPath, entry.name))
      if (!path.endsWith('.ts') || path.startsWith('server/mcp/')) continue
      t.notMatch(await readFile(join(root, path), 'utf8'), /from '[^']*(modelcontextprotocol|\/mcp\/)/, path)
    }
})
