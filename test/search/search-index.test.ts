import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { buildIndex } from '../../engine/search/build/build-index.ts'
import { modes } from '../../engine/search/modes.ts'
import { SearchIndex } from '../../engine/search/search-index.ts'
import type { SearchQuestion } from '../../engine/search/search-question.ts'
import { parseQuery, type Query } from '../../engine/search/text/parse-query.ts'
import { dayNumber, type Section } from '../../engine/search/text/section.ts'
import { termsOf } from '../../engine/search/text/words.ts'
import { section } from './section.ts'

async function indexOf(
  t: { teardown(done: () => Promise<void>): void },
  sections: readonly Section[],
  exactBytes?: number,
): Promise<SearchIndex> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-search-'))
  await buildIndex(
    folder,
    (async function* () {
      yield* sections
    })(),
    { content: '', ...(exactBytes !== undefined && { exactBytes }) },
  )
  const index = new SearchIndex(folder)
  t.teardown(async () => {
    index.close()
    await rm(folder, { recursive: true })
  })
  return index
}

const ask = (index: SearchIndex, text: string, more: Partial<SearchQuestion> = {}) =>
  index.ask({ text, mode: 'keyword', filter: {}, order: 'relevance', limit: null, offset: 0, ...more })

const random = (seed: number) => () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}

/** Whether the terms of a section are what a query asks for, said without an index. */
function holds(terms: readonly string[], query: Query): boolean {
  if (query.kind === 'term') return terms.includes(query.term)
  if (query.kind === 'phrase')
    return terms.some((_, i) => query.terms.every((term, j) => terms[i + j] === term))
  if (query.kind === 'or') return query.any.some(part => holds(terms, part))
  return query.all.every(part => holds(terms, part)) && !query.without.some(part => holds(terms, part))
}

const words = ['debt', 'notes', 'loan', 'lien', 'swap', 'rate', 'the', 'of', 'covenant', 'default']

t.test('passages are shown the same from memory as from the file, and again', async t => {
  const next = random(5)
  const filler = ['—', 'Société', 'the', "issuer's", '4.5%', '…', '\u00a0']
  const word = () => [...words, ...filler][Math.floor(next() * (words.length + filler.length))]!
  const sections = Array.from({ length: 60 }, (_, i) =>
    // Long enough that passages begin in one block of the text and end in the next.
    section(i, Array.from({ length: 2000 }, word).join(' ')),
  )
  const folder = await mkdtemp(join(tmpdir(), 'tranche-search-'))
  await buildIndex(
    folder,
    (async function* () {
      yield* sections
    })(),
    { content: '' },
  )
  const [inMemory, fromFile] = [new SearchIndex(folder), new SearchIndex(folder, null, 0)]
  t.teardown(async () => {
    for (const index of [inMemory, fromFile]) index.close()
    await rm(folder, { recursive: true })
  })
  const snippets = async (index: SearchIndex, text: string) => {
    const { hits, query } = await ask(index, text)
    return hits.map(hit => index.snippet(hit, query))
  }
  for (const text of [
    'debt covenant',
    '"notes loan" OR default',
    'lien swap -"debt notes loan rate"',
    'debt loan',
  ]) {
    const expected = await snippets(fromFile, text)
    t.ok(expected.length > 20, text)
    t.strictSame(await snippets(inMemory, text), expected)
  }
})

t.test('a query finds exactly the sections that hold what it asks for', async t => {
  const next = random(11)
  const word = () => words[Math.floor(next() * words.length)]!
  const sections = Array.from({ length: 400 }, (_, i) =>
    section(i, Array.from({ length: 1 + Math.floor(next() * (i % 50 === 0 ? 900 : 12)) }, word).join(' ')),
  )
  const index = await indexOf(t, sections)
  const piece = (): string => {
    const kind = next()
    if (kind < 0.5) return word()
    if (kind < 0.7) return `"${word()} ${word()}${next() < 0.4 ? ` ${word()}` : ''}"`
    if (kind < 0.8) return `-${word()}`
    return `(${piece()} ${next() < 0.5 ? 'OR ' : ''}${piece()})`
  }
  for (let n = 0; n < 300; n++) {
    const text = Array.from({ length: 1 + Math.floor(next() * 4) }, piece).join(next() < 0.3 ? ' OR ' : ' ')
    const { query } = parseQuery(text)
    const wanted = sections.filter(s => query && holds(termsOf(s.content), query)).map(s => Number(s.id))
    const { hits, total } = await ask(index, text)
    t.strictSame(
      hits.map(h => h.section).sort((a, b) => a - b),
      wanted,
      text,
    )
    t.equal(total, wanted.length)
    t.ok(
      hits.every(
        (h, i) =>
          h.relevance! > 0 && h.relevance! <= 1 && (i === 0 || h.relevance! <= hits[i - 1]!.relevance!),
      ),
      'relevance is between 0 and 1 and falls',
    )
  }
})

