import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import t from 'tap'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, type Rows, twoIssuers } from '../make-lake.ts'
import { plainProcess } from '../plain-process.ts'
import { PASSWORD } from '../server/browser.ts'
import { serving } from '../server/serving.ts'
import { accessible, keep, openBrowser, watched, withoutChromium } from './browser.ts'

const built = existsSync(fileURLToPath(new URL('../../web/index.html', import.meta.url)))
const skip = withoutChromium || (built ? false : 'the explorer is not built: npm run build')

const EVIL = '<img src=x onerror=alert(1)><script>alert(2)</script>'

/** Two issuers of whom every text is hostile. */
const hostile: Rows = {
  ...twoIssuers,
  companies: twoIssuers['companies']!.map(company => ({ ...company, name: `${company['name']} ${EVIL}` })),
  bonds: twoIssuers['bonds']!.map(bond => ({ ...bond, name: `${bond['name']} ${EVIL}` })),
  covenants: twoIssuers['covenants']!.map(covenant => ({
    ...covenant,
    covenant_name: `${covenant['covenant_name']} ${EVIL}`,
    description: EVIL,
  })),
  collateral: twoIssuers['collateral']!.map(one => ({ ...one, description: `Rigs ${EVIL}` })),
  entities: twoIssuers['entities']!.map(entity => ({ ...entity, name: `${entity['name']} ${EVIL}` })),
  documents: ['10-K', '10-Q'].map((doc_type, i) => ({
    id: `d${i}`,
    ticker: 'ALFA',
    doc_type,
    accession: `0000000001-25-00000${i}`,
    filing_date: `2025-0${i + 2}-10`,
    known_from: `2025-0${i + 2}-10`,
    section_type: 'risk_factors',
    section_title: `Risks ${EVIL}`,
    content: `The rigs may burn. ${EVIL} The lenders may ask for the debt at once. <mark>Not ours</mark>`,
    source_url: 'javascript:alert(3)',
  })),
}

const program = fileURLToPath(new URL(`../../cli/main${extname(import.meta.url)}`, import.meta.url))

