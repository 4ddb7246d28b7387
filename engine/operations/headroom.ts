import { daysBetween } from '../base/days.ts'
import {
  type Headroom,
  headroomOf,
  type Shock,
  shocked,
  type TestedAmounts,
  type TestedRatio,
} from '../credit/covenant-headroom.ts'
import { DEFAULT_MAX_AGE, maxAgeOf } from '../credit/max-age.ts'
import { isOwnName, ownerOf } from '../names/instrument-owner.ts'
import { boolean, bps, cents, percent } from '../schema/column.ts'
import { type ArgsOf, fallback, one, type Params } from '../schema/params.ts'
import type { Resource } from '../schema/resource.ts'
import { ageParams, reportedParam } from '../schema/resources/companies.ts'
import { type CovenantHeadroom, type HeadroomNullReason, headroom } from '../schema/resources/headroom.ts'
import { type AgreementEbitda, agreementEbitda, type Charges, trailingCharges } from './agreement-ebitda.ts'
import { amountOf, byCompany, type Claim, claimInput, claimsOf, makeUpDebt } from './claims.ts'
import {
  type CompanyFigures,
  type Explained,
  explainedFigures,
  type FiguresAsked,
  figuresOf,
} from './company-figures.ts'
import { type ComputedRow, namedCompanies, pageOfComputed } from './computed-rows.ts'
import { type CovenantTest, type TestMetric, testsInForce } from './covenant-tests.ts'
import { rowsByKey } from './keyed-rows.ts'
import { checkList, printOf } from './list.ts'
import { type Context, operation, type Page } from './operation.ts'
import { explainParam, filterParams, pageParams, timeParams, unknownParam } from './params.ts'

const resource = headroom as unknown as Resource

const shockParams = {
  ebitda_shock: one(percent('Change of EBITDA, `-20`.'), { min: -1000, max: 1000 }),
  debt_shock: one(percent('Change of debt.'), { min: -100, max: 1000 }),
  debt_added: one(cents('Debt to add.')),
  rate_shock: one(bps('Change of floating rates.'), {
    min: -10_000,
    max: 10_000,
  }),
  floating_share: one(percent('Floating share if unknown.'), { min: 0, max: 100 }),
} satisfies Params

const params = {
  ...filterParams(headroom),
  ...shockParams,
  add_backs: fallback(one(boolean('Add tagged add-backs to EBITDA.')), false),
  max_age: ageParams.max_age,
  ...reportedParam,
  ...pageParams<typeof headroom.columns>(headroom.limit, headroom.sort),
  ...unknownParam,
  ...timeParams,
  ...explainParam,
}

