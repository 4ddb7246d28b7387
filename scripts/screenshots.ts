import { writeFileSync } from 'node:fs'
import { openBrowser } from '../test/web/browser.ts'
import { palettePng } from './palette-png.ts'

// The picture of the docs, of a server of `tranche serve --demo` over the sample. The tests keep one of every page.
const [url = 'http://127.0.0.1:8787'] = process.argv.slice(2)
const [width, height] = [1280, 800]

/** The picture's pixels, as the browser itself reads them; in another page, for ours runs nothing of others. */
const read = `(async png => {
  const picture = await createImageBitmap(await (await fetch(png)).blob())
  const pen = new OffscreenCanvas(${width}, ${height}).getContext('2d')
  pen.drawImage(picture, 0, 0)
  let text = ''
  for (const byte of pen.getImageData(0, 0, ${width}, ${height}).data) text += String.fromCharCode(byte)
  return btoa(text)
})`

const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width, height } })
  page.setDefaultTimeout(90_000)
  await page.goto(`${url}/#/screen/companies?min_leverage=4&sort=-leverage_ratio`)
  await page.getByRole('gridcell').first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(1500)
  // To hide the caret a style would be written into the page, which its policy refuses.
  const png = await page.screenshot({ caret: 'initial' })
  const other = await browser.newPage()
  const pixels = (await other.evaluate(
    `${read}('data:image/png;base64,${png.toString('base64')}')`,
  )) as string
  const image = new URL('../../docs/images/screen.png', import.meta.url)
  writeFileSync(image, palettePng(Buffer.from(pixels, 'base64'), width, height))
} finally {
  await browser.close()
}
