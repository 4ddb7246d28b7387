import { literal } from '../database/database.ts'
import { restatedFigures } from '../schema/resources/restatements.ts'
import { exact, type Recomputation, ratios } from './recomputation.ts'

const ofPeriod = ['company_id', 'fiscal_year', 'fiscal_quarter', 'basis']

/** Of each figure of a statement, the versions that have a value joined to those that follow, by their numbers. */
export const restatements: Recomputation = {
  table: 'restatements',
  how: 'each version of a statement against the last one before that has the figure',
  columns: {
    before: exact,
    after: exact,
    difference: exact,
    change_pct: ratios,
    change_size: ratios,
    kind: exact,
    restated_on: exact,
    days_after: exact,
    accession_before: exact,
    first_print: exact,
  },
  whole: true,
  make: async () => {
    const of = (row: string) => ofPeriod.map(name => `${row}.${name}`).join(', ')
    const same = (a: string, b: string) => ofPeriod.map(name => `${a}.${name} = ${b}.${name}`).join(' AND ')
    const scaled = (row: string) =>
      `row(${row}.is_annualized, ${['ebitda_quarters', 'ttm_quarters'].map(name => `${name === 'ttm_quarters' ? 'len' : ''}(${row}."_metadata.leverage_data_quality.${name}")`).join(', ')})`
    const change = (figure: string) => {
      const [was, is] = [`CAST(b.${figure} AS DOUBLE)`, `CAST(a.${figure} AS DOUBLE)`]
      const earlier = (row: string) =>
        `(SELECT max(x.version) FROM kept_financials x WHERE ${same('x', 'a')} AND x.version < ${row}.version AND x.${figure} IS NOT NULL)`
      const isSame =
        figure === 'leverage_ratio'
          ? `abs(${is} - ${was}) <= 1e-9 * greatest(1, abs(${was}))`
          : `${is} = ${was}`
      return `SELECT ${of('a')}, a.version, ${literal(figure)} AS figure, ${was} AS before, ${is} AS after, ${is} - ${was} AS difference,
          CASE WHEN ${was} <> 0 THEN 100 * (${is} - ${was}) / abs(${was}) END AS change_pct,
          CASE WHEN ${was} <> 0 THEN 100 * abs((${is} - ${was}) / ${was}) END AS change_size,
          CASE WHEN a.${figure} IS NULL THEN 'withdrawn' WHEN (a.basis = 'ttm' OR '${figure}' = 'leverage_ratio') AND ${scaled('a')} IS DISTINCT FROM ${scaled('b')} THEN 'completed' ELSE 'restated' END AS kind,
          a.valid_from AS restated_on, a.valid_from - o.valid_from AS days_after, b.accession AS accession_before,
          (SELECT CAST(x.${figure} AS DOUBLE) FROM kept_financials x WHERE ${same('x', 'a')} AND x.${figure} IS NOT NULL ORDER BY x.version LIMIT 1) AS first_print
        FROM kept_financials a JOIN kept_financials b ON ${same('b', 'a')} AND b.version = ${earlier('a')}
        JOIN kept_financials o ON ${same('o', 'a')} AND o.version = 1
        WHERE NOT coalesce(${isSame}, FALSE) AND (a.${figure} IS NOT NULL OR b.version = a.version - 1)`
    }
    return restatedFigures.map(change).join(' UNION ALL ')
  },
}
