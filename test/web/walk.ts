import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { elementAt } from '../../engine/base/elements.ts'
import { screens } from '../../server/web/pages/screen/screens.ts'
import { violations, watched } from './browser.ts'

export const looks = {
  light: { viewport: { width: 1280, height: 1600 } },
  dark: { viewport: { width: 1280, height: 1600 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 1600 } },
  'phone-dark': { viewport: { width: 390, height: 1600 }, colorScheme: 'dark' },
} as const

export type Look = keyof typeof looks

/** What the pages show: companies and a bond of the lake. */
export interface Shown {
  readonly company: string
  readonly others: readonly string[]
  readonly bond: string
  readonly words: string
  readonly sql: string
}

/** Every page of the explorer, of the guide, and of the API's reference. */
export const placesOf = ({
  company,
  others,
  bond,
  words,
  sql,
}: Shown): readonly (readonly [string, string])[] => [
  ...screens.map(({ resource: { name } }) => [`screen-${name}`, `#/screen/${name}`] as const),
  ['screen-filtered', '#/screen/companies?min_leverage=4&sort=-leverage_ratio'],
  ['screen-prices', '#/screen/pricing?aggregation=weekly&date_from=2025-07-01'],
  ['company', `#/company/${company}`],
  ['proof', `#/company/${company}?figure=leverage_ratio`],
  ['tear-sheet', `#/tear-sheet/${company}`],
  ['bond', `#/bond/${bond}`],
  ['market', '#/market'],
  ['relative-value', '#/relative-value/bonds'],
  ['relative-value-leverage', '#/relative-value/bonds?x=issuer.leverage_ratio'],
  ['relative-value-companies', '#/relative-value/companies'],
  ['relative-value-curves', '#/relative-value/fitted%20curves'],
  ['search', `#/search?q=${encodeURIComponent(words)}`],
  ['sql', `#/sql?sql=${encodeURIComponent(sql)}`],
  ['compare', `#/compare?tickers=${[company, ...others].join(',')}`],
  ['watch', '#/watch'],
  ['saved', '#/saved'],
  ['data-health', '#/data-health'],
  ['account', '#/account'],
  ['sign-in', '#/welcome'],
  ['guide', 'guide'],
  ['reference', 'docs'],
]

/** Content below the fold is loaded when it is scrolled into view. */
const NOTHING_AWAITED = `![...document.querySelectorAll('.busy')].some(e => e.getBoundingClientRect().top < innerHeight)`
const MOST_MS = 60_000
const STEP_MS = 150

export interface Seen {
  readonly name: string
  readonly look: Look
  /** Serious violations of the rules of accessibility. */
  readonly violations: readonly string[]
  /** Pixels by which the page is wider than the screen. */
  readonly over: number
  /** Errors and warnings of the console, and requests to other hosts. */
  readonly wrong: readonly string[]
}

/** Waits until nothing in sight is awaited. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main').first().waitFor()
  await page.waitForLoadState('networkidle')
  for (let waited = 0; waited < MOST_MS; waited += STEP_MS) {
    if (await page.evaluate(NOTHING_AWAITED)) break
    await page.waitForTimeout(STEP_MS)
  }
  // A chart is drawn in the frame after its answer.
  await page.waitForTimeout(STEP_MS)
}

/** Turns the open page into another look, as a reader does who narrows the window or whose evening begins. */
async function turn(page: Page, look: Look): Promise<void> {
  const { viewport, colorScheme } = { colorScheme: 'light', ...looks[look] } as const
  await page.setViewportSize(viewport)
  await page.emulateMedia({ colorScheme })
}

/** Opens every page, each in one of the looks in turn, and says what is wrong with it; takes pictures into a folder. */
export async function* walk(
  browser: Browser,
  url: string,
  inTurn: readonly [Look, ...Look[]],
  shown: Shown,
  folder: string | null,
): AsyncGenerator<Seen> {
  const { page, wrong, context } = await watched(browser, url, looks[inTurn[0]])
  page.setDefaultTimeout(MOST_MS)
  for (const [i, [name, path]] of placesOf(shown).entries()) {
    const look = elementAt(inTurn, i % inTurn.length)
    if (inTurn.length > 1) await turn(page, look)
    await page.goto(`${url}/${path}`)
    await settled(page)
    const over = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number
    if (folder !== null)
      await page.screenshot({ path: join(folder, `${name}-${look}.png`), caret: 'initial' })
    yield { name, look, violations: await violations(page), over, wrong: wrong.splice(0) }
  }
  await context.close()
}
