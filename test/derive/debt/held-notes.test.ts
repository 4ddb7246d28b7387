import t from 'tap'
import { companyInstruments } from '../../../engine/derive/debt/company-debt.ts'
import { instrumentRows } from '../../../engine/derive/debt/instrument-row.ts'
import type { LoadedInstrument } from '../../../engine/derive/debt/loaded-instruments.ts'
import { withRead } from '../../../engine/derive/debt/read-instruments.ts'
import type { FactRow } from '../../../engine/derive/statements/filings.ts'
import { DAY, fact, read } from './tagged-debt.ts'

const MILLION = 100_000_000

const note = (name: string) => `us-gaap:DebtInstrumentAxis=gama:${name}Member`

const line = (name: string, carrying_amount: number) =>
  read(name, { rule: 'debt_schedule', rate_type: null, carrying_amount: carrying_amount * MILLION })
const told = (
  coupon_rate: number,
  maturity: string,
  principal: number,
  more: Partial<LoadedInstrument> = {},
) =>
  read(`${coupon_rate}% Senior Notes due ${maturity}`, {
    coupon_rate,
    maturity,
    principal: principal * MILLION,
    ...more,
  })
const shown = (rows: ReturnType<typeof withRead>) =>
  rows
    .filter(({ is_current }) => is_current)
    .map(row => [row.name, row.carrying_amount, row.is_counted, row.part_of, row.balance_null_because])

t.test('notes that a text tells are listed beside the line that holds them, and in no sum', t => {
  const rows = withRead(
    'c',
    [],
    [
      line('Fixed rate notes 2.8% - 3.9% due 2028 - 2039', 5000),
      line('Fixed rate notes 4.0% - 6.5% due 2040 - 2059', 3000),
      told(3.2, '2034-03-01', 700),
      told(6.25, '2055', 400),
      told(1.1, '2029', 500, { currency: 'EUR' }),
    ],
  )
  t.strictSame(shown(rows), [
    ['Fixed rate notes 2.8% - 3.9% due 2028 - 2039', 5000 * MILLION, true, null, null],
    ['Fixed rate notes 4.0% - 6.5% due 2040 - 2059', 3000 * MILLION, true, null, null],
    [
      '3.2% Senior Notes due 2034-03-01',
      null,
      false,
      'Fixed rate notes 2.8% - 3.9% due 2028 - 2039',
      'in_a_line_of_several',
    ],
    [
      '6.25% Senior Notes due 2055',
      null,
      false,
      'Fixed rate notes 4.0% - 6.5% due 2040 - 2059',
      'in_a_line_of_several',
    ],
    ['1.1% Senior Notes due 2029', null, false, null, 'not_stated'],
  ])
  t.end()
})

t.test(
  'where instruments are tagged, notes of a text are added if a tagged line of several holds them',
  t => {
    const tagged = instrumentRows(
      'c',
      companyInstruments([
        fact('LongTermDebt', 9000e6, null),
        fact('LongTermDebt', 8000e6, note('FixedRateNotesDue2028To2060')),
        fact('LongTermDebt', 1000e6, note('SeniorNotesDueMarch2030')),
        fact('DebtInstrumentInterestRateStatedPercentage', 0.05, note('SeniorNotesDueMarch2030'), {
          unit: 'pure',
        }),
        fact('DebtInstrumentFaceAmount', 600e6, note('SeniorNotesDueJune2041')),
        fact('DebtInstrumentInterestRateStatedPercentage', 0.045, note('SeniorNotesDueJune2041'), {
          unit: 'pure',
        }),
      ])!,
    )
    const rows = withRead('c', tagged, [
      told(3.2, '2034-03-01', 700),
      told(5, '2030-03-15', 1000),
      told(3.3, '2070', 700),
    ])
    t.strictSame(
      shown(rows).map(([name, , isCounted, held]) => [name, isCounted, held]),
      [
        ['Fixed Rate Notes due 2028 to 2060', true, null],
        ['5% Senior Notes due March 2030', true, null],
        ['4.5% Senior Notes due June 2041', false, 'Fixed Rate Notes due 2028 to 2060'],
        ['3.2% Senior Notes due 2034-03-01', false, 'Fixed Rate Notes due 2028 to 2060'],
      ],
      'one that is tagged stays one, and one that no line can hold is left out',
    )
    t.end()
  },
)

