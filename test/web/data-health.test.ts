import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { readCorrections } from '../../engine/ingest/read-corrections.ts'
import { build } from '../../engine/snapshot/build.ts'
import { pendingLinks } from '../../engine/snapshot/links.ts'
import { makeLake } from '../make-lake.ts'
import { patient, serving, until } from '../server/serving.ts'
import { UNLINKED, unlinkedIssuer } from '../unlinked-issuer.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 600_000
t.setTimeout(timeout)

/** The explorer over a lake with an issuer that is linked to no company. */
async function explorer(t: Test, options: Parameters<typeof watched>[2] = {}) {
  const lake = await makeLake(t.teardown, {
    ...unlinkedIssuer,
    covenants: [
      {
        id: 'a',
        ticker: 'OBDC',
        covenant_type: 'financial',
        covenant_name: 'Maximum Total Leverage Ratio',
        test_metric: 'leverage_ratio',
        threshold_type: 'maximum',
        threshold_value: 4.5,
        source: 'a.html',
        known_from: '2024-02-01',
      },
    ],
  })
  await build(lake)
  const { url } = await serving(t, ['--demo', ...patient, '--lake', lake.root])
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url, options)
  page.setDefaultTimeout(300_000)
  return { lake, url, page, wrong }
}

t.test(
  'an unlinked issuer is linked to its candidate by one click, and the link undone',
  {
    skip,
    timeout,
  },
  async t => {
    const { lake, url, page, wrong } = await explorer(t)
    await page.goto(`${url}/#/account`)
    await page.getByRole('link', { name: 'Data health' }).click()
    const panel = page.getByRole('region', { name: 'Unlinked issuers' })
    await panel.getByText('its name begins with BLUE OWL too').first().waitFor()
    await accessible(t, page, 'data health')
    await keep(page, 'data-health')
    t.match(await page.getByRole('region', { name: 'Findings' }).textContent(), UNLINKED)
    t.match(await page.getByRole('region', { name: 'Coverage' }).textContent(), /Bonds4/)
    await panel.getByRole('button', { name: `Link ${UNLINKED} to OBDC` }).click()
    await panel.getByText('OBDC, from the next build').waitFor()
    await page.getByText('1 link waits for the next build: run tranche build').waitFor()
    t.match(await pendingLinks(lake), [{ name: UNLINKED, ticker: 'OBDC' }])
    await panel.getByRole('button', { name: `Undo the link of ${UNLINKED}` }).click()
    const ticker = panel.getByRole('textbox', { name: `Ticker of ${UNLINKED}` })
    await ticker.fill('OWLS')
    await ticker.press('Enter')
    await panel.getByRole('alert').filter({ hasText: 'Did you mean OWL?' }).waitFor()
    // Chromium writes the status of the refusal to the console.
    t.strictSame(
      wrong.splice(0).filter(text => !/status of 404/.test(text)),
      [],
    )
    await ticker.fill('owl')
    await ticker.press('Enter')
    await panel.getByText('OWL, from the next build').waitFor()
    await build(lake)
    // The server follows a new snapshot within a second; the page asks again when it is opened.
    await until(async () => {
      await page.reload()
      await page.getByRole('region', { name: 'Coverage' }).waitFor()
      const linked = page.getByText('Every issuer is linked to a company.')
      return linked
        .or(panel)
        .first()
        .waitFor()
        .then(() => linked.isVisible())
    })
    t.strictSame(wrong, [])
  },
)

t.test(
  'where the lake is read-only the page shows the command instead, also on a phone',
  {
    skip,
    timeout,
  },
  async t => {
    const { url, page, wrong } = await explorer(t, { viewport: { width: 390, height: 844 } })
    await page.route(/unlinked-issuers/, async route => {
      const response = await route.fetch()
      const { data, meta } = await response.json()
      await route.fulfill({ response, json: { data, meta: { ...meta, writable: false } } })
    })
    await page.goto(`${url}/#/data-health`)
    await page.getByText(`tranche link set '${UNLINKED}' OBDC`).waitFor()
    t.equal(await page.getByRole('button', { name: /^Link/ }).count(), 0)
    t.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
    t.strictSame(wrong, [])
  },
)

t.test(
  'an administrator corrects a fact and takes it back',
  {
    skip,
    timeout,
  },
  async t => {
    const { lake, url, page, wrong } = await explorer(t)
    await page.goto(`${url}/#/data-health`)
    await page.getByText('No fact is corrected.').waitFor()
    const form = page.getByRole('form', { name: 'New correction' })
    await form.getByLabel('Table').selectOption('covenants')
    await form.getByLabel('Id of the row').fill('odd')
    await form.getByLabel('Field', { exact: true }).selectOption('threshold_value')
    await form.getByLabel('Value').fill('4.25')
    await form.getByLabel('Why').fill('Section 6.1')
    await form.getByRole('button', { name: 'Correct' }).click()
    await form.getByRole('alert').filter({ hasText: 'no row with id odd' }).waitFor()
    t.strictSame(
      wrong.splice(0).filter(text => !/status of 404/.test(text)),
      [],
    )
    await form.getByLabel('Id of the row').fill('a')
    await form.getByRole('button', { name: 'Correct' }).click()
    const panel = page.getByRole('region', { name: 'Corrections' })
    await panel.getByText('threshold_value = 4.25').waitFor()
    await page.getByText('1 correction waits for the next build: run tranche build').waitFor()
    await accessible(t, page, 'corrections')
    t.match(await readCorrections(lake), [{ row_id: 'a', value: '4.25', reason: 'Section 6.1' }])
    await panel.getByRole('button', { name: 'Take back the correction of a, threshold_value' }).click()
    await page.getByText('No fact is corrected.').waitFor()
    t.strictSame(wrong, [])
  },
)
