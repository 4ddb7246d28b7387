import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { byNight } from '../by-night.ts'
import { testFolder } from '../folder.ts'
import { copySample } from '../sample-lake.ts'
import { demoKeyOf, patient, serving, until } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 600_000
t.setTimeout(timeout)

t.test('companies stand side by side, and the page moves through days', { skip, timeout }, async t => {
  const lake = testFolder(t)
  await copySample(lake)
  const { url, err } = await serving(t, ['--demo', ...patient, '--lake', lake])
  const key = await demoKeyOf({ err })
  const asked = await fetch(`${url}/v1/companies?limit=7&sort=ticker&fields=ticker`, {
    headers: { 'X-API-Key': key! },
  })
  const tickers = ((await asked.json()) as { data: { ticker: string }[] }).data.map(({ ticker }) => ticker)
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url)
  page.setDefaultTimeout(300_000)
  const table = page.getByRole('region', { name: 'Companies side by side' })
  const columns = () => table.locator('thead a').count()

  await t.test('six companies at most, each removed at a click', async t => {
    await page.goto(`${url}/#/compare?tickers=${tickers.join(',')}`)
    await page.getByText('The first 6 of 7 are shown').waitFor()
    await table.waitFor()
    t.equal(await columns(), 6)
    t.match(await table.getByRole('row', { name: /^Total debt/ }).textContent(), /\$/)
    await table.getByRole('row', { name: /^Next to mature .*\d\d\/\d\d\/\d\d/ }).waitFor()
    t.match(await table.getByRole('row', { name: /^Next to mature/ }).textContent(), /\d\d\/\d\d\/\d\d/)
    await table.getByRole('row', { name: /^Spread 5Y .*\+\d/ }).waitFor()
    await table.getByRole('row', { name: /^Cover 24m .*x/ }).waitFor()
    await table
      .getByRole('row', { name: /^(S&P|Moody’s|Fitch) .*(Stable|Negative|Positive)/ })
      .first()
      .waitFor()
    await page.getByRole('img', { name: /^Spread to Treasury by tenor of each company/ }).waitFor()
    await accessible(t, page, 'the comparison')
    await keep(page, 'compare')
    await page.getByRole('button', { name: `Remove ${tickers[0]}` }).click()
    await until(async () => (await columns()) === 5)
    t.equal(new URL(page.url()).hash, `#/compare?tickers=${tickers.slice(1, 6).join(',')}`)
    await page.getByRole('textbox', { name: 'Tickers to add' }).fill('NONESUCH')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Leave out NONESUCH' }).click()
    await until(async () => (await columns()) === 5)
    t.strictSame(
      wrong.splice(0).filter(text => !/status of 404/.test(text)),
      [],
    )
  })

  await t.test('the slider changes the as-of day of the page, and stops at the newest', async t => {
    await page.getByRole('button', { name: 'Days' }).click()
    const slider = page.getByRole('slider', { name: 'As-of day' })
    await slider.waitFor()
    t.ok(await page.getByRole('button', { name: 'Day on' }).isDisabled(), 'the newest day')
    await accessible(t, page, 'the slider of days')
    await page.getByRole('button', { name: 'Week back' }).click()
    await page.waitForURL(/as_of=2\d{3}-\d\d-\d\d/)
    const day = new URLSearchParams(page.url().split('?')[1]).get('as_of')!
    await page.getByRole('heading', { name: `As of ${day}` }).waitFor()
    if (byNight) {
      await slider.press('ArrowLeft')
      await page.waitForURL(address => !address.href.includes(day))
    }
    await page.getByRole('button', { name: 'Quarter on' }).click()
    await page.waitForURL(address => !address.href.includes('as_of'))
  })

  t.strictSame(wrong, [])
})
