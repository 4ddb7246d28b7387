import { addDays } from '../base/days.ts'
import { addMonths, formatDay, parseDay } from '../credit/calendar.ts'
import { DEFAULT_MAX_AGE, maxAgeOf } from '../credit/max-age.ts'
import { stored } from '../database/views.ts'
import type { Resource } from '../schema/resource.ts'
import { ageParams, reportedParam } from '../schema/resources/companies.ts'
import { type Liquidity, liquidity } from '../schema/resources/liquidity.ts'
import { type Print, printFlags } from '../schema/resources/shared.ts'
import { byCompany, type Claim, claimInput, claimsOf, makeUpDebt } from './claims.ts'
import {
  type CompanyFigures,
  type Explained,
  explainedFigures,
  type FiguresAsked,
  figuresOf,
} from './company-figures.ts'
import { type ComputedRow, namedCompanies, pageOfComputed, rowsOfDay } from './computed-rows.ts'
import { type CurrentDebt, currentDebtOf } from './current-debt.ts'
import { dueIn, isAllDated, isOpenAt } from './debt-due.ts'
import { type Undrawn, undrawnOf } from './facilities.ts'
import { type KeyedRows, rowsByKey } from './keyed-rows.ts'
import { checkList, printOf } from './list.ts'
import { type Disclosure, disclosuresOf, dueInFirstYear, scheduleIn } from './maturity-schedule.ts'
import { type Context, operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'

const resource = liquidity as unknown as Resource

export const searchLiquidity = operation({
  name: 'search.liquidity',
  method: 'GET',
  path: '/v1/liquidity',
  command: 'liquidity',
  doc: 'Cash, undrawn facilities and free cash flow against debt due, thinnest cover first.',
  tier: 'pro',
  cost: 'complex',
  answers: 'rows',
  envelope: 'data',
  columns: liquidity.columns,
  resource,
  examples: ['--max-cover 1', '--ticker FLKNT,MRVND'],
  params: {
    ...filterParams(liquidity),
    max_age: ageParams.max_age,
    ...reportedParam,
    ...pageParams<typeof liquidity.columns>(liquidity.limit, liquidity.sort),
    ...unknownParam,
    ...timeParams,
    ...explainParam,
  },
  check: args => checkList(resource, args),
  async run(context, args) {
    const { ids, unknown } = await namedCompanies(context, args)
    const asked = { maxAge: maxAgeOf(args.max_age, DEFAULT_MAX_AGE), print: printOf(args) }
    const { explain } = args
    const variant = [asked.maxAge, asked.print]
    const rows = await rowsOfDay(context, resource, { ids, explain, variant }, () =>
      liquidityRows(context, ids, asked, explain),
    )
    return pageOfComputed(
      rows,
      {
        resource,
        args,
        explains: 'The formulas, and each amount with its filings or instruments.',
        applied: { max_age: args.max_age, reported: args.reported },
        emptyBecause: n =>
          `cash, undrawn facilities or debt due are known of ${n} companies, and none of them passes the filters`,
      },
      unknown,
    )
  },
  out: undefined as Page<Liquidity> | undefined,
})

async function liquidityRows(
  context: Context,
  ids: readonly string[] | null,
  asked: FiguresAsked,
  explain: boolean,
): Promise<ComputedRow[]> {
  const figures = await figuresOf(context, ids, asked)
  const disclosures = await disclosuresOf(context, ids, asked.print)
  const claims = byCompany(await claimsOf(context, ids))
  const flows = new Map(
    (await rowsByKey(context, cashFlows[asked.print], ids)).map(row => [row.company_id, row]),
  )
  const explained = explain
    ? await explainedFigures(context, [...figures.keys()], asked, [
        'cash',
        'debt_due_1yr',
        'debt_due_2yr',
        'total_debt',
      ])
    : null
  return [...figures.values()].flatMap(company => {
    const { company_id, currency } = company
    const undrawn = undrawnOf(disclosures.get(company_id) ?? [], claims.get(company_id) ?? [], {
      asOf: context.asOf,
      maxAge: asked.maxAge,
      currency: currency ?? 'USD',
    })
    const flow = flowOf(company, flows.get(company_id))
    const due = debtDue(
      company,
      claims.get(company_id) ?? [],
      disclosures.get(company_id) ?? [],
      context.asOf,
    )
    const row = rowOf(company, undrawn, flow, due)
    // A company of which nothing is known but its name has no liquidity to show, unless it is named.
    if (ids === null && row['cash'] === null && row['due_12m'] === null && undrawn.amount === null) return []
    return [
      explained ? { ...row, _explain: explainOf(undrawn, flow, due, explained.get(company_id) ?? {}) } : row,
    ]
  })
}

/** The newest trailing cash flow of a company. */
interface CashFlow {
  readonly company_id: string
  readonly period_end_date: string
  readonly operating_cash_flow: number | null
  readonly capex: number | null
  readonly free_cash_flow: number | null
  readonly is_annualized: boolean
  readonly currency: string | null
  readonly accession: string | null
  readonly explained: string | null
}

const cashFlowsOf = (print: Print): KeyedRows<CashFlow> => ({
  name: `trailing cash flows of companies, ${print}`,
  tables: ['financials'],
  keyOf: row => row.company_id,
  sql: among =>
    `SELECT company_id, CAST(period_end_date AS VARCHAR) AS period_end_date, operating_cash_flow, capex, free_cash_flow, is_annualized, currency,
       accession, _explain AS explained
     FROM ${stored('financials')} WHERE company_id IS NOT NULL AND basis = 'ttm' AND ${printFlags[print]} AND is_newest ${among('company_id')}
     QUALIFY row_number() OVER (PARTITION BY company_id ORDER BY fiscal_year DESC, fiscal_quarter DESC, version DESC) = 1`,
})

const cashFlows = { latest: cashFlowsOf('latest'), original: cashFlowsOf('original') }

/** The cash flow of the period whose cash is shown; null if another. */
const flowOf = (
  { period_end_date, figures_null_because, currency }: CompanyFigures,
  flow: CashFlow | undefined,
) =>
  flow &&
  figures_null_because === null &&
  flow.period_end_date === period_end_date &&
  flow.currency === currency
    ? flow
    : null

/** Debt due within 12 and 24 months, and what it is read off. */
interface DebtDue {
  readonly in12: number | null
  readonly in24: number | null
  readonly source: 'filed_schedule' | 'bonds' | 'instruments' | 'current_debt' | 'no_debt' | null
  /** Short-term borrowings beside the filed schedule that are in both. */
  readonly shortTerm: number
  /** Instruments that are due. */
  readonly claims: readonly Claim[]
}

/** Above this multiple of what the schedule has within a year of it, current debt has short-term borrowings that the schedule leaves out. */
const MOST_OF_SCHEDULE = 1.25

/**
 * That of the company's figures, with short-term borrowings that the schedule leaves out. Without a schedule or bonds that
 * of the instruments of its filings, if these are its debt and all are dated; else the current debt of its balance sheet.
 */
function debtDue(
  company: CompanyFigures,
  claims: readonly Claim[],
  disclosures: readonly Disclosure[],
  asOf: string,
): DebtDue {
  const { debt_due_1yr: in12, debt_due_2yr: in24 } = company
  const current = currentDebtOf(company)
  if (in12 === null)
    return (
      dueOfInstruments(company, claims, asOf) ?? {
        in12: current?.all ?? null,
        in24: null,
        source: current && 'current_debt',
        shortTerm: 0,
        claims: [],
      }
    )
  const due = { in12, in24, shortTerm: 0, claims: [] }
  if (company.is_due_of_bonds) return { ...due, source: 'bonds' }
  const schedule = scheduleIn(disclosures)
  if (schedule === null && company.total_debt === 0 && in12 === 0) return { ...due, source: 'no_debt' }
  const scheduled = schedule && dueInFirstYear(schedule)
  if (current === null || scheduled === null) return { ...due, source: 'filed_schedule' }
  const more = (added: number) => ({ in12: in12 + added, in24: in24 === null ? null : in24 + added })
  if (isLeftOut(current, scheduled))
    return { ...due, ...more(current.shortTerm), shortTerm: current.shortTerm, source: 'filed_schedule' }
  const isOfPeriod = schedule?.balanceDate === company.period_end_date
  return isOfPeriod && current.all > in12 && current.all > MOST_OF_SCHEDULE * scheduled
    ? { ...due, ...more(current.all - in12), source: 'current_debt' }
    : { ...due, source: 'filed_schedule' }
}

/** Whether a schedule is nearer to current debt without short-term borrowings than with them. */
const isLeftOut = ({ all, shortTerm }: CurrentDebt, scheduled: number): boolean =>
  shortTerm > 0 && Math.abs(scheduled - (all - shortTerm)) < Math.abs(scheduled - all)

/** Commercial paper falls due within the year. Null if a claim may fall due before or after the end of a period. */
function dueOfInstruments(
  { total_debt, currency }: CompanyFigures,
  claims: readonly Claim[],
  asOf: string,
): DebtDue | null {
  const endOf = (months: number) => formatDay(addMonths(parseDay(asOf), months))
  const isDateOpen = (claim: Claim) =>
    claim.outstanding !== 0 && [12, 24].some(months => isOpenAt(claim, endOf(months), asOf))
  if (!isAllDated(claims) || claims.some(isDateOpen) || !makeUpDebt(claims, total_debt, currency ?? 'USD'))
    return null
  const dueBy = (months: number) => {
    const period = { from: addDays(asOf, 1), to: endOf(months) }
    return claims.flatMap(claim =>
      claim.instrument_type === 'commercial_paper' && claim.maturity_date === null
        ? { claim, amount: claim.outstanding }
        : (dueIn(claim, period, asOf) ?? []),
    )
  }
  const total = (due: readonly { readonly amount: number | null }[]) =>
    due.reduce((sum, { amount }) => sum + amount!, 0)
  const within24 = dueBy(24)
  return {
    in12: total(dueBy(12)),
    in24: total(within24),
    source: 'instruments',
    shortTerm: 0,
    claims: within24.map(({ claim }) => claim),
  }
}

function rowOf(company: CompanyFigures, undrawn: Undrawn, flow: CashFlow | null, debt: DebtDue): ComputedRow {
  const { cash } = company
  const { in12: due, in24: dueLater } = debt
  const free = flow?.free_cash_flow ?? null
  const missing = [
    ...(cash === null ? ['cash'] : []),
    ...(undrawn.amount === null ? ['undrawn_committed'] : []),
    ...(free === null ? ['free_cash_flow'] : []),
  ]
  const hasSources = missing.length < 3
  const sources = (cash ?? 0) + (undrawn.amount ?? 0)
  const reason = company.is_bank
    ? 'bank'
    : due === 0
      ? 'nothing_due'
      : due === null
        ? (company.figures_null_because ?? 'due_unknown')
        : hasSources
          ? null
          : (company.figures_null_because ?? 'no_sources')
  const over = (amount: number, owed: number | null) =>
    owed && hasSources && !company.is_bank ? amount / owed : null
  return {
    ticker: company.ticker,
    company_name: company.company_name,
    sector: company.sector,
    industry: company.industry,
    rating_bucket: company.rating_bucket,
    cash,
    undrawn_committed: undrawn.amount,
    undrawn_source: undrawn.source,
    undrawn_date: undrawn.date,
    undrawn_null_because: undrawn.null_because,
    committed: undrawn.committed,
    free_cash_flow: free,
    due_12m: due,
    due_24m: dueLater,
    due_source: debt.source,
    cover_12m: over(sources + (free ?? 0), due),
    cover_24m: over(sources + 2 * (free ?? 0), dueLater),
    cash_cover_12m: cash !== null && due && !company.is_bank ? cash / due : null,
    cover_excludes: missing.length > 0 ? missing : null,
    cover_null_because: reason,
    currency: company.currency,
    is_annualized: flow?.is_annualized ?? null,
    period_end_date: company.period_end_date,
    figures_age_days: company.figures_age_days,
    company_id: company.company_id,
    coverage: company.coverage,
  }
}

const DUE_OF_INSTRUMENTS =
  'instruments of filings that mature within the months after the as-of date, and commercial paper'

function dueExplained(debt: DebtDue, figures: Explained): Record<string, unknown> {
  const [total_debt, debt_due_1yr, debt_due_2yr] = ['total_debt', 'debt_due_1yr', 'debt_due_2yr'].map(
    name => figures[name] ?? null,
  )
  if (debt.source === 'instruments')
    return {
      due_12m: DUE_OF_INSTRUMENTS,
      due_24m: DUE_OF_INSTRUMENTS,
      instruments_due: debt.claims.map(claimInput),
    }
  if (debt.source === 'current_debt')
    return {
      due_12m: 'current lines of total debt, within 12 months of the balance date',
      ...(debt.in24 !== null && {
        due_24m: 'debt_due_2yr + what these lines are more than debt_due_1yr',
        debt_due_1yr,
        debt_due_2yr,
      }),
      total_debt,
    }
  if (debt.shortTerm === 0) return { due_12m: debt_due_1yr, due_24m: debt_due_2yr }
  return {
    due_12m: { value: debt.in12, formula: 'debt_due_1yr + short_term_borrowings' },
    due_24m: { value: debt.in24, formula: 'debt_due_2yr + short_term_borrowings' },
    short_term_borrowings: {
      value: debt.shortTerm,
      formula: 'short-term lines of total debt, which the schedule leaves out',
    },
    debt_due_1yr,
    debt_due_2yr,
    total_debt,
  }
}

function explainOf(undrawn: Undrawn, flow: CashFlow | null, debt: DebtDue, figures: Explained): unknown {
  const lines = flow?.explained ? (JSON.parse(flow.explained) as Record<string, unknown>) : {}
  return {
    cover_12m: '(cash + undrawn_committed + free_cash_flow) / due_12m; what is not known counts as nothing',
    cover_24m:
      '(cash + undrawn_committed + 2 x free_cash_flow) / due_24m; what is not known counts as nothing',
    cash: figures['cash'] ?? null,
    ...dueExplained(debt, figures),
    undrawn_committed: undrawn,
    free_cash_flow: flow && {
      formula: 'operating_cash_flow - capex',
      period_end: flow.period_end_date,
      accession: flow.accession,
      operating_cash_flow: lines['operating_cash_flow'] ?? null,
      capex: lines['capex'] ?? null,
    },
  }
}
