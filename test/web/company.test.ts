import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { FinancialStatement } from '../../engine/schema/resources/financials.ts'
import { proofLines } from '../../server/web/show/proof.ts'
import { growthOf, marginOf, restatedFrom, yearBefore } from '../../server/web/show/statement.ts'
import { testFolder } from '../folder.ts'
import { copySample } from '../sample-lake.ts'
import { patient, serving, until } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 300_000
t.setTimeout(timeout)

const statement = (period_end_date: string, revenue: number): FinancialStatement =>
  ({ period_end_date, revenue }) as FinancialStatement

t.test('growth is to the same quarter of the year before, also in years of 53 weeks', t => {
  const all = ['2024-09-28', '2024-06-29', '2023-09-30', '2022-09-24'].map(day => statement(day, 1))
  t.equal(yearBefore(all[0]!, all)?.period_end_date, '2023-09-30')
  t.equal(yearBefore(all[2]!, all)?.period_end_date, '2022-09-24')
  t.equal(yearBefore(all[1]!, all), undefined)
  t.equal(growthOf(110, 100)!.toFixed(6), '10.000000')
  t.strictSame(
    [growthOf(1, -5), growthOf(-1, 5), growthOf(1, null), marginOf(1, 0)],
    [null, null, null, null],
  )
  t.equal(marginOf(30, 120), 25)
  t.end()
})

t.test('a figure that differs from the one first reported is restated', t => {
  const originals = new Map([['2024-12-31', statement('2024-12-31', 90)]])
  t.equal(restatedFrom('revenue', statement('2024-12-31', 100), originals), 90)
  t.equal(restatedFrom('revenue', statement('2024-12-31', 90), originals), null)
  t.equal(restatedFrom('revenue', statement('2023-12-31', 90), originals), null)
  t.end()
})

t.test('a proof goes down through figures to the lines of filings, and never in a circle', t => {
  const fact = { item: 'total_debt', accession: '0000320193-24-000123', value: 5 }
  const lines = proofLines('leverage_ratio', {
    leverage_ratio: {
      formula: 'total_debt / ebitda_ttm',
      inputs: [{ item: 'total_debt' }, { item: 'ebitda_ttm' }],
    },
    total_debt: { formula: 'as tagged', inputs: [fact] },
    ebitda_ttm: { formula: 'around', inputs: [{ item: 'leverage_ratio' }] },
  })
  t.strictSame(
    lines.map(({ depth, input: { item }, formula }) => [depth, item, formula]),
    [
      [0, 'total_debt', 'as tagged'],
      [1, 'total_debt', null],
      [0, 'ebitda_ttm', 'around'],
      [1, 'leverage_ratio', null],
    ],
  )
  t.equal(lines[1]!.input, fact)
  t.end()
})

