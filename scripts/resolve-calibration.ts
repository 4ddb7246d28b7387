import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Random, random } from '../cli/sample/random.ts'
import { elementAt } from '../engine/base/elements.ts'
import { Database, literal } from '../engine/database/database.ts'
import { datasetSql } from '../engine/derive/inputs.ts'
import { ingest } from '../engine/ingest/ingest.ts'
import { ensureLake, inLake, type Lake, openLake } from '../engine/lake/lake.ts'
import { readCurrent } from '../engine/lake/snapshot.ts'
import { open } from '../engine/main.ts'
import { matchBonds } from '../engine/operations/match-bond.ts'
import { type CompanyNames, readBondIndex } from '../engine/operations/resolve/bond-index.ts'
import { readDescription } from '../engine/operations/resolve/read-description.ts'
import { datasetNamed } from '../engine/schema/datasets/datasets.ts'
import { describedBonds, type ListedBond, nameForms } from './resolve-calibration/name-forms.ts'

// Measures resolve's accuracy and the calibration of its confidence. Descriptions are made from names, coupons and
// maturities in fund lists and N-PORT reports, in the name forms of several publishers, some of them damaged (words
// dropped or truncated, typos, no coupon, month and year only); the CUSIP of the row is the truth.
//
//     node dist/scripts/resolve-calibration.js LAKE [SOURCE...] [--date DAY] [--seed N] [--sample N] [--misses N]
//
// Without sources it uses the rows that LAKE was given. --date is the day of exports without one. It prints accuracy by
// form and a table of confidence against the share that was right, and exits with 1 if fewer than 95% of the answers
// above 0.9 are right.

const LEAST_RIGHT = 0.95
const SURE = 0.9

const { words, options } = readArguments(process.argv.slice(2))
const [folder, ...sources] = words
if (folder === undefined) {
  process.stderr.write(
    'usage: resolve-calibration LAKE [SOURCE...] [--date DAY] [--seed N] [--sample N] [--misses N]\n',
  )
  process.exit(2)
}

function readArguments(given: readonly string[]) {
  const words: string[] = []
  const options: Record<string, string> = {}
  for (let i = 0; i < given.length; i++)
    if (elementAt(given, i).startsWith('--')) options[elementAt(given, i).slice(2)] = given[++i] ?? ''
    else words.push(elementAt(given, i))
  return { words, options }
}

interface Tally {
  asked: number
  right: number
  among: number
  sure: number
  sureAndRight: number
}

const noTally = (): Tally => ({ asked: 0, right: 0, among: 0, sure: 0, sureAndRight: 0 })

/** The rows of the dataset of bonds as sources wrote them. */
async function listed(lake: Lake | string): Promise<ListedBond[]> {
  const root = typeof lake === 'string' ? lake : lake.root
  const batches = join(root, 'batches', 'bonds')
  const files = (await readdir(batches)).filter(name => name.endsWith('.parquet')).sort()
  const db = await Database.create()
  const rows = await db.rows<ListedBond>(
    `SELECT DISTINCT cusip, name, issuer_name AS issuer, ticker, coupon_rate AS coupon, CAST(maturity_date AS VARCHAR) AS maturity, restricted
     FROM (${datasetSql(
       datasetNamed('bonds')!,
       files.map(name => join(batches, name)),
     )})
     WHERE cusip IS NOT NULL AND coalesce(name, issuer_name) IS NOT NULL ORDER BY ALL`,
  )
  db.close()
  return rows
}

