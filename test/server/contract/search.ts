import type { Test } from 'tap'
import type { Row, Service } from './service.ts'
import * as spec from './spec.ts'

const path = '/v1/documents/search'
const modes = ['keyword', 'semantic', 'hybrid'] as const
const question = 'how much may the company still borrow under its revolving credit facility?'

/** CONTRACT 6, over the sample's filings. */
export function walkSearch(t: Test, service: Service) {
  const url = (params: Readonly<Record<string, string | number | boolean>>) =>
    `${path}?${new URLSearchParams(Object.entries(params).map(([name, value]): [string, string] => [name, String(value)]))}`
  const search = (q: string, params: Readonly<Record<string, string | number | boolean>> = {}) =>
    service.get(url({ q, ...params }))
  const ids = (body: { data: readonly Row[] }) => body.data.map(row => row['id'] as string)
  const total = async (q: string, params = {}) => (await search(q, params)).meta.total as number

  t.test('GET /v1/documents/search: section records, and what was asked', async t => {
    const { data, meta } = await search('debt')
    t.strictSame(spec.faultsOf(spec.section, data), [])
    t.match(meta, { query: 'debt', mode: 'keyword', limit: 50, offset: 0, total: Number, snapshot: String })
    t.ok(meta.total > 50 && data.length === 50)
    t.notOk('content' in data[0], 'content only where it is asked for')
    const [whole] = (await search('debt', { fields: 'id,content', limit: 1 })).data
    t.match(whole, { id: data[0].id, content: /debt/i })
    for (const [params, parameter] of [
      [{ q: 'debt', limit: 101 }, 'limit'],
      [{ q: 'debt', mode: 'fuzzy' }, 'mode'],
      [{ q: 'debt', sort: 'ticker' }, 'sort'],
      [{ q: 'x'.repeat(513) }, 'q'],
    ] as const) {
      const { status, body } = await service.ask(url(params))
      t.match([status, body.error], [400, { code: 'INVALID_PARAMETER', details: { parameter } }])
    }
    const { status, body } = await service.ask(path)
    t.match([status, body.error], [400, { code: 'MISSING_PARAMETER', details: { parameter: 'q' } }])
  })

  t.test(
    'words are all wanted, OR takes either, a minus excludes, quotes are phrases, brackets group',
    async t => {
      const [a, b] = ['liquidity', 'guarantee']
      const [both, either, onlyA, onlyB] = [
        await total(`${a} ${b}`),
        await total(`${a} OR ${b}`),
        await total(`${a} -${b}`),
        await total(`${b} -${a}`),
      ]
      t.equal(both + onlyA, await total(a))
      t.equal(either, both + onlyA + onlyB)
      t.equal(await total(`(${a} OR ${b}) -${b}`), onlyA)
      t.equal(await total('guarantees'), await total('guarantee'), 'stemmed')
      const phrase = await search('"revolving credit facility"', { fields: 'content', limit: 20 })
      t.ok(phrase.data.length > 0)
      for (const { content } of phrase.data)
        t.match(content.replaceAll(/\s+/g, ' '), /revolving[\s-]credit[\s-]facilit/i)
      t.ok(phrase.meta.total <= (await total('revolving credit facility')))
    },
  )

  t.test('a slip of syntax is read as words, with a warning, in every mode', async t => {
    for (const q of [
      '"debt',
      'debt OR',
      '(debt',
      'debt)',
      '-debt',
      '""',
      '* ? ~',
      '<script>alert(1)</script>',
    ])
      for (const mode of modes) {
        const { meta, data } = await search(q, { mode, limit: 5 })
        t.ok(data.length <= meta.total)
        if (mode === 'keyword') t.ok(meta.warnings?.length > 0 || q.startsWith('<'), q)
      }
  })

  t.test('snippets hold no markup but <b>, and quote what was asked for', async t => {
    const { data } = await search('covenant OR leverage OR AT&T OR "<b>"', { limit: 100 })
    for (const { snippet } of data) {
      t.notMatch(snippet.replaceAll(/<\/?b>/g, ''), /[<>]/)
      t.match(snippet, /<b>(covenant|leverag|AT|B<)/i)
      t.ok(snippet.length < 1000)
    }
  })

  t.test('scores lie between 0 and 1 and fall with rank; a cosine is at least 0.3', async t => {
    for (const mode of modes) {
      const { data } = await search(question.replace('?', ''), { mode, limit: 100 })
      const name = mode === 'semantic' ? 'semantic_score' : 'relevance_score'
      const scores = data.map((row: Row) => row[name] as number)
      t.ok(mode === 'keyword' || scores.length > 10, mode)
      t.ok(
        scores.every(
          (score: number, i: number) => score > 0 && score <= 1 && (i === 0 || score <= scores[i - 1]!),
        ),
      )
      for (const { semantic_score: cosine } of data) t.ok(cosine === null || cosine >= 0.3)
    }
  })

  t.test('pages lose and repeat nothing, and the total stands, in every mode', async t => {
    for (const mode of modes) {
      const q = mode === 'keyword' ? 'borrowings' : question
      const whole: string[] = []
      const first = await search(q, { mode, limit: 100 })
      for (let offset = 0; offset < Math.min(first.meta.total, 300); offset += 37) {
        const page = await search(q, { mode, offset, limit: 37 })
        t.equal(page.meta.total, first.meta.total)
        whole.push(...ids(page))
      }
      t.equal(new Set(whole).size, whole.length, mode)
      t.strictSame(whole.slice(0, 100), ids(first))
      t.strictSame((await search(q, { mode, offset: first.meta.total })).data, [])
    }
  })

  t.test('a filter never starves a ranking: what passes comes in the order it has without one', async t => {
    const meant = await search(question, { mode: 'semantic', limit: 100 })
    const { id, ticker, doc_type } = meant.data.at(-1)
    for (const mode of modes) {
      const q = mode === 'keyword' ? 'debt' : question
      const some = await search(q, { mode, ticker, doc_type, limit: 100 })
      t.ok(some.meta.total > 0, mode)
      if (mode === 'semantic') t.ok(ids(some).includes(id), 'with the cosine that it has among all')
      t.ok(some.data.every((row: Row) => row['ticker'] === ticker && row['doc_type'] === doc_type))
      if (mode !== 'keyword') continue
      const all: string[] = []
      for (let offset = 0, left = 1; left > 0; offset += 100) {
        const page = await search(q, { mode, ticker, limit: 100, offset })
        all.push(...page.data.filter((row: Row) => row['doc_type'] === doc_type).map((row: Row) => row['id']))
        left = page.meta.total - offset - 100
      }
      t.strictSame(ids(some), all)
    }
    const [oldest, newest] = ['filing_date', '-filing_date'].map(sort => search('debt', { sort, limit: 100 }))
    const days = (body: { data: readonly Row[] }) =>
      body.data.map(row => String(row['filing_date'] ?? '9999'))
    t.strictSame(days(await oldest!), days(await oldest!).sort())
    t.strictSame(
      days(await newest!),
      days(await newest!)
        .sort()
        .reverse(),
    )
  })

  t.test('explain gives both ranks and both scores, and the fused score is made of the ranks', async t => {
    const { data } = await search(question, { mode: 'hybrid', explain: true, limit: 20 })
    for (const { ranks, relevance_score, _explain } of data) {
      t.match(_explain, { keyword_rank: ranks.keyword, semantic_rank: ranks.semantic, formula: String })
      const hasPhrases = 'phrase_rank' in _explain
      const rankings = [ranks.keyword, ranks.semantic, hasPhrases ? _explain.phrase_rank : null]
      const fused = rankings.reduce((sum, rank) => sum + (rank === null ? 0 : 1 / (60 + rank)), 0)
      t.ok(Math.abs(relevance_score - fused / ((hasPhrases ? 3 : 2) / 61)) < 1e-6)
      t.equal(_explain.bm25 === null, ranks.keyword === null)
      t.equal(_explain.cosine === null, ranks.semantic === null)
    }
  })

  t.test('search.documents in a batch answers as the endpoint does', async t => {
    const params = { q: question, mode: 'hybrid', limit: 3 }
    const { body } = await service.post('/v1/batch', {
      operations: [{ primitive: 'search.documents', params }],
    })
    t.strictSame(body.results[0].data, (await search(question, { mode: 'hybrid', limit: 3 })).data)
  })
}
