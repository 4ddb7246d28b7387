import {
  addBusinessDays,
  addMonths,
  type Day,
  formatDay,
  packedCivil,
  toDay,
} from '../../engine/credit/calendar.ts'
import type { bonds } from '../../engine/schema/datasets/bonds.ts'
import { couponAt, spreadByRank } from './coupons.ts'
import type { Entity } from './entities.ts'
import { type DebtStack, type Pricing, type Terms, wholeSteps, yearOf } from './instrument.ts'
import { firstDay, lastDay } from './market.ts'
import type { Random } from './random.ts'
import type { Row } from './tables.ts'

/** Terms of a floating rate; spread and floor in basis points. */
export const floating = (spread: number, floor: number | null): Row<typeof bonds> => ({
  benchmark: 'SOFR',
  spread_bps: spread,
  floor_bps: floor,
})

/** A business day from the start of the first year to the end of the last. */
const businessDayIn = (random: Random, firstYear: number, lastYear: number, lastMonth = 12): Day =>
  addBusinessDays(
    toDay(random.whole(firstYear, lastYear), random.whole(1, lastMonth), random.whole(1, 28)),
    0,
  )

export function revolver(
  stack: DebtStack,
  facility: {
    readonly entity: Entity
    readonly guarantors?: readonly Entity[]
    readonly dollars: number
    /** Share of the commitment that is drawn. */
    readonly drawn: number
    readonly isSecured?: boolean
  },
): void {
  const { entity, guarantors = [], dollars, drawn, isSecured = false } = facility
  const issued = businessDayIn(stack.random, 2021, 2024)
  const margin = (isSecured ? 200 : 87.5) + spreadByRank(stack.issuer.rank) * 0.2
  stack.add({
    label: 'Revolving Credit Facility',
    instrument_type: 'revolver',
    seniority: isSecured ? 'senior_secured' : 'senior_unsecured',
    security_type: isSecured ? 'first_lien' : 'unsecured',
    entity,
    guarantors,
    dollars: dollars * drawn,
    issued,
    matures: addMonths(issued, 60),
    numbered: 'RCF',
    row: {
      commitment: wholeSteps(dollars, 25e6),
      outstanding: drawn === 0 ? 0 : wholeSteps(dollars * drawn, 1e6),
      ...floating(Math.round(margin), isSecured ? 0 : null),
    },
  })
}

const LOANS = {
  A: { label: 'Term Loan A', type: 'term_loan_a', id: 'TLA', months: 60, share: 0.75, margin: -25 },
  B: { label: 'Term Loan B', type: 'term_loan_b', id: 'TLB', months: 84, share: 0.75, margin: 75 },
  second: { label: 'Second Lien Term Loan', type: 'term_loan', id: '2L', months: 96, share: 1.6, margin: 75 },
} as const

/** A term loan of the operating company. */
export function termLoan(
  stack: DebtStack,
  kind: keyof typeof LOANS,
  dollars: number,
  isSecured = true,
): void {
  const { random, issuer, group, subsidiaries } = stack
  const { label, type, id, months, share, margin } = LOANS[kind]
  const issued = businessDayIn(random, 2020, 2024)
  stack.add({
    label,
    instrument_type: type,
    seniority: isSecured ? 'senior_secured' : 'senior_unsecured',
    security_type: !isSecured ? 'unsecured' : kind === 'second' ? 'second_lien' : 'first_lien',
    entity: group.opco,
    guarantors: isSecured ? subsidiaries : [],
    dollars,
    issued,
    matures: addMonths(issued, months),
    numbered: id,
    row: floating(
      Math.round((spreadByRank(issuer.rank) * share + margin) / 25) * 25,
      isSecured ? random.pick([0, 50, 75, 100]) : null,
    ),
  })
}

/** The call schedule of high-yield bonds: half the coupon above par, then a quarter, then par. */
function calls(rank: number, issued: Day, years: number, coupon: number): Row<typeof bonds> {
  if (rank <= 10) return {}
  const first = Math.max(1, Math.floor(years * 0.4))
  const steps = [coupon / 2, coupon / 4, 0].map((premium, i) => ({
    date: formatDay(addMonths(issued, 12 * (first + i))),
    price: 100 + Math.round(premium * 1000) / 1000,
  }))
  return { callable: true, call_schedule: steps }
}

/** A day from `low` to `high` years after the start of 2025. */
function maturityIn(random: Random, low: number, high: number): Day {
  const months = random.whole(Math.round(low * 12), Math.round(high * 12))
  return addMonths(toDay(2025, 1, random.pick([1, 15])), months)
}

