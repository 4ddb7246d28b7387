import { DEFAULT_MAX_AGE, maxAgeOf, NO_MAX_AGE } from '../credit/max-age.ts'
import { claimClasses, type Distribution, distribute } from '../credit/waterfall.ts'
import {
  boolean,
  cents,
  date,
  integer,
  list,
  nullable,
  number,
  oneOf,
  percent,
  type RowOf,
  shaped,
  text,
} from '../schema/column.ts'
import { arrayOf, object, valueSchema, wholeRow } from '../schema/json-schema.ts'
import { type ArgsOf, fallback, many, one, required } from '../schema/params.ts'
import { ageParams, reportedParam } from '../schema/resources/companies.ts'
import { trailingCharges } from './agreement-ebitda.ts'
import { claimInput, isStale } from './claims.ts'
import { type CompanyFigures, type Explained, explainedFigures, figuresOf } from './company-figures.ts'
import { rowsByKey } from './keyed-rows.ts'
import { printOf } from './list.ts'
import { operation } from './operation.ts'
import { explainParam, timeParams } from './params.ts'
import { type CapitalStructure, capitalStructureOf, type PlacedClaim } from './recovery-claims.ts'
import { type FinanceBusiness, financeBusinessOf, notesOf } from './recovery-notes.ts'

const classNames = [...claimClasses, 'finance_leases', 'unexplained'] as const

const headColumns = {
  ticker: nullable(shaped('ticker', 'Ticker of the company.')),
  company_name: text('Name of the company.'),
  currency: shaped('currency', 'Currency of the amounts.'),
  enterprise_value: nullable(cents('Value that is distributed, before costs.')),
  enterprise_value_source: oneOf(['given', 'multiple'], 'Where it comes from.'),
  null_because: nullable(
    oneOf(
      ['no_statements', 'stale', 'no_ebitda', 'ebitda_not_positive'],
      'Why a multiple of EBITDA gives no value.',
    ),
  ),
  multiple: nullable(number('Value over EBITDA.', { unit: 'times' })),
  ebitda: nullable(cents('EBITDA of the trailing twelve months.')),
  period_end_date: nullable(date('Balance date of the statements.')),
  costs: nullable(cents('Costs of the proceedings, paid first.')),
  distributable_value: nullable(cents('What claims are paid from.')),
  claims_amount: cents('All claims in the waterfall.'),
  equity_value: nullable(cents('What is left after all claims.')),
}

const classColumns = {
  level: text('Level of the group whose value it reaches first.'),
  class: oneOf(
    classNames,
    'Rank within the level; `finance_leases` and `unexplained`, which is debt that no instrument shows, rank as senior unsecured.',
  ),
  entities: list('Issuers and guarantors.'),
  claims: integer('Claims in it.'),
  amount: cents('Their amount.'),
  recovery: nullable(cents('What they are paid.')),
  recovery_percent: nullable(percent('Share of the amount that is paid.')),
  from_collateral: nullable(cents('The part that collateral pays.')),
  is_rank_assumed: boolean('The rank of some of it is not known: it ranks as senior unsecured.'),
}

const claimColumns = {
  id: text('Id of the instrument.'),
  name: text('Its name.'),
  issuer_name: nullable(text('Issuing entity.')),
  level: text('Level of the group whose value it reaches first.'),
  class: oneOf(classNames, 'Rank within the level.'),
  amount: cents('Amount outstanding, with what is assumed to be drawn.'),
  assumed_drawn: cents('What is assumed to be drawn of an open commitment.'),
  collateral_value: nullable(cents('Value of its own collateral; null for a lien on all assets, or none.')),
  guarantors: integer('Guarantors known.'),
  balance_date: nullable(date('Balance date of the amount; null for a bond.')),
  recovery: nullable(cents('What it is paid.')),
  recovery_percent: nullable(percent('Share of the amount that is paid.')),
}

const sensitivityColumns = {
  multiple: number('Value over EBITDA.', { unit: 'times' }),
  enterprise_value: cents('Value that is distributed, before costs.'),
  recovery_percents: list('Recovery of each class in percent, in the order of `classes`.'),
}

const leftColumns = {
  id: text('Id of the instrument.'),
  name: text('Its name.'),
  reason: oneOf(['no_amount', 'other_currency'], 'Why it is not in the waterfall.'),
}

type RecoveryClass = RowOf<typeof classColumns>
type RecoveryClaim = RowOf<typeof claimColumns>

export interface CompanyRecovery extends RowOf<typeof headColumns> {
  classes: RecoveryClass[]
  claims: RecoveryClaim[]
  sensitivity: { multiple: number; enterprise_value: number; recovery_percents: (number | null)[] }[]
  left_out: RowOf<typeof leftColumns>[]
  notes: string[]
  _explain?: unknown
}

