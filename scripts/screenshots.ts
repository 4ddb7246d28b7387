import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openBrowser } from '../test/web/browser.ts'

// Screenshots of the explorer for the docs, from a running `tranche serve --demo`.¶
//   node dist/scripts/screenshots.js [URL]            the screenshot of the README, over the sample
//   node dist/scripts/screenshots.js URL --company TICKER --bond CUSIP --search WORDS --sql STATEMENT
//                                                     every page over any lake, into docs/images/real-lake¶The tests
// save a screenshot of every page over the sample.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    company: { type: 'string' },
    bond: { type: 'string' },
    search: { type: 'string', default: 'change of control' },
    sql: { type: 'string', default: 'SELECT sector, count(*) AS companies FROM companies GROUP BY 1' },
  },
})
const [url = 'http://127.0.0.1:8787'] = positionals
const images = fileURLToPath(new URL('../../docs/images', import.meta.url))

const tour = (company: string, bond: string): readonly (readonly [name: string, path: string])[] => [
  ['companies', 'screen/companies?sort=-total_debt'],
  ['bonds', 'screen/bonds?sort=-pricing.ytm'],
  ['company', `company/${company}`],
  ['bond', `bond/${bond}`],
  ['market', 'market'],
  ['search', `search?q=${encodeURIComponent(values.search)}`],
  ['sql', `sql?sql=${encodeURIComponent(values.sql)}`],
]

const { company, bond } = values
const isTour = company !== undefined && bond !== undefined
const folder = isTour ? join(images, 'real-lake') : images
const pictures = isTour
  ? tour(company, bond)
  : ([['screen', 'screen/companies?min_leverage=4&sort=-leverage_ratio']] as const)

await mkdir(folder, { recursive: true })
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(90_000)
  for (const [name, path] of pictures) {
    await page.goto(`${url}/#/${path}`)
    await page.locator('main').first().waitFor()
    await page.waitForLoadState('networkidle')
    do await page.waitForTimeout(500)
    while ((await page.getByText(/^Reading /).count()) > 0)
    await page.waitForTimeout(1500)
    // Hiding the caret would need an inline style, which the page's policy refuses.
    await page.screenshot({ path: join(folder, `${name}.png`), caret: 'initial' })
  }
} finally {
  await browser.close()
}
