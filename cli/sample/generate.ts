import { copyFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Database, quote } from '../../engine/database/database.ts'
import type { Dataset } from '../../engine/schema/dataset.ts'
import { bonds } from '../../engine/schema/datasets/bonds.ts'
import { collateral } from '../../engine/schema/datasets/collateral.ts'
import { companies } from '../../engine/schema/datasets/companies.ts'
import { corrections } from '../../engine/schema/datasets/corrections.ts'
import { covenants } from '../../engine/schema/datasets/covenants.ts'
import { documents } from '../../engine/schema/datasets/documents.ts'
import { entities } from '../../engine/schema/datasets/entities.ts'
import { filings } from '../../engine/schema/datasets/filings.ts'
import { guarantees } from '../../engine/schema/datasets/guarantees.ts'
import { indices } from '../../engine/schema/datasets/indices.ts'
import { instruments } from '../../engine/schema/datasets/instruments.ts'
import { ownership } from '../../engine/schema/datasets/ownership.ts'
import { prices } from '../../engine/schema/datasets/prices.ts'
import { ratings } from '../../engine/schema/datasets/ratings.ts'
import { spreads } from '../../engine/schema/datasets/spreads.ts'
import { statements } from '../../engine/schema/datasets/statements.ts'
import { trades } from '../../engine/schema/datasets/trades.ts'
import { makeInstruments } from './capital.ts'
import { collateralRows, formerCollateral } from './collateral.ts'
import { correctionRows } from './corrections.ts'
import { formerCovenants, makeCovenants } from './covenants.ts'
import { debtInstrumentRows } from './debt-instruments.ts'
import { entityRows, makeGroup, partnerRows } from './entities.ts'
import { makeDocuments } from './filings-text.ts'
import { indexRows } from './index-spreads.ts'
import { guaranteeRows, instrumentRows } from './instrument.ts'
import { type Issuer, makeIssuers } from './issuers.ts'
import { curveFiles, inputFolder, readCurves } from './market.ts'
import { random } from './random.ts'
import { ratingRows } from './rating-actions.ts'
import { writeReplicas } from './replicas.ts'
import type { SampleFile, SampleFiles, SampleOptions } from './sample-files.ts'
import { makeMarket } from './spread-paths.ts'
import { filingRows, makeStatements } from './statements.ts'
import { columnsOf, countRows, createTable, insertRows, type Row, tableOf, writeParquet } from './tables.ts'
import { insertTrades, loadedSpreadRows, makeQuoter, priceRows } from './trades.ts'

export type Progress = (done: number, of: number, what: string) => void

export const sampleDatasets: readonly Dataset[] = [
  companies,
  entities,
  ownership,
  bonds,
  guarantees,
  statements,
  filings,
  covenants,
  collateral,
  instruments,
  ratings,
  spreads,
  indices,
  documents,
  prices,
  trades,
  corrections,
]

const companyRow = (issuer: Issuer): Row<typeof companies> => ({
  ticker: issuer.ticker,
  name: issuer.name,
  cik: issuer.cik,
  lei: issuer.lei,
  sector: issuer.industry.sector,
  industry: issuer.industry.name,
  sic: issuer.industry.sic,
  country: issuer.name.endsWith('plc') ? 'IE' : 'US',
  fiscal_year_end: { 12: '1231', 6: '0630', 9: '0930', 1: '0131' }[issuer.yearEnd] ?? null,
  former_names: issuer.formerName ? [issuer.formerName] : null,
  aliases: issuer.alias ? [issuer.alias] : null,
  coverage: issuer.coverage,
})