const params = {
  ticker: required(one(shaped('ticker', 'Ticker or id of the company.', { example: 'FLKNT' }))),
  enterprise_value: one(cents('Default the multiple of EBITDA.'), { min: 0 }),
  ebitda: one(cents('Another EBITDA.'), {
    min: 1,
  }),
  multiple: fallback(
    one(number('Enterprise value over EBITDA.', { unit: 'times' }), { min: 0, max: 100 }),
    6,
  ),
  multiples: fallback(
    many(number('Those of the sensitivity.', { unit: 'times' }), { min: 0, max: 100 }),
    [3, 4, 5, 6, 7, 8],
  ),
  cost_percent: fallback(one(percent('Costs, share of the value.'), { min: 0, max: 100 }), 0),
  draw_percent: fallback(one(percent('Share of open commitments drawn.'), { min: 0, max: 100 }), 0),
  non_guarantor_percent: one(percent('Share of value at non-guarantors.'), {
    min: 0,
    max: 100,
  }),
  unexplained_debt: fallback(one(boolean('Count debt that no instrument shows.')), true),
  max_age: ageParams.max_age,
  ...reportedParam,
  ...timeParams,
  ...explainParam,
}

type RecoveryArgs = ArgsOf<typeof params>

export const companyRecovery = operation({
  name: 'recovery.company',
  method: 'GET',
  path: '/v1/companies/{ticker}/recovery',
  command: 'recovery',
  doc: 'Recovery waterfall: a value paid through entities, liens and ranks, at several multiples.',
  tier: 'pro',
  cost: 'complex',
  answers: 'object',
  envelope: 'data',
  columns: null,
  objectSchema: object(
    {
      ...propertiesOfRow(headColumns),
      classes: arrayOf(wholeRow(classColumns)),
      claims: arrayOf(wholeRow(claimColumns)),
      sensitivity: arrayOf(
        object({
          multiple: valueSchema(sensitivityColumns.multiple),
          enterprise_value: valueSchema(sensitivityColumns.enterprise_value),
          recovery_percents: {
            ...arrayOf({ type: ['number', 'null'] }),
            description: sensitivityColumns.recovery_percents.doc,
          },
        }),
      ),
      left_out: arrayOf(wholeRow(leftColumns)),
      notes: valueSchema(list('What was assumed or is not known.')),
      _explain: { type: 'object', description: 'Formulas, claims with their sources, and inputs of EBITDA.' },
    },
    ['_explain'],
  ),
  positional: ['ticker'],
  examples: ['FLKNT', 'FLKNT --multiple 4.5 --cost-percent 5'],
  params,
  async run(context, args) {
    const { ids } = await context.companies([args.ticker])
    const asked = { maxAge: maxAgeOf(args.max_age, DEFAULT_MAX_AGE), print: printOf(args) }
    const figures = await figuresOf(context, ids, asked)
    const stated = figures.get(ids[0]!)!
    const company: CompanyFigures = { ...stated, ebitda: args.ebitda ?? stated.ebitda }
    const [charges] = await rowsByKey(context, trailingCharges[asked.print], [stated.company_id])
    const impairments = charges?.period_end_date === stated.period_end_date ? charges.impairments : null
    const currency = company.currency ?? 'USD'
    const structure = await capitalStructureOf(context, company.company_id, currency, args.draw_percent)
    // Which debt is of a finance business is told by old statements too: its claims may be shown without others.
    const ofAnyAge = (await figuresOf(context, ids, { ...asked, maxAge: NO_MAX_AGE })).get(company.company_id)
    const finance = ofAnyAge === undefined ? null : financeBusinessOf(structure, ofAnyAge)
    const explained = args.explain
      ? (await explainedFigures(context, ids, asked, ['ebitda_ttm', 'total_debt'])).get(company.company_id)
      : undefined
    const data = recoveryOf(
      company,
      currency,
      {
        structure,
        finance,
        impairments: args.ebitda === undefined ? impairments : null,
        asOf: context.asOf,
      },
      args,
    )
    return {
      kind: 'object',
      data: { ...data, ...(args.explain && { _explain: explainOf(structure, explained ?? {}) }) },
    }
  },
  out: undefined as { data: CompanyRecovery; meta: Record<string, unknown> } | undefined,
})

function propertiesOfRow(columns: typeof headColumns) {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, valueSchema(column)]))
}

/** A claim of the waterfall: an instrument, or what the balance sheet owes beside them. */
type Ranked = Pick<
  PlacedClaim,
  'id' | 'level' | 'claimClass' | 'amount' | 'collateral' | 'isRankAssumed' | 'isAtNonGuarantor'