t.test('debt that is tagged under another axis is read where the concept is of debt alone', t => {
  const axis = (name: string) => `us-gaap:FinancialInstrumentAxis=gama:${name}Member`
  const rows = instrumentRows(
    'c',
    companyInstruments([
      fact('NotesPayable', 500e6, null),
      fact('NotesPayable', 300e6, axis('PromissoryNoteDueJune2027')),
      fact('DebtInstrumentInterestRateStatedPercentage', 0.085, axis('PromissoryNoteDueJune2027'), {
        unit: 'pure',
      }),
      fact('NotesPayable', 200e6, axis('AcquisitionNotesDue2026')),
      fact('AvailableForSaleSecurities', 900e6, axis('CorporateNotes')),
    ])!,
  )
  t.strictSame(
    rows
      .filter(({ is_current }) => is_current)
      .map(({ carrying_amount, coupon_rate, maturity }) => [carrying_amount, coupon_rate, maturity]),
    [
      [300 * MILLION, 8.5, '2027-06'],
      [200 * MILLION, null, '2026'],
    ],
  )
  t.end()
})

t.test('a text adds commercial paper that a filing does not tag, outside the sum that is reconciled', t => {
  const tagged = instrumentRows(
    'c',
    companyInstruments([
      fact('LongTermDebt', 1000e6, null),
      fact('LongTermDebt', 1000e6, note('SeniorNotesDueMarch2030')),
    ])!,
  )
  const paper = read('Commercial paper', {
    carrying_amount: 50 * MILLION,
    instrument_type: 'commercial_paper',
  })
  t.strictSame(
    shown(withRead('c', tagged, [paper])).map(([name, amount, isCounted]) => [name, amount, isCounted]),
    [
      ['Senior Notes due March 2030', 1000 * MILLION, true],
      ['Commercial paper', 50 * MILLION, false],
    ],
  )
  t.end()
})

t.test('commercial paper told in a text is none of short-term borrowings that are smaller', t => {
  const paper = read('Commercial paper', {
    carrying_amount: 50 * MILLION,
    instrument_type: 'commercial_paper',
  })
  const papers = (borrowings: number) =>
    shown(
      withRead(
        'c',
        instrumentRows(
          'c',
          companyInstruments([
            fact('LongTermDebt', 1000e6, null),
            fact('LongTermDebt', 1000e6, note('SeniorNotesDueMarch2030')),
            fact('ShortTermBorrowings', borrowings, note('ShortTermBorrowings')),
          ])!,
        ),
        [paper],
      ),
    ).filter(([name]) => name === 'Commercial paper').length
  t.equal(papers(10e6), 1)
  t.equal(papers(60e6), 0)
  t.end()
})

t.test('a line under a shared name takes its kind from the words of the table that has its balance', t => {
  const tagged = instrumentRows(
    'c',
    companyInstruments([
      fact('LongTermDebt', 1000e6, null),
      fact('LongTermDebt', 1000e6, 'us-gaap:LongtermDebtTypeAxis=us-gaap:NotesPayableToBanksMember'),
    ])!,
  )
  t.equal(tagged[0]?.instrument_type, 'loan')
  const [row] = withRead('c', tagged, [line('Notes and debentures, 2.2% to 7.1% due through 2072', 1000)])
  t.not(row?.instrument_type, 'loan')
  t.end()
})

t.test(
  'a line whose tag runs its rates together has the name of its table, and holds notes that a text tells',
  t => {
    const ofIssue = (each: FactRow): FactRow => ({ ...each, end: DAY - 200 })
    const tagged = instrumentRows(
      'c',
      companyInstruments([
        fact('LongTermDebt', 9000e6, null),
        fact('LongTermDebt', 5000e6, note('A260320DueThrough2030')),
        fact('LongTermDebt', 4000e6, note('A571663DueThrough2060')),
        ofIssue(fact('DebtInstrumentFaceAmount', 1000e6, note('SixPointTwoFivePercentNotesDueMay2034'))),
        ofIssue(
          fact(
            'DebtInstrumentInterestRateStatedPercentage',
            0.0625,
            note('SixPointTwoFivePercentNotesDueMay2034'),
            { unit: 'pure' },
          ),
        ),
        ofIssue(fact('DebtInstrumentFaceAmount', 700e6, note('SixPointEightPercentNotesDueMay2044'))),
        ofIssue(
          fact(
            'DebtInstrumentInterestRateStatedPercentage',
            0.068,
            note('SixPointEightPercentNotesDueMay2044'),
            { unit: 'pure' },
          ),
        ),
      ])!,
    )
    const rows = withRead('c', tagged, [
      line('2.60% - 3.20% due through 2030', 5000),
      line('5.71% - 6.63% due through 2060', 4000),
      told(6.25, '2034-05', 1000),
    ])
    t.strictSame(
      shown(rows).map(([name, , isCounted, held]) => [name, isCounted, held]),
      [
        ['2.60% - 3.20% due through 2030', true, null],
        ['5.71% - 6.63% due through 2060', true, null],
        ['6.25% Notes due May 2034', false, '5.71% - 6.63% due through 2060'],
      ],
      'notes that no text tells may have been repaid',
    )
    t.end()
  },
)

