import t from 'tap'
import type { LoadedInstrument } from '../../../engine/derive/debt/loaded-instruments.ts'
import { namedTerms } from '../../../engine/derive/debt/member-name.ts'
import { withRead } from '../../../engine/derive/debt/read-instruments.ts'
import { facilityText } from './tagged-debt.ts'

const MILLION = 100_000_000

const line = (name: string, drawn: number, more: Partial<LoadedInstrument> = {}) =>
  facilityText({
    name,
    rule: 'debt_schedule',
    commitment: null,
    carrying_amount: drawn * MILLION,
    drawn: drawn * MILLION,
    maturity: null,
    maturity_date: null,
    accession: 'a',
    ...more,
  })
const told = (name: string, commitment: number, more: Partial<LoadedInstrument> = {}) =>
  facilityText({ name, commitment: commitment * MILLION, accession: 'a', drawn: null, ...more })

const rows = (...all: LoadedInstrument[]) =>
  withRead('c', [], all)
    .filter(row => row.is_current)
    .map(row => [
      row.name,
      (row.commitment ?? 0) / MILLION,
      (row.carrying_amount ?? 0) / MILLION,
      row.maturity,
    ])

t.test('of several lines, what is drawn under a facility is the one that has its name', async t => {
  t.strictSame(
    rows(
      line('North Revolving Credit Facility', 107),
      line('South Revolving Credit Facility', 56),
      told('South Revolving Credit Facility due 2027', 200, { maturity: '2027-09-23' }),
      told('North Revolving Credit Facility due 2029', 400, { maturity: '2029-04-01' }),
    ),
    [
      ['North Revolving Credit Facility', 400, 107, '2029-04-01'],
      ['South Revolving Credit Facility', 200, 56, '2027-09-23'],
    ],
  )
})

t.test(
  'a line due earlier is the facility that the text says was extended, where it says what is drawn',
  async t => {
    const due = { maturity: '2026-07-07' }
    const [row, ...others] = rows(
      line('Revolving Credit Facility due July 7, 2026', 180, due),
      told('Revolving Credit Facility due 2029', 1750, { maturity: '2029-01-25', drawn: 180 * MILLION }),
    )
    t.strictSame([row?.[1], row?.[2], row?.[3], others.length], [1750, 180, '2029-01-25', 0])
  },
)

t.test('an ABL facility is a revolver', async t => {
  t.strictSame(
    ['ABL Facility', 'ABLFacilityMember', 'Global Asset Based Loan Facility', 'ABL Term Loan'].map(
      name => namedTerms(name, 2024).type,
    ),
    ['revolver', 'revolver', 'revolver', 'term_loan'],
  )
})

t.test(
  'a facility of a table under which nothing is drawn stands, with what a text says is committed',
  async t => {
    const undrawn = line('Revolving Credit Facility due 2029', 0, { maturity: '2029' })
    t.strictSame(rows(undrawn), [['Revolving Credit Facility due 2029', 0, 0, '2029']])
    t.strictSame(
      rows(undrawn, told('Senior Revolving Loan Facility due 2029', 552, { maturity: '2029-04-29' })),
      [['Revolving Credit Facility due 2029', 552, 0, '2029-04-29']],
    )
    t.strictSame(rows(line('Revolving Credit Facility', 0)), [], 'without a maturity it may have ended')
  },
)

t.test('notes called senior are secured where their filing says so', async t => {
  const notes = (seniority: LoadedInstrument['seniority']) =>
    withRead(
      'c',
      [],
      [
        line('4.10% Senior Notes due 2032', 400, {
          rule: 'debt_table',
          coupon_rate: 4.1,
          maturity: '2032',
          instrument_type: null,
          drawn: null,
          seniority,
        }),
      ],
    )[0]?.seniority
  t.strictSame([notes('senior_secured'), notes(null)], ['senior_secured', 'senior_unsecured'])
})

t.test('a loan of a revolving fund of a state is no revolver', async t => {
  t.not(namedTerms('State revolving fund loans 3.40%, due July 1, 2032', 2024).type, 'revolver')
})
