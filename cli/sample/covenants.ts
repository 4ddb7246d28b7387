import { formatDay, parseDay, toDay } from '../../engine/credit/calendar.ts'
import type { CovenantName } from '../../engine/schema/covenant-names.ts'
import type { covenants } from '../../engine/schema/datasets/covenants.ts'
import { covenantEnds } from '../../engine/schema/vocabulary.ts'
import type { Instrument } from './instrument.ts'
import type { Issuer } from './issuers.ts'
import type { Random } from './random.ts'
import type { Row } from './tables.ts'

export type Covenant = Row<typeof covenants>

const toQuarter = (value: number) => Math.round(value * 4) / 4

const ratioText = (level: number) => `${level.toFixed(2)} to 1.00`

type Metric = NonNullable<Covenant['test_metric']>

const test = (
  threshold_type: 'maximum' | 'minimum',
  test_metric: Metric,
  threshold_value: number,
  test_frequency: string,
): Covenant => ({ test_metric, threshold_value, threshold_type, test_frequency })

/** The covenants of an issuer's credit agreement and notes, as strict as its rating suggests. */
export function makeCovenants(
  issuer: Issuer,
  instruments: readonly Instrument[],
  random: Random,
): Covenant[] {
  const out: Covenant[] = []
  const alive = instruments.filter(i => i.retired === null && i.matures > toDay(2025, 7, 1))
  const facility = alive.find(i => i.row.instrument_type === 'revolver')
  const notes = alive.filter(i => i.row.cusip && i.row.instrument_type !== 'first_mortgage_bonds')
  const addTo =
    (instrument: Instrument): Add =>
    (covenant_name, more) =>
      out.push({
        id: `${issuer.ticker}-cov-${String(out.length + 1).padStart(2, '0')}`,
        ticker: issuer.ticker,
        cik: issuer.cik,
        company_name: issuer.name,
        instrument_name: instrument === facility ? 'Credit Agreement' : instrument.name,
        cusip: instrument.row.cusip ?? null,
        covenant_name,
        has_step_down: false,
        agreement_date: formatDay(instrument.issued),
        effective_from: formatDay(instrument.issued),
        document_type: instrument === facility ? 'EX-10.1' : 'EX-4.1',
        extraction_confidence: Math.round(random.between(0.62, 0.995) * 100) / 100,
        source_document_date: formatDay(instrument.issued),
        ...more,
      })
  if (facility && issuer.shape !== 'financial') facilityCovenants(issuer.rank, addTo(facility), random)
  for (const note of notes.slice(0, isInvestmentGrade(issuer.rank) ? 2 : 3))
    noteCovenants(issuer.rank, addTo(note), random)
  return out
}

/** The financial tests of the agreement before the present one, which ended when it was replaced. */
export function formerCovenants(present: readonly Covenant[]): Covenant[] {
  const tests = present.filter(
    c => c.instrument_name === 'Credit Agreement' && c.covenant_type === 'financial',
  )
  return tests.map((test, i) => {
    const replaced = test.agreement_date!
    const agreed = formatDay(parseDay(replaced) - FORMER_TERM)
    return {
      ...test,
      id: `${test.ticker}-cov-former-${String(i + 1).padStart(2, '0')}`,
      threshold_value: (test.threshold_value ?? 0) + (test.threshold_type === 'maximum' ? 0.5 : -0.25),
      has_step_down: false,
      step_down_schedule: null,
      agreement_date: agreed,
      effective_from: agreed,
      ended_on: replaced,
      ended_because: reasonOfEnd(test.ticker!, i),
      source_document_date: agreed,
      description: `Of the credit agreement before the present one: ${test.description}`,
    }
  })
}

/** Why what former agreements stated ended, one after the other; most agreements are replaced. */
const reasons = ['replaced', ...covenantEnds] as const
export const reasonOfEnd = (ticker: string, i: number) =>
  reasons[(ticker.charCodeAt(0) + i) % reasons.length] ?? 'replaced'

/** Four years, in days: how long before the present agreement the former one was made. */
export const FORMER_TERM = 1461

/** EBITDA as the sample's credit agreements define it. */
const ebitda = {
  term: 'Consolidated EBITDA',
  text: '"Consolidated EBITDA" means consolidated net income plus, to the extent deducted, (a) interest expense, (b) income tax expense, (c) depreciation and amortization and (d) non-recurring restructuring charges, minus non-cash gains.',
  offset: 1200,
  add_backs: [
    'interest expense',
    'income tax expense',
    'depreciation and amortization',
    'non-recurring restructuring charges',
  ],
}

type Add = (
  name: CovenantName,
  more: Covenant & Required<Pick<Covenant, 'covenant_type' | 'description'>>,
) => void

const isInvestmentGrade = (rank: number): boolean => rank <= 10

