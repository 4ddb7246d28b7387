import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type BuildIndexOptions, buildIndex } from '../../engine/search/build/build-index.ts'
import { learntFrom } from '../../engine/search/build/write-lsa.ts'
import type { Section } from '../../engine/search/text/section.ts'
import { testFolder } from '../folder.ts'
import { section } from './section.ts'

function words(seed: number, count: number): string {
  const said: string[] = []
  let state = seed + 1
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    const rank = Math.floor(Math.exp((state / 2 ** 32) * Math.log(150)))
    said.push(`w${String.fromCharCode(97 + (rank % 26))}${rank}`)
  }
  return said.join(' ')
}

const numbered = (id: number, count = 700): Section => {
  const company_name = `Company ${id % 7}`
  const section_title = 'Notes'
  return section(id, words(id, count), {
    company_name,
    company_id: `C${id % 7}`,
    section_title,
    shown: { id: String(id), company_name, section_title },
  })
}

/** Enough to be cut in several goes, newest first. */
const sections = Array.from({ length: 80 }, (_, i) => numbered(80 - i))

async function filesOf(folder: string, of: readonly Section[], options: Partial<BuildIndexOptions> = {}) {
  const given = (async function* () {
    yield* of
  })()
  await buildIndex(folder, given, { content: '', exactBytes: 0, graphPassages: 100, ...options })
  const sha = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, file)))
      .digest('hex')
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map(file => [file, sha(file)]),
  )
}

t.test('an index is the same whether one process builds it or several do', async t => {
  const [alone, helped] = [join(testFolder(t), 'alone'), join(testFolder(t), 'helped')]
  const files = await filesOf(alone, sections)
  t.ok(Object.keys(files).includes('vectors.bin'))
  t.strictSame(await filesOf(helped, sections, { helpers: 2 }), files)
})

t.test('an index that takes over from the one before it is the same as one built whole', async t => {
  const dir = testFolder(t)
  const former = join(dir, 'former')
  await filesOf(former, sections)
  const changed = {
    'a section newer than all others': [numbered(900), ...sections],
    'a section among the others, one less and one with another title': [
      ...sections.slice(0, 20),
      numbered(901, 30),
      ...sections.slice(21, 50),
      { ...sections[50]!, section_title: 'Debt' },
      ...sections.slice(51),
    ],
    'the same sections in another order': sections.toReversed(),
    'a section twice': [sections[4]!, ...sections],
    'no section': [],
  }
  for (const [i, [what, now]] of Object.entries(changed).entries()) {
    const whole = await filesOf(join(dir, `whole${i}`), now)
    t.strictSame(await filesOf(join(dir, `taken${i}`), now, { former }), whole, what)
  }
})

t.test('what is filed later seldom changes what a model learns from', async t => {
  t.strictSame([0, 9_999, 10_000].map(learntFrom), [0, 9_999, 10_000], 'of few it learns from all')
  t.equal(learntFrom(152_228), 131_072)
  t.equal(learntFrom(163_839), 131_072)
  t.equal(learntFrom(163_840), 163_840)
})