t.test('an analyst reads a company, and follows figures to their filings', { skip, timeout }, async t => {
  const lake = testFolder(t)
  await copySample(lake)
  const { url } = await serving(t, ['--demo', ...patient, '--lake', lake])
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url)
  page.setDefaultTimeout(30_000)
  await page.goto(`${url}/#/company/FRNLL`)
  const statements = page.getByRole('region', { name: 'Statements' })

  await t.test('five years of statements, by year and by quarter, with growth and margins', async t => {
    await statements.getByRole('columnheader', { name: /^FY2024/ }).waitFor()
    t.equal(
      await statements.getByRole('columnheader', { name: /^FY/ }).count(),
      3,
      'the sample begins in 2022',
    )
    await statements.getByRole('columnheader', { name: /^LTM 2025Q1/ }).waitFor()
    t.match(
      await statements
        .getByRole('row', { name: /^growth/ })
        .first()
        .textContent(),
      /[+−][\d.]+%/,
    )
    await page.getByRole('group', { name: 'Statements by' }).getByRole('button', { name: 'Quarters' }).click()
    await statements.getByRole('columnheader', { name: /^2025Q1/ }).waitFor()
    t.ok((await statements.getByRole('columnheader', { name: /^20\d\dQ\d/ }).count()) > 8)
    await accessible(t, page, 'the company')
  })

  await t.test('a figure opens its proof, whose permanent link opens it again in that snapshot', async t => {
    await statements.getByRole('button', { name: /^EBITDA 2025Q1/ }).click()
    const dialog = page.getByRole('dialog', { name: 'EBITDA 2025Q1' })
    await dialog.getByText('filed').first().waitFor()
    t.match(page.url(), /figure=ebitda&of=2025Q1/)
    const link = (await dialog.getByRole('link', { name: 'Permanent link' }).getAttribute('href'))!
    t.match(link, /snapshot=\d{8}T\d{6}Z-[^&]+&figure=ebitda&of=2025Q1/)
    await accessible(t, page, 'a proof')
    await dialog.getByRole('button', { name: 'Close' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.goto('about:blank')
    await page.goto(`${url}/${link}`)
    await dialog.getByText('filed').first().waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Unpin snapshot' }).click()
    await until(() => !page.url().includes('snapshot'))
    t.pass('the snapshot is pinned until the reader goes on')
  })

  await t.test('leverage is followed through debt and EBITDA to filings', async t => {
    await page
      .getByRole('button', { name: /^Leverage ratio/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Leverage ratio' })
    await dialog.getByRole('row', { name: /^EBITDA TTM/ }).waitFor()
    t.ok((await dialog.getByRole('link', { name: /^10-[KQ], filed/ }).count()) > 3)
    const filing = dialog.getByRole('region', { name: 'The filing' })
    t.match(await filing.locator('mark').textContent(), /^22,394\.4$/, 'total debt, where the 10-Q states it')
    await keep(page, 'proof')
    await accessible(t, page, 'a proof beside its filing')
    await dialog.getByRole('button', { name: 'Operating income' }).first().click()
    await page.waitForURL(/line=leverage_ratio\.ebitda_ttm/)
    await filing.locator('mark', { hasText: '13,956.7' }).waitFor()
    t.match(await filing.getByText('Operating income was $').textContent(), '13,956.7 million')
    const link = (await dialog.getByRole('link', { name: 'Permanent link' }).getAttribute('href'))!
    t.match(link, /line=[^&]*ebitda_ttm/, 'the line is in the link')
    await filing.getByRole('link', { name: 'Whole section' }).click()
    await page.locator('.reader .text mark', { hasText: '13,956.7' }).waitFor()
    await page.goBack()
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  await t.test('structure, liquidity, curve and peers are on the page', async t => {
    await page.goto(`${url}/#/company/HSTLN`)
    const structure = page.getByRole('region', { name: 'Structure to scale' })
    await structure.getByText('First lien').waitFor()
    await structure.getByText('First lien').click()
    await structure.getByText('guarantors', { exact: false }).first().waitFor()
    t.equal(await structure.locator('.bar-of > span').count(), 3, 'a bar for each class of claims')
    await page
      .getByRole('region', { name: 'Headroom' })
      .getByRole('link', { name: 'Interest coverage' })
      .waitFor()
    t.match(await page.locator('dl.now').textContent(), /Fitch.*CC/)
    await page.getByRole('heading', { name: 'Curve and every bond' }).scrollIntoViewIfNeeded()
    await page.getByRole('img', { name: /fitted curve/ }).waitFor()
    await page.getByRole('grid', { name: 'Peers' }).getByRole('gridcell', { name: 'HSTLN' }).waitFor()
    await accessible(t, page, 'the whole page')
  })

  await t.test('a tear sheet prints, with the filings of each figure', async t => {
    await page.getByRole('link', { name: 'Tear sheet' }).click()
    await page.getByRole('heading', { name: 'Sources' }).waitFor()
    t.match(await page.locator('.sources li').first().textContent(), /^10-[KQ] .*\d{10}-\d\d-\d{6}$/)
    t.match(await page.locator('.sheet-figures').textContent(), /EBITDA TTM.*mm[\d ]+/, 'figures have notes')
    await accessible(t, page, 'the tear sheet')
    await page.emulateMedia({ media: 'print' })
    t.notOk(await page.locator('.bar').isVisible(), 'only the sheet is printed')
    await keep(page, 'tear-sheet')
    await page.emulateMedia({ media: null })
  })

  await t.test('a covenant opens the passages that state it', async t => {
    await page.goto(`${url}/#/screen/covenants?ticker=AMBRA`)
    await page
      .getByRole('grid', { name: 'Covenants' })
      .getByRole('link', { name: 'Limitation on Liens' })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Limitation on Liens' })
    await dialog.getByText(/passages? states? it/).waitFor()
    t.match(await dialog.locator('blockquote').first().textContent(), 'Liens on principal property')
    await accessible(t, page, 'the evidence')
  })

  await t.test('collateral shows the passages that state it', async t => {
    await page.goto(`${url}/#/company/FLKNT`)
    const collateral = page.getByRole('region', { name: 'Collateral' })
    await collateral.scrollIntoViewIfNeeded()
    await collateral.getByRole('button').first().click()
    await collateral.locator('blockquote').first().waitFor()
    t.match(await collateral.locator('blockquote').first().textContent(), /priority/)
    await accessible(t, page, 'the collateral')
    await keep(page, 'collateral')
  })
  t.strictSame(wrong, [])
})