/** Fills the sample's tables in the database. */
export async function fillTables(
  db: Database,
  seed: number,
  progress: Progress = () => {},
): Promise<Issuer[]> {
  const root = random(`sample ${seed}`)
  for (const dataset of sampleDatasets) await createTable(db, dataset)
  const issuers = makeIssuers(root.fork('issuers'))
  const facts = issuers.map(issuer => {
    const r = root.fork(`company ${issuer.n}`)
    const group = makeGroup(issuer, r.fork('group'))
    const instruments = makeInstruments(issuer, group, r.fork('debt'))
    const statements = makeStatements(issuer, instruments, r.fork('statements'))
    return {
      issuer,
      group,
      instruments,
      covenants: makeCovenants(issuer, instruments, r.fork('covenants')),
      statements: statements.rows,
      filed: statements.filed,
    }
  })
  const groups = facts.map(x => x.group)
  const debts = facts.map(x => x.instruments)
  const market = makeMarket(root.fork('market'))
  const quote = makeQuoter(market, readCurves())

  progress(1, 4, 'companies')
  await insertRows(db, companies, issuers.map(companyRow))
  const legal = facts.flatMap(x => entityRows(x.issuer, x.group))
  await insertRows(db, entities, legal)
  await insertRows(db, ownership, partnerRows(groups, root.fork('partners')))
  await insertRows(db, bonds, debts.flatMap(instrumentRows))
  await insertRows(db, guarantees, debts.flatMap(guaranteeRows))
  await insertRows(
    db,
    statements,
    facts.flatMap(x => x.statements),
  )
  await insertRows(
    db,
    filings,
    facts.flatMap(x => filingRows(x.issuer, x.filed)),
  )
  await insertRows(
    db,
    covenants,
    facts.flatMap(x => [...x.covenants, ...formerCovenants(x.covenants)]),
  )
  const pledgedOf = facts.map(x =>
    collateralRows(x.issuer, x.instruments, root.fork(`collateral ${x.issuer.n}`)),
  )
  const pledged = pledgedOf.flat()
  await insertRows(db, collateral, [...pledged, ...pledgedOf.flatMap(formerCollateral)])
  const debt = facts.flatMap(x =>
    debtInstrumentRows(x.issuer, x.instruments, x.filed, root.fork(`debt table ${x.issuer.n}`)),
  )
  await insertRows(db, instruments, debt)
  const own = {
    covenants: facts.flatMap(x => x.covenants),
    collateral: pledged,
    instruments: debt,
    entities: legal,
  }
  await insertRows(db, corrections, correctionRows(own))
  await insertRows(db, ratings, ratingRows(issuers, debts, root.fork('ratings')))
  await insertRows(db, spreads, loadedSpreadRows(issuers, market))
  await insertRows(db, indices, indexRows(issuers, market))
  progress(2, 4, 'filings')
  await insertRows(
    db,
    documents,
    facts.flatMap(x => makeDocuments(x, root.fork(`documents ${x.issuer.n}`))),
  )
  progress(3, 4, 'trades')
  await insertRows(db, prices, priceRows(issuers, debts, quote, root.fork('prices')))
  await insertTrades(db, issuers, debts, quote, root.fork('trades'))
  return issuers
}

/** Writes the sample's source files into a folder: a table per dataset, and the Treasury's own yields. */
export async function generateSample(
  dir: string,
  { scale = 1, seed = 1, tradesADay = 1 }: SampleOptions = {},
  progress: Progress = () => {},
): Promise<SampleFiles> {
  if (!Number.isSafeInteger(scale) || scale < 1)
    throw new RangeError('scale must be a whole number of at least 1')
  await mkdir(dir, { recursive: true })
  const spill = join(dir, '.spill')
  const db = await Database.create({ temp: spill })
  const files: SampleFile[] = []
  const rows: Record<string, number> = {}
  try {
    const steps = scale + 3
    const issuers = await fillTables(db, seed, (done, _, what) => progress(done - 1, steps, what))
    for (const file of curveFiles) {
      await copyFile(join(inputFolder(), file), join(dir, file))
      files.push(
        file.startsWith('treasury-yields')
          ? { path: join(dir, file), dataset: 'treasury_yields' }
          : { path: join(dir, file) },
      )
    }
    for (const dataset of sampleDatasets) {
      const path = join(dir, `${dataset.name}.parquet`)
      const count = await countRows(db, dataset)
      await writeParquet(db, await filledColumns(db, dataset), path)
      files.push({ path, dataset: dataset.name, rows: count })
      rows[dataset.name] = count
    }
    progress(4, steps, 'tables')
    for await (const file of writeReplicas(db, dir, issuers, { scale, tradesADay }, k =>
      progress(3 + k, steps, 'more issuers'),
    )) {
      files.push(file)
      rows[file.dataset!] = (rows[file.dataset!] ?? 0) + file.rows!
    }
    progress(steps, steps, 'done')
  } finally {
    db.close()
    await rm(spill, { recursive: true, force: true })
  }
  return { directory: dir, files, rows }
}

/** The rows of a dataset's table, without empty columns. */
async function filledColumns(db: Database, dataset: Dataset): Promise<string> {
  const names = columnsOf(dataset).map(([name]) => name)
  const [counts] = await db.rows<Record<string, number>>(
    `select ${names.map(name => `count(${quote(name)}) as ${quote(name)}`).join(', ')} from ${tableOf(dataset)}`,
  )
  const filled = names.filter(name => (counts?.[name] ?? 0) > 0)
  return `select ${filled.map(quote).join(', ')} from ${tableOf(dataset)}`
}
