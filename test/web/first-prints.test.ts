import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { builtLake } from '../built-lake.ts'
import type { Rows } from '../make-lake.ts'
import { patient, serving, until } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')

const timeout = 900_000
t.setTimeout(timeout)

/** The annual report of 2024, or an amendment of it; amounts in millions. */
const annual = (filed: string, form: string, ebit: number, debt: number) =>
  (
    [
      ['OperatingIncomeLoss', ebit, '2024-01-01'],
      ['DepreciationDepletionAndAmortization', 20, '2024-01-01'],
      ['Revenues', 500, '2024-01-01'],
      ['LongTermDebtNoncurrent', debt, null],
    ] as const
  ).map(([concept, millions, period_start]) => ({
    cik: '0000000022',
    concept: `us-gaap:${concept}`,
    unit: 'USD',
    period_start,
    period_end: '2024-12-31',
    value: millions * 1e6,
    accession: `TWCE-${filed}`,
    form,
    fiscal_year: 2024,
    filed_date: filed,
    known_from: filed,
    source: `${filed}.json`,
  }))

/** Leverage was 3.0 as first reported, and is 6.0 after the amendment. */
const rows: Rows = {
  companies: [{ ticker: 'TWCE', name: 'TWCE Corp', cik: '0000000022', sector: 'Energy' }],
  facts: [...annual('2025-02-10', '10-K', 80, 300), ...annual('2025-05-12', '10-K/A', 40, 360)],
}

t.test(
  'a reader sees figures as first reported, on every page and in every copy',
  { skip, timeout },
  async t => {
    const lake = await builtLake(t.teardown, rows, { asOf: '2025-06-30' })
    const { url } = await serving(t, ['--demo', '--enable-sql', ...patient, '--lake', lake.root])
    const browser = await openBrowser()
    t.teardown(() => browser.close())
    const { page, wrong } = await watched(browser, url)
    page.setDefaultTimeout(300_000)
    const leverage = (text: string) => page.getByRole('grid', { name: 'Companies' }).getByText(text).first()

    await page.goto(`${url}/#/screen/companies`)
    await leverage('6.0x').waitFor()
    t.equal(
      await page.getByRole('button', { name: /^First prints/ }).count(),
      0,
      'nothing is said of the usual',
    )

    await t.test('they are chosen by keyboard beside the day, and are in the URL', async t => {
      const days = page.getByRole('button', { name: 'Days', exact: true })
      await days.focus()
      await page.keyboard.press('Enter')
      const box = page.getByRole('checkbox', { name: /^First prints/ })
      await box.focus()
      await page.keyboard.press('Space')
      await page.waitForURL(/reported=original/)
      t.ok(await box.isChecked())
      await leverage('3.0x').waitFor()
      // Rows of the query before are drawn faded.
      await until(() => page.evaluate(`!document.querySelector('[data-stale]')`))
      await accessible(t, page, 'the menu of days')
      await page.keyboard.press('Escape')
      await leverage('3.0x').waitFor()
      t.match(await page.locator('p.count').textContent(), 'as first reported')
      await keep(page, 'first-prints')
    })

    await t.test('with an earlier day they are one state of the page', async t => {
      const day = page.getByRole('textbox', { name: 'As of', exact: true })
      await day.fill('2025-06-10')
      await page.keyboard.press('Enter')
      await page.waitForURL(/as_of=2025-06-10/)
      t.match(page.url(), 'reported=original')
      await leverage('3.0x').waitFor()
    })

    await t.test('copies in HTTP, commands and SQL ask for the same figures', async t => {
      await page.getByRole('button', { name: 'Copy as' }).click()
      const copied = async (name: string) => {
        await page.getByRole('button', { name, exact: true }).click()
        return (await page.locator('pre.copy').textContent())!
      }
      t.match(await copied('URL'), /as_of=2025-06-10&reported=original/)
      t.match(await copied('CLI'), '--as-of 2025-06-10 --reported original')
      t.match(await copied('Python'), '"reported": "original"')
      const sql = await copied('SQL')
      t.match(sql, 'FROM companies_by_age\nWHERE is_original\n  AND 456 BETWEEN max_age_from AND max_age_to')
      await page.keyboard.press('Escape')
      const own = await fetch(`${url}/v1/sql`, { method: 'POST' })
      t.equal(own.status, 401)
      await page.goto(`${url}/#/sql?${new URLSearchParams({ sql, as_of: '2025-06-10' })}`)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.locator('.answer').getByText(/^3\.0/).first().waitFor()
    })

    await t.test('the page of a company keeps them, and lists without first prints say so', async t => {
      await page.goto(`${url}/#/screen/companies?reported=original`)
      await page.getByRole('link', { name: 'TWCE', exact: true }).first().click()
      await page.getByText('figures as first reported').waitFor()
      t.match(page.url(), 'reported=original')
      await page.goto(`${url}/#/screen/ratings?reported=original`)
      await page.getByText('these have no first prints').waitFor()
      await accessible(t, page, 'a screen without first prints')
    })

    await t.test('a button of the bar goes back to the latest figures', async t => {
      await page.goto(`${url}/#/screen/companies?reported=original`)
      await leverage('3.0x').waitFor()
      await page.getByRole('button', { name: 'First prints: back to the latest figures' }).click()
      await leverage('6.0x').waitFor()
      t.notMatch(page.url(), 'reported')
    })
    t.strictSame(wrong, [])
  },
)