export const searchHeadroom = operation({
  name: 'search.headroom',
  method: 'GET',
  path: '/v1/covenants/headroom',
  command: 'headroom',
  doc: 'Headroom under financial covenants, tightest first, also after a shock.',
  tier: 'pro',
  cost: 'complex',
  answers: 'rows',
  envelope: 'data',
  columns: headroom.columns,
  resource,
  examples: ['--max-headroom 20', '--ticker FLKNT --ebitda-shock -25 --rate-shock 100'],
  params,
  check: args => checkList(resource, args),
  async run(context, args) {
    const { ids, unknown } = await namedCompanies(context, args)
    const asked: FiguresAsked = {
      maxAge: maxAgeOf(args.max_age, DEFAULT_MAX_AGE),
      print: printOf(args),
    }
    // Shocks are tried one after the other on the same tests.
    const { tests, owners, figures, claims, charges } =
      ids === null
        ? await context.cached(`tests in force ${context.coverage} ${asked.maxAge} ${asked.print}`, () =>
            testedCompanies(context, null, asked),
          )
        : await testedCompanies(context, ids, asked)
    const explained = args.explain
      ? await explainedFigures(context, owners, asked, [
          'ebitda_ttm',
          'total_debt',
          'secured_debt',
          'cash',
          'interest_coverage',
        ])
      : null
    const shock = shockOf(args)
    const rows = tests.flatMap(test => {
      const company = figures.get(test.company_id)
      if (!company) return []
      const own = claims.get(test.company_id) ?? []
      const defined = agreementEbitda(test.definitions, chargesOf(company, charges))
      const tested = testedOf(test, company, own, {
        shock,
        floatingShare: args.floating_share ?? null,
        defined,
        isInPart: args.add_backs,
      })
      const row = rowOf(test, company, tested)
      return [
        explained
          ? { ...row, _explain: explainOf(test, tested, shock, explained.get(test.company_id) ?? {}, own) }
          : row,
      ]
    })
    const { ebitda_shock, debt_shock, debt_added, rate_shock, floating_share, add_backs, max_age, reported } =
      args
    return pageOfComputed(
      rows,
      {
        resource,
        args,
        explains: 'The ratio, its inputs with their filings, and the records of the covenant.',
        applied: {
          ebitda_shock,
          debt_shock,
          debt_added,
          rate_shock,
          floating_share,
          ...(add_backs && { add_backs }),
          max_age,
          reported,
        },
        emptyBecause: n =>
          `${n} financial tests are in force on the day, and none of them passes the filters`,
      },
      unknown,
    )
  },
  out: undefined as Page<CovenantHeadroom> | undefined,
})

/** What a test, the figures of a company or a claim takes in memory, about. */
const BYTES_OF_INPUT = 1000

async function testedCompanies(context: Context, ids: readonly string[] | null, asked: FiguresAsked) {
  const tests = await testsInForce(context, ids)
  const owners = [...new Set(tests.map(({ company_id }) => company_id))]
  const figures = await figuresOf(context, owners, asked)
  const claims = await claimsOf(context, owners)
  const charges = await rowsByKey(context, trailingCharges[asked.print], owners)
  const bytes = (tests.length + figures.size + claims.length + charges.length) * BYTES_OF_INPUT
  return { tests, owners, figures, claims: byCompany(claims), charges, bytes }
}

/** The charges of the period whose EBITDA is tested. */
const chargesOf = (company: CompanyFigures, charges: readonly Charges[]): Charges | undefined =>
  charges.find(
    ({ company_id, period_end_date, is_annualized }) =>
      company_id === company.company_id &&
      period_end_date === company.period_end_date &&
      is_annualized === company.is_annualized,
  )

type HeadroomArgs = ArgsOf<typeof params>

function shockOf(args: HeadroomArgs): Shock | null {
  const { ebitda_shock, debt_shock, debt_added, rate_shock } = args
  if ([ebitda_shock, debt_shock, debt_added, rate_shock].every(value => value === undefined)) return null
  return {
    ebitdaPercent: ebitda_shock ?? 0,
    debtPercent: debt_shock ?? 0,
    debtAdded: debt_added ?? 0,
    rateBps: rate_shock ?? 0,
  }
}

const kinds: Readonly<Record<TestMetric, TestedRatio | null>> = {
  leverage_ratio: 'leverage',
  net_leverage_ratio: 'leverage',
  secured_leverage: 'leverage',
  first_lien_leverage: 'leverage',
  interest_coverage: 'coverage',
  // Rent, taxes, dividends and scheduled repayments count as the agreement says, which no statement line tells.
  fixed_charge_coverage: null,
}

/** A test with its amounts and headroom, as reported and after the shock. */
interface Tested {
  readonly amounts: TestedAmounts | null
  readonly headroom: Headroom | null
  readonly before: Headroom | null
  readonly reason: HeadroomNullReason | null
  readonly floating: { readonly amount: number | null; readonly from: 'claims' | 'floating_share' | null }
  readonly defined: AgreementEbitda | null
  readonly basis: 'agreement' | 'agreement_in_part' | 'statements'
}

