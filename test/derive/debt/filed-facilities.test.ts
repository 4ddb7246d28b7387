import t from 'tap'
import { companyInstruments } from '../../../engine/derive/debt/company-debt.ts'
import { instrumentRows, reconciliationRow } from '../../../engine/derive/debt/instrument-row.ts'
import type { LoadedInstrument } from '../../../engine/derive/debt/loaded-instruments.ts'
import { withRead } from '../../../engine/derive/debt/read-instruments.ts'
import type { FactRow } from '../../../engine/derive/statements/filings.ts'
import { DAY, fact, facilityText as text } from './tagged-debt.ts'

const BILLION = 100_000_000_000

const facility = (name: string) => `us-gaap:CreditFacilityAxis=${name}Member`
const note = (name: string) => `us-gaap:DebtInstrumentAxis=gama:${name}Member`
const commitment = (value: number, name: string, more: Partial<FactRow> = {}) =>
  fact('LineOfCreditFacilityMaximumBorrowingCapacity', value, facility(name), more)
const total = fact('LongTermDebt', 1000e6, null)
const notes = fact('LongTermDebt', 1000e6, note('SeniorNotesDueMarch2030'))

const rowsOf = (facts: readonly FactRow[]) => instrumentRows('c', companyInstruments(facts)!)
const named = (facts: readonly FactRow[], name: RegExp) => rowsOf(facts).find(row => name.test(row.name))!

t.test('sublimits and letters of credit are no facilities of their own', t => {
  const facts = [
    total,
    notes,
    commitment(4000e6, 'us-gaap:RevolvingCreditFacility'),
    commitment(400e6, 'gama:SwinglineSubFacility'),
    commitment(300e6, 'us-gaap:LetterOfCredit'),
    fact(
      'LineOfCreditFacilityRemainingBorrowingCapacity',
      250e6,
      `${facility('us-gaap:LetterOfCredit')};${note('CreditLine')}`,
    ),
  ]
  t.strictSame(
    rowsOf(facts)
      .filter(row => row.is_current)
      .map(row => [row.name, row.commitment]),
    [
      ['Senior Notes due March 2030', null],
      ['Revolving Credit Facility', 4 * BILLION],
    ],
  )
  t.end()
})

t.test('a facility of 364 days, or one whose name fell due, has run out unless a text tells it', t => {
  const facts = [
    total,
    notes,
    commitment(1000e6, 'gama:CommittedCreditFacility364Day', { end: DAY - 400 }),
    commitment(2000e6, 'gama:RevolvingCreditFacilityDueMay2024', { end: DAY - 900 }),
  ]
  t.equal(named(facts, /364/).is_current, false)
  t.equal(named(facts, /Revolving/).is_current, false)
  const told = text({ commitment: 2 * BILLION })
  t.match(
    withRead('c', rowsOf(facts), [told]).find(({ name }) => /Revolving/.test(name)),
    { is_current: true, maturity: '2028-05' },
  )
  t.end()
})

t.test('a facility whose commitment is of an earlier day than another of its filing may have ended', t => {
  const facts = [
    total,
    notes,
    commitment(5000e6, 'gama:RevolvingCreditAgreement'),
    commitment(2000e6, 'gama:SeptemberRevolvingCreditAgreement', { end: DAY - 120 }),
  ]
  t.equal(named(facts, /September/).is_current, false)
  t.equal(
    named([facts[0]!, facts[1]!, facts[3]!], /September/).is_current,
    true,
    'not where it is the only one',
  )
  const rows = withRead('c', rowsOf(facts), [text({ commitment: 2 * BILLION })])
  t.match(
    rows.find(row => /September/.test(row.name)),
    { is_current: true, maturity: '2028-05' },
    'a text says it is in force',
  )
  t.end()
})

