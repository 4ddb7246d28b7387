import t from 'tap'
import { ask, madeIndex, madeWords } from './made-index.ts'
import { section } from './section.ts'

const ofFiler = (company_id: string, more: object = {}) => ({
  company_id,
  section_type: 'risk_factors',
  ...more,
})
const text = madeWords(1, 600)
const updated = `${text} ${madeWords(2, 20)}`
const other = `${madeWords(3, 300)} ${madeWords(4, 300)} wa1`

const sections = [
  section(0, updated, ofFiler('A', { filing_date: '2025-02-01' })),
  section(1, other, ofFiler('A', { filing_date: '2025-01-01' })),
  section(2, text, ofFiler('B', { filing_date: '2024-06-01' })),
  section(3, text, ofFiler('A', { filing_date: '2024-02-01', doc_type: '8-K' })),
  section(4, text, ofFiler('A', { filing_date: '2024-01-01' })),
  section(5, text, ofFiler('A', { filing_date: '2023-01-01' })),
]
const word = text.split(' ')[0]!

t.test('near-copies of one filer are one hit with their number; other filers and forms are not', async t => {
  const index = await madeIndex(t, sections)
  t.equal(index.facts.copies, 2)
  const each = await ask(index, word)
  t.equal(each.total, 6)
  t.ok(each.hits.every(hit => hit.copies === 0))
  const { hits, total } = await ask(index, word, { collapse: true })
  t.equal(total, 4)
  const folded = hits.find(hit => hit.copies > 0)!
  t.ok([0, 4, 5].includes(folded.section))
  t.equal(folded.copies, 2)
  t.strictSame(
    hits
      .filter(hit => hit !== folded)
      .map(hit => hit.section)
      .sort(),
    [1, 2, 3],
  )
})

t.test(
  'in an order by day the first of that order stands for its copies, and pages hold every hit once',
  async t => {
    const index = await madeIndex(t, sections)
    const by = async (order: 'newest' | 'oldest') =>
      (await ask(index, word, { collapse: true, order })).hits.map(hit => hit.section)
    t.strictSame(await by('newest'), [0, 1, 2, 3])
    t.strictSame(await by('oldest'), [5, 3, 2, 1])
    for (const mode of ['keyword', 'semantic', 'hybrid'] as const) {
      const whole = await ask(index, word, { collapse: true, mode })
      const pages: number[] = []
      for (let offset = 0; offset < whole.total; offset++)
        pages.push(
          ...(await ask(index, word, { collapse: true, mode, limit: 1, offset })).hits.map(h => h.section),
        )
      t.strictSame(
        pages,
        whole.hits.map(h => h.section),
        mode,
      )
    }
  },
)

t.test('under a filter only what passes it is counted', async t => {
  const index = await madeIndex(t, sections)
  const filter = { companies: ['A'], filedBefore: 19_800 }
  const { hits } = await ask(index, word, { collapse: true, filter })
  t.strictSame(hits.map(({ section, copies }) => [section, copies]).sort(), [
    [3, 0],
    [4, 1],
  ])
})
