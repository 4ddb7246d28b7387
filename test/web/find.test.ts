import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { type Place, placesFor } from '../../server/web/find/place.ts'
import { testFolder } from '../folder.ts'
import { copySample } from '../sample-lake.ts'
import { demoKeyOf, patient, serving, until } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 300_000
t.setTimeout(timeout)

t.test('pages are found by the beginnings of their words, through slips, by their own name first', t => {
  const place = (name: string, words: string): Place => ({ name, words, hint: 'Page', run: () => undefined })
  const places = [
    place('Bonds', 'notes debt'),
    place('Spreads', 'cds credit curves'),
    place('Market', 'heat map spreads'),
    place('Covenants', 'agreements'),
  ]
  const found = (written: string) => placesFor(written, places).map(({ name }) => name)
  t.strictSame(found('spr'), ['Spreads', 'Market'])
  t.strictSame(found('COVENATS'), ['Covenants'])
  t.strictSame(found('bnods'), ['Bonds'])
  t.strictSame(found('heat map'), ['Market'])
  t.strictSame(found('cdx'), [], 'three letters are not guessed at')
  t.strictSame(found(''), [])
  t.end()
})

t.test('one box finds issuers, bonds, screens and filings, by keyboard alone', { skip, timeout }, async t => {
  const lake = testFolder(t)
  await copySample(lake)
  const { url, err } = await serving(t, ['--demo', ...patient, '--lake', lake])
  const key = await demoKeyOf({ err })
  const [bond] = (
    (await (
      await fetch(`${url}/v1/bonds?rate_type=fixed&has_pricing=true&limit=1&fields=cusip,display_name,isin`, {
        headers: { 'X-API-Key': key! },
      })
    ).json()) as { data: { cusip: string; display_name: string; isin: string | null }[] }
  ).data
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url)
  page.setDefaultTimeout(30_000)
  const box = page.getByRole('combobox', { name: /^Find/ })
  const options = page.getByRole('option')
  const type = async (text: string) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
  }
  await page.goto(`${url}/#/market`)
  await box.waitFor()

  await t.test('before anything is typed it lists pages and commands', async t => {
    await page.keyboard.press('/')
    await options.filter({ hasText: 'Covenants' }).first().waitFor()
    t.equal(await box.getAttribute('aria-expanded'), 'true')
    await accessible(t, page, 'the box')
    await page.keyboard.press('Escape')
    await options.first().waitFor({ state: 'hidden' })
    t.equal(await box.getAttribute('aria-expanded'), 'false')
  })

  await t.test('a ticker in any case leads to its company', async t => {
    await type('frnll')
    await options.filter({ hasText: 'FRNLL' }).first().waitFor()
    const active = await box.getAttribute('aria-activedescendant')
    t.equal(await page.locator(`[id="${active}"]`).getAttribute('aria-selected'), 'true')
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/company\/FRNLL/)
    t.pass('Enter opens the first')
  })

  await t.test('a misspelt name is understood', async t => {
    await type('farnele petroleum')
    await options.filter({ hasText: 'Farnelle Petroleum' }).first().waitFor()
    await keep(page, 'find')
    await accessible(t, page, 'the list')
    await page.keyboard.press('Escape')
  })

  for (const [what, text] of [
    ['its display name', bond!.display_name],
    ['a CUSIP', bond!.cusip.toLowerCase()],
    ...(bond!.isin ? [['an ISIN', bond!.isin] as const] : []),
  ] as const)
    await t.test(`a bond is opened by ${what}, faster than the answer comes`, async t => {
      await page.goto(`${url}/#/market`)
      await type(text)
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`#/bond/${bond!.cusip}`))
      t.pass('the answer to what was typed is awaited')
    })

  await t.test('a screen is chosen by arrows, and a command by name', async t => {
    await type('covenats')
    await options.filter({ hasText: 'Covenants' }).first().waitFor()
    for (let i = 0; i < 12; i++) {
      if (await page.locator('[role=option][aria-selected=true]', { hasText: 'Screen' }).count()) break
      await page.keyboard.press('ArrowDown')
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/screen\/covenants/)
    await type('dark theme')
    await options.filter({ hasText: 'Dark theme' }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    t.pass('commands run')
  })

  await t.test('the form of days is chosen, holds on every page, and survives a reload', async t => {
    await type('dates as 30')
    await options.filter({ hasText: 'Dates as 30 Jun 2025' }).first().waitFor()
    await page.keyboard.press('Enter')
    const asOf = page.getByLabel('As of')
    await until(async () => /^\d\d? [A-Z][a-z]{2} 2025$/.test(await asOf.inputValue()))
    await page.reload()
    await page.goto(`${url}/#/company/FRNLL`)
    await page.getByText(/^as of \d\d? [A-Z][a-z]{2} 2025$/).waitFor()
    await asOf.fill('20 Jun 2025')
    await page.waitForURL(/as_of=2025-06-20/)
    await page.goto(`${url}/#/account`)
    await page.getByRole('button', { name: '2025-06-30' }).click()
    await until(async () => /^2025-\d\d-\d\d$/.test(await asOf.inputValue()))
    t.pass('and is changed back on the account page')
  })

  await t.test('nothing found says what was tried, and Enter searches the filings', async t => {
    await type('qqxxqq')
    await page.getByText('Nothing is called “qqxxqq”. Tried company names and tickers').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/search\?q=qqxxqq/)
    t.pass('the text of filings is still there')
  })
  t.strictSame(wrong, [])
})
