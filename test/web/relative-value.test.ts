import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { fitCurve } from '../../server/web/show/fit.ts'
import { testFolder } from '../folder.ts'
import { copySample } from '../sample-lake.ts'
import { patient, serving, until } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 300_000
t.setTimeout(timeout)

t.test('a curve is found again, and a distressed bond does not bend it', t => {
  const truth = (x: number) => 50 + 30 * Math.log1p(x) + 2 * x
  const points = Array.from({ length: 40 }, (_, i) => ({ x: i / 2, y: truth(i / 2) }))
  const clean = fitCurve(points)!
  for (const x of [0, 3.3, 10, 19]) t.ok(Math.abs(clean.at(x) - truth(x)) < 0.1, `${x}: ${clean.at(x)}`)
  const noisy = points.map(({ x, y }, i) => ({ x, y: y + (i % 2 ? 4 : -4) }))
  const outlier = fitCurve([...noisy, { x: 9, y: 2000 }])!
  t.ok(Math.abs(outlier.at(9) - truth(9)) < 5, String(outlier.at(9)))
  t.equal(clean.curve[0]![0], 0)
  t.equal(clean.curve.at(-1)![0], 19.5)
  t.equal(fitCurve(points.slice(0, 4)), null, 'too few')
  t.equal(fitCurve(points.map(({ y }) => ({ x: 1, y }))), null, 'all at one place')
  t.end()
})

t.test(
  'bonds are drawn against a curve, and those under a rectangle are listed',
  { skip, timeout },
  async t => {
    const lake = testFolder(t)
    await copySample(lake)
    const { url } = await serving(t, ['--demo', ...patient, '--lake', lake])
    const browser = await openBrowser()
    t.teardown(() => browser.close())
    const { page, wrong } = await watched(browser, url)
    page.setDefaultTimeout(30_000)
    await page.goto(`${url}/#/screen/bonds?rating_bucket=HY-B`)
    await page.getByRole('link', { name: 'Plot' }).click()
    await page.waitForURL(/#\/relative-value\/bonds\?rating_bucket=HY-B/)
    const title = page.getByRole('heading', { name: /^All \d+, farthest first/ })
    await title.waitFor()
    const all = Number(/\d+/.exec((await title.textContent())!)![0])
    const listed = page.getByRole('grid', { name: 'Listed' })
    await listed.getByRole('link').first().waitFor()
    await accessible(t, page, 'the plot')

    await t.test('a rectangle chooses some, and all come back', async t => {
      const drawing = page.getByRole('img', { name: /^Spread against Duration/ })
      await drawing.locator('canvas').waitFor()
      const box = (await drawing.boundingBox())!
      // The listener is there once the chart is drawn.
      const chosen = page.getByRole('heading', { name: /^\d+ chosen/ })
      await until(async () => {
        await page.mouse.move(box.x + box.width * 0.1, box.y + box.height * 0.5)
        await page.mouse.down()
        await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.9, { steps: 5 })
        await page.mouse.up()
        await page.waitForTimeout(300)
        return (await chosen.count()) > 0
      })
      const some = Number(/\d+/.exec((await chosen.textContent())!)![0])
      t.ok(some > 0 && some < all, `${some} of ${all}`)
      t.equal(Number(await listed.getAttribute('aria-rowcount')), some + 1)
      await keep(page, 'relative-value')
      await page.getByRole('button', { name: 'List all' }).click()
      await title.waitFor()
    })

    await t.test('stale prices are marked, and can be left out', async t => {
      await listed.locator('.stale').first().waitFor()
      const leave = page.getByRole('checkbox', { name: /^Leave out \d+ stale/ })
      const stale = Number(/\d+/.exec((await leave.locator('..').textContent())!)![0])
      await leave.check()
      await page.getByRole('heading', { name: `All ${all - stale}, farthest first` }).waitFor()
      t.equal(await listed.locator('.stale').count(), 0)
      await leave.uncheck()
    })

    await t.test('any two columns can be chosen, also of companies', async t => {
      await page.getByRole('combobox', { name: 'Across' }).selectOption('coupon_rate')
      await page.waitForURL(/x=coupon_rate/)
      await page.getByRole('img', { name: /^Spread against Coupon rate/ }).waitFor()
      await page.getByRole('combobox', { name: 'Across' }).selectOption('issuer.leverage_ratio')
      await page.getByRole('img', { name: /^Spread against Issuer leverage ratio/ }).waitFor()
      await listed
        .getByRole('gridcell', { name: /^\d+\.\dx$/ })
        .first()
        .waitFor()
      await page.getByRole('combobox', { name: 'Across' }).selectOption('issuer.rating')
      await listed
        .getByRole('gridcell', { name: /^B[+-]?$/ })
        .first()
        .waitFor()
      await page.getByRole('button', { name: 'Companies' }).click()
      await page.getByRole('img', { name: /^Interest coverage against Leverage ratio/ }).waitFor()
      await listed.getByRole('link').first().click()
      await page.waitForURL(/#\/company\//)
      t.pass('a row leads to its page')
    })
    t.strictSame(wrong, [])
  },
)
