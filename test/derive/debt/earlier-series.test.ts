import t from 'tap'
import { companyInstruments } from '../../../engine/derive/debt/company-debt.ts'
import { instrumentRows } from '../../../engine/derive/debt/instrument-row.ts'
import { withRead } from '../../../engine/derive/debt/read-instruments.ts'
import { open } from '../../../engine/engine.ts'
import { currentManifest } from '../../../engine/lake/snapshot.ts'
import { build } from '../../../engine/snapshot/build.ts'
import { verifyFigures } from '../../../engine/verify/verify.ts'
import { makeLake } from '../../make-lake.ts'
import { fact, read } from './tagged-debt.ts'

const MILLION = 1e8
const note = (name: string) => `us-gaap:DebtInstrumentAxis=gama:${name}Member`

/** A company that tags its notes in one line. */
const tagged = (...facts: ReturnType<typeof fact>[]) =>
  instrumentRows(
    'c',
    companyInstruments([
      fact('LongTermDebt', 8000e6, null),
      fact('LongTermDebt', 8000e6, note('FixedRateNotesDue2028To2060')),
      ...facts,
    ])!,
  )
const EARLIER = { balance_date: '2021-12-31', known_from: '2022-02-14', source: 'report-2021.htm:1' }
const issued = (coupon_rate: number, maturity: string, more: object = {}) =>
  read(`${coupon_rate}% Notes due ${maturity}`, {
    coupon_rate,
    maturity,
    principal: 700 * MILLION,
    seniority: 'senior_unsecured',
    ...EARLIER,
    rule: 'note_offered',
    ...more,
  })
const named = (rows: ReturnType<typeof withRead>, name: string) => rows.find(row => row.name === name)

t.test('terms of a series that only an earlier document tells stand, and it is not owed for that', t => {
  const rows = withRead('c', tagged(), [issued(3.2, '2034-03-01'), issued(4.1, '2023-05-01')])
  t.match(named(rows, '3.2% Notes due 2034-03-01'), {
    seniority: 'senior_unsecured',
    principal: 700 * MILLION,
    balance_date: '2021-12-31',
    is_current: false,
    is_counted: false,
    isTermsOnly: true,
  })
  t.equal(named(rows, '4.1% Notes due 2023-05-01'), undefined, 'what has fallen due is gone')
  t.end()
})

t.test('a series of which a later table says that nothing is owed is gone', t => {
  const repaid = issued(3.2, '2034', { rule: 'debt_table', carrying_amount: 0, balance_date: '2023-12-31' })
  const rows = withRead('c', tagged(), [issued(3.2, '2034-03-01'), repaid])
  t.strictSame(
    rows.filter(({ coupon_rate }) => coupon_rate === 3.2),
    [],
  )
  t.end()
})

t.test('what earlier rows of a series state is added to the newest, each with its day', t => {
  const newest = issued(3.2, '2034-03', {
    rule: 'debt_table',
    seniority: null,
    principal: null,
    carrying_amount: 690 * MILLION,
    balance_date: '2024-12-31',
  })
  const told = issued(3.2, '2034-03-01', { is_earlier: true, rule: 'note_text' })
  const [row] = withRead('c', [], [newest, told])
  t.match(row, {
    seniority: 'senior_unsecured',
    principal: 700 * MILLION,
    carrying_amount: 690 * MILLION,
    maturity: '2034-03-01',
    is_current: true,
    evidence: { principal: { date: '2021-12-31', source: 'report-2021.htm:1' } },
  })
  const [bought] = withRead('c', [], [{ ...newest, carrying_amount: 400 * MILLION }, told])
  t.equal(bought?.principal, null, 'an amount issued of which a part was bought back is not what is owed')
  const [euros] = withRead('c', [], [newest, { ...told, currency: 'EUR' }])
  t.equal(euros?.principal, null)
  t.end()
})

t.test('a series that is tagged without a balance gives its terms to its bond', t => {
  const rows = withRead(
    'c',
    tagged(
      fact('DebtInstrumentInterestRateStatedPercentage', 0.045, note('SeniorNotesDueJune2070'), {
        unit: 'pure',
      }),
    ),
    [],
  )
  t.match(named(rows, '4.5% Senior Notes due June 2070'), { is_current: false, isTermsOnly: true })
  t.end()
})

t.test('a bond has the terms of its series from the document that states them last', async t => {
  const known = { known_from: '2020-01-02' }
  const bond = { ticker: 'ALFA', rate_type: 'fixed', currency: 'USD', ...known }
  const said = (more: object) => ({
    ticker: 'ALFA',
    name: '3.2% notes due March 2034',
    coupon_rate: 3.2,
    maturity: '2034-03',
    rate_type: 'fixed',
    currency: 'USD',
    rule: 'debt_table',
    evidence: 'words',
    ...more,
  })
  const lake = await makeLake(t.teardown.bind(t), {
    companies: [{ ticker: 'ALFA', name: 'Alfa Corp', sector: 'Energy', ...known }],
    bonds: [
      { ...bond, cusip: '000000AA7', coupon_rate: 3.2, maturity_date: '2034-03-01' },
      { ...bond, cusip: '000000AB5', coupon_rate: 4.4, maturity_date: '2036-03-01' },
    ],
    instruments: [
      said({
        balance_date: '2024-12-31',
        carrying_amount: 695e8,
        known_from: '2025-02-14',
        source: 'b.htm:1',
      }),
      said({
        balance_date: '2021-12-31',
        principal: 700e8,
        seniority: 'senior_unsecured',
        known_from: '2022-02-14',
        source: 'a.htm:1',
      }),
      said({
        name: '4.4% notes due March 2036',
        coupon_rate: 4.4,
        maturity: '2036-03',
        rule: 'note_text',
        balance_date: '2021-12-31',
        principal: 500e8,
        seniority: 'senior_unsecured',
        known_from: '2022-02-14',
        source: 'a.htm:1',
      }),
    ],
  })
  await build(lake, { asOf: '2025-06-20' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const { data } = await engine.call('search.bonds', {
    ticker: 'ALFA',
    fields: 'cusip,seniority,principal,outstanding',
    sort: 'cusip',
  })
  t.strictSame(data, [
    { cusip: '000000AA7', seniority: 'senior_unsecured', principal: 700e8, outstanding: 700e8 },
    { cusip: '000000AB5', seniority: 'senior_unsecured', principal: 500e8, outstanding: null },
  ])
  const found: unknown[] = []
  await verifyFigures(lake, (await currentManifest(lake))!, {
    tables: ['bonds', 'instruments'],
    found: difference => found.push(difference),
  })
  t.strictSame(found, [])
})