function facilityCovenants(rank: number, add: Add, random: Random): void {
  const isHigh = isInvestmentGrade(rank)
  const steps = (from: number): Covenant =>
    random.chance(0.35)
      ? {
          has_step_down: true,
          step_down_schedule: [
            { date: '2025-12-31', threshold_value: from - 0.25 },
            { date: '2026-12-31', threshold_value: from - 0.5 },
          ],
        }
      : {}
  const cure = (): Covenant => {
    const period_days = random.pick([10, 15, 30, 30, null])
    const equity_cure = period_days && { period_days, most_in_four_quarters: 2, most_in_total: 5 }
    return { cure_period_days: period_days, equity_cure, definitions: [ebitda] }
  }

  const level = toQuarter((isHigh ? 3.5 : 4.5 + (rank - 11) * 0.3) + random.between(0, 0.75))
  if (isHigh) {
    const net = random.chance(0.3)
    add(net ? 'Maximum Net Leverage Ratio' : 'Maximum Total Leverage Ratio', {
      covenant_type: 'financial',
      ...test('maximum', net ? 'net_leverage_ratio' : 'leverage_ratio', level, 'quarterly'),
      ...steps(level),
      ...cure(),
      description: `The ratio of ${net ? 'consolidated net debt' : 'consolidated total debt'} to consolidated EBITDA may not exceed ${ratioText(level)} as of the last day of any fiscal quarter.`,
    })
  } else {
    const kind = random.pick(['first_lien_leverage', 'secured_leverage', 'leverage_ratio'] as const)
    const label = (
      {
        first_lien_leverage: 'First Lien Leverage Ratio',
        secured_leverage: 'Secured Leverage Ratio',
        leverage_ratio: 'Total Leverage Ratio',
      } as const
    )[kind]
    add(`Maximum ${label}`, {
      covenant_type: 'financial',
      ...test('maximum', kind, level, random.pick(['quarterly', 'quarterly', 'springing'])),
      ...steps(level),
      ...cure(),
      description: `The ${label.toLowerCase()} may not exceed ${ratioText(level)} at the end of a fiscal quarter; where the test springs, only while more than 35% of the revolving commitments is drawn.`,
    })
  }
  if (random.chance(0.55)) {
    const times = toQuarter(random.between(2, isHigh ? 4 : 2.75))
    add('Minimum Interest Coverage Ratio', {
      covenant_type: 'financial',
      ...test('minimum', 'interest_coverage', times, 'quarterly'),
      ...cure(),
      description: `The ratio of consolidated EBITDA to consolidated cash interest expense may not be below ${ratioText(times)} for any period of four fiscal quarters.`,
    })
  }
  if (!isHigh && random.chance(0.35))
    add('Minimum Fixed Charge Coverage Ratio', {
      covenant_type: 'financial',
      ...test('minimum', 'fixed_charge_coverage', random.pick([1, 1.1, 1.25]), 'quarterly'),
      ...cure(),
      description:
        'The ratio of consolidated EBITDA less capital expenditure to fixed charges may not be below the stated level for any period of four fiscal quarters.',
    })
  add('Limitation on Mergers', {
    covenant_type: 'negative',
    test_frequency: 'ongoing',
    description:
      'No borrower or guarantor may merge, consolidate or sell substantially all of its assets, save with another loan party.',
  })
}

function noteCovenants(rank: number, add: Add, random: Random): void {
  if (isInvestmentGrade(rank))
    add('Limitation on Liens', {
      covenant_type: 'negative',
      threshold_value: 0.15,
      threshold_type: 'maximum',
      test_frequency: 'ongoing',
      description:
        'Liens on principal property are limited to 15% of consolidated net tangible assets unless the notes are secured equally and ratably.',
    })
  else highYieldLimits(add, random)
  add('Change of Control Put', {
    covenant_type: 'protective',
    test_frequency: 'event',
    put_price_pct: 101,
    cure_period_days: null,
    description:
      'On a change of control together with a ratings decline, holders may require the issuer to repurchase the notes at 101% of principal plus accrued interest.',
  })
  if (random.chance(0.4))
    add('Make-Whole Redemption', {
      covenant_type: 'protective',
      test_frequency: 'event',
      description: `Before the par call date the issuer may redeem the notes at the greater of par and the present value of the remaining payments at the Treasury rate plus ${random.pick([15, 20, 25, 30, 50])} basis points.`,
    })
}

function highYieldLimits(add: Add, random: Random): void {
  const times = random.pick([2, 2, 1.75])
  add('Limitation on Indebtedness', {
    covenant_type: 'incurrence',
    ...test('minimum', 'fixed_charge_coverage', times, 'incurrence'),
    description: `Further debt may be incurred only if the fixed charge coverage ratio would be at least ${ratioText(times)} after giving effect to it, apart from permitted debt.`,
  })
  if (random.chance(0.5)) {
    const level = toQuarter(3.5 + random.between(0, 1.5))
    add('Limitation on Liens', {
      covenant_type: 'incurrence',
      ...test('maximum', 'secured_leverage', level, 'incurrence'),
      description: `Liens may secure further debt only if the secured leverage ratio would not exceed ${ratioText(level)}.`,
    })
  }
  add('Limitation on Restricted Payments', {
    covenant_type: 'negative',
    test_frequency: 'ongoing',
    description:
      'Dividends, repurchases of stock and prepayments of subordinated debt are limited to half of cumulative consolidated net income and the permitted baskets.',
  })
}