t.test('an annual report that states no commitment of a facility says that it is gone', t => {
  const before = {
    accession: '0000000003-24-000009',
    form: '10-Q',
    report: DAY - 92,
    end: DAY - 92,
    filed: DAY - 60,
    known: DAY - 60,
  }
  const margin = fact('DebtInstrumentBasisSpreadOnVariableRate1', 0.0125, facility('gama:OldFacility'), {
    unit: 'pure',
  })
  const facts = (form: string) => [
    { ...total, form },
    { ...notes, form },
    { ...margin, form },
    commitment(1500e6, 'gama:OldFacility', before),
  ]
  t.equal(named(facts('10-K'), /Old/).commitment, null)
  t.equal(named(facts('10-Q'), /Old/).commitment, 1.5 * BILLION)
  t.end()
})

t.test('a text says which tagged commitment is in force, and when it falls due after an extension', t => {
  const facts = [
    total,
    notes,
    commitment(9200e6, 'gama:RevolvingFacilityExpiringDec2025', { end: DAY - 10 }),
    commitment(11_000e6, 'gama:RevolvingFacilityExpiringDec2025', { end: DAY - 600 }),
  ]
  t.match(named(facts, /Revolving/), { commitment: 920_000_000_000, maturity: '2025' })
  const [, facility, ...others] = withRead('c', rowsOf(facts), [text({ commitment: 11 * BILLION, drawn: 0 })])
  t.match(facility, {
    commitment: 11 * BILLION,
    maturity: '2028-05',
    drawn: 0,
    balance_date: '2024-12-31',
    known_from: '2025-02-14',
    evidence: {
      commitment: { quotation: 'words', rule: 'facility_text' },
      maturity: { rule: 'facility_text' },
    },
  })
  t.strictSame(others, [])
  t.end()
})

t.test(
  'a facility that only the newest text describes is a row of its own, a loan only where nothing is tagged',
  t => {
    const revolver = text({ commitment: 2 * BILLION })
    const loan = text({
      commitment: BILLION,
      name: 'Term Loan due 2027',
      instrument_type: 'term_loan',
      maturity: '2027-03',
    })
    const old = text({
      commitment: 3 * BILLION,
      name: 'Old Facility due 2026',
      balance_date: '2023-12-31',
      maturity: '2026-03',
    })
    const ids = (rows: ReturnType<typeof withRead>) => rows.filter(row => row.is_current).map(row => row.id)
    t.strictSame(ids(withRead('c', rowsOf([total, notes]), [old, loan, revolver])), [
      'c/SeniorNotesDueMarch2030',
      'c/Revolving Credit Facility due 2028',
    ])
    t.strictSame(ids(withRead('c', [], [old, loan, revolver])).sort(), [
      'c/Revolving Credit Facility due 2028',
      'c/Term Loan due 2027',
    ])
    t.end()
  },
)

t.test('balances in a wrong unit that fill the difference are those of their instruments', t => {
  const facts = [
    fact('LongTermDebt', 1500e6, null),
    notes,
    fact('LongTermDebt', 500e6, note('EuroNotesDue2027'), { unit: 'EUR' }),
  ]
  t.match(named(facts, /Euro/), {
    carrying_amount: 50_000_000_000,
    is_counted: true,
    is_current: true,
    evidence: { carrying_amount: { unit: 'EUR' } },
  })
  t.end()
})

t.test('a rate of a revolver, and an odd one of a term loan, is that of the day', t => {
  const loan = (value: number, name: string) => [
    fact('LongTermDebt', 500e6, note(name)),
    fact('DebtInstrumentInterestRateStatedPercentage', value, note(name), { unit: 'pure' }),
  ]
  const facts = [total, ...loan(0.08218, 'TermLoanDue2026'), ...loan(0.065, 'TermLoanDue2029')]
  t.match(named(facts, /2026/), { rate_type: 'floating', coupon_rate: null, effective_rate: 8.218 })
  t.match(named(facts, /2029/), { rate_type: 'fixed', coupon_rate: 6.5 })
  t.end()
})