t.test('pages of any size hold every section once, in every mode and order, and one total', async t => {
  const next = random(5)
  const sections = Array.from({ length: 157 }, (_, i) =>
    section(i, Array.from({ length: 30 }, () => words[Math.floor(next() * words.length)]).join(' '), {
      filing_date: i % 5 === 0 ? null : `2024-01-${String(1 + (i % 28)).padStart(2, '0')}`,
    }),
  )
  const index = await indexOf(t, sections)
  for (const mode of modes)
    for (const order of ['relevance', 'newest', 'oldest'] as const) {
      const all = await ask(index, 'debt OR notes OR swap', { mode, order })
      t.ok(all.total > 30, `${mode} finds some`)
      t.equal(new Set(all.hits.map(h => h.section)).size, all.total)
      for (const limit of [1, 7, 50]) {
        const pages: number[] = []
        for (let offset = 0; offset < all.total + limit; offset += limit) {
          const page = await ask(index, 'debt OR notes OR swap', { mode, order, limit, offset })
          t.equal(page.total, all.total)
          pages.push(...page.hits.map(h => h.section))
        }
        t.strictSame(
          pages,
          all.hits.map(h => h.section),
          `${mode} ${order} by ${limit}`,
        )
      }
      if (order === 'relevance') continue
      const days = all.hits.map(h => sections[h.section]!.filing_date)
      const dated = days.filter(d => d !== null)
      t.strictSame(days, [
        ...(order === 'oldest' ? dated.toSorted() : dated.toSorted().reverse()),
        ...days.filter(d => d === null),
      ])
    }
})

t.test('a filter never starves a ranking: what passes is found however many others rank above', async t => {
  const next = random(3)
  const sections = Array.from({ length: 3000 }, (_, i) => {
    const rare = i % 900 === 0
    const filler = Array.from({ length: rare ? 12 : 6 }, () => words[Math.floor(next() * words.length)]).join(
      ' ',
    )
    return section(i, `${i % 3 === 0 ? 'springing priority' : 'hedge accounting'} ${filler}`, {
      company_id: rare ? 'RARE' : 'MANY',
      known_from: i % 2 ? '2024-01-01' : null,
      coverage: i === 900 ? 'extended' : 'standard',
      filing_date: '2024-01-05',
    })
  })
  const index = await indexOf(t, sections)
  for (const mode of modes) {
    const ofRare = (more: object) =>
      ask(index, 'springing OR priority', { mode, filter: { companies: ['RARE'], ...more }, limit: 10 })
    const rare = await ofRare({})
    t.strictSame(
      rare.hits.map(h => h.section).sort((a, b) => a - b),
      [0, 900, 1800, 2700],
      mode,
    )
    t.equal(rare.total, 4)
    t.equal((await ofRare({ standardOnly: true })).total, 3, 'extended coverage is left out')
  }
  const known = { knownBy: dayNumber('2024-01-01') }
  t.equal((await ask(index, 'springing OR hedge', { filter: known })).total, 1500)
  t.equal(index.undated(known), 1500)
  t.equal((await ask(index, 'springing OR hedge', { filter: { knownBy: dayNumber('2023-12-31') } })).total, 0)
  t.equal(
    (await ask(index, 'springing OR hedge', { filter: { filedBefore: dayNumber('2024-01-04') } })).total,
    0,
  )
  t.equal(
    (await ask(index, 'springing OR hedge', { filter: { docTypes: ['10-k'] } })).total,
    3000,
    'in any case',
  )
  t.equal((await ask(index, 'springing OR hedge', { filter: { docTypes: ['8-K'] } })).total, 0)
})

