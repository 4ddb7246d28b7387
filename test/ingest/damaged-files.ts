import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Test } from 'tap'
import { isCusip, isIsin } from '../../engine/credit/identifiers.ts'
import { Database, literal } from '../../engine/database/database.ts'
import { ingest } from '../../engine/ingest/ingest.ts'
import type { IngestReport } from '../../engine/ingest/report.ts'
import { batchFiles } from '../../engine/lake/imports.ts'
import { ensureLake, inLake, type Lake, namesIn } from '../../engine/lake/lake.ts'
import { datasets } from '../../engine/schema/datasets/datasets.ts'
import { testFolder } from '../folder.ts'
import { type Damage, damaged, damages, seededRandom } from './mutations.ts'
import type { SoundSource } from './sound-sources.ts'

/** Number of damaged copies per source: `TRANCHE_MUTATIONS=500` in the nightly run. */
const COPIES = Number(process.env['TRANCHE_MUTATIONS'] ?? 10)
const SEED = Number(process.env['TRANCHE_MUTATION_SEED'] ?? 11)

/** For kinds that do not give their day. */
const OPTIONS = { date: '2025-12-19' }

interface Row {
  readonly dataset: string
  /** Its file, or `archive!member`. */
  readonly file: string
  readonly values: Readonly<Record<string, unknown>>
  /** Its content, except where and when it was read. */
  readonly text: string
}

/** Facts about the reading rather than the row: its position, and hashes of the whole document. */
const OF_READING = ['source', 'ingested_at', 'position', 'id']

async function rowsIn(lake: Lake): Promise<Row[]> {
  const database = await Database.create({ threads: 1 })
  const rows: Row[] = []
  try {
    for (const [dataset, files] of await batchFiles(lake)) {
      const paths = files.map(file => literal(inLake(lake, file.path))).join(', ')
      for (const row of await database.rows(`SELECT * FROM read_parquet([${paths}], union_by_name = true)`)) {
        const told = Object.entries(row).filter(([name]) => !OF_READING.includes(name))
        rows.push({
          dataset,
          file: String(row['source']),
          values: row,
          text: JSON.stringify([dataset, ...told], (_, v) => (typeof v === 'bigint' ? String(v) : v)),
        })
      }
    }
  } finally {
    database.close()
  }
  return rows
}

/** Values that no check would accept. */
function malformed({ dataset, values }: Row): string[] {
  const { columns } = datasets.find(each => each.name === dataset)!
  return Object.entries(columns).flatMap(([name, column]) => {
    const value = values[name]
    const isBad =
      value === null || value === undefined
        ? !column.nullable
        : column.format === 'cusip'
          ? !isCusip(String(value))
          : column.format === 'isin'
            ? !isIsin(String(value))
            : typeof value === 'number'
              ? !Number.isFinite(value)
              : column.kind === 'date' && !/^\d{4}-\d\d-\d\d/.test(String(value))
    return isBad ? [`${dataset}.${name} = ${value}`] : []
  })
}

const failuresOf = ({ files }: IngestReport): string[] =>
  files.flatMap(({ name, failure, members }) =>
    [failure, ...members.map(member => member.failure)].flatMap(trace =>
      trace ? [`${name}: ${trace}`] : [],
    ),
  )

async function put(folder: string, name: string, content: Buffer): Promise<string> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

/** Where the header of a file of lines, or of a filing, ends: it affects all rows. */
const headerEnd = ({ content, holds }: SoundSource): number =>
  holds === 'lines' ? content.indexOf('\n') + 1 : holds === 'prose' ? content.indexOf('PART I<') : 0

interface Copy {
  readonly path: string
  readonly damage: Damage
  /** Only what follows the header is damaged. */
  readonly isBeyondHeader: boolean
}

/** One test per source: ingests its damaged copies together and compares the results with the sound file. */
export const holdDamaged = (t: Test, source: SoundSource): Promise<unknown> =>
  t.test(`damaged copies of ${source.name} (${source.kind}) add no data that is not in it`, async t => {
    const folder = testFolder(t)
    const soundLake = await ensureLake(join(folder, 'sound'))
    const soundPath = await put(join(folder, 'files', 'sound'), source.name, source.content)
    const sound = await ingest(soundLake, [soundPath], OPTIONS)
    t.equal(sound.files[0]!.status, source.isRefused ? 'refused' : 'taken', sound.files[0]!.reason ?? '')
    if (source.kind !== 'table' && source.kind !== 'zip' && source.kind !== 'gzip')
      t.strictSame(sound.files[0]!.kinds, [source.kind])
    const soundRows = await rowsIn(soundLake)
    const known = new Set(soundRows.map(row => row.text))

    const random = seededRandom(SEED)
    const copies: Copy[] = []
    for (let i = 0; i < COPIES; i++) {
      const damage = damages[i % damages.length]!
      const isBeyondHeader = i % 2 === 0
      const from = isBeyondHeader ? headerEnd(source) : 0
      const path = join(folder, 'files', String(i), source.name)
      await put(dirname(path), source.name, damaged(source.content, damage, random, from))
      copies.push({ path, damage, isBeyondHeader })
    }
    const lake = await ensureLake(join(folder, 'lake'))
    const report = await ingest(
      lake,
      copies.map(copy => copy.path),
      OPTIONS,
    )
    t.equal(report.files.length, copies.length, 'no file ends the run')
    t.strictSame(failuresOf(report), [], 'nothing fails in a way that nobody has thought of')
    t.strictSame(await namesIn(lake, 'tmp'), [])
    const rows = await rowsIn(lake)
    t.strictSame(rows.flatMap(malformed), [], 'every value has the declared form')

    for (const { path, damage, isBeyondHeader } of copies) {
      const foreign = rows.filter(row => row.file.startsWith(path) && !known.has(row.text))
      const which = `${damage} of ${path.slice(folder.length)}: ${foreign[0]?.text.slice(0, 300)}`
      if (source.holds === 'exact') t.equal(foreign.length, 0, which)
      else if (source.holds === 'columnar') {
        if (['cut', 'deletion', 'repetition'].includes(damage)) t.equal(foreign.length, 0, which)
      } else if (source.holds === 'structured') {
        if (damage === 'cut') t.equal(foreign.length, 0, which)
      } else if (isBeyondHeader && ['cut', 'deletion', 'repetition'].includes(damage)) {
        if (source.holds === 'lines') t.ok(rowsOfSource(foreign) <= 1, which)
        else if (damage === 'cut')
          for (const name of ['cik', 'accession', 'company_name', 'ticker'])
            for (const row of foreign)
              t.ok(
                soundRows.some(other => other.values[name] === row.values[name]) ||
                  row.dataset === 'entities',
                `${name} of ${which}`,
              )
      }
    }
  })

/** Source lines of the rows: one line may produce several. */
const rowsOfSource = (rows: readonly Row[]): number => new Set(rows.map(row => row.file)).size
