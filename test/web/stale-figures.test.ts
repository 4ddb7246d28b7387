import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { builtLake } from '../built-lake.ts'
import type { Rows } from '../make-lake.ts'
import { patient, serving } from '../server/serving.ts'
import { accessible, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')

const timeout = 900_000
t.setTimeout(timeout)

const MILLION = 1_000_000_00

/** Its newest statement is of two and a half years before. */
const rows: Rows = {
  companies: [
    { ticker: 'AGED', name: 'AGED Corp', cik: '0000000061', sector: 'Energy' },
    { ticker: 'NORD', name: 'NORD Ltd', cik: '0000000062', sector: 'Energy' },
  ],
  financials: [
    {
      ticker: 'AGED',
      fiscal_year: 2022,
      fiscal_quarter: 4,
      period_months: 12,
      period_end_date: '2022-12-31',
      filed_date: '2023-02-10',
      known_from: '2023-02-10',
      ebitda: 100 * MILLION,
      total_debt: 400 * MILLION,
    },
    {
      ticker: 'NORD',
      fiscal_year: 2024,
      fiscal_quarter: 4,
      period_months: 12,
      period_end_date: '2024-12-31',
      filed_date: '2025-02-10',
      known_from: '2025-02-10',
      currency: 'CAD',
      ebitda: 100 * MILLION,
      total_debt: 300 * MILLION,
    },
  ],
}

t.test(
  'the page of a company with old figures says of when they are, and shows them',
  { skip, timeout },
  async t => {
    const lake = await builtLake(t.teardown, rows, { asOf: '2025-06-30' })
    const { url } = await serving(t, ['--demo', ...patient, '--lake', lake.root])
    const browser = await openBrowser()
    t.teardown(() => browser.close())
    const { page, wrong } = await watched(browser, url)
    page.setDefaultTimeout(300_000)
    const metric = (name: string) =>
      page.getByRole('group', { name: 'Metrics' }).getByRole('button', { name })

    await page.goto(`${url}/#/company/AGED`)
    await page.getByText('The newest figures are of 2022-12-31').waitFor()
    t.match(await metric('Total debt').textContent(), '–')
    t.equal(await page.getByText('max_age=none').count(), 0, 'without the words of the API')
    t.equal(await page.getByRole('list', { name: 'Caveats' }).getByText('leverage is null').count(), 0)
    const liquidity = page.locator('section', { hasText: 'Liquidity and headroom' })
    await liquidity.getByText('The newest statements, of 2022-12-31, are too old to count').waitFor()
    await page.getByRole('button', { name: 'EBITDA FY2022' }).waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.waitForURL(/max_age=none/)
    await page.getByText('these are of 2022-12-31').waitFor()
    await page.getByText('Figures of statements are of 2022-12-31, 912 days before').waitFor()
    t.equal(await page.getByText('are too old to count').count(), 0, 'liquidity counts them too')
    t.match(await metric('Total debt').textContent(), '$400')
    t.match(await metric('Leverage ratio').first().textContent(), '4.0x')
    await accessible(t, page, 'old figures')
    await page.getByRole('button', { name: 'Hide old ones' }).click()
    await page.getByText('The newest figures are of 2022-12-31').waitFor()
    t.notMatch(page.url(), 'max_age')
    t.match(await metric('Rating bucket').textContent(), 'not rated')

    await page.goto(`${url}/#/compare?tickers=AGED,NORD`)
    await page.getByText('Figures too old to stand for today are left out: AGED 2022-12-31.').waitFor()
    const debt = page.getByRole('row', { name: /^Total debt/ })
    t.equal(await debt.getByTitle('the newest statements, of 2022-12-31, are too old').count(), 1)
    t.match(await debt.textContent(), '300mm CAD', 'in its own currency')
    t.match(await page.getByRole('row', { name: /^Rating bucket/ }).textContent(), 'not rated')
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByText('Figures of any age are shown').waitFor()
    await debt.getByText('$400').waitFor()
    await accessible(t, page, 'a comparison of old figures')

    await page.goto(`${url}/#/screen/bonds?min_ytm=0.05`)
    await page.getByText('min_ytm is in percent: 0.05 is 0.05%; for 5% write 5').waitFor()
    await accessible(t, page, 'a screen with a warning')
    t.strictSame(wrong, [])
  },
)
