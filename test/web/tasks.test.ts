import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { addDays } from '../../engine/base/days.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { openLake } from '../../engine/lake/lake.ts'
import { resident } from '../cli/resident.ts'
import { testFolder } from '../folder.ts'
import { copySample } from '../sample-lake.ts'
import { patient, serving, until } from '../server/serving.ts'
import { openBrowser, watched, withoutChromium } from './browser.ts'

const { tranche } = await resident(t)

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 900_000
t.setTimeout(timeout)

/** What a daily task may take, in the explorer from its first page and in the terminal. */
const MOST_ACTIONS = 6

/** Somebody at the explorer. Clicks, texts and keys count as actions, looking does not. */
class Reader {
  actions = 0
  readonly page: Page

  constructor(page: Page) {
    this.page = page
  }

  async click(what: Locator): Promise<void> {
    this.actions++
    await what.first().click()
  }

  /** A text and Enter. */
  async write(into: Locator, text: string): Promise<void> {
    this.actions += 2
    await into.fill(text)
    await this.page.keyboard.press('Enter')
  }

  /** The box that finds everything: its key, what is sought, Enter. */
  async find(text: string, option: string): Promise<void> {
    this.actions += 3
    await this.page.keyboard.press('Control+k')
    await this.page.keyboard.type(text)
    const first = this.page.getByRole('option').first()
    await until(async () => (await first.textContent().catch(() => ''))?.includes(option))
    await this.page.keyboard.press('Enter')
  }

  screen(name: string): Promise<void> {
    return this.click(
      this.page.getByRole('navigation', { name: 'What to screen' }).getByText(name, { exact: true }),
    )
  }

  /** Waits until a text is seen. */
  async sees(where: Locator, text: string): Promise<void> {
    await until(async () =>
      (await where.allTextContents().catch(() => [])).some(found => found.includes(text)),
    )
  }

  /** The first row of a screen. */
  firstRow(name: string): Locator {
    return this.page.getByRole('grid', { name }).getByRole('row').nth(1)
  }
}

interface Task {
  readonly name: string
  /** Texts that show that it is done, in the explorer and in the terminal. */
  readonly answer: (engine: Engine) => Promise<{ seen: string; printed: string }>
  readonly explorer: (reader: Reader, seen: string) => Promise<void>
  /** Commands; `DIR` is a folder for files. */
  readonly terminal: (asOf: string) => readonly (readonly string[])[]
  /** A file that the commands write. */
  readonly file?: string
}

const rowOf = async (engine: Engine, name: string, input: object): Promise<Record<string, unknown>> => {
  const { data } = (await engine.call(
    name as 'search.bonds',
    { limit: 1, ...input } as object,
  )) as unknown as {
    data: Record<string, unknown>[]
  }
  if (!data[0]) throw new Error(`the sample has no row of ${name} for this task`)
  return data[0]
}

const both = (value: unknown) => ({ seen: String(value), printed: String(value) })

/** Days, as the sample's newest bonds are of the middle of the month before. */
const MONTH = 35

/** A company whose leverage is null. */
const UNLEVERED = 'AMBRA'

