import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { datasets } from '../../engine/schema/datasets/datasets.ts'
import { build } from '../../engine/snapshot/build.ts'
import { firstOf } from '../by-night.ts'
import { makeLake, type Rows, twoIssuers } from '../make-lake.ts'
import { root } from '../root.ts'
import { serving, until } from '../server/serving.ts'
import { openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 400_000
t.setTimeout(timeout)

/** Markup that would run in every possible way, and sets a marker if it does. */
const EVIL = `"><img src=x onerror="window.ran=1"><script>window.ran=1</script><svg/onload=window.ran=1>{{7*7}}`
const LINK = 'javascript:window.ran=1'

/** Text by which rows are found, joined or ordered stays unchanged. */
const isFree = (name: string): boolean =>
  !/ticker|cusip|isin|cik|lei|accession|_id$|^id$|date|known_from|type|currency|unit|agency|status|publisher|source$|rating|basis|tag|form|sector|aliases|country|period/.test(
    name,
  )

const columnsOf = new Map(
  Object.values(datasets).map(one => [one.name, one.columns as Record<string, { kind: string }>]),
)

/** Rows of the two issuers, with markup in every free text, and script links. */
const hostile: Rows = Object.fromEntries(
  Object.entries({
    ...twoIssuers,
    documents: [
      {
        id: 'd1',
        ticker: 'ALFA',
        doc_type: '10-K',
        accession: '0000000001-25-000001',
        filing_date: '2025-02-10',
        known_from: '2025-02-10',
        section_type: 'risk_factors',
        section_title: 'Risks',
        content: 'The rigs may burn. The lenders may ask for the debt at once.',
        source_url: LINK,
      },
    ],
  }).map(([dataset, rows]) => [
    dataset,
    rows.map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          const isText = columnsOf.get(dataset)?.[name]?.kind === 'text'
          if (/url/.test(name)) return [name, LINK]
          return [name, isText && typeof value === 'string' && isFree(name) ? `${value} ${EVIL}` : value]
        }),
      ),
    ),
  ]),
)

/** Content below the fold is loaded when it is scrolled into view. */
const everythingShown = `(() => {
  const [busy] = document.querySelectorAll('.busy')
  busy?.scrollIntoView()
  return !busy
})()`

/** Names of the pages, read from the route table, so that new pages are included. */
const routes = [
  ...readFileSync(join(root, 'server/web/app/pages.ts'), 'utf8').matchAll(/^ {2}'?([\w-]+)'?: \{/gm),
].map(([, name]) => name!)

/** A URL of each page with content. */
const places: Record<string, readonly string[]> = {
  screen: ['companies', 'bonds', 'pricing', 'financials', 'covenants', 'collateral', 'ratings'].map(
    name => `screen/${name}`,
  ),
  company: ['company/ALFA', `company/${encodeURIComponent(EVIL)}`],
  'tear-sheet': ['tear-sheet/ALFA', `tear-sheet/${encodeURIComponent(EVIL)}`],
  bond: ['bond/000000AA7', `bond/${encodeURIComponent(EVIL)}`],
  market: ['market'],
  search: ['search?q=rigs', `search?q=${encodeURIComponent(EVIL)}`],
  sql: ['sql'],
  account: ['account'],
  saved: ['saved'],
  watch: ['watch'],
  compare: ['compare'],
  'data-health': ['data-health'],
  'relative-value': ['relative-value', 'relative-value/companies?x=total_debt&y=cash'],
}

t.test('text from data, queries or URLs never runs as script', { skip, timeout }, async t => {
  const lake = await makeLake(t.teardown, hostile)
  await build(lake)
  t.strictSame(Object.keys(places).sort(), [...routes].sort(), 'every page of the table is walked')
  const { url } = await serving(t, ['--demo', '--enable-sql', '--lake', lake.root])
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page } = await watched(browser, url)
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(
    `window.violations = []
     document.addEventListener('securitypolicyviolation', e => window.violations.push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample))`,
  )
  let literal = 0
  for (const place of Object.values(places).flatMap(places => firstOf(2, places))) {
    await page.goto('about:blank')
    await page.goto(`${url}/#/${place}`)
    await page.locator('main').first().waitFor()
    if (place === 'sql') {
      await page.locator('.cm-content').click()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(
        `SELECT '${EVIL}' AS "${EVIL.replaceAll('"', '""')}", name FROM companies`,
      )
      await page.keyboard.press('Escape')
      // Until the tables are prepared for SQL, statements get 503.
      const result = page.getByRole('gridcell', { name: /<img src=x/ }).first()
      await until(async () => {
        await page.getByRole('button', { name: 'Run' }).click()
        return result.waitFor({ timeout: 5000 }).then(
          () => true,
          () => false,
        )
      })
    }
    await until(() => page.evaluate(everythingShown))
    const seen = (await page.evaluate(`({
      ran: window.ran,
      violations: window.violations,
      made: document.querySelectorAll('img[src="x"], svg[onload], [onerror], [onload]').length,
      links: [...document.querySelectorAll('[href], [src], [action]')]
        .filter(e => /^\\s*javascript:/i.test(e.getAttribute('href') ?? e.getAttribute('src') ?? e.getAttribute('action') ?? '')).length,
      literal: document.body.innerText.includes('<img src=x') || [...document.querySelectorAll('input, [title]')].some(e => String(e.value ?? e.title ?? '').includes('<img src=x')),
    })`)) as { literal: boolean }
    t.match(seen, { ran: undefined, violations: [], made: 0, links: 0 }, place)
    if (seen.literal) literal++
  }
  t.strictSame(dialogs, [])
  t.ok(literal >= 5, `the text is shown as it is written, on ${literal} pages`)
})