t.test('meaning finds sections that share no word with the question', async t => {
  const next = random(9)
  // Two subjects of forty words each; a section says twelve of one.
  const texts = Array.from({ length: 300 }, (_, i) =>
    Array.from({ length: 12 }, () => `${i % 2 ? 'turbine' : 'lending'}${Math.floor(next() * 40)}`).join(' '),
  )
  const index = await indexOf(
    t,
    texts.map((text, i) => section(i, text)),
  )
  const question = 'lending1 lending2 lending3'
  const { hits } = await ask(index, question, { mode: 'semantic' })
  const sharesNone = (text: string) => !question.split(' ').some(word => text.split(' ').includes(word))
  t.ok(hits.length > 75, 'more than half of the subject')
  t.ok(
    hits.every(h => h.section % 2 === 0),
    'and nothing else',
  )
  t.ok(
    hits.some(h => sharesNone(texts[h.section]!)),
    'also what has none of the words',
  )
  t.ok(hits.every((h, i) => h.cosine! >= 0.3 && h.cosine! <= (hits[i - 1]?.cosine ?? 1)))
  t.equal((await ask(index, 'zzz unknown', { mode: 'semantic' })).total, 0)
})

t.test('a graph over many passages finds what comparing all of them finds, and says how well', async t => {
  const next = random(21)
  const sections = Array.from({ length: 600 }, (_, i) =>
    section(
      i,
      Array.from({ length: 20 }, () => `${['lien', 'swap', 'note'][i % 3]}${Math.floor(next() * 50)}`).join(
        ' ',
      ),
      { company_id: i % 100 === 0 ? 'RARE' : 'MANY' },
    ),
  )
  const [exact, graph] = [await indexOf(t, sections), await indexOf(t, sections, 0)]
  t.equal(exact.facts.graph, null)
  if (!graph.facts.graph) {
    t.pass('the native part is missing here: all passages are compared')
    return
  }
  t.ok(graph.facts.graph.recall_at_10 >= 0.95)
  for (const text of ['lien1 lien2', 'swap3 swap4 swap5', 'note6 lien7']) {
    const [a, b] = [exact, graph].map(index => ask(index, text, { mode: 'semantic', limit: 10 }))
    const wanted = new Map((await a!).hits.map(h => [h.section, h.cosine!]))
    const found = (await b!).hits
    t.ok(found.filter(h => wanted.has(h.section)).length >= 9, text)
    for (const { section, cosine } of found)
      if (wanted.has(section)) t.ok(Math.abs(cosine! - wanted.get(section)!) < 1e-5)
  }
  const rare = { mode: 'semantic', filter: { companies: ['RARE'] } } as const
  t.strictSame(
    await ask(graph, 'lien1 lien2', rare),
    await ask(exact, 'lien1 lien2', rare),
    'a filter is exact',
  )
})

t.test('a hybrid hit says its rank in both searches', async t => {
  const index = await indexOf(t, [
    section(0, 'change of control put'),
    section(1, 'control of costs'),
    section(2, 'maturity of notes'),
  ])
  const { hits, total } = await ask(index, 'change of control', { mode: 'hybrid' })
  t.equal(hits[0]!.section, 0)
  t.match(hits[0], { keywordRank: 1, semanticRank: 1 })
  t.ok(hits[0]!.relevance! > 0.9999)
  t.ok(total >= 2, 'a question is read as any of its words')
})

