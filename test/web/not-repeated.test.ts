import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { builtLake } from '../built-lake.ts'
import { twoIssuers } from '../make-lake.ts'
import { patient, serving } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 400_000
t.setTimeout(timeout)

const pledged = (ticker: string, instrument_name: string, day: string) => ({
  ticker,
  type: 'equipment',
  instrument_name,
  description: `Presses of the ${instrument_name}`,
  rule: 'secured_by',
  document_type: '10-K',
  source_document_date: day,
  known_from: day,
})

t.test('the panel of collateral tells what is left out as not repeated', { skip, timeout }, async t => {
  const lake = await builtLake(
    t.teardown,
    {
      ...twoIssuers,
      collateral: [
        pledged('ALFA', 'Mill Loan', '2022-02-20'),
        pledged('ALFA', 'Line of Credit', '2024-02-20'),
        pledged('BETA', 'Crane Loan', '2021-02-20'),
        pledged('BETA', 'Line of Credit', '2022-02-20'),
        { ...pledged('BETA', 'Line of Credit', '2023-02-20'), rule: null, ended_on: '2023-05-01' },
      ],
    },
    { asOf: '2024-06-03' },
  )
  const { url } = await serving(t, ['--demo', ...patient, '--lake', lake.root])
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url)
  page.setDefaultTimeout(120_000)
  const collateral = page.locator('section.panel', { has: page.getByRole('heading', { name: 'Collateral' }) })
  const warning = collateral.getByText('1 pledged asset is left out only because')

  await page.goto(`${url}/#/company/ALFA`)
  await collateral.getByText('Presses of the Line of Credit').waitFor()
  await warning.waitFor()

  await page.goto(`${url}/#/company/BETA`)
  await warning.waitFor()
  t.equal(await page.getByText('No collateral is known').count(), 0)
  await accessible(t, page, 'a company of which no pledge stands')
  await collateral.scrollIntoViewIfNeeded()
  await keep(page, 'not-repeated')

  await collateral.getByRole('link', { name: 'Show what is left out' }).click()
  const rows = page.getByRole('grid', { name: 'Collateral' })
  await rows.getByText('Presses of the Crane Loan').waitFor()
  t.equal(await rows.getByText('Presses of the Line of Credit').count(), 0, 'that ended by its own words')
  t.strictSame(wrong, [])
})
