import { DEFAULT_RATING_MAX_AGE } from '../credit/max-age.ts'
import { stored } from '../database/views.ts'
import { type Print, printFlags } from '../schema/resources/shared.ts'
import { type KeyedRows, rowsByKey } from './keyed-rows.ts'
import type { Context } from './operation.ts'

/** The newest trailing figures of a company on the day, in minor units of `currency`. */
export interface CompanyFigures {
  readonly company_id: string
  readonly ticker: string | null
  readonly company_name: string
  readonly sector: string | null
  readonly industry: string | null
  readonly rating_bucket: string | null
  readonly coverage: string | null
  readonly currency: string | null
  readonly total_debt: number | null
  readonly debt_excluding_finance: number | null
  readonly secured_debt: number | null
  readonly net_debt: number | null
  readonly cash: number | null
  readonly ebitda: number | null
  readonly interest_expense: number | null
  readonly is_annualized: boolean | null
  /** EBITDA is operating income: depreciation is not known. */
  readonly is_ebitda_estimated: boolean | null
  readonly period_end_date: string | null
  readonly figures_age_days: number | null
  readonly figures_null_because: 'stale' | 'no_statements' | null
  readonly debt_due_1yr: number | null
  readonly debt_due_2yr: number | null
  /** The lines that total debt was added up from, as JSON. */
  readonly debt_lines: string | null
  /** Whether debt due is that of the bonds, not of a filed schedule. */
  readonly is_due_of_bonds: boolean
  /** Banks and insurers have no leverage in this sense. */
  readonly is_bank: boolean
  /** EBITDA is after the interest of a finance arm: over interest expense it is no coverage. */
  readonly is_after_lending: boolean
  readonly bond_count: number
}

/** How a figure of a company was formed, as its `_explain` says it. */
export type Explained = Readonly<Record<string, unknown>>

/** Figures with the ranges of age limits and the versions of statements for which they are shown. */
interface FiguresByAge extends CompanyFigures {
  readonly max_age_from: number
  readonly max_age_to: number
  readonly rating_max_age_from: number
  readonly rating_max_age_to: number
  readonly is_latest: boolean
  readonly is_original: boolean
}

const figuresByAge: KeyedRows<FiguresByAge> = {
  name: 'figures of companies by age',
  tables: ['companies_by_age'],
  keyOf: row => row.company_id,
  sql: (among, { coverage }) =>
    `SELECT company_id, ticker, name AS company_name, sector, industry, rating_bucket, coverage, currency, total_debt, debt_excluding_finance, secured_debt, net_debt, cash,
       ebitda_ttm AS ebitda, CAST(json_extract_string(_explain, '$.interest_coverage.inputs[1].value') AS BIGINT) AS interest_expense,
       is_annualized, "_metadata.leverage_data_quality.ebitda_estimated" AS is_ebitda_estimated, CAST(period_end_date AS VARCHAR) AS period_end_date, figures_age_days, figures_null_because, debt_due_1yr, debt_due_2yr,
       coalesce(starts_with(json_extract_string(_explain, '$.debt_due_1yr.formula'), 'active bonds'), FALSE) AS is_due_of_bonds,
       CASE WHEN total_debt IS NOT NULL THEN CAST(json_extract(_explain, '$.total_debt.inputs') AS VARCHAR) END AS debt_lines,
       coalesce(starts_with(json_extract_string(_explain, '$.leverage_ratio.null_because'), 'a bank'), FALSE) AS is_bank,
       coalesce(starts_with(json_extract_string(_explain, '$.interest_coverage.null_because'), 'captive finance'), FALSE) AS is_after_lending, bond_count,
       max_age_from, max_age_to, rating_max_age_from, rating_max_age_to, is_latest, is_original
     FROM ${stored('companies_by_age')}
     WHERE TRUE ${among('company_id')} ${coverage === 'standard' ? "AND coverage = 'standard'" : ''}
     ORDER BY company_id`,
}

/** Which figures of a company are read: those within an age limit, as first or as most recently reported. */
export interface FiguresAsked {
  readonly maxAge: number
  readonly print: Print
}

/** The figures of companies; of all if none is named. */
export async function figuresOf(
  context: Context,
  companies: readonly string[] | null,
  { maxAge, print }: FiguresAsked,
): Promise<Map<string, CompanyFigures>> {
  const figures = new Map<string, CompanyFigures>()
  for (const row of await rowsByKey(context, figuresByAge, companies))
    if (
      row[printFlags[print]] &&
      row.max_age_from <= maxAge &&
      maxAge <= row.max_age_to &&
      row.rating_max_age_from <= DEFAULT_RATING_MAX_AGE &&
      DEFAULT_RATING_MAX_AGE <= row.rating_max_age_to
    )
      figures.set(row.company_id, row)
  return figures
}

/** `_explain` of some of a company's figures. */
export async function explainedFigures(
  context: Context,
  companies: readonly string[],
  { maxAge, print }: FiguresAsked,
  names: readonly string[],
): Promise<Map<string, Explained>> {
  if (companies.length === 0) return new Map()
  const marks = companies.map(() => '?').join(', ')
  const rows = await context.database.rows<{ company_id: string; explained: string }>(
    `SELECT company_id, _explain AS explained FROM ${stored('companies_by_age')}
     WHERE ${printFlags[print]} AND ? BETWEEN max_age_from AND max_age_to AND rating_max_age_from = 0 AND company_id IN (${marks})`,
    [maxAge, ...companies],
  )
  return new Map(
    rows.map(({ company_id, explained }) => {
      const all = JSON.parse(explained) as Explained
      return [company_id, Object.fromEntries(names.map(name => [name, all[name] ?? null]))]
    }),
  )
}
