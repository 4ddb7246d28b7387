import { toDay } from '../../engine/credit/calendar.ts'
import { couponAt } from './coupons.ts'
import type { Group } from './entities.ts'
import { DebtStack, type Instrument } from './instrument.ts'
import {
  fixedToFloat,
  floating,
  ladder,
  type NoteTerms,
  note,
  revolver,
  termLoan,
} from './instrument-kinds.ts'
import type { Issuer } from './issuers.ts'
import type { Random } from './random.ts'
import { withRedemptions } from './redemptions.ts'

/** The debt of an issuer: outstanding, repaid and recently issued. */
export function makeInstruments(issuer: Issuer, group: Group, random: Random): Instrument[] {
  const stack = new DebtStack(issuer, group, random)
  switch (issuer.shape) {
    case 'investment_grade':
      investmentGradeDebt(stack)
      break
    case 'utility':
      utilityDebt(stack)
      break
    case 'financial':
      financialDebt(stack)
      break
    default:
      leveragedDebt(stack)
  }
  furtherDebt(stack)
  return withRedemptions(issuer, stack.instruments)
}

const between = (least: number, value: number, most: number): number =>
  Math.min(most, Math.max(least, Math.round(value)))

function investmentGradeDebt(stack: DebtStack): void {
  const { issuer, random } = stack
  const { debt, hasSpreads } = issuer
  const { holdco, opco, finco } = stack.group
  if (random.chance(0.6))
    revolver(stack, { entity: holdco, dollars: debt * 0.15, drawn: random.chance(0.3) ? 0.1 : 0 })
  if (random.chance(0.3)) commercialPaper(stack)
  if (random.chance(0.35)) termLoan(stack, 'A', debt * 0.08, false)
  const guarantors = finco ? [holdco] : []
  const pricing = hasSpreads ? 'liquid' : issuer.is('estimated_prices') ? 'estimated' : 'none'
  const slots = between(3, debt / 1.1e9, 22)
  ladder(stack, { entity: finco ?? holdco, guarantors, slots, dollars: debt * 0.62, pricing })
  const senior = { label: 'Senior Notes', instrument_type: 'senior_notes', entity: holdco } as const
  for (let i = 0; i < random.whole(0, 3); i++)
    note(stack, {
      ...senior,
      dollars: debt * 0.06,
      pricing: hasSpreads || random.chance(0.3) ? 'traded' : 'none',
      over: 25,
      dueIn: [15.5, 29],
      tenors: [30],
    })
  if (random.chance(0.12))
    note(stack, {
      label: 'Debentures',
      instrument_type: 'debentures',
      entity: opco,
      dollars: debt * 0.03,
      pricing: 'traded',
      over: 30,
      dueIn: [14.5, 20],
      tenors: [30],
    })
  if (random.chance(0.12)) fixedToFloat(stack)
  if (random.chance(0.15))
    stack.add({
      label: 'Floating Rate Notes',
      instrument_type: 'senior_notes',
      entity: holdco,
      dollars: debt * 0.03,
      issued: toDay(2024, random.whole(1, 6), 14),
      matures: toDay(2027, random.whole(1, 6), 15),
      pricing: hasSpreads ? 'traded' : 'none',
      row: floating(random.whole(40, 110), null),
    })
  const zeroCoupon = { coupon: 0, pricing: 'traded', over: 0, dueIn: [13.5, 18], tenors: [20] } as const
  if (issuer.is('zero_coupon')) note(stack, { ...senior, dollars: debt * 0.03, ...zeroCoupon })
  const euro = { currency: 'EUR', numbered: 'isin', over: -120, dueIn: [2, 8], tenors: [7, 10] } as const
  if (issuer.is('euro_notes'))
    note(stack, { ...senior, entity: finco ?? holdco, guarantors, dollars: debt * 0.07, ...euro })
}

function commercialPaper(stack: DebtStack): void {
  const { issuer, group, random } = stack
  stack.add({
    label: 'Commercial Paper',
    instrument_type: 'commercial_paper',
    entity: group.holdco,
    dollars: issuer.debt * 0.04,
    issued: toDay(2025, 1, random.whole(6, 30)),
    matures: toDay(2025, 9, random.whole(2, 24)),
    coupon: 0,
    numbered: 'CP',
    row: {
      name: 'Commercial Paper',
      rate_structure: 'zero',
      coupon_rate: null,
      coupon_frequency: null,
      callable: null,
    },
  })
}

function utilityDebt(stack: DebtStack): void {
  const { issuer, random } = stack
  const { debt, hasSpreads } = issuer
  const { holdco, opco } = stack.group
  if (random.chance(0.6))
    revolver(stack, { entity: holdco, dollars: debt * 0.1, drawn: random.chance(0.5) ? 0.15 : 0 })
  const slots = between(3, debt / 1.4e9, Number.POSITIVE_INFINITY)
  const pricing = hasSpreads ? 'liquid' : 'none'
  ladder(stack, { entity: holdco, guarantors: [], slots, dollars: debt * 0.45, pricing })
  for (let i = 0; i < Math.max(2, Math.round(debt / 2.5e9)); i++)
    note(stack, {
      label: 'First Mortgage Bonds',
      instrument_type: 'first_mortgage_bonds',
      entity: opco,
      dollars: debt * 0.1,
      seniority: 'senior_secured',
      security_type: 'first_lien',
      pricing: i < 4 ? 'traded' : 'none',
      over: -30,
      dueIn: [2, 25],
      tenors: [10, 30],
    })
  if (random.chance(0.5)) fixedToFloat(stack)
}