interface Wanted {
  readonly shock: Shock | null
  readonly floatingShare: number | null
  readonly defined: AgreementEbitda | null
  readonly isInPart: boolean
}

function testedOf(
  test: CovenantTest,
  company: CompanyFigures,
  claims: readonly Claim[],
  { shock, floatingShare, defined, isInPart }: Wanted,
): Tested {
  const kind = kinds[test.test_metric]
  const debt = debtTested(test.test_metric, company, claims)
  const basis = defined?.isWhole
    ? 'agreement'
    : isInPart && defined?.added
      ? 'agreement_in_part'
      : 'statements'
  const ebitda =
    company.ebitda === null || basis === 'statements' ? company.ebitda : company.ebitda + defined!.added
  const reported = { ebitda, debt, interest: company.interest_expense }
  const floating = floatingDebt(company, claims, floatingShare)
  const reason = missing(test, kind, company, reported)
  if (kind === null || test.level === null || (reason !== null && reason !== 'ebitda_not_positive'))
    return { amounts: null, headroom: null, before: null, reason, floating, defined, basis }
  const before = headroomOf(kind, test.level, reported)
  if (shock === null) return { amounts: reported, headroom: before, before, reason, floating, defined, basis }
  const isNet = test.test_metric === 'net_leverage_ratio'
  const amounts = shocked(
    reported,
    { total_debt: company.total_debt, floating: floating.amount },
    shock,
    isNet,
  )
  const headroom = headroomOf(kind, test.level, amounts)
  return {
    amounts,
    headroom,
    before,
    reason: reasonAfter(kind, headroom, amounts, shock, floating.amount),
    floating,
    defined,
    basis,
  }
}

/** The debt over EBITDA; null if it is not known. */
function debtTested(metric: TestMetric, company: CompanyFigures, claims: readonly Claim[]): number | null {
  if (metric === 'net_leverage_ratio') return company.net_debt
  if (metric === 'secured_leverage') return company.secured_debt
  if (metric !== 'first_lien_leverage') return company.total_debt
  const ranked = claims.every(({ seniority, security_type }) =>
    seniority === 'senior_secured' ? security_type !== null : seniority !== null,
  )
  const currency = company.currency ?? 'USD'
  if (!ranked || !makeUpDebt(claims, company.total_debt, currency)) return null
  return amountOf(
    claims.filter(claim => claim.seniority === 'senior_secured' && claim.security_type === 'first_lien'),
    currency,
  )
}

/** The debt whose interest follows the market: of the claims if all are known, else the assumed share. */
function floatingDebt(
  { currency: stated, total_debt }: CompanyFigures,
  claims: readonly Claim[],
  share: number | null,
): Tested['floating'] {
  const currency = stated ?? 'USD'
  if (claims.every(({ floats }) => floats !== null) && makeUpDebt(claims, total_debt, currency)) {
    const floating = claims.filter(({ floats }) => floats)
    return { amount: amountOf(floating, currency), from: 'claims' }
  }
  if (share === null || total_debt === null) return { amount: null, from: null }
  return { amount: (total_debt * share) / 100, from: 'floating_share' }
}

/** Whether the figures are of a time long before the documents that state the test. */
const isBefore = ({ period_end_date }: CompanyFigures, { last_stated }: CovenantTest): boolean =>
  period_end_date !== null &&
  last_stated !== null &&
  daysBetween(period_end_date, last_stated) > DEFAULT_MAX_AGE

/** Whether it tests another company of the group, whose figures these are not: `Alfa Electric's Credit Facility`. */
function isOfSubsidiary({ instrument_name }: CovenantTest, { company_name }: CompanyFigures): boolean {
  const owner = ownerOf(instrument_name)
  return owner !== null && !isOwnName(owner, company_name)
}

