import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { testFolder } from '../folder.ts'
import { copySample } from '../sample-lake.ts'
import { demoKeyOf, patient, serving, until } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 600_000
t.setTimeout(timeout)

t.test('work stays in the account', { skip, timeout }, async t => {
  const lake = testFolder(t)
  await copySample(lake)
  const { url, err } = await serving(t, ['--demo', ...patient, '--lake', lake])
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url)
  page.setDefaultTimeout(300_000)
  const go = (hash: string) => page.goto(`${url}/${hash}`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const cells = (name: string) => page.getByRole('grid', { name }).getByRole('gridcell')

  await t.test('a screen with its filters is saved, found in the menu, and replaced by name', async t => {
    await go('#/screen/companies?min_leverage=4&sort=-leverage_ratio')
    await cells('Companies').first().waitFor()
    await button('Saved').click()
    await page.getByRole('textbox', { name: 'Name of this screen' }).fill('Levered')
    await accessible(t, page, 'the menu of saved screens')
    await button('Save').click()
    const link = page.getByRole('region', { name: 'Saved' }).getByRole('link', { name: 'Levered' })
    t.equal(await link.getAttribute('aria-current'), 'page')
    await go('#/screen/bonds')
    await cells('Bonds').first().waitFor()
    await button('Saved').click()
    await link.click()
    await page.waitForURL(/screen\/companies\?min_leverage=4&sort=-leverage_ratio$/)
    await cells('Companies').first().waitFor()
    await go('#/screen/companies?min_leverage=5')
    await button('Saved').click()
    await page.getByRole('textbox', { name: 'Name of this screen' }).fill('levered')
    await button('Replace Levered').click()
    await until(async () => (await link.getAttribute('href')) === '#/screen/companies?min_leverage=5')
  })

  await t.test('columns are saved by name, and shown again at a click', async t => {
    await go('#/screen/bonds?fields=cusip,pricing.ytm')
    await cells('Bonds').first().waitFor()
    await button('Columns').click()
    await page.getByRole('textbox', { name: 'Name of these columns' }).fill('Two')
    await button('Save').click()
    const preset = button('Two')
    t.equal(await preset.getAttribute('aria-pressed'), 'true')
    await button('Usual').click()
    await until(async () => (await preset.getAttribute('aria-pressed')) === 'false')
    await preset.click()
    await page.waitForURL(/fields=cusip,pricing\.ytm$/)
  })

  await t.test('saved work is renamed, exported, deleted after a question, and imported', async t => {
    await go('#/saved')
    const name = page.getByRole('textbox', { name: 'Name of Levered' })
    await name.fill('Highly levered')
    await name.press('Enter')
    await page.getByRole('textbox', { name: 'Name of Highly levered' }).waitFor()
    await accessible(t, page, 'saved work')
    await keep(page, 'saved')
    const [file] = await Promise.all([page.waitForEvent('download'), button('Export').click()])
    const path = join(testFolder(t), 'saved.json')
    await file.saveAs(path)
    const content = JSON.parse(await readFile(path, 'utf8')) as { screens: { name: string }[] }
    const screens = content.screens.filter(({ name }) => name === 'Highly levered')
    t.equal(content.screens.length, 4, "beside the demo's own")
    t.match(
      { ...content, screens },
      {
        version: 1,
        screens: [{ name: 'Highly levered', resource: 'companies', query: 'min_leverage=5' }],
        columns: [{ name: 'Two', fields: ['cusip', 'pricing.ytm'] }],
      },
    )
    for (const one of ['Highly levered', 'Two']) {
      await button(`Delete ${one}`).click()
      await page.getByText(`Delete ${one}`, { exact: true }).click()
      await page.getByRole('textbox', { name: `Name of ${one}` }).waitFor({ state: 'detached' })
    }
    await page.getByLabel('Import').setInputFiles(path)
    await page.getByText('Added 2; 3 of the same name stayed as they were.').waitFor()
    await page.getByRole('textbox', { name: 'Name of Highly levered' }).waitFor()
    const broken = join(testFolder(t), 'broken.json')
    await writeFile(broken, 'x')
    await page.getByLabel('Import').setInputFiles(broken)
    await page.getByText('This file is not JSON').waitFor()
  })

  const [ticker, cusip] = await anIssuerAndBond(url, err)

  await t.test('a company and a bond are watched from their pages, with a note', async t => {
    await go(`#/company/${ticker}`)
    await button('Watch').click()
    await page.getByRole('textbox', { name: 'Name of a new watchlist' }).fill('Desk')
    await button('Save').click()
    t.ok(await page.getByRole('checkbox', { name: 'Desk' }).isChecked())
    await accessible(t, page, 'the menu of watchlists')
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Note' }).fill('Call the treasurer')
    await button('Save the note').click()
    await page.getByText('demo@localhost,').waitFor()
    await go(`#/bond/${cusip}`)
    await button('Watch').click()
    const desk = page.getByRole('checkbox', { name: 'Desk' })
    await desk.click()
    await until(() => desk.isChecked())
    await go('#/saved')
    t.match(await page.getByRole('region', { name: 'Notes' }).textContent(), `${ticker}Call the treasurer`)
  })

  await t.test('the watchlist says what changed since the last look', async t => {
    await go('#/watch')
    const companies = page.getByRole('region', { name: 'Companies' })
    await companies.getByRole('link').first().waitFor()
    await page.getByRole('textbox', { name: 'Changes since' }).fill('2025-01-02')
    await companies.locator('.said').waitFor()
    t.match(await companies.locator('.said').textContent(), /new filing/)
    const bonds = page.getByRole('region', { name: 'Bonds' })
    await until(async () => !/–.*Remove/.test((await bonds.getByRole('row').nth(1).textContent())!))
    await accessible(t, page, 'the watchlists')
    await keep(page, 'watch')
    const name = page.getByRole('textbox', { name: 'Name of Desk' })
    await name.fill('Credit desk')
    await name.press('Enter')
    await page.getByRole('navigation', { name: 'Watchlists' }).getByText('Credit desk').waitFor()
    await page.getByRole('textbox', { name: 'Name of Credit desk' }).waitFor()
    await page.getByRole('button', { name: /^Mark as seen to/ }).click()
    await page.getByText(/which you have seen/).waitFor()
    await page.reload()
    await page.getByText(/which you have seen/).waitFor()
    const box = page.getByRole('textbox', { name: 'Ticker or CUSIP' })
    await box.fill(`${ticker}X`)
    await button('Add').click()
    await page.getByRole('alert').filter({ hasText: ticker }).waitFor()
    // Chromium writes the status of the refusal to the console.
    t.strictSame(
      wrong.splice(0).filter(text => !/status of 404/.test(text)),
      [],
    )
    await button(`Remove ${ticker}`).click()
    await companies.waitFor({ state: 'detached' })
    await box.fill(ticker)
    await button('Add').click()
    await companies.waitFor()
    await button('Delete the watchlist').click()
    await button('Delete Credit desk').click()
    await page.getByText('No watchlists yet.').waitFor()
  })

  t.strictSame(wrong, [])
})

/** An issuer with a priced bond, and the bond's CUSIP. */
async function anIssuerAndBond(url: string, err: () => string): Promise<[string, string]> {
  const key = await demoKeyOf({ err })
  const headers = { 'X-API-Key': key! }
  const asked = await fetch(`${url}/v1/bonds?has_pricing=true&as_of=2025-01-02&limit=1&sort=cusip`, {
    headers,
  })
  const { data } = (await asked.json()) as { data: { company_ticker: string; cusip: string }[] }
  return [data[0]!.company_ticker, data[0]!.cusip]
}
