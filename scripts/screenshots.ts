import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openBrowser } from '../test/web/browser.ts'
import { type Look, looks, settled, walk } from '../test/web/walk.ts'

// Screenshots of the explorer, from a running `tranche serve --demo`.
//   node dist/scripts/screenshots.js [URL]            the pictures of the docs, over the sample
//   node dist/scripts/screenshots.js URL --company TICKER --bond CUSIP --search WORDS --sql STATEMENT
//                                                     the same pages over any lake, into docs/images/real-lake
//   node dist/scripts/screenshots.js URL --desk TICKER@DAY,TICKER@DAY
//                                                     whole company pages as of a day, into docs/images/desk
//   ... --walk FOLDER [--with TICKER,TICKER]          every page, light and dark, wide and on a phone, into FOLDER; says
//                                                     what is wider than the screen, not accessible, or wrong on the console
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    company: { type: 'string' },
    bond: { type: 'string' },
    search: { type: 'string', default: 'change of control' },
    walk: { type: 'string' },
    desk: { type: 'string' },
    with: { type: 'string', default: '' },
    sql: { type: 'string', default: 'SELECT sector, count(*) AS companies FROM companies GROUP BY 1' },
  },
})
const [url = 'http://127.0.0.1:8787'] = positionals
const images = fileURLToPath(new URL('../../docs/images', import.meta.url))

type Pictures = readonly (readonly [name: string, path: string])[]

const ofLake = (company: string, bond: string): Pictures => [
  ['companies', 'screen/companies?sort=-total_debt'],
  ['bonds', 'screen/bonds?sort=-pricing.ytm'],
  ['company', `company/${company}`],
  ['proof', `company/${company}?figure=total_debt&of=2024Q4`],
  ['bond', `bond/${bond}`],
  ['relative-value', 'relative-value/bonds'],
  ['market', 'market'],
  ['search', `search?q=${encodeURIComponent(values.search)}`],
  ['sql', `sql?sql=${encodeURIComponent(values.sql)}`],
]

const ofSample: Pictures = [
  ['screen', 'screen/companies?min_leverage=4&sort=-leverage_ratio'],
  ['proof', 'company/FRNLL?figure=leverage_ratio'],
  ['relative-value', 'relative-value/bonds?rating_bucket=HY-BB'],
]

const WIDE = 1200
const HIGHEST = 6000
/** As text: the browser's types are not those of this program. */
const HEIGHT = "Math.max(...['main', 'body', '#app'].map(e => document.querySelector(e)?.scrollHeight ?? 0))"

const browser = await openBrowser()
try {
  const { company, bond } = values
  if (values.desk !== undefined) await takeCompanies(join(images, 'desk'), values.desk.split(','))
  else if (company === undefined || bond === undefined) await take(images, ofSample)
  else if (values.walk === undefined) await take(join(images, 'real-lake'), ofLake(company, bond))
  else await walkAll(values.walk, company, bond)
} finally {
  await browser.close()
}

async function take(folder: string, pictures: Pictures): Promise<void> {
  await mkdir(folder, { recursive: true })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.setDefaultTimeout(90_000)
  for (const [name, path] of pictures) {
    await page.goto(`${url}/#/${path}`)
    await settled(page)
    await page.waitForTimeout(1500)
    // Hiding the caret would need an inline style, which the page's policy refuses.
    await page.screenshot({ path: join(folder, `${name}.png`), caret: 'initial' })
  }
}

/** Company pages from top to bottom, as JPEG: they are many and long. */
async function takeCompanies(folder: string, companies: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  const page = await browser.newPage({ viewport: { width: WIDE, height: 800 } })
  page.setDefaultTimeout(90_000)
  for (const company of companies) {
    const [ticker = '', day] = company.split('@')
    await page.goto(`${url}/#/company/${ticker}${day === undefined ? '' : `?as_of=${day}`}`)
    await settled(page)
    // The page scrolls inside the window: it is shown whole in one as high as what it holds, twice, as it loads while it is seen.
    for (let i = 0; i < 2; i++) {
      const height = Number(await page.evaluate(HEIGHT))
      await page.setViewportSize({ width: WIDE, height: Math.min(height + 80, HIGHEST) })
      await settled(page)
    }
    await page.waitForTimeout(3000)
    await page.screenshot({
      path: join(folder, `${ticker.toLowerCase()}.jpg`),
      caret: 'initial',
      type: 'jpeg',
      quality: 36,
    })
    await page.setViewportSize({ width: WIDE, height: 800 })
  }
}

/** Every page in every look; the exit code is 1 if one is wider than the screen, not accessible, or logs an error. */
async function walkAll(folder: string, company: string, bond: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const others = values.with.split(',').filter(Boolean)
  const shown = { company, bond, others, words: values.search, sql: values.sql }
  for (const look of Object.keys(looks) as Look[])
    for await (const { name, violations, over, wrong } of walk(browser, url, [look], shown, folder)) {
      const faults = [...violations, ...wrong, ...(over > 0 ? [`${over} pixels wider than the screen`] : [])]
      for (const fault of faults) console.log(`${look} ${name}: ${fault}`)
      if (faults.length > 0) process.exitCode = 1
    }
}