function missing(
  test: CovenantTest,
  kind: TestedRatio | null,
  company: CompanyFigures,
  { ebitda, debt, interest }: TestedAmounts,
): HeadroomNullReason | null {
  const { level, is_to_begin, threshold_type, test_metric } = test
  if (company.figures_null_because !== null) return company.figures_null_because
  if (isBefore(company, test)) return 'before_covenant'
  if (isOfSubsidiary(test, company)) return 'of_subsidiary'
  if (is_to_begin) return 'not_begun'
  if (level === null || level <= 0) return 'no_level'
  if (kind === null) return 'fixed_charges'
  if ((kind === 'leverage') !== (threshold_type === 'maximum')) return 'direction'
  if (company.is_bank) return 'bank'
  if (ebitda === null) return 'no_ebitda'
  const earned = ebitda > 0 ? null : 'ebitda_not_positive'
  if (kind === 'coverage' && (interest === null || interest <= 0)) return 'no_interest'
  if (kind === 'coverage') return company.is_after_lending ? 'captive_finance' : earned
  return debt === null ? noDebt(test_metric, company) : earned
}

function noDebt(metric: TestMetric, { total_debt }: CompanyFigures): HeadroomNullReason {
  if (metric === 'secured_leverage') return 'no_secured_debt'
  if (metric === 'first_lien_leverage') return 'no_first_lien_debt'
  return metric === 'net_leverage_ratio' && total_debt !== null ? 'no_cash' : 'no_debt'
}

function reasonAfter(
  kind: TestedRatio,
  headroom: Headroom | null,
  { ebitda }: TestedAmounts,
  { rateBps }: Shock,
  floating: number | null,
): HeadroomNullReason | null {
  if (headroom === null)
    return kind === 'leverage'
      ? 'no_debt'
      : rateBps !== 0 && floating === null
        ? 'no_floating_debt'
        : 'no_interest'
  return ebitda! <= 0 ? 'ebitda_not_positive' : null
}

const rounded = (amount: number | null | undefined): number | null =>
  amount === null || amount === undefined ? null : Math.round(amount)

function rowOf(
  test: CovenantTest,
  company: CompanyFigures,
  { amounts, headroom, before, reason, defined, basis }: Tested,
): ComputedRow {
  const isCoverage = kinds[test.test_metric] === 'coverage'
  return {
    ticker: company.ticker,
    company_name: company.company_name,
    sector: company.sector,
    industry: company.industry,
    rating_bucket: company.rating_bucket,
    covenant_name: test.covenant_name,
    instrument_name: test.instrument_name,
    cusip: test.cusip,
    test_metric: test.test_metric,
    threshold_type: test.threshold_type,
    level: test.level,
    ratio: headroom?.ratio ?? null,
    headroom_turns: headroom?.turns ?? null,
    headroom_percent: headroom?.percent ?? null,
    ebitda_headroom: headroom?.ebitda ?? null,
    debt_headroom: headroom?.debt ?? null,
    interest_headroom: headroom?.interest ?? null,
    // A loss that is scaled up to a year repeats single charges: no sound test.
    status:
      headroom === null || (reason === 'ebitda_not_positive' && company.is_annualized && !headroom.isMet)
        ? null
        : headroom.isMet
          ? 'met'
          : 'failed',
    null_because: reason,
    ratio_before_shock: before?.ratio ?? null,
    headroom_percent_before_shock: before?.percent ?? null,
    next_level: test.next_level,
    next_level_date: test.next_level_date,
    test_frequency: test.test_frequency,
    cure_period_days: test.cure_period_days,
    ebitda_basis: headroom === null ? null : basis,
    add_backs: defined?.addBacks.some(({ amount }) => amount !== null) ? defined.added : null,
    add_backs_unknown: unknownAddBacks(defined),
    ebitda: rounded(amounts?.ebitda),
    debt: isCoverage ? null : rounded(amounts?.debt),
    interest_expense: isCoverage ? rounded(amounts?.interest) : null,
    currency: company.currency,
    is_annualized: company.is_annualized,
    period_end_date: company.period_end_date,
    figures_age_days: company.figures_age_days,
    source_document_date: test.source_document_date,
    evidence_count: test.records.length,
    covenant_id: test.covenant_id,
    extraction_confidence: test.extraction_confidence,
    source: test.source,
    known_from: test.known_from,
    company_id: test.company_id,
    coverage: company.coverage,
  }
}

