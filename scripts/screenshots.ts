import { fileURLToPath } from 'node:url'
import { openBrowser } from '../test/web/browser.ts'

// The picture of the docs, of a server of `tranche serve --demo` over the sample. The tests keep one of every page.
const [url = 'http://127.0.0.1:8787'] = process.argv.slice(2)
const path = fileURLToPath(new URL('../../docs/images/screen.png', import.meta.url))

const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(90_000)
  await page.goto(`${url}/#/screen/companies?min_leverage=4&sort=-leverage_ratio`)
  await page.getByRole('gridcell').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1500)
  // To hide the caret a style would be written into the page, which its policy refuses.
  await page.screenshot({ path, caret: 'initial' })
} finally {
  await browser.close()
}
