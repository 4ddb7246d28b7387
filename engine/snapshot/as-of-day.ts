import { elementAt } from '../base/elements.ts'
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

/** Bonds with a current price, filers with current figures, and whether there is a curve, on each of some days. */
async function coverageOn(
  db: Database,
  inputs: Inputs,
  days: readonly Pick<DayCoverage, 'as_of' | 'because'>[],
): Promise<DayCoverage[]> {
  const rows = (dataset: string) => `(${datasetSql(datasetNamed(dataset)!, inputs.get(dataset) ?? [])})`
  const onEachDay = (aggregate: string, age: number) =>
    days.map(({ as_of }, i) => {
      const day = `DATE ${literal(as_of)}`
      return `${aggregate} FILTER (WHERE known_from <= ${day} AND date BETWEEN ${day} - ${age} AND ${day}) AS _${i}`
    })
  // One statement for all days: planning takes most of the time where there are few rows.
  const found = await db.rows<Record<string, number>>(`
    SELECT 0 AS part, ${onEachDay('count(DISTINCT id)', STALE_DAYS)} FROM (
      SELECT ${instrumentId()} AS id, known_from, price_date AS date FROM ${rows('prices')}
      UNION ALL SELECT ${instrumentId()}, known_from, trade_date FROM ${rows('trades')})
    UNION ALL SELECT 1, ${onEachDay('count(DISTINCT filer)', DEFAULT_MAX_AGE)} FROM (
      SELECT cik AS filer, known_from, period_end AS date FROM ${rows('facts')}
      UNION ALL SELECT coalesce(cik, ticker, company_name), known_from, period_end_date FROM ${rows('financials')})
    UNION ALL SELECT 2, ${onEachDay('count(*)', CURVE_DAYS)} FROM ${rows('treasury_yields')}
    ORDER BY part`)
  const count = (of: number, i: number): number => elementAt(found, of)[`_${i}`]!
  return days.map((day, i) => ({
    ...day,
    bonds_priced: count(0, i),
    filers_with_figures: count(1, i),
    has_curve: count(2, i) > 0,
  }))
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
    days: await coverageOn(db, inputs, [
      { as_of: asOf, because: isAsked ? 'asked for' : set!.dataset },
      ...others.slice(0, MOST_DAYS).map(({ latest, dataset }) => ({ as_of: latest, because: dataset })),
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