function unknownAddBacks(defined: AgreementEbitda | null): string[] | null {
  const unknown = defined?.addBacks.filter(({ item, amount }) => item !== 'ebitda' && amount === null) ?? []
  return unknown.length === 0 ? null : unknown.map(({ stated }) => stated)
}

const basisWords = {
  agreement: "EBITDA of the statements with all that the agreement's definition adds back",
  agreement_in_part:
    "EBITDA of the statements with those add-backs of the agreement's definition that the statements tag",
  statements: 'EBITDA of the statements',
} as const

/** Whose EBITDA is tested, and why not the agreement's. */
function basisOf({ basis, defined }: Tested): string {
  if (basis !== 'statements') return basisWords[basis]
  const unknown = unknownAddBacks(defined) ?? []
  return defined === null
    ? `${basisWords.statements}: no definition with what the agreement adds back is known`
    : `${basisWords.statements}: the agreement also adds back what the statements do not tag, ${unknown.join('; ')}`
}

/** Inputs of the debt over EBITDA, by metric. */
const debtInputs: Readonly<Record<TestMetric, readonly string[]>> = {
  leverage_ratio: ['total_debt'],
  net_leverage_ratio: ['total_debt', 'cash'],
  secured_leverage: ['secured_debt'],
  first_lien_leverage: [],
  interest_coverage: [],
  fixed_charge_coverage: [],
}

function explainOf(
  test: CovenantTest,
  tested: Tested,
  shock: Shock | null,
  figures: Explained,
  claims: readonly Claim[],
): unknown {
  const kind = kinds[test.test_metric]
  const formula =
    kind === null
      ? null
      : kind === 'coverage'
        ? 'ebitda_ttm / interest_expense_ttm >= level'
        : `${test.test_metric === 'net_leverage_ratio' ? '(total_debt - cash)' : test.test_metric === 'first_lien_leverage' ? 'first-lien claims' : debtInputs[test.test_metric][0]} / ebitda_ttm <= level`
  const spare =
    kind === null
      ? null
      : kind === 'coverage'
        ? 'ebitda_headroom = ebitda - level x interest; headroom_percent = ebitda_headroom / ebitda'
        : 'ebitda_headroom = ebitda - debt / level; debt_headroom = level x ebitda - debt; headroom_percent = ebitda_headroom / ebitda'
  const inputs = [
    'ebitda_ttm',
    ...debtInputs[test.test_metric],
    ...(kind === 'coverage' ? ['interest_coverage'] : []),
  ]
  return {
    formula,
    headroom: spare,
    null_because: tested.reason,
    level: {
      value: test.level,
      from:
        test.steps.length > 0
          ? 'the last step begun by the as-of date, else the level stated'
          : 'the level stated',
      direction_stated: test.direction_stated,
      step_down_schedule: test.steps,
      records: test.records,
    },
    ebitda_basis: basisOf(tested),
    ...(tested.defined && {
      agreement_ebitda: {
        term: tested.defined.term,
        added: tested.defined.added,
        add_backs: tested.defined.addBacks,
      },
    }),
    inputs: {
      ...Object.fromEntries(inputs.map(name => [name, figures[name] ?? null])),
      ...(test.test_metric === 'first_lien_leverage' && { claims: claims.map(claimInput) }),
    },
    ...(shock && {
      shock: {
        ...shock,
        floating_debt: tested.floating,
        rule: 'debt that is added bears interest at interest_expense / total_debt and leaves cash as it was; rates move the interest of floating debt for a whole year',
      },
    }),
  }
}