t.test('notes without any amount that no line holds are not current', t => {
  const named = read('4.1% Notes due 2030', { rule: 'debt_table', coupon_rate: 4.1, maturity: '2030' })
  t.strictSame(
    withRead('c', [], [named]).map(row => [row.name, row.is_current, row.balance_null_because]),
    [['4.1% Notes due 2030', false, null]],
  )
  t.strictSame(shown(withRead('c', [], [told(4.1, '2030', 500)])), [
    ['4.1% Senior Notes due 2030', null, false, null, 'not_stated'],
  ])
  t.end()
})

t.test(
  'notes repaid, notes without an amount, and facilities of which a rest was tagged earlier are not current',
  t => {
    const before = (each: FactRow): FactRow => ({ ...each, end: DAY - 366 })
    const rows = instrumentRows(
      'c',
      companyInstruments([
        fact('LongTermDebt', 8000e6, null),
        fact('LongTermDebt', 8000e6, note('FixedRateNotesDue2025To2060')),
        fact('LongTermDebt', 0, note('SeniorNotesDueMarch2030')),
        fact('DebtInstrumentFaceAmount', 900e6, note('SeniorNotesDueMarch2030')),
        fact('DebtInstrumentInterestRateStatedPercentage', 0.053, note('SeniorNotesDueMarch2030'), {
          unit: 'pure',
        }),
        fact('DebtInstrumentInterestRateStatedPercentage', 0.055, note('SeniorNotesDueJune2026'), {
          unit: 'pure',
        }),
        before(fact('DebtInstrumentUnusedBorrowingCapacityAmount', 800e6, note('WarehouseAgreement'))),
        fact('DebtInstrumentUnusedBorrowingCapacityAmount', 500e6, note('EquipmentLoanAgreement')),
      ])!,
    )
    t.strictSame(
      rows.filter(({ is_current }) => is_current).map(({ name }) => name),
      ['Fixed Rate Notes due 2025 to 2060', 'Equipment Loan Agreement'],
    )
    t.end()
  },
)

t.test('the total of facilities is none, though one that fell due in the year is tagged beside them', t => {
  const line = (name: string) => `us-gaap:CreditFacilityAxis=${name}`
  const limit = (value: number, name: string, end = DAY): FactRow => ({
    ...fact('LineOfCreditFacilityMaximumBorrowingCapacity', value, line(name)),
    end,
  })
  const rows = instrumentRows(
    'c',
    companyInstruments([
      limit(10e9, 'us-gaap:RevolvingCreditFacilityMember'),
      limit(6e9, 'gama:CreditFacilityExpiringAugust2028Member'),
      limit(4e9, 'gama:CreditFacilityExpiringMay2029Member'),
      limit(3.2e9, 'gama:CreditFacilityExpiringOctober2024Member', DAY - 366),
    ])!,
  )
  t.strictSame(
    rows.filter(({ is_current }) => is_current).map(({ maturity }) => maturity),
    ['2028-08', '2029-05'],
  )
  t.end()
})

t.test('a tagged line of several notes that names no rates has the name and kind of its table line', t => {
  const tagged = instrumentRows(
    'c',
    companyInstruments([
      fact('LongTermDebt', 3000e6, null),
      fact('LongTermDebt', 1000e6, note('August2022Debt')),
      fact('LongTermDebt', 2000e6, note('May2023Debt')),
    ])!,
  ).map(row => ({ ...row, is_group: true }))
  const rows = withRead('c', tagged, [
    line('August 2022 Notes 3.50%-4.65% due 2027 - 2062', 1000),
    line('Other debt', 2000),
  ])
  t.strictSame(
    rows.map(({ name, instrument_type }) => [name, instrument_type]),
    [
      ['August 2022 Notes 3.50%-4.65% due 2027 - 2062', 'notes'],
      ['May 2023 Debt', null],
    ],
  )
  t.end()
})