const tasks: readonly Task[] = [
  {
    name: 'the cheapest BB energy bond',
    answer: async engine =>
      both(
        (await rowOf(engine, 'search.relative_value', { sector: 'Energy', rating_bucket: 'HY-BB' }))[
          'bond_name'
        ],
      ),
    explorer: async (reader, seen) => {
      await reader.screen('Relative value')
      await reader.write(reader.page.getByRole('textbox', { name: 'Sector' }), 'Energy')
      await reader.click(reader.page.getByRole('checkbox', { name: 'HY-BB' }))
      await reader.sees(reader.firstRow('Relative value'), seen)
    },
    terminal: () => [['relative-value', '--sector', 'Energy', '--rating-bucket', 'HY-BB', '--limit', '1']],
  },
  {
    name: 'why is this leverage null?',
    answer: async engine => {
      const row = await rowOf(engine, 'search.companies', { ticker: UNLEVERED, explain: true })
      const explained = row['_explain'] as Record<string, { null_because: string | null }>
      return both(explained['leverage_ratio']!.null_because)
    },
    explorer: async (reader, seen) => {
      await reader.find(UNLEVERED, UNLEVERED)
      await reader.click(reader.page.getByRole('button', { name: /^Leverage/ }))
      await reader.sees(reader.page.getByRole('dialog'), seen)
    },
    terminal: () => [['company', UNLEVERED, '--explain', '--format', 'json']],
  },
  {
    name: 'which covenant is closest to a breach?',
    answer: async engine => {
      const row = await rowOf(engine, 'search.headroom', { status: 'met', sort: 'headroom_percent' })
      return both(row['ticker'])
    },
    explorer: async (reader, seen) => {
      await reader.screen('Headroom')
      await reader.click(reader.page.getByRole('checkbox', { name: 'Met' }))
      await reader.sees(reader.firstRow('Headroom'), seen)
    },
    terminal: () => [['headroom', '--status', 'met', '--limit', '1']],
  },
  {
    name: 'who refinanced last month?',
    answer: async engine => {
      const { meta } = await engine.call('search.bonds', { limit: 1 })
      const row = await rowOf(engine, 'search.bonds', {
        issued_after: addDays(String(meta['as_of']), -MONTH),
        sort: '-issue_date',
        is_active: true,
      })
      return both(row['company_ticker'])
    },
    explorer: async (reader, seen) => {
      await reader.screen('Bonds')
      await reader.write(
        reader.page.getByRole('textbox', { name: /^Issue date, (least|from|first)/ }),
        addDays(await reader.page.getByRole('textbox', { name: 'As of' }).inputValue(), -MONTH),
      )
      await reader.sees(reader.page.getByRole('grid', { name: 'Bonds' }), seen)
    },
    terminal: asOf => [['bonds', '--issued-after', addDays(asOf, -MONTH), '--sort', '-issue_date']],
  },
  {
    name: 'send a colleague this screen as of last June',
    answer: async engine => {
      const row = await rowOf(engine, 'search.companies', { as_of: '2024-06-30', sort: '-total_debt' })
      return both(row['ticker'])
    },
    explorer: async (reader, seen) => {
      const { page } = reader
      await reader.write(page.getByRole('textbox', { name: 'As of' }), '2024-06-30')
      await reader.click(page.getByRole('button', { name: 'Copy as' }))
      await reader.click(page.getByRole('button', { name: 'Link', exact: true }))
      await reader.click(page.getByRole('button', { name: 'Copy', exact: true }))
      const sent = await page.locator('pre.copy').textContent()
      // The colleague.
      await page.goto('about:blank')
      await page.goto(sent!)
      await reader.sees(reader.firstRow('Companies'), seen)
    },
    terminal: () => [
      ['companies', '--sort', '-total_debt', '--as-of', '2024-06-30', '-o', join('DIR', 'screen.csv')],
    ],
    file: 'screen.csv',
  },
  {
    name: 'who was downgraded this year?',
    answer: async engine =>
      both(
        (await rowOf(engine, 'search.migrations', { migration: 'downgrade', sort: '-rating_date' }))[
          'ticker'
        ],
      ),
    explorer: async (reader, seen) => {
      await reader.screen('Rating migrations')
      await reader.click(reader.page.getByRole('checkbox', { name: 'Downgrade' }))
      await reader.sees(reader.firstRow('Rating migrations'), seen)
    },
    terminal: () => [['rating-migrations', '--migration', 'downgrade', '--sort', '-rating_date']],
  },
  {
    name: 'who cannot pay the next twelve months from cash and facilities?',
    answer: async engine => both((await rowOf(engine, 'search.liquidity', { max_cover: 1 }))['ticker']),
    explorer: async (reader, seen) => {
      await reader.screen('Liquidity')
      await reader.write(reader.page.getByRole('textbox', { name: 'Cover 12m, most', exact: true }), '1')
      await reader.sees(reader.firstRow('Liquidity'), seen)
    },
    terminal: () => [['liquidity', '--max-cover', '1']],
  },
  {
    name: 'whose wall of 2026 is half of its debt?',
    answer: async engine =>
      both(
        (await rowOf(engine, 'search.maturities', { year: 2026, min_due_percent: 50, sort: 'ticker' }))[
          'ticker'
        ],
      ),
    explorer: async (reader, seen) => {
      await reader.screen('Maturities')
      await reader.write(reader.page.getByRole('textbox', { name: 'Year' }), '2026')
      await reader.write(reader.page.getByRole('textbox', { name: 'Due percent, least', exact: true }), '50')
      await reader.sees(reader.firstRow('Maturities'), seen)
    },
    terminal: () => [['maturities', '--year', '2026', '--min-due-percent', '50']],
  },
  {
    name: 'what do the filings say about a change of control?',
    answer: async engine =>
      both((await rowOf(engine, 'search.documents', { q: 'change of control' }))['ticker']),
    explorer: async (reader, seen) => {
      const { page } = reader
      await reader.click(page.getByRole('link', { name: 'Search', exact: true }))
      await reader.write(page.getByRole('searchbox'), 'change of control')
      await reader.sees(page.getByRole('main'), seen)
    },
    terminal: () => [['search', 'change of control', '--limit', '1']],
  },
  {
    name: 'the price of a bond that a colleague names on the phone',
    answer: async engine => {
      const row = await rowOf(engine, 'search.bonds', {
        rate_type: 'fixed',
        has_pricing: true,
        fields: 'cusip,display_name,pricing.last_price',
      })
      const { last_price } = row['pricing'] as { last_price: number }
      return { seen: last_price.toFixed(2), printed: String(row['cusip']) }
    },
    explorer: async (reader, seen) => {
      await reader.find(phoned, phoned)
      await reader.sees(reader.page.getByRole('main'), seen)
    },
    terminal: () => [['resolve', phoned, '--limit', '1']],
  },
]

