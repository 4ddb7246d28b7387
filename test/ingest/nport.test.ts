import t from 'tap'
import { nport } from '../../engine/ingest/readers/nport.ts'
import { reading, rowsFor, sourceOf } from './reading.ts'

interface Made {
  name?: string
  title?: string
  lei?: string
  cusip?: string
  isin?: string
  balance?: string
  units?: string
  currency?: string
  value?: string
  payoff?: string
  asset?: string
  issuer?: string
  debt?: string
}

const debt = (maturity: string, kind: string, rate: string, more = '') =>
  `<debtSec><maturityDt>${maturity}</maturityDt><couponKind>${kind}</couponKind><annualizedRt>${rate}</annualizedRt>
   <isDefault>N</isDefault><areIntrstPmntsInArrs>N</areIntrstPmntsInArrs><isPaidKind>N</isPaidKind>${more}</debtSec>`

const holding = (made: Made) => `<invstOrSec>
  <name>${made.name ?? 'Acme &amp; Sons Corp'}</name><lei>${made.lei ?? 'N/A'}</lei><title>${made.title ?? 'Acme Corp'}</title>
  <cusip>${made.cusip ?? '037833100'}</cusip>
  <identifiers>${made.isin ? `<isin value="${made.isin}"/>` : ''}<other otherDesc="INTERNAL" value="1"/></identifiers>
  <balance>${made.balance ?? '100000.00'}</balance><units>${made.units ?? 'PA'}</units>
  ${made.currency ?? '<curCd>USD</curCd>'}<valUSD>${made.value ?? '98123.00'}</valUSD><pctVal>0.1</pctVal>
  <payoffProfile>${made.payoff ?? 'Long'}</payoffProfile>
  ${made.asset ?? '<assetCat>DBT</assetCat>'}${made.issuer ?? '<issuerCat>CORP</issuerCat>'}
  <invCountry>US</invCountry><isRestrictedSec>Y</isRestrictedSec>
  ${made.debt ?? debt('2030-06-15', 'Fixed', '4.5')}
</invstOrSec>`

