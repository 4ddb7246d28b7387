import { DEFAULT_MAX_AGE } from '../credit/max-age.ts'
import { type Database, literal } from '../database/database.ts'
import { instrumentId } from '../derive/bonds/instruments.ts'
import { datasetSql, type Inputs, knownRowsSql } from '../derive/inputs.ts'
import type { DatasetDay, DayCoverage, FreshnessReport } from '../lake/freshness-report.ts'
import { datasetNamed, datasets } from '../schema/datasets/datasets.ts'
import { STALE_DAYS } from '../schema/resources/bonds.ts'

/**
 * The datasets whose newest row sets the as-of day: trades, prices and filings. A curve, rating list or reference
 * list may be newer than all of them, and would only make them look old.
 */
const setting: readonly string[] = [
  'trades',
  'prices',
  'spreads',
  'filings',
  'facts',
  'financials',
  'documents',
]

/** The newest day of each dataset that has dated rows. */
export async function newestDays(db: Database, inputs: Inputs): Promise<DatasetDay[]> {
  const given = datasets.filter(d => inputs.get(d.name)?.length)
  if (given.length === 0) return []
  const parts = given.map(d => {
    const rows = knownRowsSql(d, inputs)
    return `SELECT ${literal(d.name)} AS dataset, CAST(known_from AS VARCHAR) AS latest, min(source) AS source
      FROM (${rows}) WHERE known_from = (SELECT max(known_from) FROM (${rows})) GROUP BY known_from`
  })
  return db.rows<DatasetDay>(
    `SELECT * FROM (${parts.join(' UNION ALL ')})
     ORDER BY latest DESC, dataset IN (${setting.map(literal).join(', ')}) DESC, dataset`,
  )
}

/** The newest day on which a trade, price or filing became known; of a lake without any, the newest of all days. */
export const defaultDay = (days: readonly DatasetDay[]): DatasetDay | null =>
  days.find(({ dataset }) => setting.includes(dataset)) ?? days[0] ?? null

/** Rows of each dataset that became known only after a day. */
async function leftOut(db: Database, inputs: Inputs, days: readonly DatasetDay[], asOf: string) {
  const later = days.filter(({ latest }) => latest > asOf)
  return Promise.all(
    later.map(async ({ dataset, latest }) => {
      const [row] = await db.rows<{ rows: number }>(
        `SELECT count(*) AS rows FROM (${knownRowsSql(datasetNamed(dataset)!, inputs)}) WHERE known_from > DATE ${literal(asOf)}`,
      )
      return { dataset, rows: row!.rows, latest }
    }),
  )
}

/** Bonds with a current price, filers with current figures, and whether there is a curve. */
async function coverageOn(
  db: Database,
  inputs: Inputs,
  as_of: string,
  because: string,
): Promise<DayCoverage> {
  const day = `DATE ${literal(as_of)}`
  const rows = (dataset: string) => `(${datasetSql(datasetNamed(dataset)!, inputs.get(dataset) ?? [])})`
  const within = (column: string, days: number) =>
    `known_from <= ${day} AND ${column} BETWEEN ${day} - ${days} AND ${day}`
  const [row] = await db.rows<Omit<DayCoverage, 'as_of' | 'because'>>(`
    SELECT (SELECT count(DISTINCT id) FROM (
        SELECT ${instrumentId()} AS id FROM ${rows('prices')} WHERE ${within('price_date', STALE_DAYS)}
        UNION ALL SELECT ${instrumentId()} FROM ${rows('trades')} WHERE ${within('trade_date', STALE_DAYS)})) AS bonds_priced,
      (SELECT count(DISTINCT filer) FROM (
        SELECT cik AS filer FROM ${rows('facts')} WHERE ${within('period_end', DEFAULT_MAX_AGE)}
        UNION ALL SELECT coalesce(cik, ticker, company_name) FROM ${rows('financials')}
          WHERE ${within('period_end_date', DEFAULT_MAX_AGE)})) AS filers_with_figures,
      EXISTS (SELECT 1 FROM ${rows('treasury_yields')} WHERE ${within('date', CURVE_DAYS)}) AS has_curve`)
  return { as_of, because, ...row! }
}