> & {
  /** Null for debt of the balance sheet beside the instruments. */
  readonly placed: PlacedClaim | null
}

/** Under this share of total debt the rest is discount and rounding. */
const UNEXPLAINED = 0.02

function recoveryOf(
  company: CompanyFigures,
  currency: string,
  {
    structure,
    finance,
    impairments,
    asOf,
  }: {
    structure: CapitalStructure
    finance: FinanceBusiness | null
    impairments: number | null
    asOf: string
  },
  args: RecoveryArgs,
): CompanyRecovery {
  const ranked: Ranked[] = structure.placed.map(placed => ({ ...placed, placed }))
  const { leases, rest, isUnexplained } = besideInstruments(company, structure)
  if (leases > 0) ranked.push(balanceSheetClaim('finance_leases', leases))
  if (isUnexplained && args.unexplained_debt) ranked.push(balanceSheetClaim('unexplained', rest))
  const reason = args.enterprise_value === undefined ? valueMissing(company, args) : null
  const value =
    args.enterprise_value ?? (reason === null ? Math.round(args.multiple * company.ebitda!) : null)
  const costs = value === null ? null : Math.round((value * args.cost_percent) / 100)
  const pay = (amount: number) => payOut(amount, ranked, args)
  const paid = value === null ? null : pay(value)
  const groups = classesOf(ranked, args.non_guarantor_percent !== undefined)
  const isEarning = company.ebitda !== null && company.ebitda > 0
  return {
    ticker: company.ticker,
    company_name: company.company_name,
    currency,
    enterprise_value: value,
    enterprise_value_source: args.enterprise_value === undefined ? 'multiple' : 'given',
    null_because: reason,
    multiple:
      args.enterprise_value === undefined
        ? args.multiple
        : isEarning
          ? args.enterprise_value / company.ebitda!
          : null,
    ebitda: company.ebitda,
    period_end_date: company.period_end_date,
    costs,
    distributable_value: value === null ? null : value - costs!,
    claims_amount: ranked.reduce((sum, { amount }) => sum + amount, 0),
    equity_value: paid?.residual ?? null,
    classes: groups.map(group => classRow(group, structure, paid)),
    claims: ranked.flatMap(claim => (claim.placed === null ? [] : [claimRow(claim.placed, structure, paid)])),
    sensitivity: isEarning
      ? args.multiples.map(multiple => {
          const enterprise_value = Math.round(multiple * company.ebitda!)
          const at = pay(enterprise_value)
          return {
            multiple,
            enterprise_value,
            recovery_percents: groups.map(({ claims }) => percentOf(claims, at)),
          }
        })
      : [],
    left_out: [...structure.left],
    notes: notesOf(structure, {
      company,
      currency,
      reason,
      isUnexplained,
      isWithLeases: leases > 0,
      impairments,
      finance,
      isEbitdaGiven: args.ebitda !== undefined,
      isStale: claim => isStale(claim, asOf, maxAgeOf(args.max_age, DEFAULT_MAX_AGE)),
      isNonGuarantorShareGiven: args.non_guarantor_percent !== undefined,
      isUnexplainedCounted: args.unexplained_debt,
    }),
  }
}

/**
 * What the balance sheet owes beside the claims. Where these are instruments that reconcile to it, its finance leases and
 * the debt without an instrument; discounts, premiums and hedge adjustments are no claims. Else all that is left.
 */
function besideInstruments({ total_debt, period_end_date }: CompanyFigures, structure: CapitalStructure) {
  if (total_debt === null) return { leases: 0, rest: 0, isUnexplained: false }
  const { reconciled, placed } = structure
  const lines = reconciled?.balance_date === period_end_date ? reconciled : null
  const drawn = sum(placed.map(({ claim }) => claim.outstanding!))
  if (lines !== null)
    return { leases: lines.finance_leases, rest: lines.unexplained, isUnexplained: lines.unexplained > 0 }
  const rest = total_debt - drawn
  return { leases: 0, rest, isUnexplained: rest > UNEXPLAINED * total_debt }
}

const balanceSheetClaim = (id: 'finance_leases' | 'unexplained', amount: number): Ranked => ({
  id,
  level: 0,
  claimClass: 'senior_unsecured',
  amount,
  collateral: null,
  isRankAssumed: true,
  isAtNonGuarantor: false,
  placed: null,
})

function valueMissing(
  { figures_null_because, ebitda }: CompanyFigures,
  args: RecoveryArgs,
): CompanyRecovery['null_because'] {
  if (figures_null_because !== null && args.ebitda === undefined) return figures_null_because
  return ebitda === null ? 'no_ebitda' : ebitda > 0 ? null : 'ebitda_not_positive'
}