t.test('a table gives the maturity of the one instrument with its coupon that is tagged without one', t => {
  const facts = [
    total,
    notes,
    fact('LongTermDebt', 500e6, note('SeniorNotesDuePeriod16')),
    fact('DebtInstrumentInterestRateStatedPercentage', 0.0338, note('SeniorNotesDuePeriod16'), {
      unit: 'pure',
    }),
  ]
  const row = text({
    rule: 'debt_table',
    name: '3.38% Senior Notes due December 15, 2027',
    instrument_type: null,
    rate_type: 'fixed',
    coupon_rate: 3.38,
    maturity: '2027-12-15',
    maturity_date: '2027-12-15',
    balance_date: null,
  })
  const read = (rows: LoadedInstrument[]) =>
    withRead('c', rowsOf(facts), rows).find(each => each.coupon_rate === 3.38)
  t.match(read([row]), { name: '3.38% Senior Notes due December 15, 2027', maturity: '2027-12-15' })
  t.match(
    read([row, { ...row, name: '3.38% Notes due 2031', maturity: '2031' }]),
    { maturity: null },
    'two could be meant',
  )
  t.end()
})

t.test('two tranches of one commitment and day are two', t => {
  const tranche = (name: string) =>
    text({ name, instrument_type: 'term_loan', commitment: BILLION, maturity: '2029-12-09' })
  const rows = (...names: string[]) => withRead('c', [], names.map(tranche)).map(({ name }) => name)
  const both = ['Term A-2 Facility due 2029', 'Incremental Delayed Draw Term A-4 Facility due 2029']
  t.strictSame(rows(...both).toSorted(), both.toSorted())
  t.equal(rows('Term A-2 Facility due 2029', 'Term Loan A-2 due 2029').length, 1, 'one tranche is one')
  const lettered = ['Unsecured Term Loan H due 2029', 'Unsecured Term Loan I due 2029']
  t.strictSame(rows(...lettered).toSorted(), lettered)
  t.end()
})

t.test('two facilities of one commitment are told apart by their tenor', t => {
  const facts = [
    total,
    notes,
    commitment(4200e6, 'gama:FiveYearCreditAgreement'),
    commitment(4200e6, 'gama:A364DayCreditAgreement'),
  ]
  const rows = withRead('c', rowsOf(facts), [
    text({ commitment: 4.2 * BILLION, name: 'Five-Year Credit Agreement due 2029', maturity: '2029-05-26' }),
    text({ commitment: 4.2 * BILLION, name: '364-Day Credit Agreement due 2025', maturity: '2025-05-24' }),
  ])
  t.strictSame(
    rows.filter(row => row.commitment !== null).map(row => [row.name, row.maturity]),
    [
      ['5 Year Credit Agreement', '2029-05-26'],
      ['364 Day Credit Agreement', '2025-05-24'],
    ],
  )
  t.end()
})

t.test(
  'commercial paper fills the difference beside an adjustment of hedged debt under the filer’s own name',
  t => {
    const own = (concept: string, value: number) => ({ ...fact('x', value, null), concept })
    const facts = [
      fact('LongTermDebtNoncurrent', 950e6, null),
      fact('CommercialPaper', 200e6, null),
      notes,
      own('gama:IncreaseInCarryingValueOfDebtFairValueHedgeAdjustment', -50e6),
    ]
    const { table } = companyInstruments(facts)!
    t.match(reconciliationRow('c', table), {
      tagged_debt: 115_000_000_000,
      instruments_sum: 100_000_000_000,
      lines_without_instruments: 20_000_000_000,
      hedge_adjustment: -5_000_000_000,
    })
    t.equal(table.reconciliation.difference, 0)
    t.end()
  },
)

