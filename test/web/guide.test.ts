import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { testFolder } from '../folder.ts'
import { copySample } from '../sample-lake.ts'
import { demoKeyOf, patient, serving } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../guide/guide.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the guide is not built: npm run build')
const timeout = 600_000
t.setTimeout(timeout)

t.test('the guide is read, searched and tried from the explorer', { skip, timeout }, async t => {
  const lake = testFolder(t)
  await copySample(lake)
  const { url, err } = await serving(t, ['--demo', ...patient, '--lake', lake])
  const key = await demoKeyOf({ err })
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url)
  page.setDefaultTimeout(300_000)

  await t.test('the explorer leads to it', async t => {
    await page.goto(`${url}/#/market`)
    await page.getByRole('link', { name: 'Guide' }).click()
    await page.waitForURL(`${url}/guide`)
    await page.getByRole('heading', { level: 1, name: 'Documentation' }).waitFor()
    await accessible(t, page, 'the first page')
    await keep(page, 'guide')
  })

  await t.test('a search leads to a section by keyboard alone', async t => {
    await page.keyboard.press('/')
    await page.keyboard.type('recieve treasury file')
    await page
      .getByText(/^Nothing in the guide/)
      .or(page.getByRole('option').first())
      .first()
      .waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('rating_max_age')
    await page.getByRole('option').filter({ hasText: 'rating_max_age' }).first().waitFor()
    await accessible(t, page, 'what is found')
    await keep(page, 'guide-search')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/guide\/reference\//)
    t.pass('Enter opens the chosen one')
  })

  await t.test('an example shows one form, and the choice holds on the next page', async t => {
    await page.goto(`${url}/guide/reference/search.bonds`)
    const tab = (name: string) => page.getByRole('tab', { name }).first()
    t.equal(await tab('CLI').getAttribute('aria-selected'), 'true')
    await tab('CLI').focus()
    await page.keyboard.press('ArrowRight')
    t.equal(await tab('HTTP').getAttribute('aria-selected'), 'true')
    await tab('Python').click()
    await page.getByText("t.bonds(min_ytm=8, sort='-pricing.ytm')").waitFor()
    await accessible(t, page, 'an operation')
    await page.goto(`${url}/guide/reference/search.companies`)
    await page.getByText('t.companies(min_leverage=4').first().waitFor()
    t.equal(await page.getByText('tranche companies --min-leverage 4').first().isVisible(), false)
    await keep(page, 'guide-operation')
  })

  await t.test('a request is sent from its page, with a key and for the account signed in', async t => {
    await page.goto(`${url}/docs`)
    await accessible(t, page, 'the API')
    await keep(page, 'guide-api')
    await page.getByRole('link', { name: 'GET /v1/companies', exact: true }).first().click()
    await page.waitForURL(`${url}/docs/search.companies`)
    await page.getByLabel('limit', { exact: true }).fill('2')
    await page.getByLabel('fields', { exact: true }).fill('ticker,name')
    await page.getByRole('button', { name: 'Send search.companies' }).click()
    await page.getByText(/^200 /).waitFor()
    t.match(await page.locator('form.try .answer pre').textContent(), /"ticker"/)
    await accessible(t, page, 'a request')
    await page.getByLabel('X-API-Key').fill(key!)
    await page.getByLabel('sort', { exact: true }).fill('nonsense')
    t.strictSame(wrong, [])
    await page.getByRole('button', { name: 'Send search.companies' }).click()
    await page.getByText(/^400 /).waitFor()
    t.match(await page.locator('form.try .answer pre').textContent(), /INVALID_PARAMETER/)
    // The browser reports the refusal itself.
    t.equal(wrong.splice(0).length, 1)
    await page.goto(`${url}/docs/traverse.entities`)
    await page.getByRole('button', { name: 'Send traverse.entities' }).click()
    await page.getByText(/^200 /).waitFor()
    await keep(page, 'guide-request')
  })

  for (const path of ['guide', 'guide/reference/search.companies', 'guide/real-lake', 'docs/search.bonds'])
    await t.test(`/${path} is read on a phone and in the dark`, async t => {
      const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }
      const { page, wrong, context } = await watched(browser, url, phone)
      await page.goto(`${url}/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const sizes = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      t.equal(await page.evaluate(sizes), 0, 'nothing is wider than the phone')
      t.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
      await accessible(t, page, path)
      await keep(page, `guide-phone-${path.replaceAll('/', '-')}`)
      t.strictSame(wrong, [])
      await context.close()
    })

  t.strictSame(wrong, [], 'nothing went wrong, and nothing was asked of another host')
})
