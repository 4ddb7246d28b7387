import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  type Output,
  type ReadOptions,
  Refused,
  type SourceFile,
} from '../../engine/ingest/readers/reader.ts'
import { readers } from '../../engine/ingest/readers.ts'
import { root } from '../root.ts'

/**
 * `test/golden/readers/<kind>/<case>/` holds a source file, or the members of an archive, and `rows.json`: what its reader takes and
 * refuses. `options.json` may hold options of ingest. A new case needs no code: UPDATE=1 writes `rows.json`.
 */
const golden = join(root, 'test/golden/readers')
const OWN_FILES = ['rows.json', 'options.json']

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? [entry.name] : []))

function sourceFile(folder: string, name: string): SourceFile {
  const path = join(folder, name)
  const bytes = readFileSync(path)
  return {
    name,
    head: bytes.toString('utf8', 0, 64 * 1024),
    headBytes: bytes.subarray(0, 64 * 1024),
    open: async () => createReadStream(path),
    bytes: async () => bytes,
    text: async () => bytes.toString('utf8'),
    path: async () => path,
  }
}

interface Read {
  /** Set where the whole file is refused. */
  refused_whole?: string
  notes: string[]
  taken: Record<string, readonly { dataset: string }[]>
  refused: Record<string, string>
}

/** What the reader of a kind reports on the files of a case. */
async function read(kind: string, folder: string): Promise<Read> {
  const reader = readers.find(each => each.kind === kind)!
  const files = readdirSync(folder)
    .filter(name => !OWN_FILES.includes(name))
    .map(name => sourceFile(folder, name))
  const optionsFile = join(folder, 'options.json')
  const options: ReadOptions = existsSync(optionsFile) ? JSON.parse(readFileSync(optionsFile, 'utf8')) : {}
  const result: Read = { notes: [], taken: {}, refused: {} }
  const sink = {
    take: (at: string, outputs: readonly Output[]) => {
      result.taken[at] = outputs.map(({ dataset, values }) => ({ dataset, ...values }))
    },
    refuse: (at: string, _raw: string, reason: string) => {
      result.refused[at] = reason
    },
    drain: async () => {},
    note: (text: string) => void result.notes.push(text),
  }
  try {
    if (files.length > 1) await reader.archive!.read(files, sink, options)
    else await reader.read(files[0]!, sink, options)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    result.refused_whole = error.message
  }
  return JSON.parse(JSON.stringify(result))
}

/** The kind that ingest recognises in the files of a case. */
function recognised(folder: string): string | undefined {
  const names = readdirSync(folder).filter(name => !OWN_FILES.includes(name))
  if (names.length > 1) return readers.find(each => each.archive?.recognises(names))?.kind
  const file = sourceFile(folder, names[0]!)
  return readers.find(each => each.recognises(file))?.kind
}

t.test('every reader has a case', async t => {
  t.strictSame(foldersIn(golden).sort(), readers.map(({ kind }) => kind).sort())
})

for (const kind of foldersIn(golden))
  for (const name of foldersIn(join(golden, kind)))
    t.test(`${kind}: ${name}`, async t => {
      const folder = join(golden, kind, name)
      t.equal(recognised(folder), kind)
      const expected = join(folder, 'rows.json')
      const found = await read(kind, folder)
      if (process.env['UPDATE'] === '1') writeFileSync(expected, `${JSON.stringify(found, null, 2)}\n`)
      t.strictSame(found, JSON.parse(readFileSync(expected, 'utf8')))
    })