t.test('what a table says is drawn and what a text says is committed are one facility', t => {
  const line = (name: string, drawn: number, more: Partial<LoadedInstrument> = {}) =>
    text({
      name,
      instrument_type: null,
      carrying_amount: drawn,
      drawn,
      commitment: null,
      maturity: null,
      rule: 'debt_schedule',
      ...more,
    })
  const said = (rows: readonly LoadedInstrument[]) =>
    withRead('c', [], rows).map(r => [r.name, r.commitment, r.drawn, r.maturity, r.is_group])
  const revolver = text({ commitment: 2 * BILLION })
  t.strictSame(said([line('Revolving credit facility', 0.5 * BILLION), revolver]), [
    ['Revolving credit facility', 2 * BILLION, 0.5 * BILLION, '2028-05', false],
  ])
  t.equal(
    said([
      line('Senior credit facility', 0.5 * BILLION),
      line('China credit facility', 2.3 * BILLION),
      revolver,
    ]).length,
    2,
    'of two that it may be it is neither, and no third is made',
  )
  t.strictSame(
    said([
      line('Unsecured credit facility due 2028', 0.99 * BILLION, { maturity: '2028' }),
      text({ name: 'Term Loan due 2028', instrument_type: 'term_loan', commitment: BILLION }),
    ]).length,
    1,
    'a term loan drawn in full that a table calls a facility',
  )
  const drawings = line('Drawings on revolving credit facility due 2029', 0.07 * BILLION, {
    maturity: '2029',
  })
  const balance = text({
    name: 'Credit facility',
    commitment: BILLION,
    drawn: 0.07 * BILLION,
    maturity: null,
  })
  t.strictSame(
    said([drawings, balance]),
    [['Drawings on revolving credit facility due 2029', BILLION, 0.07 * BILLION, '2029', false]],
    'a facility of a table of liquidity, which states no maturity, by what is drawn',
  )
  t.end()
})

t.test('facilities of one sentence with one commitment are two, by tenor and maturity', t => {
  const facility = (name: string, maturity: string) => text({ name, maturity, commitment: BILLION })
  const rows = withRead(
    'c',
    [],
    [
      facility('364-Day Credit Facility due 2025', '2025-05-12'),
      facility('Five-Year Credit Facility due 2026', '2026-05-18'),
    ],
  )
  t.strictSame(
    rows.map(r => r.commitment),
    [BILLION, BILLION],
  )
  t.strictSame(rows.map(r => r.maturity).sort(), ['2025-05-12', '2026-05-18'])
  t.end()
})

t.test(
  'two facilities of one report that fall due together are two, and a line is that which is drawn',
  t => {
    const told = (name: string, committed: number, more: Partial<LoadedInstrument> = {}) =>
      text({ name, commitment: committed * BILLION, accession: '0000000003-25-000001', ...more })
    const beside = withRead(
      'c',
      [],
      [told('Gama revolving credit facility', 0.3), told('Gama Gas revolving credit facility', 3)],
    )
    t.strictSame(beside.map(row => row.commitment).toSorted(), [0.3 * BILLION, 3 * BILLION])
    const line = text({
      name: 'Credit Facility',
      instrument_type: null,
      rule: 'debt_schedule',
      commitment: null,
      accession: '0000000003-25-000001',
      carrying_amount: 0.972 * BILLION,
      drawn: 0.972 * BILLION,
      maturity: null,
    })
    const rows = withRead(
      'c',
      [],
      [
        line,
        told('Short-Term Credit Agreement due 2025', 10, { drawn: 0, maturity: '2025-11' }),
        told('Secured Revolving Credit Facility due 2026', 1.5, { maturity: '2026-08' }),
      ],
    )
    t.match(
      rows.map(row => [row.name, row.carrying_amount, row.commitment]),
      [
        ['Credit Facility', 0.972 * BILLION, 1.5 * BILLION],
        ['Short-Term Credit Agreement due 2025', null, 10 * BILLION],
      ],
    )
    t.end()
  },
)

