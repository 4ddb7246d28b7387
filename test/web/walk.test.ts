import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { byNight } from '../by-night.ts'
import { testFolder } from '../folder.ts'
import { root } from '../root.ts'
import { copySample } from '../sample-lake.ts'
import { demoKeyOf, patient, serving } from '../server/serving.ts'
import { openBrowser, withoutChromium } from './browser.ts'
import { type Look, placesOf, walk } from './walk.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')
const timeout = 900_000
t.setTimeout(timeout)

/**
 * Looks in which pages are opened in turn: every second page wide in light, the others on a phone in dark.
 * The nightly run opens all pages in each look, and takes pictures.
 */
const visits: readonly (readonly [Look, ...Look[]])[] = byNight
  ? [['light'], ['dark'], ['phone'], ['phone-dark']]
  : [['light', 'phone-dark']]

const shown = {
  company: 'FRNLL',
  others: ['HSTLN', 'FLKNT'],
  words: 'change of control',
  sql: 'SELECT sector, count(*) AS companies FROM companies GROUP BY 1',
}

t.test('the walk has every page of the explorer', async t => {
  const pages = readFileSync(`${root}/server/web/app/pages.ts`, 'utf8')
  const names = [...pages.matchAll(/^ {2}'?([a-z-]+)'?: \{/gm)].map(([, name]) => name)
  t.ok(names.length > 10)
  const walked = placesOf({ ...shown, bond: 'B' }).map(([, path]) => /^#\/([a-z-]+)/.exec(path)?.[1] ?? '')
  for (const name of names) t.ok(walked.includes(name ?? ''), String(name))
})

t.test(
  'every page is accessible and as wide as the screen, wide in light or on a phone in dark',
  { skip, timeout },
  async t => {
    // A second call would empty the first one's folder.
    const parts = testFolder(t, { lake: {}, pictures: {} })
    const lake = join(parts, 'lake')
    await copySample(lake)
    const { url, err } = await serving(t, ['--demo', '--enable-sql', ...patient, '--lake', lake])
    const key = await demoKeyOf({ err })
    const answer = await fetch(`${url}/v1/bonds?has_pricing=true&fields=id&limit=1`, {
      headers: { 'X-API-Key': key },
    })
    const { data } = (await answer.json()) as { data: [{ id: string }] }
    const folder = process.env['TRANCHE_SCREENSHOTS'] || (byNight ? join(parts, 'pictures') : null)
    const browser = await openBrowser()
    t.teardown(() => browser.close())
    const seenIn = new Map<Look, number>()
    for (const opened of visits)
      for await (const seen of walk(browser, url, opened, { ...shown, bond: data[0].id }, folder)) {
        t.strictSame(
          { ...seen, over: Math.max(0, seen.over) },
          { name: seen.name, look: seen.look, violations: [], over: 0, wrong: [] },
          `${seen.name}, ${seen.look}`,
        )
        seenIn.set(seen.look, (seenIn.get(seen.look) ?? 0) + 1)
      }
    for (const looks of visits) {
      const seen = looks.map(look => seenIn.get(look) ?? 0)
      t.equal(
        seen.reduce((a, b) => a + b),
        placesOf({ ...shown, bond: '' }).length,
        `every page, ${looks}`,
      )
    }
    if (folder === null) return
    for (const look of visits.flat()) {
      const pictures = readdirSync(folder).filter(file => file.endsWith(`-${look}.png`))
      t.ok(pictures.length >= seenIn.get(look)!, `a picture of each page, ${look}`)
    }
  },
)
