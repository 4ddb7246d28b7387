import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Database } from '../database.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { type Manifest, readCurrent, readManifest } from '../lake/snapshot.ts'
import { fingerprint } from '../lake/verify.ts'
import { buildIndex, INDEX_VERSION } from './build-index.ts'
import type { IndexFacts } from './search-index.ts'
import type { Section } from './section.ts'
import { chosenModel, loadModel, type ModelFacts } from './sentence-model.ts'
import { VectorCache } from './vector-cache.ts'

/** Sections are read in parts of about so many characters. */
const PART_CHARACTERS = 8 << 20
const PART_ROWS = 1000

/** Builds the search index of `documents` in the folder of a snapshot, or takes over that of the snapshot in force. */
export async function indexDocuments(
  db: Database,
  lake: Lake,
  folder: string,
  embedder: string,
  progress: (step: string) => void,
): Promise<IndexFacts> {
  const chosen = await chosenModel(embedder)
  const [{ content, count }] = (await db.rows<{ content: string | null; count: number }>(
    `SELECT md5(string_agg(md5(CAST(d AS VARCHAR)), '' ORDER BY d.id)) AS content, count(*) AS count FROM documents d`,
  )) as [{ content: string | null; count: number }]
  const taken = await takeOver(lake, folder, content ?? '', chosen)
  if (taken) return taken
  const sentences = chosen && count > 0 ? await openSentences(lake, chosen) : null
  return buildIndex(join(folder, 'search'), sectionsOf(db), {
    content: content ?? '',
    ...(sentences && { sentences }),
    count,
    progress: async (label, done, total) => {
      progress(total ? `${label}: ${Math.floor((100 * (done ?? 0)) / total)}%` : label)
      // What else waits, Ctrl-C among it, has its turn.
      await new Promise(resolve => setImmediate(resolve))
    },
  }).finally(() => sentences?.cache.close())
}

/** A sentence-transformer, and what it has embedded for this lake before: nothing is lost when a build is stopped. */
async function openSentences(lake: Lake, facts: ModelFacts) {
  const model = await loadModel(facts, 'INVALID_PARAMETER')
  const key = createHash('sha256')
    .update(facts.fingerprint ?? facts.source)
    .digest('hex')
    .slice(0, 16)
  return {
    facts,
    model,
    cache: new VectorCache(inLake(lake, 'embeddings', `${key}-${model.wide}.bin`), model.wide),
  }
}

/** The index of the snapshot in force, where it is of the same documents and its files are as they were written. */
async function takeOver(
  lake: Lake,
  folder: string,
  content: string,
  chosen: ModelFacts | null,
): Promise<IndexFacts | null> {
  const id = await readCurrent(lake)
  if (id === null) return null
  const manifest = await readManifest(lake, id)
  const files = searchFiles(manifest)
  if (!files.some(({ file }) => file === 'search/index.json')) return null
  const from = (file: string) => inLake(lake, 'snapshots', id, file)
  const facts = JSON.parse(
    await readFile(from('search/index.json'), 'utf8').catch(() => 'null'),
  ) as IndexFacts
  if (facts?.version !== INDEX_VERSION || facts.content !== content) return null
  const { embedder } = facts
  const same =
    embedder?.name === (chosen?.name ?? 'lsa') &&
    (embedder.fingerprint ?? null) === (chosen?.fingerprint ?? null)
  if (embedder && !same) return null
  for (const { file, sha256 } of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    const whole = await copyFile(from(file), join(folder, file)).then(
      async () => (await fingerprint(join(folder, file))).sha256 === sha256,
      () => false,
    )
    if (whole) continue
    await rm(join(folder, 'search'), { recursive: true })
    return null
  }
  return facts
}

/** The files of a snapshot that are its search index. */
export const searchFiles = ({ files }: Manifest) => files.filter(({ file }) => file.startsWith('search/'))

/** Every section, newest filing first, a bounded number of characters at a time. */
async function* sectionsOf(db: Database): AsyncGenerator<Section> {
  await db.run(
    'CREATE OR REPLACE TABLE search_sections AS SELECT * FROM documents ORDER BY filing_date DESC NULLS LAST, ticker NULLS LAST, id',
  )
  try {
    const lengths = await db.columns('SELECT length(content) FROM search_sections ORDER BY rowid')
    for (const [from, to] of parts((lengths.columns[0] ?? []) as number[]))
      for (const row of await db.rows<Record<string, unknown>>(
        'SELECT * FROM search_sections WHERE rowid >= ? AND rowid < ? ORDER BY rowid',
        [from, to],
      ))
        yield sectionOf(row)
  } finally {
    await db.run('DROP TABLE search_sections')
  }
}

function sectionOf({ content, ...shown }: Record<string, unknown>): Section {
  const text = (name: string) => (shown[name] ?? null) as string | null
  return {
    id: shown['id'] as string,
    ticker: text('ticker'),
    company_name: text('company_name'),
    company_id: text('company_id'),
    coverage: text('coverage'),
    doc_type: shown['doc_type'] as string,
    section_type: shown['section_type'] as string,
    section_title: text('section_title'),
    filing_date: text('filing_date'),
    known_from: text('known_from'),
    content: content as string,
    shown,
  }
}

/** Ranges of rows, each of at least one and of a bounded number of characters. */
function* parts(lengths: readonly number[]): Generator<[from: number, to: number]> {
  let from = 0
  let characters = 0
  for (const [row, length] of lengths.entries()) {
    if (row > from && (characters + length > PART_CHARACTERS || row - from >= PART_ROWS)) {
      yield [from, row]
      from = row
      characters = 0
    }
    characters += length
  }
  if (from < lengths.length) yield [from, lengths.length]
}
