import { mkdirSync } from 'node:fs'
import { openBrowser } from '../test/web/browser.ts'

/** Pages shown in the docs, and what is on them once they are drawn. */
const pages = [
  ['screen', '#/screen/companies?min_leverage=4&sort=-leverage_ratio', '[role=gridcell]'],
  ['company', '#/company/KRVWN', '.chart canvas'],
  ['market', '#/market', '.chart canvas'],
] as const

// The server is one of `tranche serve --demo`, over the sample.
const [url = 'http://127.0.0.1:8787'] = process.argv.slice(2)
const folder = new URL('../../docs/images/', import.meta.url)
mkdirSync(folder, { recursive: true })
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(90_000)
  for (const [name, place, drawn] of pages) {
    await page.goto(`${url}/${place}`)
    await page.locator(drawn).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(1500)
    // To hide the caret a style would be written into the page, which its policy refuses.
    await page.screenshot({ path: new URL(`${name}.png`, folder).pathname, caret: 'initial' })
  }
} finally {
  await browser.close()
}