function financialDebt(stack: DebtStack): void {
  const { issuer, random } = stack
  const { debt, hasSpreads, rank } = issuer
  const { holdco, opco } = stack.group
  const slots = between(3, debt / 1e9, 18)
  const pricing = hasSpreads ? 'liquid' : 'none'
  ladder(stack, { entity: holdco, guarantors: [], slots, dollars: debt * 0.7, pricing })
  fixedToFloat(stack)
  note(stack, {
    label: 'Subordinated Notes',
    instrument_type: 'subordinated_notes',
    entity: opco,
    dollars: debt * 0.07,
    seniority: 'subordinated',
    pricing: 'traded',
    over: 90,
    dueIn: [3, 9],
    tenors: [10],
  })
  if (random.chance(0.6))
    stack.add({
      label: 'Floating Rate Medium-Term Notes',
      instrument_type: 'medium_term_notes',
      entity: holdco,
      dollars: debt * 0.05,
      issued: toDay(2023, random.whole(2, 11), 16),
      matures: toDay(2026, random.whole(8, 12), 15),
      pricing: 'traded',
      row: floating(random.whole(60, 140), null),
    })
  if (random.chance(0.4))
    stack.add({
      label: 'Structured Bond',
      instrument_type: 'bond',
      entity: holdco,
      dollars: debt * 0.02,
      issued: toDay(2022, 9, 15),
      matures: toDay(2032, 9, 15),
      coupon: couponAt(toDay(2022, 9, 15), rank, 0, random),
      numbered: 'SN1',
    })
}

/** High-yield issuers, with bonds or with loans only. */
function leveragedDebt(stack: DebtStack): void {
  const { issuer, random, subsidiaries } = stack
  const { debt, rank } = issuer
  const isLoanOnly = issuer.shape === 'loans'
  revolver(stack, {
    entity: stack.group.opco,
    guarantors: subsidiaries,
    dollars: debt * 0.18,
    drawn: random.pick([0, 0, 0.1, 0.25, 0.4]),
    isSecured: true,
  })
  if (isLoanOnly) termLoan(stack, 'A', debt * 0.3)
  termLoan(stack, 'B', debt * (isLoanOnly ? 0.55 : random.between(0.2, 0.4)))
  if (rank >= 15 && random.chance(0.4)) termLoan(stack, 'second', debt * 0.08)
  if (!isLoanOnly) highYieldBonds(stack)
}

function highYieldBonds(stack: DebtStack): void {
  const { issuer, random, subsidiaries } = stack
  const { debt, rank, hasSpreads } = issuer
  const { holdco, opco } = stack.group
  const guaranteed = { guarantors: subsidiaries } as const
  const secured = {
    ...guaranteed,
    instrument_type: 'senior_secured_notes',
    entity: opco,
    seniority: 'senior_secured',
    dueIn: [1.5, 6],
    tenors: [5, 7],
  } as const satisfies Partial<NoteTerms>
  // The most levered lead every screen: each has a bond with a price.
  const leads = rank >= 17 && !hasSpreads
  if (random.chance(0.6) || leads)
    note(stack, {
      ...secured,
      label: 'Senior Secured Notes',
      dollars: debt * random.between(0.15, 0.25),
      security_type: 'first_lien',
      pricing: random.chance(0.75) || leads ? 'traded' : 'none',
      over: -60,
    })
  if (rank >= 14 && random.chance(0.3))
    note(stack, {
      ...secured,
      label: 'Second Lien Senior Secured Notes',
      dollars: debt * 0.1,
      security_type: 'second_lien',
      pricing: 'traded',
      over: 60,
    })
  ladder(stack, {
    entity: random.chance(0.5) ? holdco : opco,
    guarantors: random.chance(0.7) ? subsidiaries : [],
    slots: Math.max(hasSpreads ? 3 : 1, Math.round(debt / 1.3e9)),
    dollars: debt * 0.4,
    pricing: hasSpreads ? 'liquid' : 'none',
  })
  if (rank >= 14 && random.chance(0.25))
    note(stack, {
      ...guaranteed,
      label: 'Senior Subordinated Notes',
      instrument_type: 'subordinated_notes',
      entity: holdco,
      dollars: debt * 0.1,
      seniority: 'subordinated',
      pricing: 'traded',
      over: 180,
      dueIn: [2, 7],
      tenors: [8, 10],
    })
}

/** Instruments that an issuer of any shape may have. */
function furtherDebt(stack: DebtStack): void {
  const { issuer, group, random, subsidiaries } = stack
  const { debt } = issuer
  const { holdco, opco } = group
  if (issuer.is('defaulted'))
    // Instruments repaid before the default: the issuer's spreads rest on these, as defaulted bonds have none.
    stack.add({
      label: 'Senior Notes',
      instrument_type: 'senior_notes',
      entity: opco,
      guarantors: subsidiaries,
      dollars: debt * 0.1,
      issued: toDay(2019, 8, 15),
      matures: toDay(2024, 8, 15),
      coupon: 7.25,
      pricing: 'liquid',
    })
  if (issuer.is('convertible'))
    note(stack, {
      label: 'Convertible Senior Notes',
      instrument_type: 'convertible_notes',
      entity: holdco,
      dollars: debt * 0.08,
      over: -150,
      dueIn: [1, 5],
      tenors: [5],
    })
  if (random.chance(0.12))
    stack.add({
      label: 'Sale and Leaseback Financing',
      instrument_type: 'other',
      seniority: 'senior_secured',
      security_type: 'first_lien',
      entity: random.pick(
        group.all.filter(
          e => (e.type === 'subsidiary' && e.removed === null && e.listed === holdco.listed) || e === opco,
        ),
      ),
      dollars: debt * 0.02,
      issued: toDay(2021, 3, 15),
      matures: toDay(2036, 3, 15),
      coupon: 5.5,
      numbered: 'SLB',
    })
}