t.test("people sign in, and see others' texts as text", { skip }, async t => {
  const lake = await makeLake(t.teardown, hostile)
  await build(lake)
  const { url } = await serving(t, ['--lake', lake.root])
  const browser = await openBrowser()
  t.teardown(() => browser.close())
  const { page, wrong } = await watched(browser, url)
  const dialogs: string[] = []
  page.on('dialog', dialog => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.setDefaultTimeout(300_000)
  const go = (hash: string) => page.goto(`${url}/${hash}`)
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const status = async (key: string) =>
    (await fetch(`${url}/v1/auth/me`, { headers: { 'X-API-Key': key } })).status
  // A visitor who is not signed in, or enters a wrong password, gets a status that Chromium writes to the console.
  const refused = (...statuses: string[]) => {
    const others = wrong.splice(0).filter(text => !statuses.some(one => text.includes(`status of ${one}`)))
    t.strictSame(others, [])
  }

  await t.test('a link sets a password, once', async t => {
    await go('')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await accessible(t, page, 'the sign-in')
    await keep(page, 'sign-in')
    await page.goto(await linkFor('ana@fund.example', lake.root, url))
    await page.getByRole('heading', { name: 'Choose a password' }).waitFor()
    await page.getByLabel('New password').fill(PASSWORD)
    await accessible(t, page, 'the welcome')
    await keep(page, 'welcome')
    await button('Save and sign in').click()
    t.match(await page.locator('.who').textContent(), 'ana@fund.example')
    await page.getByRole('alert').getByRole('link', { name: 'To the keys of your account' }).waitFor()
    await keep(page, 'without-key')
    refused('401', '403')
  })

  await t.test('a key is created and regenerated, and the old one is refused', async t => {
    await go('#/account')
    await page.getByRole('textbox', { name: 'Label of a new key' }).fill(EVIL)
    await button('Create a key').click()
    const once = page.locator('.once code')
    const old = (await once.textContent())!
    t.equal(await status(old), 200)
    const row = page.getByRole('row', { name: new RegExp(old.slice(0, 8)) })
    await row.getByRole('button', { name: /^Regenerate/ }).click()
    await row.getByRole('button', { name: 'Regenerate', exact: true }).click()
    await once.filter({ hasNotText: old }).waitFor()
    t.equal(await status(old), 401)
    t.equal(await status((await once.textContent())!), 200)
    await button('I have it').click()
    const use = page.getByRole('radio')
    if (!(await use.isChecked())) await use.click()
    t.equal(await page.getByRole('textbox', { name: 'Label of <img' }).inputValue(), EVIL)
    refused('403')
  })

  await t.test('coverage of a company is requested, whatever its name', async t => {
    const panel = panelNamed(page, 'Coverage requests')
    await panel.getByRole('textbox', { name: 'Ticker' }).fill('GAMM')
    await panel.getByRole('textbox', { name: 'Company name' }).fill(`Gamma ${EVIL}`)
    await panel.getByRole('textbox', { name: 'Note' }).fill(EVIL)
    await button('Request').click()
    t.match(await panel.getByRole('row').nth(1).textContent(), `Gamma ${EVIL}`)
  })

  await t.test('a seat is added by link, and removed', async t => {
    const panel = panelNamed(page, 'Seats')
    await panel.getByRole('textbox', { name: 'Email of a new seat' }).fill('bo@fund.example')
    await button('Add seat').click()
    const link = (await panel.locator('.once code').textContent())!
    t.ok(link.startsWith(`${url}/#/welcome?token=`))
    await keep(page, 'account-seats')
    const bo = await watched(browser, url)
    bo.page.setDefaultTimeout(300_000)
    await bo.page.goto(link)
    await bo.page.getByLabel('New password').fill(PASSWORD)
    await bo.page.getByRole('button', { name: 'Save and sign in' }).click()
    await bo.page.locator('.who').waitFor()
    await button('Remove the seat of bo@fund.example').click()
    await button('Take the seat').click()
    await panel.getByRole('cell', { name: /^bo@/ }).waitFor({ state: 'detached' })
    await bo.page.goto(`${url}/#/account`)
    await bo.page.reload()
    await bo.page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await bo.context.close()
    await page.getByRole('heading', { name: /^Calls by day/ }).waitFor()
    await accessible(t, page, 'the account')
    refused()
  })

  await t.test('text of filings stays text on every page', async t => {
    for (const [hash, said] of [
      ['#/screen/companies', 'Alfa Drilling Corp <img'],
      // Bonds are listed by desk name; the source's name is on the page of the bond.
      ['#/screen/bonds', 'ALFA 6 06/15/30'],
      ['#/screen/covenants', 'Maximum leverage <img'],
      ['#/screen/collateral', 'Rigs <img'],
      ['#/company/ALFA', 'Alfa Drilling Corp <img'],
      ['#/company/ALFA', 'Maximum leverage <img'],
      ['#/company/ALFA', 'Alfa Rigs LLC <img'],
      ['#/bond/000000AA7', 'Alfa 6% 2030 <img'],
      ['#/market', 'Movers'],
      ['#/search?q=lenders&mode=keyword', 'Risks <img'],
    ] as const) {
      await go(hash)
      await page.getByText(said).first().waitFor()
      t.equal(await page.locator('img, #main script').count(), 0, `${hash} holds only text`)
    }
    await page.locator('.hits .title').first().click()
    await page.locator('.reader .text mark').waitFor()
    const text = page.locator('.reader .text')
    t.match(await text.textContent(), `The rigs may burn. ${EVIL}`)
    t.match(await text.textContent(), '<mark>Not ours</mark>')
    t.equal(await page.locator('a[href^="javascript"]').count(), 0, 'no link runs a script')
    t.strictSame(dialogs, [])
    refused()
  })

  await t.test('a new password replaces the old one', async t => {
    await go('#/account')
    const panel = panelNamed(page, 'Password')
    await panel.getByLabel('Present password').fill('not this password')
    await panel.getByLabel('New password').fill(`${PASSWORD} anew`)
    await button('Change the password').click()
    t.match(await panel.getByRole('alert').textContent(), 'The current password is wrong')
    refused('403')
    await panel.getByLabel('Present password').fill(PASSWORD)
    await button('Change the password').click()
    await panel.getByText('The password is changed').waitFor()
    await go('#/screen/companies')
    await button('Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Email').fill('ana@fund.example')
    await page.getByLabel('Password').fill(PASSWORD)
    await button('Sign in').click()
    t.match(await page.getByRole('alert').textContent(), 'Wrong email or password')
    await page.getByLabel('Password').fill(`${PASSWORD} anew`)
    await button('Sign in').click()
    await page.locator('.who').waitFor()
    refused('401')
  })
})

const panelNamed = (page: Page, name: string) =>
  page.locator('section.panel', { has: page.getByRole('heading', { name, exact: true }) })

/** As an operator creates an account: the link is printed once. */
async function linkFor(email: string, lake: string, url: string): Promise<string> {
  const words = ['accounts', 'create', '--email', email, '--tier', 'business', '--lake', lake, '--url', url]
  const { stdout, stderr } = await promisify(execFile)(...plainProcess(import.meta.url, program, words))
  const [link] = /http\S+#\/welcome\?token=[\w-]+/.exec(stdout + stderr) ?? []
  if (!link) throw new Error(`no link in ${stdout}${stderr}`)
  return link
}