/** Senior notes one after another: each is refinanced by a new one shortly before it falls due. */
export function ladder(
  stack: DebtStack,
  notes: {
    readonly entity: Entity
    readonly guarantors: readonly Entity[]
    /** How many are outstanding at a time. */
    readonly slots: number
    readonly dollars: number
    readonly pricing: Pricing
  },
): void {
  const { random, issuer } = stack
  const { slots, dollars } = notes
  const isHigh = issuer.rank <= 10
  for (let slot = 0; slot < slots; slot++) {
    let matures = isHigh
      ? addMonths(
          toDay(2022, random.whole(4, 12), random.pick([1, 15])),
          Math.round(((slot + random.next()) * 12 * 12.5) / slots),
        )
      : maturityIn(random, -2.5, 7.5)
    let years = random.pick(isHigh ? [5, 7, 10] : [5, 7, 8])
    let size = (dollars / slots) * Math.exp(random.normal() * 0.25)
    for (;;) {
      // A plausible issue day that makes it mature on the 1st or 15th.
      const issued = addBusinessDays(addMonths(matures, -12 * years) + random.whole(-6, 6), 0)
      if (issued > addBusinessDays(lastDay, -15)) {
        years += 3
        continue
      }
      const coupon = couponAt(issued, issuer.rank, 0, random)
      const isMedium = issuer.shape === 'financial' && random.chance(0.5)
      const isEarly = !isHigh && matures > lastDay && issued < firstDay && random.chance(0.1)
      const retired = isEarly ? businessDayIn(random, 2024, 2025, 6) : null
      stack.add({
        ...notes,
        label: isMedium ? 'Medium-Term Notes' : 'Senior Notes',
        instrument_type: isMedium ? 'medium_term_notes' : 'senior_notes',
        dollars: size,
        issued,
        matures,
        coupon,
        retired,
        row: calls(issuer.rank, issued, years, coupon),
      })
      const next = retired ?? matures
      if (next > toDay(2025, 5, 1)) break
      years = random.pick(isHigh ? [3, 5, 7, 10] : [5, 7, 8])
      size *= random.between(0.9, 1.15)
      matures = firstOrFifteenth(addMonths(next - random.whole(10, 45), 12 * years))
    }
  }
}

function firstOrFifteenth(day: Day): Day {
  const ofMonth = packedCivil(day) % 100
  return day - ofMonth + (ofMonth < 8 ? 1 : 15)
}

/** A single issue whose issue date and coupon follow from its maturity. */
export interface NoteTerms extends Omit<Terms, 'issued' | 'matures'> {
  /** Basis points over the senior debt of the issuer. */
  readonly over: number
  /** Minimum and maximum years from the start of 2025 to maturity. */
  readonly dueIn: readonly [low: number, high: number]
  /** Years from issue to maturity; one of them is chosen. */
  readonly tenors: readonly number[]
}

export function note(stack: DebtStack, { over, dueIn: [low, high], tenors, ...terms }: NoteTerms): void {
  const { random, issuer } = stack
  const matures = maturityIn(random, low, high)
  let years = random.pick(tenors)
  while (addMonths(matures, -12 * years) > lastDay - 30) years++
  const issued = addBusinessDays(addMonths(matures, -12 * years), 0)
  const coupon = terms.coupon === undefined ? couponAt(issued, issuer.rank, over, random) : terms.coupon
  stack.add({
    ...terms,
    issued,
    matures,
    coupon,
    row: { ...(coupon ? calls(issuer.rank, issued, years, coupon) : {}), ...terms.row },
  })
}

/**
 * Notes of the holding company that float after some years: senior notes for a bank, junior subordinated notes for
 * others.
 */
export function fixedToFloat(stack: DebtStack): void {
  const { random, issuer, group } = stack
  const issuedOn = toDay(random.whole(2021, 2024), random.whole(1, 12), random.whole(2, 27))
  const issued = addBusinessDays(issuedOn, 0)
  const isBank = issuer.shape === 'financial'
  const matures = addMonths(toDay(yearOf(issued), 6, 15), 12 * (isBank ? 11 : 30))
  const lastFixed = formatDay(addMonths(matures, isBank ? -12 : -240))
  stack.add({
    label: isBank
      ? 'Fixed-to-Floating Rate Senior Notes'
      : 'Fixed-to-Floating Rate Junior Subordinated Notes',
    instrument_type: isBank ? 'senior_notes' : 'subordinated_notes',
    seniority: isBank ? 'senior_unsecured' : 'subordinated',
    entity: group.holdco,
    dollars: issuer.debt * 0.06,
    issued,
    matures,
    coupon: couponAt(issued, issuer.rank, isBank ? 10 : 110, random),
    pricing: 'traded',
    row: {
      rate_structure: 'fixed_to_float',
      last_fixed_date: lastFixed,
      benchmark: 'SOFR',
      spread_bps: random.whole(110, 320),
      callable: true,
      call_schedule: [{ date: lastFixed, price: 100 }],
    },
  })
}