/** Pays costs first, then claims; the value at non-guarantors pays their own claims before it reaches the others. */
function payOut(value: number, claims: readonly Ranked[], args: RecoveryArgs): Distribution {
  const left = value - Math.round((value * args.cost_percent) / 100)
  if (args.non_guarantor_percent === undefined) return distribute(left, claims)
  const apart = Math.round((left * args.non_guarantor_percent) / 100)
  const own = distribute(
    apart,
    claims.filter(({ isAtNonGuarantor }) => isAtNonGuarantor),
  )
  const others = distribute(
    left - apart + own.residual,
    claims.filter(({ isAtNonGuarantor }) => !isAtNonGuarantor),
  )
  return { recoveries: new Map([...own.recoveries, ...others.recoveries]), residual: others.residual }
}

interface Group {
  readonly claims: readonly Ranked[]
  readonly isApart: boolean
}

/** Claims that are paid alike, first paid first. */
function classesOf(claims: readonly Ranked[], isSplit: boolean): Group[] {
  const groups = new Map<string, Ranked[]>()
  for (const claim of claims) {
    const isApart = isSplit && claim.isAtNonGuarantor
    const rank = classNames.indexOf(className(claim))
    const key = `${isApart ? 0 : 1} ${claim.level} ${rank}`
    groups.set(key, [...(groups.get(key) ?? []), claim])
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, own]) => ({ claims: own, isApart: key.startsWith('0') }))
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, amount) => all + amount, 0)

const paidTo = (claims: readonly { readonly id: string }[], { recoveries }: Distribution): number =>
  sum(claims.map(({ id }) => recoveries.get(id)?.amount ?? 0))

function percentOf(claims: readonly Ranked[], paid: Distribution): number | null {
  const amount = sum(claims.map(claim => claim.amount))
  return amount === 0 ? null : (100 * paidTo(claims, paid)) / amount
}

const className = ({ id, placed, claimClass }: Ranked): (typeof classNames)[number] =>
  placed === null ? (id as 'finance_leases' | 'unexplained') : claimClass

function classRow(
  { claims, isApart }: Group,
  { levels }: CapitalStructure,
  paid: Distribution | null,
): RecoveryClass {
  const first = claims[0]!
  return {
    level: isApart ? 'subsidiaries that guarantee nothing' : (levels[first.level] ?? 'operating companies'),
    class: className(first),
    entities: [
      ...new Set(
        claims.flatMap(({ placed }) => [
          ...(placed?.claim.issuer_name ? [placed.claim.issuer_name] : []),
          ...(placed?.obligors ?? []),
        ]),
      ),
    ].sort(),
    claims: claims.length,
    amount: sum(claims.map(({ amount }) => amount)),
    recovery: paid && paidTo(claims, paid),
    recovery_percent: paid && percentOf(claims, paid),
    from_collateral: paid && sum(claims.map(({ id }) => paid.recoveries.get(id)?.fromCollateral ?? 0)),
    is_rank_assumed: claims.some(({ isRankAssumed }) => isRankAssumed),
  }
}

function claimRow(
  placed: PlacedClaim,
  { levels }: CapitalStructure,
  paid: Distribution | null,
): RecoveryClaim {
  const recovery = paid && (paid.recoveries.get(placed.id)?.amount ?? 0)
  return {
    id: placed.id,
    name: placed.claim.name,
    issuer_name: placed.claim.issuer_name,
    level: levels[placed.level] ?? 'operating companies',
    class: placed.claimClass,
    amount: placed.amount,
    assumed_drawn: placed.assumedDrawn,
    collateral_value: placed.collateral,
    guarantors: placed.guarantors,
    balance_date: placed.claim.balance_date,
    recovery,
    recovery_percent: recovery === null || placed.amount === 0 ? null : (100 * recovery) / placed.amount,
  }
}

const explainOf = ({ placed }: CapitalStructure, figures: Explained) => ({
  formula:
    'value x (1 - cost_percent); per level, operating companies first: first lien, second lien, then senior unsecured with what collateral left unpaid, pro rata, then subordinated; the rest is the value of the next level',
  ebitda: figures['ebitda_ttm'] ?? null,
  total_debt: figures['total_debt'] ?? null,
  claims: placed.map(({ claim, obligors, isRankAssumed, isLevelAssumed, isAtNonGuarantor }) => ({
    ...claimInput(claim),
    obligors,
    is_rank_assumed: isRankAssumed,
    is_level_assumed: isLevelAssumed,
    is_at_non_guarantor: isAtNonGuarantor,
  })),
})
