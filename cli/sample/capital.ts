import {
  addBusinessDays,
  addMonths,
  type Day,
  formatDay,
  packedCivil,
  toDay,
} from '../../engine/credit/calendar.ts'
import type { bonds } from '../../engine/schema/datasets/bonds.ts'
import type { guarantees } from '../../engine/schema/datasets/guarantees.ts'
import type { Entity, Group } from './entities.ts'
import { cusipOf, foreignIsin, usIsin } from './identifiers.ts'
import type { Issuer } from './issuers.ts'
import { firstDay, lastDay } from './market.ts'
import type { Random } from './random.ts'
import type { Row } from './tables.ts'

/** How an instrument's price comes about. */
export type Pricing =
  /** Trades, and counts for the spread series. */
  | 'liquid'
  /** Trades, but is no fixed senior unsecured bond of one to twelve years. */
  | 'traded'
  /** Only estimates. */
  | 'estimated'
  | 'none'

export interface Instrument {
  /** As texts and tables of filings name it: the CUSIP, else the ISIN, else the source's id. */
  readonly key: string
  readonly name: string
  readonly entity: Entity
  readonly guarantors: readonly Entity[]
  readonly coupon: number | null
  readonly issued: Day
  readonly matures: Day
  /** Redeemed before maturity. */
  readonly retired: Day | null
  /** The issuer stopped paying. */
  readonly defaulted: Day | null
  /** Cents. */
  readonly amount: number
  readonly seniority: 'senior_secured' | 'senior_unsecured' | 'subordinated'
  readonly currency: string
  readonly pricing: Pricing
  readonly row: Row<typeof bonds>
}

export const DEFAULT_DAY = toDay(2024, 10, 15)

/** Basis points over Treasuries that five-year senior debt pays, by rank on the rating scale (AAA is 1). */
export const spreadByRank = (rank: number): number =>
  [35, 40, 46, 53, 62, 72, 85, 102, 126, 160, 208, 248, 302, 362, 425, 520, 690, 880, 1120][rank - 1]!

const treasuryByYear: Record<number, number> = {
  2014: 1.7,
  2015: 1.6,
  2016: 1.4,
  2017: 2,
  2018: 2.8,
  2019: 2,
  2020: 0.5,
  2021: 1,
  2022: 3.1,
  2023: 4.1,
  2024: 4.2,
  2025: 4.1,
}
const yearOf = (day: Day) => Math.floor(packedCivil(day) / 10_000)

/** A coupon that sells at par: whole eighths. */
function couponAt(issued: Day, rank: number, extra: number, random: Random): number {
  const year = Math.min(2025, Math.max(2014, yearOf(issued)))
  const fair = treasuryByYear[year]! + (spreadByRank(rank) * Math.exp(random.normal() * 0.12) + extra) / 100
  return Math.min(13.5, Math.max(0.75, Math.round(fair * 8) / 8))
}

const percentText = (coupon: number) => `${coupon.toFixed(3)}%`
const round = (dollars: number, step: number) => Math.max(step, Math.round(dollars / step) * step) * 100

interface Terms {
  label: string
  instrument_type: NonNullable<Row<typeof bonds>['instrument_type']>
  seniority: Instrument['seniority']
  security_type: 'first_lien' | 'second_lien' | 'unsecured'
  entity: Entity
  guarantors?: readonly Entity[]
  dollars: number
  issued: Day
  matures: Day
  coupon?: number | null
  pricing?: Pricing
  currency?: string
  retired?: Day | null
  /** How it is numbered: a CUSIP, a foreign ISIN, or an id of the source's own. */
  numbered?: 'cusip' | 'isin' | string
  row?: Row<typeof bonds>
}

