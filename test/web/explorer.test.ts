import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { operationCommands } from '../../cli/operation-commands.ts'
import { screens } from '../../server/web/pages/screen/screens.ts'
import { wordsOf } from '../../server/web/show/words.ts'
import { oneOf } from '../by-night.ts'
import { testFolder } from '../folder.ts'
import { copySample } from '../sample-lake.ts'
import { demoKeyOf, patient, serving, until } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')

// It makes the sample first, and draws every page three times: minutes on a busy machine.
const timeout = 1_800_000
t.setTimeout(timeout)

t.test('a user walks through the explorer, over the sample', { skip, timeout }, async t => {
  const lake = testFolder(t)
  await copySample(lake)
  const { url, err } = await serving(t, ['--demo', '--enable-sql', ...patient, '--lake', lake])
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url)
  page.setDefaultTimeout(300_000)
  const grid = (name: string) => page.getByRole('grid', { name })
  const cells = (name: string) => grid(name).getByRole('gridcell')
  const go = (hash: string) => page.goto(`${url}/${hash}`)
  const rows = async () => Number((await page.locator('.count strong').textContent())!.replaceAll(',', ''))

  /** Waits for the rows of this query rather than the previous one. The page's policy refuses waiting by a function. */
  const settled = () =>
    until(() =>
      page.evaluate(
        `/\\d/.test(document.querySelector('.count strong').textContent) && !document.querySelector('[data-stale]')`,
      ),
    )

  await t.test('the first page is the screen of companies, signed in to the demo account', async t => {
    await go('')
    await cells('Companies').first().waitFor()
    t.equal(await rows(), 253)
    t.match(await page.locator('.who').textContent(), 'Demo account')
    await page.getByRole('checkbox', { name: /Energy/ }).waitFor()
    await accessible(t, page, 'the screen')
  })

  await t.test('filters and sort are in the URL, and a link restores them', async t => {
    await page.getByRole('checkbox', { name: /Energy/ }).check()
    await page.getByRole('textbox', { name: 'Leverage ratio, least', exact: true }).fill('4')
    await page.keyboard.press('Enter')
    await page.waitForURL(/min_leverage=4/)
    await page.getByRole('button', { name: 'Leverage ratio' }).first().click()
    await page.waitForURL(/sort=-leverage_ratio/)
    await grid('Companies')
      .getByRole('columnheader', { name: /^Leverage ratio/ })
      .waitFor()
    await settled()
    const narrowed = await rows()
    t.ok(narrowed > 0 && narrowed < 60)
    const first = await cells('Companies').first().textContent()
    const address = page.url()
    await go('#/search')
    await page.goto(address)
    await cells('Companies').first().waitFor()
    t.equal(await rows(), narrowed)
    t.equal(await cells('Companies').first().textContent(), first)
  })

  await t.test('every screen has rows, and is a command that exists', async t => {
    for (const { resource, command, isComputed } of oneOf(3, screens)) {
      const name = wordsOf(resource.name)
      await go(`#/screen/${resource.name}`)
      await cells(name).first().waitFor()
      t.ok((await rows()) > 0, name)
      await page.getByRole('button', { name: 'Copy as' }).click()
      await page.getByRole('button', { name: 'CLI', exact: true }).click()
      t.ok((await page.locator('pre.copy').textContent())!.startsWith(`tranche ${command} `), `${name}: CLI`)
      t.ok(
        operationCommands.some(({ word }) => word === command),
        `tranche ${command}`,
      )
      const sql = await page.getByRole('button', { name: 'SQL', exact: true }).count()
      t.equal(sql, isComputed ? 0 : 1, 'in SQL, if it is a table')
      await page.keyboard.press('Escape')
    }
    await accessible(t, page, 'a screen of computed rows')
  })

  await t.test('list parameters other than columns have controls, and are in the URL', async t => {
    const statement = async () => {
      await page.getByRole('button', { name: 'Copy as' }).click()
      await page.getByRole('button', { name: 'SQL', exact: true }).click()
      const text = await page.locator('pre.copy').textContent()
      await page.keyboard.press('Escape')
      return text
    }
    await go('#/screen/financials')
    await cells('Financials').first().waitFor()
    const quarters = await rows()
    await page.getByRole('textbox', { name: 'Period', exact: true }).fill('TTM')
    await page.keyboard.press('Enter')
    await page.waitForURL(/period=TTM/)
    // The URL changes before the rows are requested.
    await until(async () => (await rows()) < quarters)
    await settled()
    t.ok((await rows()) > 0, 'some are trailing')
    t.match(await statement(), "basis IN ('ttm')\n  AND is_latest IN (true)\n  AND is_newest IN (true)")
    await page.getByRole('group', { name: 'Reported' }).getByRole('button', { name: 'Original' }).click()
    await page.waitForURL(/reported=original/)
    t.match(await statement(), 'is_original IN (true)')

    await go('#/screen/pricing')
    await cells('Pricing').first().waitFor()
    await page.getByRole('group', { name: 'Aggregation' }).getByRole('button', { name: 'Weekly' }).click()
    await page.waitForURL(/aggregation=weekly/)
    await grid('Pricing').getByRole('columnheader', { name: 'Date', exact: true }).waitFor()
    const from = page.getByRole('textbox', { name: 'Date from' })
    await from.fill('2025-02-30')
    t.equal(await from.getAttribute('aria-invalid'), 'true')
    await from.fill('2025-07-14')
    await page.waitForURL(/date_from=2025-07-14/)
    await page.getByRole('button', { name: 'Date from 2025-07-14: remove' }).waitFor()
    await settled()
    const [day] = await grid('Pricing')
      .getByRole('gridcell', { name: /^2025-07-/ })
      .allTextContents()
    t.ok(day! >= '2025-07-14', String(day))
    const address = page.url()
    await go('#/screen/ratings?latest=true')
    await cells('Ratings').first().waitFor()
    t.match(await statement(), 'QUALIFY row_number() OVER (PARTITION BY company_id, agency')
    await page.goto(address)
    await grid('Pricing').getByRole('columnheader', { name: 'Date', exact: true }).waitFor()
    await accessible(t, page, 'the screen of prices')
    await keep(page, 'pricing')
    await go('#/screen/companies?sector=Energy&min_leverage=4&sort=-leverage_ratio')
    await cells('Companies').first().waitFor()
  })

  await t.test('a screen is copied for every interface, and downloaded', async t => {
    await page.getByRole('button', { name: 'Copy as' }).click()
    for (const [name, says] of [
      ['curl', 'X-API-Key: $TRANCHE_KEY'],
      ['CLI', 'tranche companies --sector Energy --min-leverage 4'],
      ['SQL', 'leverage_ratio >= 4'],
      ['Python', 'pandas.read_parquet'],
    ] as const) {
      await page.getByRole('button', { name, exact: true }).click()
      t.match(await page.locator('pre.copy').textContent(), says)
    }
    await keep(page, 'copy-as')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Download' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^CSV/ }).click(),
    ])
    t.equal(file.suggestedFilename(), 'companies.csv')
    const [book] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Excel/ }).click(),
    ])
    t.equal(book.suggestedFilename(), 'companies.xlsx')
    t.equal(readFileSync(await book.path(), 'latin1').slice(0, 2), 'PK')
    await page.keyboard.press('Escape')
  })

  await t.test('columns are chosen, and arrow keys move between cells', async t => {
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'CIK' }).check()
    await page.keyboard.press('Escape')
    await grid('Companies').getByRole('columnheader', { name: 'CIK' }).waitFor({ state: 'attached' })
    await grid('Companies').focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key)
    await page.locator('[data-active][id$="-1-1"]').waitFor()
    t.match(await page.locator('[data-active]').getAttribute('id'), /-1-1$/)
  })

  await t.test('a company page opens, and a figure shows its sources', async t => {
    const link = cells('Companies').first().getByRole('link')
    const ticker = (await link.textContent())!
    await link.click()
    await page.waitForURL(url => url.hash.startsWith(`#/company/${ticker}`))
    await page.getByRole('heading', { level: 1 }).waitFor()
    // The tile: figures of its history have the same name with their quarter.
    await page.getByRole('button', { name: /^Leverage ratio \d/ }).click()
    await page.getByRole('dialog').getByText('total_debt', { exact: false }).first().waitFor()
    await keep(page, 'explain')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('heading', { name: 'Covenants' }).waitFor()
    await page.getByRole('heading', { name: 'Changes and filings' }).scrollIntoViewIfNeeded()
    await page.getByRole('region', { name: 'Changes' }).waitFor()
    await page.locator('.chart canvas').nth(2).waitFor()
    await accessible(t, page, 'a company')
  })

  await t.test('a chart is available as a table', async t => {
    const wall = page.locator('figure', { hasText: 'Maturity wall' })
    await wall.getByRole('button', { name: 'Figures' }).click()
    t.match(await wall.locator('tbody tr').first().textContent(), /^20\d\d/)
  })

  await t.test('the as-of day applies to every page', async t => {
    await go('#/screen/companies')
    await cells('Companies').first().waitFor()
    await page.getByLabel('As of').fill('2024-06-28')
    await page.getByText('as of 2024-06-28').waitFor()
    await page.getByRole('link', { name: 'Market' }).click()
    await page.waitForURL(/#\/market.*as_of=2024-06-28/)
    await page.getByRole('button', { name: 'Latest' }).click()
    await page.waitForURL(url => !url.href.includes('as_of'))
    t.notMatch(page.url(), 'as_of')
  })

  await t.test(
    'the market page shows series, curves, heat map, movers, and rich and cheap bonds',
    async t => {
      await page.locator('.chart canvas').nth(2).waitFor()
      await page.getByRole('region', { name: 'Movers' }).getByRole('link').first().waitFor()
      await page.getByRole('button', { name: 'By sector' }).click()
      await page.getByRole('button', { name: '3Y' }).click()
      await page.waitForURL(/tenor=3Y/)
      await page.locator('.chart canvas').nth(2).waitFor()
      await page.getByRole('heading', { name: 'Fitted curves' }).scrollIntoViewIfNeeded()
      await page.getByRole('img', { name: /^Fitted spread by maturity/ }).waitFor()
      const furthest = page.getByRole('region', { name: 'Rich and cheap' })
      await furthest.getByRole('columnheader', { name: 'Cheap' }).waitFor()
      const residuals = (title: string) =>
        furthest.locator('table', { hasText: title }).locator('tbody td:nth-child(2)').allTextContents()
      const [cheap, rich] = [await residuals('Cheap'), await residuals('Rich')]
      t.equal(cheap.length, 8)
      t.ok(
        cheap.every(text => text.startsWith('+')) && rich.every(text => text.startsWith('−')),
        `${cheap} ${rich}`,
      )
      await page.getByRole('button', { name: 'Z-score' }).click()
      await furthest.getByRole('link').first().waitFor()
      await accessible(t, page, 'the market')
    },
  )

  await t.test('a bond page shows its residual to the curve, its cash flows and peers', async t => {
    await go('#/screen/bonds?seniority=senior_unsecured&rate_type=fixed&max_staleness=3')
    await cells('Bonds').first().waitFor()
    await keep(page, 'bonds')
    await grid('Bonds').getByRole('link').nth(2).click()
    await page.getByRole('heading', { name: 'Terms' }).waitFor()
    await grid('Peers').getByRole('gridcell').first().waitFor()
    await page.getByRole('heading', { name: /^Cash flows/ }).waitFor()
    await page.locator('.chart canvas').first().waitFor()
    await page.getByRole('heading', { name: 'Rich or cheap' }).scrollIntoViewIfNeeded()
    const value = page.getByRole('region', { name: 'Rich or cheap' })
    await value.getByText('Fitted spread').waitFor()
    await page.getByRole('img', { name: /fitted curve/ }).waitFor()
    await accessible(t, page, 'a bond')
  })

  await t.test('a slash focuses the search, and a section opens at the passage', async t => {
    await page.keyboard.press('/')
    await page.keyboard.type('change of control')
    await page.keyboard.press('Enter')
    await page.locator('.hits mark').first().waitFor()
    await page.getByRole('button', { name: 'Keyword' }).click()
    await page.waitForURL(/mode=keyword/)
    await page.locator('.hits .title').first().click()
    const passage = page.locator('.reader .text mark')
    await passage.waitFor()
    t.match((await passage.textContent())!.toLowerCase(), 'change of control')
    const address = page.url()
    await go('#/market')
    await page.goto(`${address}&offset=40`)
    await passage.waitFor()
    await page.goto(address)
    await page.locator('.hits mark').first().waitFor()
    await passage.waitFor()
    await accessible(t, page, 'the search')
    await keep(page, 'search')
    await page.route('**/v1/documents/search*', async route => {
      await new Promise(done => setTimeout(done, 2_000))
      await route.continue()
    })
    await go('#/search?q=maturity')
    await page.getByRole('status').getByText('Reading filings …').waitFor()
    const results = page.getByRole('region', { name: 'Results' })
    t.equal(await results.locator('[aria-busy=true] .hits').count(), 1, 'the results of the words before')
    await results.getByText(/\d sections/).waitFor()
    t.equal(await results.locator('[aria-busy=true]').count(), 0)
    await page.unroute('**/v1/documents/search*')
  })

  await t.test('SQL is completed from the schema, run, and charted', async t => {
    // After a start the tables of SQL are prepared first.
    const key = await demoKeyOf({ err })
    const body = JSON.stringify({ sql: 'SELECT 1' })
    const headers = { 'X-API-Key': key!, 'Content-Type': 'application/json' }
    await until(async () => (await fetch(`${url}/v1/sql`, { method: 'POST', headers, body })).ok)
    await go('#/sql')
    const editor = page.getByRole('textbox', { name: 'SQL statement' })
    await editor.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('SELECT seniority, count(*) AS n FROM bonds GROUP BY senior')
    await page
      .getByRole('option', { name: /seniority/ })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.type('ity')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Run' }).click()
    await cells('Result').first().waitFor()
    t.match(await grid('Result').textContent(), 'senior_unsecured')
    await page.getByRole('button', { name: 'Chart' }).click()
    await page.locator('.chart canvas').waitFor()
    await page.getByRole('combobox', { name: 'Across' }).selectOption('n')
    t.match(await page.locator('.answer').textContent(), /no figure to draw over this column/)
    await page.getByRole('button', { name: 'Choose the columns again' }).click()
    await page.locator('.chart canvas').waitFor()
    await accessible(t, page, 'SQL')
    await keep(page, 'sql')
    await page.getByRole('button', { name: 'Download' }).click()
    for (const [name, start] of [
      [/^CSV/, 'seniority,n'],
      [/^Excel/, 'PK'],
      [/^Parquet/, 'PAR1'],
    ] as const) {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name }).click(),
      ])
      t.match(readFileSync(await download.path(), 'latin1').slice(0, start.length), start, String(name))
    }
    await page.keyboard.press('Escape')
    t.strictSame(wrong, [], 'until here nothing went wrong')
    await editor.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('SELECT nope FROM bonds ')
    await page.getByRole('button', { name: 'Run' }).click()
    t.match(await page.getByRole('alert').textContent(), /nope/)
    // A refused statement is a 400, which Chromium writes to the console.
    await until(() => wrong.length)
    t.match(wrong.splice(0), [/400/])
  })

  await t.test('a key is created and regenerated, and the old one is refused', async t => {
    await go('#/account')
    await page.getByRole('textbox', { name: 'Label of a new key' }).fill('<img src=x onerror=alert(1)>')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const once = page.locator('.once code')
    await once.waitFor()
    const old = (await once.textContent())!
    const status = async (key: string) =>
      (await fetch(`${url}/v1/companies?limit=1`, { headers: { 'X-API-Key': key } })).status
    t.equal(await status(old), 200)
    const row = page.getByRole('row', { name: new RegExp(old.slice(0, 8)) })
    await row.getByRole('button', { name: /^Regenerate/ }).click()
    await row.getByRole('button', { name: 'Regenerate', exact: true }).click()
    await once.filter({ hasNotText: old }).waitFor()
    const anew = (await once.textContent())!
    t.equal(await status(old), 401)
    t.equal(await status(anew), 200)
    t.equal(await page.locator('img').count(), 0, 'a label is text')
    await page.getByRole('button', { name: 'I have it' }).click()
    t.notMatch(await page.content(), anew, 'a key is shown once')
    await page.locator('.chart canvas').waitFor()
    await accessible(t, page, 'the account')
  })

  await t.test('errors say what to do', async t => {
    await go('#/company/NOPE')
    t.match(await page.getByRole('alert').textContent(), /NOPE/)
    await until(() => wrong.length)
    t.match(wrong.splice(0), [/404/])
    await go('#/screen/bonds?min_coupon=99')
    await page.getByText('No rows match. Remove a filter, or widen its range.').waitFor()
    await page.getByText(/rows without min_coupon=99/).waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await cells('Bonds').first().waitFor()
  })

  await t.test("the theme follows the reader's choice", async t => {
    await page.getByRole('button', { name: 'Change to dark' }).click()
    await page.locator('html[data-theme=dark]').waitFor()
    await page.getByRole('checkbox').first().waitFor()
    await accessible(t, page, 'the dark screen')
    await keep(page, 'bonds-dark')
    await go('#/market')
    await page.locator('.chart canvas').nth(2).waitFor()
    await accessible(t, page, 'the dark market')
  })

  t.strictSame(wrong, [], 'no error on the console, no request to elsewhere')

  await t.test('a table of 25,000 rows scrolls to its end', async t => {
    const total = 25_317
    const offsets: number[] = []
    await page.route('**/v1/bonds?**', route => {
      const query = new URL(route.request().url()).searchParams
      const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))]
      offsets.push(offset)
      const data = Array.from({ length: Math.min(limit, total - offset) }, (_, i) => ({
        id: `b${offset + i}`,
        display_name: `Bond number ${offset + i}`,
      }))
      return route.fulfill({
        json: { data, meta: { total, as_of: '2025-06-30T23:59:59Z', filters_applied: {} } },
      })
    })
    await go('#/screen/bonds?min_coupon=1')
    const named = (i: number) => grid('Bonds').getByText(`Bond number ${i}`, { exact: true })
    await named(0).waitFor()
    t.equal(await rows(), total)
    const box = grid('Bonds')
    const scroll = (share: number) =>
      page.evaluate(`{
        const box = document.querySelector('[role=grid]')
        box.scrollTo(0, box.scrollHeight * ${share})
      }`)
    for (const share of [0.25, 0.5, 0.75]) {
      await scroll(share)
      await named(Math.round(total * share) + 5).waitFor()
      t.ok((await box.getByRole('row').count()) < 100, 'only rows in sight are drawn')
    }
    await box.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await scroll(1)
    await named(total - 1).waitFor()
    t.equal(await box.getByRole('row').last().getAttribute('aria-rowindex'), String(total + 1))
    t.ok(offsets.length < 20, `${offsets.length} pages were asked for`)
    await page.unroute('**/v1/bonds?**')
  })

  await t.test('the first load is small', async t => {
    const fresh = await watched(browser, url)
    fresh.page.setDefaultTimeout(300_000)
    const begun = Date.now()
    let bytes = 0
    const wire = await fresh.context.newCDPSession(fresh.page)
    await wire.send('Network.enable')
    wire.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength
    })
    await fresh.page.goto(url)
    await fresh.page.getByRole('gridcell').first().waitFor()
    const shown = Date.now() - begun
    await fresh.page.waitForLoadState('networkidle')
    t.comment(`first load: ${Math.round(bytes / 1000)} kB, rows after ${shown} ms`)
    t.ok(bytes < 300_000, `${bytes} bytes`)
    await fresh.context.close()
  })
})