t.test(
  'long sections and words without end are found, quoted by their best passage, and returned whole',
  async t => {
    const filler = 'ordinary words about nothing in particular. '
    const long = `${filler.repeat(6000)}the springing maturity clause. ${filler.repeat(5000)}`
    const endless = 'x'.repeat(500_000)
    const index = await indexOf(t, [
      section(0, long),
      section(1, endless),
      section(2, `é${'東'.repeat(3000)} <b>bold</b>`),
    ])
    const found = await ask(index, '"springing maturity"')
    t.strictSame(
      found.hits.map(h => h.section),
      [0],
    )
    t.match(index.snippet(found.hits[0]!, found.query), /the <b>springing<\/b> <b>maturity<\/b> clause/)
    t.equal(index.content(0), long)
    t.equal(index.content(1), endless)
    const whole = await ask(index, endless)
    t.strictSame(
      whole.hits.map(h => h.section),
      [1],
    )
    t.ok(index.snippet(whole.hits[0]!, whole.query).length < 400)
    const bold = await ask(index, 'bold')
    t.match(index.snippet(bold.hits[0]!, bold.query), /b&gt;<b>bold<\/b>&lt;\/b&gt;/)
  },
)

t.test('a phrase is marked where it stands, and its words elsewhere are not', async t => {
  const index = await indexOf(t, [
    section(
      0,
      'Control of costs is no change. On a change of control of the issuer, notes of holders are put.',
    ),
    section(1, `${'A change of the control of costs. '.repeat(40)}A change of control occurs.`),
  ])
  const found = await ask(index, '"change of control" put OR "change of control"')
  t.strictSame(found.hits.map(hit => hit.section).sort(), [0, 1])
  const quoted = (section: number) =>
    index.snippet(found.hits.find(hit => hit.section === section)!, found.query)
  t.equal(
    quoted(0),
    'Control of costs is no change. On a <b>change</b> <b>of</b> <b>control</b> of the issuer, notes of holders are <b>put</b>.',
  )
  t.match(quoted(1), /A <b>change<\/b> <b>of<\/b> <b>control<\/b> occurs\.$/)
  t.equal(quoted(1).match(/<b>/g)?.length, 3)
})

t.test('a question finds as many with brackets or quotes in it, in collections of any size', async t => {
  for (const size of [1, 3, 60]) {
    const index = await indexOf(
      t,
      Array.from({ length: size }, (_, i) =>
        section(i, `The revolver of company ${i} bears interest at a margin of ${i} percent.`),
      ),
    )
    for (const text of [
      'what is the margin (in percent) on the revolver of the borrower?',
      'what does "revolver margin" mean for the borrower?',
    ]) {
      const { total } = await ask(index, text, { mode: 'hybrid' })
      t.equal(total, size, `${size}: ${text}`)
    }
    const { warnings } = await ask(index, 'what does "revolver margin" mean?', { mode: 'hybrid' })
    t.match(warnings[0], /as written/)
  }
})

t.test('copies of one section stand together, in their order, in every mode', async t => {
  const index = await indexOf(
    t,
    Array.from({ length: 12 }, (_, i) =>
      section(i, i % 2 === 0 ? 'Notes mature in equal parts.' : `Pension assets rose in plan ${i}.`),
    ),
  )
  for (const mode of modes) {
    const { hits } = await ask(index, 'notes mature', { mode })
    t.strictSame(
      hits.slice(0, 6).map(hit => hit.section),
      [0, 2, 4, 6, 8, 10],
      mode,
    )
  }
})

t.test('a filter narrows a ranking by meaning and changes no cosine', async t => {
  const index = await indexOf(
    t,
    Array.from({ length: 40 }, (_, i) =>
      section(i, `Covenant ${i % 7} limits liens, debt ${i % 5} and payments of the borrower ${i % 3}.`, {
        doc_type: i % 4 === 0 ? '8-K' : '10-K',
      }),
    ),
  )
  for (const mode of ['semantic', 'hybrid'] as const) {
    const cosines = async (filter: SearchQuestion['filter']) =>
      new Map(
        (await ask(index, 'liens and debt 3 of borrower 2', { mode, filter })).hits.map(hit => [
          hit.section,
          hit.cosine,
        ]),
      )
    const all = await cosines({})
    const some = await cosines({ docTypes: ['8-K'] })
    t.ok(some.size > 0)
    for (const [id, cosine] of some) t.equal(cosine, all.get(id))
  }
})

t.test('an index of nothing answers with nothing', async t => {
  const index = await indexOf(t, [])
  for (const mode of modes) t.match(await ask(index, 'debt', { mode }), { total: 0, hits: [] })
})