/** The debt of an issuer: what it has, had, and has issued lately. */
export function makeInstruments(issuer: Issuer, group: Group, random: Random): Instrument[] {
  const { shape, rank, debt, hasSpreads } = issuer
  const { holdco, opco } = group
  const finco = group.finco ?? holdco
  const out: Instrument[] = []
  const subsidiaries = group.all.filter(e => e.isGuarantor)
  const currency = issuer.is('euro_reporter') ? 'EUR' : 'USD'
  let issues = 0
  let foreign = 0

  function add(terms: Terms): Instrument {
    const { entity, issued, matures, coupon = null, retired = null } = terms
    const money = terms.currency ?? currency
    const numbered = terms.numbered ?? (money === 'EUR' ? 'isin' : 'cusip')
    const cusip = numbered === 'cusip' ? cusipOf(issuer.cusip6, issues++) : null
    const isin = cusip ? usIsin(cusip) : numbered === 'isin' ? foreignIsin(issuer.cusip6, foreign++) : null
    const bond_id = cusip || isin ? null : `${issuer.ticker}-${numbered}`
    const amount = round(terms.dollars, terms.dollars > 2e9 ? 50e6 : terms.dollars > 1e8 ? 25e6 : 1e6)
    const isLoan = /term_loan|revolver|commercial_paper/.test(terms.instrument_type)
    const year = yearOf(matures)
    const name =
      terms.row?.name ??
      (coupon === null
        ? `${terms.label} due ${year}`
        : coupon === 0
          ? `Zero Coupon ${terms.label} due ${year}`
          : `${percentText(coupon)} ${terms.label} due ${year}`)
    const isDefaulted = issuer.is('defaulted') && matures > DEFAULT_DAY && issued < DEFAULT_DAY
    const instrument: Instrument = {
      key: (cusip ?? isin ?? bond_id)!,
      name,
      entity,
      guarantors: terms.guarantors ?? [],
      coupon,
      issued,
      matures,
      retired,
      defaulted: isDefaulted ? DEFAULT_DAY : null,
      amount,
      seniority: terms.seniority,
      currency: money,
      pricing: terms.pricing ?? 'none',
      row: {
        bond_id,
        cusip,
        isin,
        name,
        issuer_name: entity.name,
        issuer_lei: entity === holdco ? issuer.lei : null,
        issuer_id: entity.id,
        ticker: issuer.ticker,
        cik: issuer.cik,
        company_name: issuer.name,
        sector: issuer.industry.sector,
        coupon_rate: coupon,
        coupon_frequency: isLoan ? null : coupon === null ? 4 : coupon === 0 ? null : money === 'EUR' ? 1 : 2,
        day_count: isLoan || coupon === null ? 'ACT/360' : money === 'EUR' ? 'ACT/ACT' : '30/360',
        rate_type: coupon === null ? 'floating' : 'fixed',
        rate_structure: coupon === null ? 'floating' : coupon === 0 ? 'zero' : 'fixed',
        maturity_date: formatDay(matures),
        issue_date: formatDay(issued),
        accrual_date: isLoan ? null : formatDay(issued),
        seniority: terms.seniority,
        security_type: terms.security_type,
        instrument_type: terms.instrument_type,
        issuer_type: entity.type === 'holdco' ? 'holdco' : entity.type === 'opco' ? 'opco' : 'subsidiary',
        currency: money,
        outstanding: amount,
        principal: isLoan ? null : amount,
        callable: isLoan ? null : coupon !== null && coupon > 0,
        status: 'active',
        restricted: isLoan ? null : rank > 10,
        ...terms.row,
      },
    }
    out.push(instrument)
    return instrument
  }

  /** A day a bond of so many years could have been issued, so that it matures on the 1st or 15th near `matures`. */
  const issueOf = (matures: Day, years: number) =>
    addBusinessDays(addMonths(matures, -12 * years) + random.whole(-6, 6), 0)
  /** A day so many years after the start of 2025. */
  const maturityIn = (low: number, high: number): Day => {
    const months = random.whole(Math.round(low * 12), Math.round(high * 12))
    return addMonths(toDay(2025, 1, random.pick([1, 15])), months)
  }
  const calls = (issued: Day, years: number, coupon: number): Row<typeof bonds> => {
    if (rank <= 10) return {}
    const first = Math.max(1, Math.floor(years * 0.4))
    const steps = [coupon / 2, coupon / 4, 0].map((premium, i) => ({
      date: formatDay(addMonths(issued, 12 * (first + i))),
      price: 100 + Math.round(premium * 1000) / 1000,
    }))
    return { callable: true, call_schedule: steps }
  }

  const floating = (spread: number, floor: number | null): Row<typeof bonds> => ({
    benchmark: 'SOFR',
    spread_bps: spread,
    floor_bps: floor,
  })

  function revolver(
    entity: Entity,
    dollars: number,
    drawn: number,
    isSecured: boolean,
    guarantors: readonly Entity[],
  ) {
    const issued = addBusinessDays(
      toDay(random.whole(2021, 2024), random.whole(1, 12), random.whole(1, 28)),
      0,
    )
    add({
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
        commitment: round(dollars, 25e6),
        outstanding: drawn === 0 ? 0 : round(dollars * drawn, 1e6),
        ...floating(Math.round((isSecured ? 200 : 87.5) + spreadByRank(rank) * 0.2), isSecured ? 0 : null),
      },
    })
  }

  function termLoan(
    letter: 'A' | 'B',
    dollars: number,
    isSecured: boolean,
    lien: 'first_lien' | 'second_lien' = 'first_lien',
  ) {
    const issued = addBusinessDays(
      toDay(random.whole(2020, 2024), random.whole(1, 12), random.whole(1, 28)),
      0,
    )
    const isSecond = lien === 'second_lien'
    add({
      label: isSecond ? 'Second Lien Term Loan' : `Term Loan ${letter}`,
      instrument_type: isSecond ? 'term_loan' : letter === 'A' ? 'term_loan_a' : 'term_loan_b',
      seniority: isSecured ? 'senior_secured' : 'senior_unsecured',
      security_type: isSecured ? lien : 'unsecured',
      entity: opco,
      guarantors: isSecured ? subsidiaries : [],
      dollars,
      issued,
      matures: addMonths(issued, letter === 'A' ? 60 : isSecond ? 96 : 84),
      numbered: isSecond ? '2L' : `TL${letter}`,
      row: floating(
        Math.round((spreadByRank(rank) * (isSecond ? 1.6 : 0.75) + (letter === 'A' ? -25 : 75)) / 25) * 25,
        isSecured ? random.pick([0, 50, 75, 100]) : null,
      ),
    })
  }

  /** Senior notes one after another: each is followed by a new one a little before it falls due. */
  function ladder(
    entity: Entity,
    guarantors: readonly Entity[],
    slots: number,
    dollars: number,
    pricing: Pricing,
  ) {
    for (let slot = 0; slot < slots; slot++) {
      const isHigh = rank <= 10
      let matures = isHigh
        ? addMonths(
            toDay(2022, random.whole(4, 12), random.pick([1, 15])),
            Math.round(((slot + random.next()) * 12 * 12.5) / slots),
          )
        : maturityIn(-2.5, 7.5)
      let years = random.pick(isHigh ? [5, 7, 10] : [5, 7, 8])
      let size = (dollars / slots) * Math.exp(random.normal() * 0.25)
      for (;;) {
        const issued = issueOf(matures, years)
        if (issued > addBusinessDays(lastDay, -15)) {
          years += 3
          continue
        }
        const coupon = couponAt(issued, rank, 0, random)
        const type = shape === 'financial' && random.chance(0.5) ? 'medium_term_notes' : 'senior_notes'
        const isEarly = !isHigh && matures > lastDay && issued < firstDay && random.chance(0.1)
        const retired = isEarly
          ? addBusinessDays(toDay(random.whole(2024, 2025), random.whole(1, 6), random.whole(1, 28)), 0)
          : null
        add({
          label: type === 'senior_notes' ? 'Senior Notes' : 'Medium-Term Notes',
          instrument_type: type,
          seniority: 'senior_unsecured',
          security_type: 'unsecured',
          entity,
          guarantors,
          dollars: size,
          issued,
          matures,
          coupon,
          pricing,
          retired,
          row: calls(issued, years, coupon),
        })
        const next = retired ?? matures
        if (next > toDay(2025, 5, 1)) break
        years = random.pick(isHigh ? [3, 5, 7, 10] : [5, 7, 8])
        size *= random.between(0.9, 1.15)
        const nextIssue = next - random.whole(10, 45)
        const month = addMonths(nextIssue, 12 * years)
        const day = packedCivil(month) % 100
        matures = month - day + (day < 8 ? 1 : 15)
      }
    }
  }

  function note(
    label: string,
    type: Terms['instrument_type'],
    terms: Pick<Terms, 'entity' | 'dollars' | 'seniority' | 'security_type'> & Partial<Terms>,
    extra: number,
    low: number,
    high: number,
    tenors: readonly number[],
  ) {
    const matures = maturityIn(low, high)
    let years = random.pick(tenors)
    while (addMonths(matures, -12 * years) > lastDay - 30) years++
    const issued = addBusinessDays(addMonths(matures, -12 * years), 0)
    const coupon = terms.coupon === undefined ? couponAt(issued, rank, extra, random) : terms.coupon
    return add({
      label,
      instrument_type: type,
      issued,
      matures,
      ...terms,
      coupon,
      row: { ...(coupon ? calls(issued, years, coupon) : {}), ...terms.row },
    })
  }

  if (shape === 'investment_grade') {
    if (random.chance(0.6)) revolver(holdco, debt * 0.15, random.chance(0.3) ? 0.1 : 0, false, [])
    if (random.chance(0.3))
      add({
        label: 'Commercial Paper',
        instrument_type: 'commercial_paper',
        seniority: 'senior_unsecured',
        security_type: 'unsecured',
        entity: holdco,
        dollars: debt * 0.04,
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
    if (random.chance(0.35)) termLoan('A', debt * 0.08, false)
    const guarantors = finco === holdco ? [] : [holdco]
    const pricing = hasSpreads ? 'liquid' : issuer.is('estimated_prices') ? 'estimated' : 'none'
    ladder(finco, guarantors, Math.min(22, Math.max(3, Math.round(debt / 1.1e9))), debt * 0.62, pricing)
    for (let i = 0; i < random.whole(0, 3); i++)
      note(
        'Senior Notes',
        'senior_notes',
        {
          entity: holdco,
          dollars: debt * 0.06,
          seniority: 'senior_unsecured',
          security_type: 'unsecured',
          pricing: hasSpreads || random.chance(0.3) ? 'traded' : 'none',
        },
        25,
        15.5,
        29,
        [30],
      )
    if (random.chance(0.12))
      note(
        'Debentures',
        'debentures',
        {
          entity: opco,
          dollars: debt * 0.03,
          seniority: 'senior_unsecured',
          security_type: 'unsecured',
          pricing: 'traded',
        },
        30,
        14.5,
        20,
        [30],
      )
    if (random.chance(0.12)) subordinatedHybrid(holdco)
    if (random.chance(0.15))
      add({
        label: 'Floating Rate Notes',
        instrument_type: 'senior_notes',
        seniority: 'senior_unsecured',
        security_type: 'unsecured',
        entity: holdco,
        dollars: debt * 0.03,
        issued: toDay(2024, random.whole(1, 6), 14),
        matures: toDay(2027, random.whole(1, 6), 15),
        pricing: hasSpreads ? 'traded' : 'none',
        row: floating(random.whole(40, 110), null),
      })
    if (issuer.is('zero_coupon'))
      note(
        'Senior Notes',
        'senior_notes',
        {
          entity: holdco,
          dollars: debt * 0.03,
          seniority: 'senior_unsecured',
          security_type: 'unsecured',
          coupon: 0,
          pricing: 'traded',
        },
        0,
        13.5,
        18,
        [20],
      )
    if (issuer.is('euro_notes'))
      note(
        'Senior Notes',
        'senior_notes',
        {
          entity: finco,
          guarantors,
          dollars: debt * 0.07,
          seniority: 'senior_unsecured',
          security_type: 'unsecured',
          currency: 'EUR',
          numbered: 'isin',
        },
        -120,
        2,
        8,
        [7, 10],
      )
  } else if (shape === 'utility') {
    if (random.chance(0.6)) revolver(holdco, debt * 0.1, random.chance(0.5) ? 0.15 : 0, false, [])
    ladder(holdco, [], Math.max(3, Math.round(debt / 1.4e9)), debt * 0.45, hasSpreads ? 'liquid' : 'none')
    for (let i = 0; i < Math.max(2, Math.round(debt / 2.5e9)); i++)
      note(
        'First Mortgage Bonds',
        'first_mortgage_bonds',
        {
          entity: opco,
          dollars: debt * 0.1,
          seniority: 'senior_secured',
          security_type: 'first_lien',
          pricing: i < 4 ? 'traded' : 'none',
        },
        -30,
        2,
        25,
        [10, 30],
      )
    if (random.chance(0.5)) subordinatedHybrid(holdco)
  } else if (shape === 'financial') {
    ladder(
      holdco,
      [],
      Math.min(18, Math.max(3, Math.round(debt / 1e9))),
      debt * 0.7,
      hasSpreads ? 'liquid' : 'none',
    )
    subordinatedHybrid(holdco)
    note(
      'Subordinated Notes',
      'subordinated_notes',
      {
        entity: opco,
        dollars: debt * 0.07,
        seniority: 'subordinated',
        security_type: 'unsecured',
        pricing: 'traded',
      },
      90,
      3,
      9,
      [10],
    )
    if (random.chance(0.6))
      add({
        label: 'Floating Rate Medium-Term Notes',
        instrument_type: 'medium_term_notes',
        seniority: 'senior_unsecured',
        security_type: 'unsecured',
        entity: holdco,
        dollars: debt * 0.05,
        issued: toDay(2023, random.whole(2, 11), 16),
        matures: toDay(2026, random.whole(8, 12), 15),
        pricing: 'traded',
        row: floating(random.whole(60, 140), null),
      })
    if (random.chance(0.4))
      add({
        label: 'Structured Bond',
        instrument_type: 'bond',
        seniority: 'senior_unsecured',
        security_type: 'unsecured',
        entity: holdco,
        dollars: debt * 0.02,
        issued: toDay(2022, 9, 15),
        matures: toDay(2032, 9, 15),
        coupon: couponAt(toDay(2022, 9, 15), rank, 0, random),
        numbered: 'SN1',
      })
  } else {
    const isLoanOnly = shape === 'loans'
    revolver(opco, debt * 0.18, random.pick([0, 0, 0.1, 0.25, 0.4]), true, subsidiaries)
    if (isLoanOnly) termLoan('A', debt * 0.3, true)
    termLoan('B', debt * (isLoanOnly ? 0.55 : random.between(0.2, 0.4)), true)
    if (rank >= 15 && random.chance(0.4)) termLoan('B', debt * 0.08, true, 'second_lien')
    if (!isLoanOnly) {
      if (random.chance(0.6))
        note(
          'Senior Secured Notes',
          'senior_secured_notes',
          {
            entity: opco,
            guarantors: subsidiaries,
            dollars: debt * random.between(0.15, 0.25),
            seniority: 'senior_secured',
            security_type: 'first_lien',
            pricing: random.chance(0.75) ? 'traded' : 'none',
          },
          -60,
          1.5,
          6,
          [5, 7],
        )
      if (rank >= 14 && random.chance(0.3))
        note(
          'Second Lien Senior Secured Notes',
          'senior_secured_notes',
          {
            entity: opco,
            guarantors: subsidiaries,
            dollars: debt * 0.1,
            seniority: 'senior_secured',
            security_type: 'second_lien',
            pricing: 'traded',
          },
          60,
          1.5,
          6,
          [5, 7],
        )
      ladder(
        random.chance(0.5) ? holdco : opco,
        random.chance(0.7) ? subsidiaries : [],
        Math.max(hasSpreads ? 3 : 1, Math.round(debt / 1.3e9)),
        debt * 0.4,
        hasSpreads ? 'liquid' : 'none',
      )
      if (rank >= 14 && random.chance(0.25))
        note(
          'Senior Subordinated Notes',
          'subordinated_notes',
          {
            entity: holdco,
            guarantors: subsidiaries,
            dollars: debt * 0.1,
            seniority: 'subordinated',
            security_type: 'unsecured',
            pricing: 'traded',
          },
          180,
          2,
          7,
          [8, 10],
        )
    }
  }
  if (issuer.is('defaulted'))
    // Paid in full before the default: what the issuer's spreads stand on where defaulted bonds have none.
    add({
      label: 'Senior Notes',
      instrument_type: 'senior_notes',
      seniority: 'senior_unsecured',
      security_type: 'unsecured',
      entity: opco,
      guarantors: subsidiaries,
      dollars: debt * 0.1,
      issued: toDay(2019, 8, 15),
      matures: toDay(2024, 8, 15),
      coupon: 7.25,
      pricing: 'liquid',
    })
  if (issuer.is('convertible'))
    note(
      'Convertible Senior Notes',
      'convertible_notes',
      { entity: holdco, dollars: debt * 0.08, seniority: 'senior_unsecured', security_type: 'unsecured' },
      -150,
      1,
      5,
      [5],
    )
  if (random.chance(0.12))
    add({
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

  function subordinatedHybrid(entity: Entity) {
    const year = random.whole(2021, 2024)
    const issued = addBusinessDays(toDay(year, random.whole(1, 12), random.whole(2, 27)), 0)
    const isBank = shape === 'financial'
    const matures = addMonths(toDay(yearOf(issued), 6, 15), 12 * (isBank ? 11 : 30))
    const lastFixed = addMonths(matures, isBank ? -12 : -240)
    add({
      label: isBank
        ? 'Fixed-to-Floating Rate Senior Notes'
        : 'Fixed-to-Floating Rate Junior Subordinated Notes',
      instrument_type: isBank ? 'senior_notes' : 'subordinated_notes',
      seniority: isBank ? 'senior_unsecured' : 'subordinated',
      security_type: 'unsecured',
      entity,
      dollars: debt * 0.06,
      issued,
      matures,
      coupon: couponAt(issued, rank, isBank ? 10 : 110, random),
      pricing: 'traded',
      row: {
        rate_structure: 'fixed_to_float',
        last_fixed_date: formatDay(lastFixed),
        benchmark: 'SOFR',
        spread_bps: random.whole(110, 320),
        callable: true,
        call_schedule: [{ date: formatDay(lastFixed), price: 100 }],
      },
    })
  }
  return out
}

/** Rows of the instruments: the terms at issue, and a later row where one was redeemed early or defaulted. */
export const instrumentRows = (instruments: readonly Instrument[]): Row<typeof bonds>[] =>
  instruments.flatMap(({ row, retired, defaulted }) => [
    row,
    ...(retired === null
      ? []
      : [{ ...row, status: 'retired' as const, outstanding: 0, known_from: formatDay(retired) }]),
    ...(defaulted === null
      ? []
      : [{ ...row, status: 'defaulted' as const, known_from: formatDay(defaulted) }]),
  ])

export const guaranteeRows = (instruments: readonly Instrument[]): Row<typeof guarantees>[] =>
  instruments.flatMap(i =>
    i.guarantors.map(g => ({
      guarantor_id: g.id,
      bond_id: i.row.bond_id ?? null,
      cusip: i.row.cusip ?? null,
      isin: i.row.isin ?? null,
      guarantee_type: g.share < 100 ? 'limited' : 'full',
      document_date: formatDay(Math.max(i.issued, g.listed)),
    })),
  )

/** Dollars that a euro is taken to be worth throughout. */
export const EURO = 1.08

/** Outstanding on a day, of those that meet a condition, in minor units of the issuer's own currency. */
export function outstandingOn(
  issuer: Issuer,
  instruments: readonly Instrument[],
  day: Day,
  meets: (i: Instrument) => boolean = () => true,
): number {
  const own = issuer.is('euro_reporter') ? 'EUR' : 'USD'
  let sum = 0
  for (const i of instruments)
    if (i.issued <= day && day < (i.retired ?? i.matures) && meets(i))
      sum += (i.row.outstanding ?? 0) * (i.currency === own ? 1 : EURO)
  return Math.round(sum)
}
