import t from 'tap'
import { creditFacilitiesIn } from '../../../engine/filing/facts/credit-facilities.ts'
import { debtLinesIn } from '../../../engine/filing/facts/debt-tables.ts'
import { section } from './section.ts'

const note = (text: string) => section(text, { section_type: 'debt_footnote', doc_type: '10-K' })
const millions = (amount: number | null | undefined) => (amount == null ? null : amount / 100_000_000)
const facilities = (text: string) =>
  creditFacilitiesIn(note(text)).map(row => [
    row.name,
    millions(row.commitment),
    millions(row.drawn),
    millions(row.undrawn),
    row.spread_bps ?? null,
  ])

const limits = `The facilities' limits, maturities and interest rates are as follows:

Facility Limit | Maturity | Interest Rate

in Local

(in millions) | Currency | Currency | 2023 | 2024 | 2023 | 2024

3 year term syndicated facility | USD | 750.0 | - | April 30, 2027 | - | 1.125%
4 year syndicated facility | USD | 1,500.0 | - | April 30, 2028 | - | LIBOR + 1.25%
5 year syndicated facility | USD | 1,400.0 | - | April 30, 2029 | - | LIBOR + 1.25%
`
const usage = (total: string) => `
December 31, 2024

Facility Usage | Undrawn Commitments
(in millions) | In Local Currency | In USD | In Local Currency | In USD
3 year term syndicated facility | 750 | $750 | — | $—
4 year syndicated facility (1) | 1,650 | 1,155.2 | 344.8 | 344.8
5 year syndicated facility (1) | — | — | 1,400 | 1,400.0
Secured bank loans | 8.9 | 2.4 | 58.4 | 14.3
Total | ${total} | $1,759.1

December 31, 2023

Facility Usage | Undrawn Commitments
(in millions) | In Local Currency | In USD | In Local Currency | In USD
Domestic syndicated facility | — | $— | 388.4 | $388.4
Secured bank loans | 68.2 | 12.8 | 70.4 | 21.4
Total | $12.8 | $409.8
`

t.test('the commitment of a facility in one table goes with what is drawn and left of it in another', t => {
  t.strictSame(facilities(limits + usage('$1,907.6')), [
    ['3 year term syndicated facility due April 30, 2027', 750, 750, 0, null],
    ['4 year syndicated facility due April 30, 2028', 1500, 1155.2, 344.8, 125],
    ['5 year syndicated facility due April 30, 2029', 1400, 0, 1400, 125],
  ])
  t.strictSame(facilities(limits + usage('$1,800.0')), [], 'a table that does not add up is none')
  t.strictSame(facilities(usage('$1,907.6')), [], 'without a commitment a row is no facility')
  t.end()
})

t.test('what is left of facilities, and amounts in other currencies, are no balance and no coupon', t => {
  t.strictSame(
    debtLinesIn(note(limits + usage('$1,907.6'))).map(({ name, carrying_amount: amount }) => [name, amount]),
    [],
  )
  t.end()
})
