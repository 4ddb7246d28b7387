import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { builtLake } from '../built-lake.ts'
import { type Rows, twoIssuers } from '../make-lake.ts'
import { serving } from '../server/serving.ts'
import { openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 400_000
t.setTimeout(timeout)

const DAY = '2025-06-02'
const ACCESSION = '0000000002-25-000009'

/** A company with only one list of holdings and one filing, on a single day: no amounts, no ratings, no history. */
const rows: Rows = {
  companies: twoIssuers['companies']!,
  treasury_yields: twoIssuers['treasury_yields']!,
  bonds: [
    ['000000AA7', '2028-06-02'],
    ['000000BB4', '2030-06-02'],
    ['000000CC1', '2030-06-02'],
  ].map(([cusip, maturity_date]) => ({
    cusip,
    ...(cusip === '000000CC1'
      ? {
          name: 'Gamma 2030',
          issuer_name: 'Gamma Inc',
          call_schedule: '[{"date":"2028-06-02","price":101.5}]',
          put_schedule: '[{"date":"2027-06-02"}]',
          sinking_schedule: '[{"date":"2026-06-02","percent":20},{"date":"2029-06-02","percent":30}]',
        }
      : { name: `Beta ${maturity_date}`, ticker: 'BETA' }),
    coupon_rate: 5,
    rate_type: 'fixed',
    seniority: 'senior_unsecured',
    maturity_date,
    currency: 'USD',
    known_from: DAY,
  })),
  prices: ['000000AA7', '000000BB4', '000000CC1'].map(cusip => ({
    cusip,
    price_date: DAY,
    price: cusip === '000000CC1' ? 3 : 99,
    price_source: 'fund_mark',
    known_from: DAY,
  })),
  ratings: [{ ticker: 'BETA', agency: 'sp', rating: 'BBB', known_from: DAY }],
  facts: (
    [
      ['LongTermDebtNoncurrent', 300_000_000, null],
      ['Assets', 900_000_000, null],
      ['Revenues', 480_000_000, '2024-01-01'],
      ['OperatingIncomeLoss', 90_000_000, '2024-01-01'],
    ] as const
  ).map(([concept, value, period_start]) => ({
    cik: '0000000002',
    concept: `us-gaap:${concept}`,
    unit: 'USD',
    period_start,
    period_end: '2024-12-31',
    value,
    accession: ACCESSION,
    form: '10-K',
    report_date: '2024-12-31',
    filed_date: '2025-02-20',
    known_from: '2025-02-20',
    source: '/srv/loaded/facts.json:us-gaap 1',
  })),
}

t.test('unknown values are counted or named, never drawn as zero', { skip, timeout }, async t => {
  const lake = await builtLake(t.teardown, rows)
  const { url } = await serving(t, ['--demo', '--lake', lake.root])
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url, { viewport: { width: 1280, height: 2400 } })
  page.setDefaultTimeout(60_000)

  await page.goto(`${url}/#/company/BETA`)
  await page.getByRole('heading', { name: 'Maturity wall, number of issues' }).waitFor()
  const structure = page.getByRole('region', { name: 'Capital structure' })
  t.match(await structure.textContent(), /2 of 2 have no known amount/)
  t.notMatch(await structure.textContent(), /0\.0/)
  const wall = page.locator('figure', { hasText: 'Maturity wall' })
  await wall.getByRole('button', { name: 'Figures' }).click()
  t.strictSame(await wall.locator('tbody tr').allTextContents(), [
    '2025–',
    '2026–',
    '2027–',
    '20281',
    '2029–',
    '20301',
    '2031 on–',
  ])
  t.match(
    await page.getByRole('region', { name: 'Ratings' }).textContent(),
    /S&PBBB/,
    'a letter without a day',
  )
  t.match(await page.getByRole('group', { name: 'Metrics' }).textContent(), /Entity count–/)

  await page
    .getByRole('group', { name: 'Metrics' })
    .getByRole('button', { name: /^Total debt/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Long term debt noncurrent' }).waitFor()
  const explained = (await dialog.textContent())!
  t.match(explained, /\$300mm/)
  t.match(explained, /facts\.json/)
  t.notMatch(explained, /\/srv\/loaded/)
  t.match(
    await dialog.getByRole('link', { name: /filed/ }).first().getAttribute('href'),
    'https://www.sec.gov/Archives/edgar/data/2/000000000225000009/',
  )
  await page.getByRole('button', { name: 'Close' }).click()

  await page.goto(`${url}/#/bond/000000CC1`)
  await page.getByText('No yield: it is priced for default, at recovery value').waitFor()

  const redemptions = page.getByRole('region', { name: 'Redemption before maturity' })
  await redemptions.locator('tbody tr').first().waitFor()
  t.strictSame(await redemptions.locator('tbody tr').allTextContents(), [
    '2026-06-02Sinking payment20.000%',
    '2027-06-02Put100.000',
    '2028-06-02Call101.500',
    '2029-06-02Sinking payment30.000%',
  ])
  await page.getByText('Its issuer is not linked to a company.').first().waitFor()

  await page.goto(`${url}/#/market`)
  await page.getByText('Spreads to Treasury from the bonds of each company').waitFor()
  await page.locator('.chart canvas').nth(1).waitFor()
  // The lake begins less than a year before, so changes since then are unknown.
  t.strictSame(
    wrong.filter(text => !/404/.test(text)),
    [],
  )
})