async function rowsOfSources(): Promise<ListedBond[]> {
  if (sources.length === 0) return listed(folder!)
  const scratch = await mkdtemp(join(tmpdir(), 'tranche-calibration-'))
  try {
    const lake = await ensureLake(join(scratch, 'lake'))
    await ingest(lake, sources, { ...(options['date'] && { date: options['date'] }) })
    return await listed(lake)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)}%`
const line = (...cells: readonly (string | number)[]) =>
  process.stdout.write(
    `${cells.map((cell, i) => (i === 0 ? String(cell).padEnd(28) : String(cell).padStart(10))).join('')}\n`,
  )

const MOST_ABSENT = 200

/** How often an answer is confident although the right bond was removed from the lake: every such answer is wrong. */
async function showAbsent(
  rows: readonly ListedBond[],
  known: ReadonlyMap<string, string | null>,
  thrown: Random,
): Promise<void> {
  const lake = await openLake(folder!)
  const db = await Database.create()
  const snapshot = (await readCurrent(lake))!
  const file = (table: string) => literal(inLake(lake, 'snapshots', snapshot, `${table}.parquet`))
  await db.run(
    `CREATE SCHEMA stored; CREATE VIEW stored.bonds AS SELECT * FROM read_parquet(${file('bonds')})`,
  )
  const names = await db.rows<CompanyNames>(
    `SELECT company_id, ticker, name, former_names, lei FROM read_parquet(${file('companies')})`,
  )
  const index = await readBondIndex(db, names)
  db.close()
  const byForm = new Map<string, { asked: number; sure: number }>()
  for (const row of rows) {
    const own = new Set(index.byIdentifier.get(row.cusip))
    const among = new Set(index.ids.flatMap((_, at) => (own.has(at) ? [] : [at])))
    for (const { form, text } of describedBonds({ ...row, ticker: known.get(row.cusip) ?? null }, thrown)) {
      const [first] = matchBonds(index, readDescription(text), { among, isStandard: false, isNamed: false })
      const tally = byForm.get(form) ?? { asked: 0, sure: 0 }
      tally.asked++
      if ((first?.confidence ?? 0) > SURE) tally.sure++
      byForm.set(form, tally)
    }
  }
  process.stdout.write('\n')
  line('the bond is not there', 'asked', 'above 0.9')
  for (const [form, { asked, sure }] of byForm) line(form, asked, percent(sure, asked))
}

async function main(): Promise<number> {
  const engine = await open(folder!)
  const known = new Map(
    (
      await engine.sql<{ cusip: string; ticker: string | null; cusips: number }>(
        'SELECT cusip, company_ticker AS ticker FROM bonds WHERE cusip IS NOT NULL',
      )
    ).map(row => [row.cusip, row.ticker]),
  )
  const all = (await rowsOfSources()).filter(row => known.has(row.cusip))
  const thrown = random(`resolve ${options['seed'] ?? 1}`)
  const rows = thrown.shuffled(all).slice(0, Number(options['sample'] ?? all.length))
  process.stdout.write(`${rows.length} of ${all.length} listed bonds that the lake has\n\n`)

  const byForm = new Map(nameForms.map(({ name }) => [name, noTally()]))
  const byConfidence = Array.from({ length: 10 }, noTally)
  const total = noTally()
  let misses = Number(options['misses'] ?? 0)
  for (const row of rows)
    for (const { form, text } of describedBonds({ ...row, ticker: known.get(row.cusip) ?? null }, thrown)) {
      const { data } = await engine.call('resolve.bond', { q: text, limit: 5 })
      const [first] = data.matches
      const confidence = first?.confidence ?? 0
      const isRight = first?.bond.cusip === row.cusip
      const isSure = confidence > SURE
      for (const tally of [
        byForm.get(form)!,
        elementAt(byConfidence, Math.min(9, Math.floor(confidence * 10))),
        total,
      ]) {
        tally.asked++
        if (isRight) tally.right++
        if (data.matches.some(match => match.bond.cusip === row.cusip)) tally.among++
        if (isSure) tally.sure++
        if (isSure && isRight) tally.sureAndRight++
      }
      if (!isRight && isSure && misses-- > 0)
        process.stdout.write(
          `sure and wrong: ${JSON.stringify(text)} is ${row.cusip} (${row.name} ${row.coupon} ${row.maturity}), answered ${confidence} ${first!.bond.display_name} ${first!.bond.cusip} (${first!.bond.name})\n`,
        )
    }
  line('form', 'asked', 'first', 'of five', 'above 0.9', 'right')
  const show = (name: string, { asked, right, among, sure, sureAndRight }: Tally) =>
    line(
      name,
      asked,
      percent(right, asked),
      percent(among, asked),
      percent(sure, asked),
      percent(sureAndRight, sure),
    )
  for (const [name, tally] of byForm) if (tally.asked > 0) show(name, tally)
  show('all', total)
  process.stdout.write('\n')
  line('confidence', 'answers', 'right')
  for (const [i, { asked, right }] of byConfidence.entries())
    line(`${(i / 10).toFixed(1)} to ${((i + 1) / 10).toFixed(1)}`, asked, percent(right, asked))
  engine.close()
  await showAbsent(rows.slice(0, MOST_ABSENT), known, thrown)
  const share = total.sure === 0 ? 1 : total.sureAndRight / total.sure
  process.stdout.write(
    `\nof ${total.sure} answers above ${SURE}, ${percent(total.sureAndRight, total.sure)} are the bond\n`,
  )
  return share >= LEAST_RIGHT ? 0 : 1
}

process.exitCode = await main()