/** The bond of the last task as a desk says it. */
let phoned = ''

t.test('ten tasks of a day take at most six actions each', { skip, timeout }, async t => {
  const lake = testFolder(t)
  await copySample(lake)
  const engine = await open(await openLake(lake))
  t.teardown(() => engine.close())
  const { meta } = await engine.call('search.bonds', { limit: 1 })
  const named = await rowOf(engine, 'search.bonds', { rate_type: 'fixed', has_pricing: true })
  phoned = String(named['display_name'])
  const { url } = await serving(t, ['--demo', ...patient, '--lake', lake])
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url, { permissions: ['clipboard-read', 'clipboard-write'] })
  page.setDefaultTimeout(60_000)
  t.equal(tasks.length, 10)

  for (const { name, answer, explorer, terminal, file } of tasks) {
    const { seen, printed } = await answer(engine)
    await t.test(`in the explorer: ${name}`, async t => {
      await page.goto('about:blank')
      await page.goto(`${url}/`)
      await page.getByRole('grid', { name: 'Companies' }).getByRole('gridcell').first().waitFor()
      const reader = new Reader(page)
      await explorer(reader, seen)
      t.ok(reader.actions <= MOST_ACTIONS, `${reader.actions} actions`)
    })
    await t.test(`in the terminal: ${name}`, async t => {
      const folder = testFolder(t)
      const commands = terminal(String(meta['as_of']))
      t.ok(commands.length <= MOST_ACTIONS)
      let out = ''
      for (const words of commands) {
        const ended = await tranche([...words.map(word => word.replace('DIR', folder)), '--lake', lake], '')
        t.equal(ended.code, 0, ended.err)
        out += ended.out
      }
      if (file) out = await readFile(join(folder, file), 'utf8')
      t.match(out, printed)
    })
  }
  t.strictSame(wrong, [], 'nothing went wrong in the browser')
})
