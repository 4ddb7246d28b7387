import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { operations } from '../engine/operations/api.ts'
import { formsByName } from './example-forms.ts'
import { readGuide } from './guide/guide.ts'
import { type Assets, layout } from './guide/layout.ts'
import { searchedSections } from './guide/search.ts'

// The guide, from the pages in docs/ and docs/openapi.json, into dist/guide. After `npm run build:web`, which bundles
// its script and styles.
const root = fileURLToPath(new URL('../../', import.meta.url))
const guide = join(root, 'dist/guide')

interface Chunk {
  readonly file: string
  readonly css?: readonly string[]
}

async function assetsOf(): Promise<Assets> {
  const manifest = JSON.parse(await readFile(join(root, 'dist/web/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const chunk = manifest['guide/guide.ts']
  if (!chunk) throw new Error('dist/web has no script of the guide: npm run build:web')
  return { script: `/${chunk.file}`, styles: (chunk.css ?? []).map(file => `/${file}`) }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(guide, path)), { recursive: true })
  await writeFile(join(guide, path), text)
}

const { pages, navigation, images } = readGuide(root, formsByName(operations))
const assets = await assetsOf()

await rm(guide, { recursive: true, force: true })
for (const page of pages) await write(`${page.address.slice(1)}.html`, layout(page, { navigation, assets }))
await write('guide/search.json', JSON.stringify(searchedSections(pages)))
await mkdir(join(guide, 'guide/images'), { recursive: true })
for (const [name, from] of images) await cp(from, join(guide, 'guide/images', name))
const browser = join(root, 'server/web')
await cp(join(browser, 'guide/theme.js'), join(guide, 'guide/theme.js'))
await cp(join(browser, 'mark.svg'), join(guide, 'guide/mark.svg'))
