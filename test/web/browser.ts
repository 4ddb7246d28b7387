import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import type { Test } from 'tap'
import { root } from '../root.ts'

/** Places where the system's Chromium may be. */
const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

export const chromiumAt: string | undefined = places.find(path => existsSync(path))

export const withoutChromium = chromiumAt ? false : 'no Chromium here: the explorer is not walked'

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumAt!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })

const screenshots = process.env['TRANCHE_SCREENSHOTS'] || join(root, 'screenshots')

/** Saves a picture of the page, for people to look at. */
export async function keep(page: Page, name: string): Promise<void> {
  mkdirSync(screenshots, { recursive: true })
  // Hiding the caret would need an inline style, which the page's policy refuses.
  await page.screenshot({ path: join(screenshots, `${name}.png`), caret: 'initial' })
}

/** A page that collects everything that goes wrong: errors, and requests to other hosts. */
export async function watched(browser: Browser, url: string, options: object = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning')
      wrong.push(`${message.text()} at ${page.url()}`)
  })
  page.on('pageerror', error => wrong.push(String(error)))
  page.on('request', request => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('blob:'))
      wrong.push(`asked elsewhere: ${request.url()}`)
  })
  return { context, page, wrong }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rows of a grid that are checked: they are alike, and each of their cells takes the checks of colours a while. */
const ROWS_CHECKED = 8

/** Serious accessibility problems of the page. Rules without serious findings, which look at every element, are off. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return (await page.evaluate(`(() => {
    const grids = [...document.querySelectorAll('[role=grid], [role=treegrid], table')]
    const rows = grids.flatMap(grid => [...grid.querySelectorAll('[role=row], tr')].slice(${ROWS_CHECKED}))
    const options = { resultTypes: ['violations'], rules: { region: { enabled: false } } }
    return axe.run({ include: [document], exclude: rows }, options).then(({ violations }) =>
      violations.filter(v => v.impact === 'serious' || v.impact === 'critical')
        .map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 160)).join(' | ')))
  })()`)) as string[]
}

/** Asserts that the page has no serious accessibility problem. */
export async function accessible(t: Test, page: Page, name: string): Promise<void> {
  t.strictSame(await violations(page), [], `${name} is accessible`)
}
