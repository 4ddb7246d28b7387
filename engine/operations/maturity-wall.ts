import { daysBetween } from '../base/days.ts'
import { DEFAULT_MAX_AGE, maxAgeOf } from '../credit/max-age.ts'
import type { Resource } from '../schema/resource.ts'
import { ageParams, reportedParam } from '../schema/resources/companies.ts'
import { type Maturity, maturities } from '../schema/resources/maturities.ts'
import { byCompany, type Claim, claimInput, claimsOf, isStale, makeUpDebt } from './claims.ts'
import { type CompanyFigures, figuresOf } from './company-figures.ts'
import { type ComputedRow, namedCompanies, pageOfComputed, rowsOfDay } from './computed-rows.ts'
import { type Due, dueIn, isAllDated, mayFallIn } from './debt-due.ts'
import { checkList, printOf } from './list.ts'
import {
  calendarPeriods,
  type Disclosure,
  disclosuresOf,
  type Period,
  type Schedule,
  scheduleIn,
  yearEndOf,
} from './maturity-schedule.ts'
import { operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'

const resource = maturities as unknown as Resource

export const searchMaturities = operation({
  name: 'search.maturities',
  method: 'GET',
  path: '/v1/maturities',
  command: 'maturities',
  doc: 'Maturity wall: principal due by company and year, as filed and by the bonds or instruments known.',
  tier: 'pro',
  cost: 'complex',
  answers: 'rows',
  envelope: 'data',
  columns: maturities.columns,
  resource,
  examples: ['--ticker FLKNT', '--min-due-percent 25 --due-before 2027-12-31 --sort -due_percent'],
  params: {
    ...filterParams(maturities),
    max_age: ageParams.max_age,
    ...reportedParam,
    ...pageParams<typeof maturities.columns>(maturities.limit, maturities.sort),
    ...unknownParam,
    ...timeParams,
    ...explainParam,
  },
  check: args => checkList(resource, args),
  async run(context, args) {
    const { ids, unknown } = await namedCompanies(context, args)
    const maxAge = maxAgeOf(args.max_age, DEFAULT_MAX_AGE)
    const print = printOf(args)
    const { explain } = args
    const variant = [maxAge, print]
    const rows = await rowsOfDay(context, resource, { ids, explain, variant }, async () => {
      const figures = await figuresOf(context, ids, { maxAge, print })
      const disclosures = await disclosuresOf(context, ids, print)
      const claims = byCompany(await claimsOf(context, ids))
      return [...figures.values()].flatMap(company =>
        wallOf(company, disclosures.get(company.company_id) ?? [], claims.get(company.company_id) ?? [], {
          asOf: context.asOf,
          maxAge,
          explain,
        }),
      )
    })
    return pageOfComputed(
      rows,
      {
        resource,
        args,
        explains: 'The filed amount with its source, and the bonds of the period.',
        applied: { max_age: args.max_age, reported: args.reported },
        emptyBecause: n =>
          n === 0
            ? 'no filed schedule of repayments is known, and no bond or instrument with an amount'
            : `${n} periods have a filed schedule or bonds, and none of them passes the filters`,
      },
      unknown,
    )
  },
  out: undefined as Page<Maturity> | undefined,
})

interface Wanted {
  readonly asOf: string
  readonly maxAge: number
  readonly explain: boolean
}

/** The rows of one company: the periods ahead, then bonds without a maturity. */
function wallOf(
  company: CompanyFigures,
  disclosures: readonly Disclosure[],
  claims: readonly Claim[],
  { asOf, maxAge, explain }: Wanted,
): ComputedRow[] {
  const newest = scheduleIn(disclosures)
  const isScheduleStale = newest !== null && daysBetween(newest.balanceDate, asOf) > maxAge
  const schedule = isScheduleStale ? null : newest
  if (!schedule && claims.length === 0) return []
  const periods = schedule
    ? schedule.periods.filter(({ to }) => to === null || to > asOf)
    : calendarPeriods(asOf)
  const currency = schedule?.currency ?? company.currency ?? claims[0]?.currency ?? 'USD'
  const isOld = (claim: Claim) => isStale(claim, asOf, maxAge)
  // Debt of one time is no part of total debt of another, as of a company whose newest statement is fifteen years old.
  const totalDebtOn = (day: string | null): number | null =>
    company.period_end_date !== null &&
    Math.abs(daysBetween(company.period_end_date, day ?? asOf)) > DEFAULT_MAX_AGE
      ? null
      : company.total_debt
  const isWhole =
    !claims.some(isOld) &&
    isAllDated(claims) &&
    makeUpDebt(claims, totalDebtOn(newestBalance(claims)), currency)
  const dueOf = (claim: Claim, amount: number | null): Due => ({
    claim,
    amount: isOld(claim) ? null : amount,
  })
  const rowOf = (period: Period | null, due: readonly Due[]): ComputedRow => {
    const isOpen =
      period !== null &&
      (claims.some(({ is_reconciled }) => is_reconciled === false) ||
        undated.some(claim => isOwedSometime(claim) && mayFallIn(claim, period, asOf)))
    const filedElsewhere = period === null && schedule ? filedOf(company, schedule, due, amountIn) : null
    const row = periodRow(company, period, due, {
      schedule,
      isScheduleStale,
      currency,
      // Where the claims are the company's debt, a period without any has nothing due.
      nothing: isWhole && !isOpen ? (claims[0]?.from ?? null) : null,
      isOpen,
      isOld,
      filedElsewhere,
      totalDebt: totalDebtOn(
        period?.filed ? schedule!.balanceDate : newestBalance(due.map(({ claim }) => claim)),
      ),
    })
    return explain ? { ...row, _explain: explainOf(period, due, filedElsewhere) } : row
  }
  const amountIn = (period: Period): number =>
    sumOf(
      claims.flatMap(claim => {
        const due = dueIn(claim, period, asOf)
        return due && due.amount !== null && claim.currency === currency ? [due] : []
      }),
    )
  const byPeriod = periods.map(period => ({
    period,
    due: claims.flatMap(claim => {
      const due = dueIn(claim, period, asOf)
      return due === null ? [] : dueOf(claim, due.amount)
    }),
  }))
  const placed = new Set(byPeriod.flatMap(({ due }) => due.map(({ claim }) => claim)))
  const undated = claims.filter(claim => claim.maturity_date === null && !placed.has(claim))
  return [
    ...byPeriod.map(({ period, due }) => rowOf(period, due)),
    ...(undated.length > 0
      ? [
          rowOf(
            null,
            undated.map(claim => dueOf(claim, claim.outstanding)),
          ),
        ]
      : []),
  ]
}

/** What a row shows of the company beside the debt of its period. */
interface Beside {
  readonly schedule: Schedule | null
  readonly isScheduleStale: boolean
  readonly currency: string
  /** What tells that nothing else is due; null if other debt may be. */
  readonly nothing: Claim['from'] | null
  /** Whether debt without a year, or none that is known, may fall due in the period. */
  readonly isOpen: boolean
  readonly isOld: (claim: Claim) => boolean
  /** For the row of debt without a year: what of it a schedule has in its periods. */
  readonly filedElsewhere: FiledElsewhere | null
  /** Total debt, if it is of about the time of what is due. */
  readonly totalDebt: number | null
}

/** The newest balance date of debt of filings; null if its bonds are those of the day. */
const newestBalance = (claims: readonly Claim[]): string | null =>
  claims.reduce<string | null>(
    (newest, { balance_date: day }) => (day !== null && (newest === null || day > newest) ? day : newest),
    null,
  )

interface FiledElsewhere {
  readonly claims: ReadonlySet<Claim>
  /** How much of them. */
  readonly amount: number
}

/** Debt that exceeds what a schedule has by less than this share of it is the difference of face and carrying amount. */
const DISCOUNT = 0.1

/**
 * What a schedule has of debt of filings without a year, commercial paper aside, which is no long-term debt, unless the
 * schedule has it. A schedule with an amount for every period has all such debt of its balance date. Else it has what it states for
 * the periods that were not over at their balance date, less what debt with a year repays in them.
 */
function filedOf(
  { period_end_date, total_debt }: CompanyFigures,
  schedule: Schedule,
  due: readonly Due[],
  amountIn: (period: Period) => number,
): FiledElsewhere | null {
  const ofSchedule = due.filter(
    ({ claim: { from, currency } }) => from === 'instruments' && currency === schedule.currency,
  )
  const paper = ofSchedule.filter(({ claim }) => claim.instrument_type === 'commercial_paper')
  const isPaperIn = hasPaper(schedule, paper, period_end_date === schedule.balanceDate ? total_debt : null)
  const isIn = ({ claim: { instrument_type } }: Due) => isPaperIn || instrument_type !== 'commercial_paper'
  const within = ofSchedule.filter(isIn)
  const claims = new Set(within.map(({ claim }) => claim))
  const told = newestBalance([...claims])
  const newest = told !== null && told > schedule.balanceDate ? told : schedule.balanceDate
  const owed = within.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  if (newest === schedule.balanceDate && schedule.periods.every(({ filed }) => filed !== null))
    return { claims, amount: owed }
  const stated = schedule.periods.reduce(
    (sum, period) =>
      period.filed && (period.to === null || period.to > newest)
        ? sum + Math.max(0, period.filed.amount - amountIn(period))
        : sum,
    0,
  )
  return stated > 0 ? { claims, amount: owed - stated > DISCOUNT * owed ? stated : owed } : null
}

/**
 * Whether a schedule of all periods has the commercial paper of its balance date: its first period has room for it, and its
 * total is nearer to total debt than with the paper added.
 */
function hasPaper(
  { balanceDate, periods }: Schedule,
  paper: readonly Due[],
  totalDebt: number | null,
): boolean {
  const amount = paper.reduce((sum, due) => sum + (due.amount ?? 0), 0)
  const first = periods[0]?.filed?.amount ?? 0
  if (totalDebt === null || amount === 0 || first < amount * (1 - DISCOUNT)) return false
  if (periods.some(({ filed }) => filed === null)) return false
  if (paper.some(({ claim }) => claim.balance_date !== balanceDate)) return false
  const total = periods.reduce((sum, { filed }) => sum + filed!.amount, 0)
  return Math.abs(total - totalDebt) < Math.abs(total + amount - totalDebt)
}

/** Debt of filings without a year falls due in some period; commercial paper is rolled over, and a bond may be perpetual. */
const isOwedSometime = ({ from, outstanding, instrument_type }: Claim): boolean =>
  from === 'instruments' && outstanding !== 0 && instrument_type !== 'commercial_paper'

function periodRow(
  company: CompanyFigures,
  period: Period | null,
  due: readonly Due[],
  { schedule, isScheduleStale, currency, nothing, isOpen, isOld, filedElsewhere, totalDebt }: Beside,
): ComputedRow {
  const own = due.filter(({ claim }) => claim.currency === currency)
  const known = own.filter(({ amount }) => amount !== null)
  // Facilities without a drawing say nothing of what else falls due.
  const isKnown =
    known.some(({ amount }) => amount !== 0) || (nothing !== null && known.length === due.length)
  const bonds = isKnown ? sumOf(known) : null
  const filed = period?.filed ?? null
  const inSchedule = filedElsewhere?.amount ?? 0
  const isFiled = ({ claim }: Due) => filedElsewhere?.claims.has(claim) ?? false
  const isBeside = !due.every(isFiled) || due.length === 0 || sumOf(known.filter(isFiled)) > inSchedule
  const amount = filed?.amount ?? (bonds !== null && isBeside ? bonds - inSchedule : null)
  const isSameCurrency = company.currency === null || company.currency === currency
  return {
    ticker: company.ticker,
    company_name: company.company_name,
    sector: company.sector,
    industry: company.industry,
    rating_bucket: company.rating_bucket,
    year: period === null ? null : Number(yearEndOf(period).slice(0, 4)),
    period_start: period?.from ?? null,
    period_end: period?.to ?? null,
    due: amount,
    due_source: filed ? 'filed_schedule' : amount === null ? null : (known[0]?.claim.from ?? nothing),
    is_partial: filed === null && ((isBeside && known.length < due.length) || isOpen),
    due_percent: amount !== null && totalDebt && isSameCurrency ? (100 * amount) / totalDebt : null,
    filed_due: filed?.amount ?? null,
    filed_null_because: filed
      ? null
      : isScheduleStale
        ? 'stale'
        : schedule === null
          ? 'not_filed'
          : 'not_in_schedule',
    bonds_due: bonds,
    bonds_null_because:
      bonds !== null
        ? null
        : due.length === 0
          ? 'no_bonds'
          : due.some(({ claim }) => isOld(claim))
            ? 'stale'
            : known.length > 0
              ? 'nothing_drawn'
              : 'no_amounts',
    bond_count: due.length,
    bonds_unknown: own.length - known.length,
    bonds_in_other_currency: due.length - own.length,
    currency,
    filed_balance_date: schedule?.balanceDate ?? null,
    filed_form: schedule?.any.form ?? null,
    filed_date: schedule?.any.filed_date ?? null,
    filed_accession: schedule?.any.accession ?? null,
    filed_concept: filed?.concept ?? null,
    company_id: company.company_id,
    coverage: company.coverage,
  }
}

const sumOf = (due: readonly Due[]): number => due.reduce((sum, { amount }) => sum + amount!, 0)

const explainOf = (period: Period | null, due: readonly Due[], filedElsewhere: FiledElsewhere | null) => ({
  formula: `due = filed_due, else bonds_due${filedElsewhere ? ' less what the filed schedule has of it in its periods (in_schedule)' : ''}; bonds_due = what active bonds, or the instruments of filings, repay in the period: the amount outstanding at maturity, or its parts by the sinking schedule`,
  filed: period?.filed ?? null,
  ...(filedElsewhere && { in_schedule: filedElsewhere.amount }),
  bonds: due.map(({ claim, amount }) => ({ ...claimInput(claim), due: amount })),
})