t.test('a tagged line has the years that its table states now, and one of one note stays one', t => {
  const single = note('SeniorNotes20436550')
  const tagged = instrumentRows(
    'c',
    companyInstruments([
      fact('LongTermDebt', 3000e6, null),
      fact('LongTermDebt', 1000e6, note('EuroNotesDue2024To2040')),
      fact('LongTermDebt', 2000e6, single),
      fact('DebtInstrumentInterestRateStatedPercentage', 0.0655, single, { unit: 'pure' }),
    ])!,
  )
  const rows = withRead('c', tagged, [
    line('Euro notes due 2025-2053', 1000),
    {
      ...line('6.55% senior notes due 2043', 2000),
      rule: 'debt_table',
      coupon_rate: 6.55,
      maturity: '2043',
    },
  ])
  t.strictSame(
    rows.map(row => [row.name, row.is_group, row.maturity]),
    [
      ['Euro notes due 2025-2053', true, null],
      ['6.55% Senior Notes 2043', false, '2043'],
    ],
  )
  t.end()
})

t.test('where a report tags no notes, notes of its table of issues are listed beside its paper', t => {
  const tagged = instrumentRows(
    'c',
    companyInstruments([
      fact('LongTermDebt', 9000e6, null),
      fact('CommercialPaper', 500e6, 'us-gaap:ShortTermDebtTypeAxis=us-gaap:CommercialPaperMember'),
    ])!,
  )
  const issued = { ...told(4.25, '2029-01', 1250), rule: 'debt_table' }
  t.strictSame(
    shown(withRead('c', tagged, [issued])).map(([name, , isCounted, , reason]) => [name, isCounted, reason]),
    [
      ['Commercial Paper', true, null],
      ['4.25% Senior Notes due 2029-01', false, 'not_stated'],
    ],
  )
  t.end()
})

t.test(
  'a rate of a revolver or of commercial paper, and an odd one of a loan, is that of the day in a table too',
  t => {
    const row = (name: string, coupon_rate: number) =>
      read(name, { rule: 'debt_table', coupon_rate, carrying_amount: 5 * MILLION, maturity: '2030' })
    const rows = withRead(
      'c',
      [],
      [
        row('1.573% Term Loan due 2030', 1.573),
        row('6.5% Term Loan due 2030', 6.5),
        row('1.65% Commercial paper', 1.65),
      ],
    )
    t.strictSame(
      rows.map(each => [each.name, each.coupon_rate, each.effective_rate, each.rate_type]),
      [
        ['Term Loan due 2030', null, 1.573, 'floating'],
        ['6.5% Term Loan due 2030', 6.5, null, 'fixed'],
        ['Commercial paper', null, 1.65, null],
      ],
    )
    t.end()
  },
)

t.test('lines of two companies of a group with one coupon and year are each owed', t => {
  const row = (name: string, amount: number, more: Partial<LoadedInstrument> = {}) =>
    told(6, '2036', amount, { name, carrying_amount: amount * MILLION, rule: 'debt_table', ...more } as never)
  const owed = (rows: readonly LoadedInstrument[]) =>
    withRead('c', [], rows).map(({ name, carrying_amount }) => [name, (carrying_amount ?? 0) / MILLION])
  const parent = row('6% Gama plc debt due 2036', 342)
  t.strictSame(owed([parent, row('6% Gama Inc debt due 2036', 8)]), [
    ['6% Gama plc debt due 2036', 342],
    ['6% Gama Inc debt due 2036', 8],
  ])
  t.strictSame(owed([parent, row('6.000% Notes due 2036', 345)]), [['6% Gama plc debt due 2036', 342]])
  t.end()
})

t.test(
  'debt of which only the face amount is tagged is owed where a line of the table has this amount',
  t => {
    const convertible = 'us-gaap:DebtInstrumentAxis=us-gaap:ConvertibleDebtMember'
    const tagged = instrumentRows(
      'c',
      companyInstruments([
        fact('LongTermDebt', 1050e6, null),
        fact('LongTermDebt', 1000e6, note('SeniorNotesDueMarch2030')),
        fact('DebtInstrumentFaceAmount', 2300e6, convertible),
      ])!,
    )
    const owed = (amount: number, name = 'Convertible notes') =>
      shown(withRead('c', tagged, [line(name, amount)])).filter(([, carried]) => carried === 2300 * MILLION)
    t.strictSame(owed(2300), [['Convertible Debt', 2300 * MILLION, true, null, null]])
    t.strictSame(owed(2200), [])
    t.strictSame(owed(2300, 'Term loan'), [])
    t.end()
  },
)
