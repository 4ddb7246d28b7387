import { constants } from 'node:fs'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { usableThreads } from '../../base/machine.ts'
import type { Progress } from '../../base/progress.ts'
import type { Database } from '../../database/database.ts'
import { fingerprint } from '../../lake/fingerprint.ts'
import { inLake, type Lake, namesIn } from '../../lake/lake.ts'
import { readCurrent, readManifest, type StoredFile } from '../../lake/snapshot.ts'
import { checkInstalled, chosenModel, type ModelFacts, openSentences } from '../embed/sentence-model.ts'
import { INDEX_VERSION, type IndexFacts, searchFiles } from '../index-facts.ts'
import type { Section } from '../text/section.ts'
import { native } from '../vectors/graph.ts'
import type { VectorIndex } from '../vectors/vector-index.ts'
import { buildApart } from './build-apart.ts'
import { buildIndex } from './build-index.ts'

/** Approximate characters per part in which sections are read. */
const PART_CHARACTERS = 4 << 20
const PART_ROWS = 1000

/** Characters to index before starting other processes. */
const SMALL = 1 << 20
const MOST_HELPERS = 8

/** What an index depends on, of the documents: a hash of their rows, null without any. */
export interface DocumentFacts {
  readonly content: string | null
  readonly count: number
  readonly characters: number | null
}

/** SQL for the one row of `DocumentFacts`. */
export const documentFactsSql = `
  SELECT CASE WHEN count(*) > 0 THEN concat_ws('/', bit_xor(hash(d)), sum(CAST(hash(d) AS HUGEINT))) END AS content, count(*) AS count,
    CAST(sum(length(content)) AS DOUBLE) AS characters FROM documents d`

export interface IndexedDocuments {
  readonly facts: IndexFacts
  /** Files that were taken over, and read back since. */
  readonly checked: readonly StoredFile[]
}

/** Builds the search index of `documents` in a snapshot folder, or reuses that of the current snapshot unless `full`. */
export async function indexDocuments(
  db: Database,
  lake: Lake,
  folder: string,
  {
    embedder,
    vectorIndex,
    full = false,
    documents: { content: known, count, characters },
  }: {
    readonly embedder: string
    readonly vectorIndex: VectorIndex
    readonly full?: boolean | undefined
    readonly documents: DocumentFacts
  },
  report: (step: string) => void,
): Promise<IndexedDocuments> {
  const chosen = await chosenModel(embedder)
  const content = known ?? ''
  const before = full ? null : await formerIndex(lake)
  const taken = before && (await takeOver(before, folder, { content, vectorIndex, chosen }))
  if (taken) return { facts: taken.facts, checked: taken.files }
  const cache = inLake(lake, 'embeddings')
  const progress: Progress = async (label, done, total) => {
    report(total ? `${label}: ${Math.floor((100 * (done ?? 0)) / total)}%` : label)
    // Yields, so that Ctrl-C and others get a turn.
    await setImmediate()
  }
  const former = before && (await isWhole(before)) ? join(before.snapshot, 'search') : null
  const options = { content, count, former, vectorIndex }
  const into = join(folder, 'search')
  if ((characters ?? 0) > SMALL) {
    const helpers = Math.min(usableThreads(), MOST_HELPERS)
    const sentences = chosen && { facts: chosen, cache }
    const facts = await buildApart(partsOf(db), { ...options, folder: into, helpers, sentences }, progress)
    return { facts, checked: [] }
  }
  const sentences = chosen && count > 0 ? await openSentences(chosen, cache) : null
  const facts = await buildIndex(into, sectionsOf(db), {
    ...options,
    ...(sentences && { sentences }),
    progress,
  }).finally(() => sentences?.cache.close())
  return { facts, checked: [] }
}

/** Throws before the work of a build if it will embed documents with a model that cannot be run. */
export async function checkEmbedder(lake: Lake, embedder: string): Promise<void> {
  const chosen = await chosenModel(embedder)
  if (chosen === null || (await namesIn(lake, 'batches/documents')).length === 0) return
  // An index with this model is taken over where the documents are the same.
  const before = await formerIndex(lake).catch(() => null)
  if (before?.facts.embedder?.name !== chosen.name) checkInstalled(chosen)
}

interface Former {
  /** The folder of its snapshot. */
  readonly snapshot: string
  readonly files: ReturnType<typeof searchFiles>
  readonly facts: IndexFacts
}

/** The index of the current snapshot, if it has this version. Its files are not verified yet. */
async function formerIndex(lake: Lake): Promise<Former | null> {
  const id = await readCurrent(lake)
  if (id === null) return null
  const files = searchFiles(await readManifest(lake, id))
  if (!files.some(({ file }) => file === 'search/index.json')) return null
  const snapshot = inLake(lake, 'snapshots', id)
  const facts = JSON.parse(
    await readFile(join(snapshot, 'search/index.json'), 'utf8').catch(() => 'null'),
  ) as IndexFacts | null
  return facts?.version === INDEX_VERSION ? { snapshot, files, facts } : null
}

/** Whether its files are unchanged. */
async function isWhole({ snapshot, files }: Former): Promise<boolean> {
  for (const { file, sha256 } of files) {
    const found = await fingerprint(join(snapshot, file)).catch(() => null)
    if (found?.sha256 !== sha256) return false
  }
  return true
}

/** Whether a build that chooses this would search vectors as the index does: the package may have been installed since. */
const isStillChosen = async ({ vectorIndex: before }: IndexFacts, chosen: VectorIndex): Promise<boolean> =>
  before?.chosen === chosen && (before.because !== 'not_installed' || !(await native()))

/** Takes over an index of the same documents, where its files are as they were written. */
async function takeOver(
  former: Former,
  folder: string,
  {
    content,
    vectorIndex,
    chosen,
  }: {
    readonly content: string
    readonly vectorIndex: VectorIndex
    readonly chosen: ModelFacts | null
  },
): Promise<Former | null> {
  const { snapshot, files, facts } = former
  if (facts.content !== content || !(await isStillChosen(facts, vectorIndex))) return null
  const { embedder } = facts
  const same =
    embedder?.name === (chosen?.name ?? 'lsa') &&
    (embedder.fingerprint ?? null) === (chosen?.fingerprint ?? null)
  if (embedder && !same) return null
  for (const { file, sha256 } of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    const whole = await copyFile(join(snapshot, file), join(folder, file), constants.COPYFILE_FICLONE).then(
      async () => (await fingerprint(join(folder, file))).sha256 === sha256,
      () => false,
    )
    if (whole) continue
    await rm(join(folder, 'search'), { recursive: true })
    return null
  }
  return former
}

async function* sectionsOf(db: Database): AsyncGenerator<Section> {
  for await (const part of partsOf(db)) yield* part
}

/** Every section, newest filing first, a bounded number of characters at a time. */
async function* partsOf(db: Database): AsyncGenerator<Section[]> {
  await db.run(
    'CREATE OR REPLACE TABLE search_sections AS SELECT * FROM documents ORDER BY filing_date DESC NULLS LAST, ticker NULLS LAST, id',
  )
  try {
    const lengths = await db.columns('SELECT length(content) FROM search_sections ORDER BY rowid')
    for (const [from, to] of parts((lengths.columns[0] ?? []) as number[])) {
      const rows = await db.rows<Record<string, unknown>>(
        'SELECT * FROM search_sections WHERE rowid >= ? AND rowid < ? ORDER BY rowid',
        [from, to],
      )
      yield rows.map(sectionOf)
    }
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

/** Ranges of at least one row and a bounded number of characters. */
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