/** A day uses the last curve of up to this many days before it. */
const CURVE_DAYS = 7

/** What a build reports about the age of its data; `db` holds the derived tables. */
export async function freshnessReport(
  db: Database,
  inputs: Inputs,
  { asOf, isAsked, days }: { asOf: string; isAsked: boolean; days: readonly DatasetDay[] },
): Promise<FreshnessReport> {
  const [aged] = await db.rows<FreshnessReport['aged_out']>(`
    SELECT c.*, p.* FROM (
      SELECT count(*) FILTER (WHERE period_end_date IS NOT NULL) AS companies_with_figures,
        count(*) FILTER (WHERE figures_null_because = 'stale') AS stale_figures,
        count(*) FILTER (WHERE rating_null_because IS DISTINCT FROM 'not_rated') AS rated_companies,
        count(*) FILTER (WHERE rating_null_because = 'stale') AS stale_ratings,
        count(*) FILTER (WHERE rating_null_because = 'far_apart') AS ratings_far_apart FROM companies) c, (
      SELECT count(*) AS priced_bonds, count(*) FILTER (WHERE is_stale) AS stale_prices,
        count(*) FILTER (WHERE staleness_days > 365) AS prices_over_a_year FROM pricing WHERE is_active) p`)
  const others = days.filter(
    ({ latest }, i) => latest !== asOf && days.findIndex(other => other.latest === latest) === i,
  )
  const set = defaultDay(days)
  return {
    set_by: isAsked ? null : set,
    left_out: await leftOut(db, inputs, days, asOf),
    aged_out: aged!,
    days: await Promise.all([
      coverageOn(db, inputs, asOf, isAsked ? 'asked for' : set!.dataset),
      ...others.slice(0, MOST_DAYS).map(({ latest, dataset }) => coverageOn(db, inputs, latest, dataset)),
    ]),
  }
}

/** Other as-of days to report on. */
const MOST_DAYS = 6

const number = (n: number): string => n.toLocaleString('en-US')

const counted = (n: number, noun: string): string => `${number(n)} ${noun}${n === 1 ? '' : 's'}`

const currentText = ({ bonds_priced, filers_with_figures, has_curve }: DayCoverage): string =>
  `${counted(bonds_priced, 'bond')} priced within ${STALE_DAYS} days, ${counted(filers_with_figures, 'filer')} with figures within ${DEFAULT_MAX_AGE} days, ${has_curve ? 'a curve' : 'no curve'}`

/** The report as sentences. */
export function freshnessText({ set_by, left_out, aged_out, days }: FreshnessReport): string[] {
  const [own, ...others] = days
  const aged = aged_out
  return [
    `as of ${own!.as_of}${set_by ? `, set by the newest row of ${set_by.dataset} (${set_by.source})` : ''}: ${currentText(own!)}`,
    `aged out: figures of ${number(aged.stale_figures)} of ${number(aged.companies_with_figures)} companies, ` +
      `prices of ${number(aged.stale_prices)} of ${number(aged.priced_bonds)} active bonds (${number(aged.prices_over_a_year)} over a year old), ` +
      `ratings of ${number(aged.stale_ratings)} of ${number(aged.rated_companies)} companies` +
      (aged.ratings_far_apart > 0
        ? `, and ${number(aged.ratings_far_apart)} with ratings too far apart in time`
        : ''),
    ...left_out.map(
      ({ dataset, rows, latest }) =>
        `left out: ${counted(rows, 'row')} of ${dataset} became known only later, up to ${latest}`,
    ),
    ...others.map(day => `--as-of ${day.as_of} (newest ${day.because}): ${currentText(day)}`),
  ]
}