t.test('a line of a table that covers several instruments is a group', t => {
  const group = (name: string, more: Partial<LoadedInstrument> = {}) =>
    withRead(
      'c',
      [],
      [
        text({
          name,
          instrument_type: null,
          carrying_amount: BILLION,
          commitment: null,
          maturity: null,
          rule: 'debt_schedule',
          ...more,
        }),
      ],
    )[0]?.is_group
  t.equal(group('Senior notes 3.10%-4.25% due 2030', { maturity: '2030' }), true)
  t.equal(group('U.S. dollar notes'), true)
  t.equal(group('Commercial paper'), false)
  t.equal(group('Term loans'), false)
  t.equal(group('30-year bond due 2037', { maturity: '2037' }), false)
  t.end()
})

t.test('a quarterly report with a part of the debt does not end what the annual table has', t => {
  const row = (name: string, amount: number | null, day: string, more: Partial<LoadedInstrument> = {}) =>
    text({
      name,
      instrument_type: null,
      carrying_amount: amount,
      commitment: null,
      maturity: null,
      balance_date: day,
      rule: 'debt_schedule',
      ...more,
    })
  const rows = withRead(
    'c',
    [],
    [
      row('U.S. dollar notes', 9 * BILLION, '2024-12-31'),
      row('Commercial paper', BILLION, '2024-12-31'),
      row('Commercial paper', 2 * BILLION, '2025-03-31'),
      row('4% Notes due 2032', null, '2025-03-31', {
        rule: 'note_text',
        principal: BILLION,
        coupon_rate: 4,
        maturity: '2032',
      }),
    ],
  )
  t.strictSame(
    rows.map(r => [r.name, r.carrying_amount, r.is_current]),
    [
      ['U.S. dollar notes', 9 * BILLION, true],
      ['Commercial paper', BILLION, true],
      ['4% Notes due 2032', null, true],
    ],
  )
  t.end()
})

t.test(
  'two facilities that a filer tags one after the other under one member are two where a text tells both',
  t => {
    const member =
      'us-gaap:CreditFacilityAxis=us-gaap:RevolvingCreditFacilityMember;us-gaap:DebtInstrumentAxis=gama:BackupCreditFacilityMember'
    const commitment = (value: number, end: number) =>
      fact('LineOfCreditFacilityMaximumBorrowingCapacity', value, member, { end })
    const tagged = instrumentRows(
      'c',
      companyInstruments([
        fact('LongTermDebt', 1000e6, 'us-gaap:DebtInstrumentAxis=gama:SeniorNotesDueMarch2030Member'),
        commitment(1500e6, DAY - 150),
        commitment(2000e6, DAY - 10),
      ])!,
    )
    const told = (commitment: number, maturity: string) =>
      text({ name: `Credit Facility due ${maturity}`, commitment, maturity })
    const rows = withRead('c', tagged, [told(150_000_000_000, '2025-07'), told(200_000_000_000, '2025-05')])
    t.strictSame(
      rows
        .filter(row => row.commitment !== null && row.is_current)
        .map(row => [row.commitment! / 100_000_000_000, row.maturity])
        .sort(),
      [
        [1.5, '2025-07'],
        [2, '2025-05'],
      ],
    )
    t.end()
  },
)

t.test(
  'lines of which a text tells what is undrawn are rows by their term, where no commitment is known',
  t => {
    const lines = (name: string, undrawn: number) => text({ name, commitment: null, maturity: null, undrawn })
    const both = [
      lines('Undrawn short-term committed lines of credit', 5 * BILLION),
      lines('Undrawn long-term committed lines of credit', 9 * BILLION),
    ]
    t.strictSame(
      withRead('c', [], both).map(({ name, undrawn, is_current }) => [name, undrawn, is_current]),
      [
        ['Undrawn long-term committed lines of credit', 9 * BILLION, true],
        ['Undrawn short-term committed lines of credit', 5 * BILLION, true],
      ],
    )
    t.strictSame(
      withRead('c', [], [text({ commitment: 2 * BILLION }), ...both]).map(({ commitment }) => commitment),
      [2 * BILLION],
    )
    t.end()
  },
)