const report = (holdings: readonly string[], prefix = '') => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?><edgarSubmission xmlns="http://www.sec.gov/edgar/nport"><headerData/>
<formData><genInfo><regName>MADE UP TRUST</regName><seriesName>Bond Fund</seriesName><repPdEnd>2023-10-31</repPdEnd>
<repPdDate>2023-03-31</repPdDate></genInfo><invstOrSecs>${holdings.join('\n')}</invstOrSecs></formData></edgarSubmission>`
  return prefix
    ? xml.replace(/<(\/?)(?=[a-zA-Z])/g, `<$1${prefix}:`).replace('xmlns=', `xmlns:${prefix}=`)
    : xml
}

t.test("a corporate holding becomes a bond and the fund's mark, public after sixty days", async t => {
  const r = await reading(nport, report([holding({ lei: 'HWUPKR0MPOU8FGXBT394', isin: 'US0378331005' })]))
  const id = { cusip: '037833100', isin: 'US0378331005', bond_id: null }
  t.strictSame(r.taken, [
    {
      at: 'invstOrSec 1',
      outputs: [
        {
          dataset: 'bonds',
          values: {
            ...id,
            name: 'Acme Corp',
            issuer_name: 'Acme & Sons Corp',
            issuer_lei: 'HWUPKR0MPOU8FGXBT394',
            coupon_rate: 4.5,
            rate_type: 'fixed',
            rate_structure: null,
            maturity_date: '2030-06-15',
            instrument_type: null,
            currency: 'USD',
            status: null,
            status_date: null,
            restricted: true,
            known_from: '2023-05-30',
          },
        },
        {
          dataset: 'prices',
          values: {
            ...id,
            price_date: '2023-03-31',
            price_basis: 'clean',
            known_from: '2023-05-30',
            list_name: 'MADE UP TRUST, Bond Fund',
            price: 98.123,
            price_source: 'fund_mark',
            trade_count: 0,
            currency: 'USD',
          },
        },
      ],
    },
  ])
  t.strictSame(r.refused, [])
})

t.test('holdings that are not long corporate debt are refused, each with its reason', async t => {
  const cat = (asset: string, issuer = 'CORP') => ({
    asset: `<assetCat>${asset}</assetCat>`,
    issuer: `<issuerCat>${issuer}</issuerCat>`,
  })
  const r = await reading(
    nport,
    report([
      holding(cat('DBT', 'MUN')),
      holding(cat('DBT', 'NUSS')),
      holding(cat('DBT', 'USGSE')),
      holding(cat('ABS-CBDO')),
      holding({ ...cat('EC'), debt: '' }),
      holding(cat('STIV', 'RF')),
      holding(cat('RA')),
      holding({ payoff: 'Short' }),
      holding({ balance: '-100' }),
      holding({ units: 'NC' }),
      holding({ issuer: '<issuerConditional issuerCat="OTHER" desc="derivative"/>' }),
      holding({ asset: '<assetConditional assetCat="OTHER" desc="Mortgage loan pool"/>' }),
    ]),
  )
  t.strictSame(r.taken, [])
  t.match(
    r.refused.map(({ at, reason }) => `${at}: ${reason}`),
    [
      /^invstOrSec 1: not a corporate issuer: issuer category MUN, a municipality/,
      /sovereign/,
      /USGSE/,
      /collateralized/,
      /common equity/,
      /cash fund/,
      /repurchase/,
      /short/,
      /short/,
      /units NC/,
      /category OTHER, described as "derivative"/,
      /category OTHER, described as "Mortgage loan pool"/,
    ],
  )
  t.match(r.refused[0]!.raw, /^<invstOrSec><name>Acme &amp; Sons Corp<\/name>/)
})

t.test('REITs described in words and loans are corporate debt', async t => {
  const r = await reading(
    nport,
    report([
      holding({ issuer: '<issuerConditional desc="REIT" issuerCat="OTHER"/>' }),
      holding({
        asset: '<assetCat>LON</assetCat>',
        title: 'Acme Term Loan B',
        cusip: 'N/A',
        debt: debt('2029-01-01', 'Floating', '9.1'),
      }),
      holding({
        asset: '<assetConditional assetCat="OTHER" desc="Bank Loan"/>',
        title: 'Acme Revolver',
        cusip: '000000000',
        debt: debt('2027-01-01', 'Variable', '8.2'),
      }),
    ]),
  )
  t.strictSame(
    rowsFor(r, 'bonds').map(v => [v['bond_id'], v['instrument_type'], v['rate_structure']]),
    [
      [null, null, null],
      ['ACME & SONS CORP|ACME TERM LOAN B||2029-01-01|USD', 'term_loan_b', 'floating'],
      ['ACME & SONS CORP|ACME REVOLVER||2027-01-01|USD', 'revolver', 'floating'],
    ],
  )
})

t.test('a foreign bond is priced in its own currency and identified by its ISIN', async t => {
  const r = await reading(
    nport,
    report([
      holding({
        cusip: '000000000',
        isin: 'XS2103218538',
        balance: '650000',
        value: '606468.07',
        currency: '<currencyConditional curCd="EUR" exchangeRt="0.92208400"/>',
      }),
    ]),
  )
  t.match(rowsFor(r, 'prices'), [
    { cusip: null, isin: 'XS2103218538', bond_id: null, price: 86.033001, currency: 'EUR' },
  ])
})

t.test('a US ISIN contains the CUSIP; an invalid identifier is ignored', async t => {
  const r = await reading(
    nport,
    report([
      holding({ cusip: '000000000', isin: 'US0378331005' }),
      holding({ cusip: '037833101', isin: 'US0378331006' }),
    ]),
  )
  t.strictSame(
    rowsFor(r, 'bonds').map(v => [v['cusip'], v['isin'], v['bond_id']]),
    [
      ['037833100', 'US0378331005', null],
      [null, null, 'ACME & SONS CORP|ACME CORP|4.5|2030-06-15|USD'],
    ],
  )
})

t.test('without a balance or value the bond is taken without a price', async t => {
  const r = await reading(
    nport,
    report([
      holding({ balance: '0' }),
      holding({
        value: '0.00',
        debt: debt('2024-01-01', 'Fixed', '9').replace('<isDefault>N', '<isDefault>Y'),
      }),
      holding({ value: '98123000' }),
    ]),
  )
  t.equal(rowsFor(r, 'prices').length, 0)
  t.strictSame(
    rowsFor(r, 'bonds').map(v => v['status']),
    [null, 'defaulted'],
  )
  t.match(r.refused, [{ at: 'invstOrSec 3', reason: /98123.00 % of par/ }])
  t.match(r.notes.join(' '), /2 holdings have no price/)
})

t.test('a paper without coupons has coupon zero, unless it states a rate', async t => {
  const r = await reading(
    nport,
    report([
      holding({ debt: debt('2030-01-01', 'None', '0') }),
      holding({ debt: debt('2030-01-01', 'None', '5.1') }),
    ]),
  )
  t.strictSame(
    rowsFor(r, 'bonds').map(v => [v['coupon_rate'], v['rate_structure']]),
    [
      [0, 'zero'],
      [null, null],
    ],
  )
})

const universe = (accrued: (coupon: number) => number) =>
  Array.from({ length: 12 }, (_, i) => {
    const price = 95.123 + i * 0.731 + accrued(4 + i / 8)
    return holding({
      balance: '10000000',
      value: (price * 100_000).toFixed(2),
      debt: debt('2031-06-15', 'Fixed', String(4 + i / 8)),
    })
  })

t.test('three-decimal prices show whether values are clean or dirty', async t => {
  const clean = await reading(nport, report(universe(() => 0)))
  t.match(clean.notes, [/MADE UP TRUST, Bond Fund, holdings of 2023-03-31: clean prices: 12 of 12/])
  // 15 December to 31 March is 106 days of 30/360.
  const dirty = await reading(nport, report(universe(coupon => (coupon * 106) / 360)))
  t.match(dirty.notes, [/dirty.*12 of 12/])
  t.strictSame([...new Set(rowsFor(dirty, 'prices').map(v => v['price_basis']))], ['dirty'])
})

t.test('a report is read whatever precedes it, with any prefix, in chunks of any size', async t => {
  const holdings = [holding({ title: 'Société Générale' }), holding({ asset: '<assetCat>EC</assetCat>' })]
  const plain = await reading(nport, report(holdings))
  for (const text of [`\n${report(holdings)}`, `\uFEFF${report(holdings)}`, report(holdings, 'nport')])
    for (const chunk of [1, 7, 65_536]) {
      t.ok(nport.recognises(sourceOf(text)))
      t.strictSame(await reading(nport, text, {}, chunk), plain)
    }
})

t.test('a truncated report, or one without a date, is refused whole', async t => {
  const text = report([holding({})])
  await t.rejects(reading(nport, text.slice(0, -40)), { name: 'Refused', message: /not well-formed/ })
  await t.rejects(reading(nport, text.replace(/<repPdDate>.*<\/repPdDate>/, '')), { message: /repPdDate/ })
})

t.test('--known-from overrides the known day of a report', async t => {
  const r = await reading(nport, report([holding({})]), { known_from: '2023-05-26' })
  t.equal(rowsFor(r, 'prices')[0]!['known_from'], '2023-05-26')
})

t.test("a nested derivative does not change a holding's name", async t => {
  const inner =
    '<derivativeInfo><swapDeriv><derivAddlInfo><name>Inner</name><cusip>594918104</cusip></derivAddlInfo></swapDeriv></derivativeInfo>'
  const r = await reading(nport, report([holding({ debt: debt('2030-06-15', 'Fixed', '4.5') + inner })]))
  t.match(rowsFor(r, 'bonds'), [{ cusip: '037833100', issuer_name: 'Acme & Sons Corp' }])
})

t.test('a bond in default or in arrears is defaulted, a payment-in-kind one is not', async t => {
  const paper = debt('2030-01-01', 'Fixed', '9')
  const r = await reading(
    nport,
    report([
      holding({ debt: paper.replace('<isDefault>N', '<isDefault>Y') }),
      holding({ debt: paper.replace('<areIntrstPmntsInArrs>N', '<areIntrstPmntsInArrs>Y') }),
      holding({ debt: paper.replace('<isPaidKind>N', '<isPaidKind>Y') }),
    ]),
  )
  const date = rowsFor(r, 'prices')[0]?.['price_date']
  t.strictSame(
    rowsFor(r, 'bonds').map(v => [v['status'], v['status_date']]),
    [
      ['defaulted', date],
      ['defaulted', date],
      [null, null],
    ],
    'on the day of the holdings, which is known only later',
  )
})

t.test('a report whose coupons are all fractions is read in percent, and says so', async t => {
  const rated = (rates: readonly number[]) =>
    report(rates.map(rate => holding({ debt: debt('2030-06-15', 'Fixed', String(rate)) })))
  const couponsOf = async (rates: readonly number[]) => {
    const r = await reading(nport, rated(rates))
    return [rowsFor(r, 'bonds').map(v => v['coupon_rate']), r.notes.filter(note => /coupons are/.test(note))]
  }
  const fractions = [0.0525, 0.04125, 0.03, 0.0175, 0.06, 0.0715, 0.05, 0.045, 0.0333, 0.025]
  t.strictSame(await couponsOf(fractions), [
    [5.25, 4.125, 3, 1.75, 6, 7.15, 5, 4.5, 3.33, 2.5],
    [
      'MADE UP TRUST, Bond Fund, holdings of 2023-03-31: coupons are fractions (0.0715 at most), read as percent',
    ],
  ])
  t.strictSame(await couponsOf([...fractions, 4.5]), [[...fractions, 4.5], []], 'percent, if any is above')
  t.strictSame(await couponsOf([0.25, 0.125]), [[0.25, 0.125], []], 'a few low coupons are what they say')
})
