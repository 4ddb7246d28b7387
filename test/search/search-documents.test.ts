import { readFile } from 'node:fs/promises'
import t from 'tap'
import { csv } from '../../engine/encode/csv.ts'
import { type Engine, open } from '../../engine/engine.ts'
import { inLake } from '../../engine/lake/lake.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import type { Columns } from '../../engine/schema/column.ts'
import { hitColumns } from '../../engine/schema/resources/documents.ts'
import { build } from '../../engine/snapshot/build.ts'
import { builtLake } from '../built-lake.ts'
import { addRows, twoIssuers } from '../make-lake.ts'

const document = (id: string, ticker: string, content: string, more: object = {}) => ({
  id,
  ticker,
  doc_type: '10-K',
  section_type: 'covenants',
  section_title: 'Debt Covenants',
  filing_date: '2025-02-01',
  known_from: '2025-02-01',
  content,
  ...more,
})

const rows = {
  ...twoIssuers,
  documents: [
    document('a1', 'ALFA', 'On a change of control holders may put the notes at 101%.'),
    document('a2', 'ALFA', 'The leverage ratio may not exceed 4.50 to 1.00. <script>alert(1)</script>', {
      filing_date: '2025-05-01',
      known_from: '2025-05-01',
      doc_type: '10-Q',
    }),
    document('b1', 'BETA', 'Change of control of the network business; leverage is low.', {
      section_type: 'mda',
    }),
    document('u1', 'ALFA', 'An undated change of leverage.', { filing_date: null, known_from: null }),
  ],
}

const lake = await builtLake(t.teardown.bind(t), rows)
const engine = await open(lake)
t.teardown(() => engine.close())

const ids = async (input: Parameters<typeof engine.ask>[1], options: Parameters<Engine['ask']>[2] = {}) =>
  ((await engine.ask('search.documents', input, options))['data'] as { id: string }[]).map(d => d.id)

t.test('a hit is a whole record with its snippet, score and source', async t => {
  const { data, meta } = await engine.call('search.documents', { q: '"change of control"', ticker: 'ALFA' })
  t.equal(data.length, 1)
  t.match(data[0], {
    id: 'a1',
    ticker: 'ALFA',
    company_name: 'Alfa Drilling Corp',
    doc_type: '10-K',
    filing_date: '2025-02-01',
    section_type: 'covenants',
    section_title: 'Debt Covenants',
    snippet: 'On a <b>change</b> <b>of</b> <b>control</b> holders may put the notes at 101%.',
    semantic_score: null,
    ranks: null,
    content_length: 57,
  })
  t.notOk('content' in data[0]!, 'the text only on request')
  t.match(meta, {
    query: '"change of control"',
    mode: 'keyword',
    total: 1,
    limit: 50,
    offset: 0,
    filters_applied: { ticker: ['ALFA'] },
  })
  const [full] = (
    await engine.call('search.documents', { q: 'leverage', fields: 'content,id', doc_type: '10-q' })
  ).data
  t.strictSame(full, { content: rows.documents[1]!.content, id: 'a2' })
})

t.test('filters narrow, orders order, and what is wrong is said', async t => {
  t.strictSame(await ids({ q: 'leverage OR control', sort: 'filing_date' }), ['a1', 'b1', 'a2', 'u1'])
  t.strictSame(await ids({ q: 'leverage OR control', sort: '-filing_date' }), ['a2', 'a1', 'b1', 'u1'])
  t.strictSame(await ids({ q: 'leverage OR control', section_type: 'mda,notes' }), ['b1'])
  t.strictSame(await ids({ q: 'leverage OR control', filed_after: '2025-03-01' }), ['a2'])
  t.strictSame(await ids({ q: 'leverage OR control', filed_before: '2025-03-01', ticker: 'BETA' }), ['b1'])
  const code = (input: Record<string, unknown>) =>
    engine.ask('search.documents', input).then(
      () => null,
      error => [error.code, error.details.parameter],
    )
  t.strictSame(await code({}), ['MISSING_PARAMETER', 'q'])
  t.strictSame(await code({ q: 'x'.repeat(513) }), ['INVALID_PARAMETER', 'q'])
  t.strictSame(await code({ q: 'x', sort: 'ticker' }), ['INVALID_PARAMETER', 'sort'])
  t.strictSame(await code({ q: 'x', fields: 'snipet' }), ['INVALID_PARAMETER', 'fields'])
  t.strictSame(await code({ q: 'x', filed_after: '2025-02-02', filed_before: '2025-02-01' }), [
    'INVALID_PARAMETER',
    'filed_after',
  ])
  t.strictSame(await code({ q: 'x', ticker: 'NOPE' }), ['INVALID_TICKER', undefined])
  t.match(await engine.ask('search.documents', { q: 'leverage', ticker: 'NOPE,BETA', on_unknown: 'skip' }), {
    data: [{ id: 'b1' }],
    meta: { unknown: ['NOPE'] },
  })
  t.match(await engine.ask('search.documents', { q: '(leverage' }), {
    meta: { warnings: ['a bracket is not closed'] },
  })
})

t.test('as of a day only what was known then is found, and what has no day is counted', async t => {
  const { data, meta } = await engine.call('search.documents', {
    q: 'leverage OR control',
    as_of: '2025-03-01',
  })
  t.strictSame(data.map(d => d.id).sort(), ['a1', 'b1'])
  t.match(meta, { as_of: '2025-03-01', total: 2, warnings: [/1 sections without a known date/] })
})

t.test('callers of standard coverage do not see the sections of others', async t => {
  t.strictSame((await ids({ q: 'leverage OR control' }, { coverage: 'standard' })).sort(), ['a1', 'a2', 'u1'])
  await t.rejects(ids({ q: 'leverage', ticker: 'BETA' }, { coverage: 'standard' }), {
    code: 'TIER_RESTRICTED',
  })
})

t.test('every form has the same rows, and explain says how they were ranked', async t => {
  const text = await engine.stream(
    'search.documents',
    { q: 'leverage', fields: 'id,snippet' },
    {},
    async rows => {
      let all = ''
      for await (const part of csv(rows)) all += part
      t.match(await rows.meta(), { total: 3 })
      return all
    },
  )
  t.equal(text.split('\r\n')[0], 'id,snippet')
  t.match(
    text,
    'a2,The <b>leverage</b> ratio may not exceed 4.50 to 1.00. &lt;script&gt;alert(1)&lt;/script&gt;',
  )
  const { data } = await engine.call('search.documents', {
    q: 'leverage ratio',
    mode: 'hybrid',
    explain: true,
  })
  t.match(data[0], {
    id: 'a2',
    ranks: { keyword: 1 },
    _explain: { keyword_rank: 1, bm25: Number, formula: /1 \/ \(60/ },
  })
})

t.test('a page is the same as objects, as JSON and by column, and when it is asked again', async t => {
  const long = (word: string) =>
    Array.from({ length: 1500 }, (_, i) => (i % 217 === 40 ? word : `w${i % 83}`)).join(' ')
  const documents = [
    document(
      'c1',
      'ALFA',
      `C:\\\\Filings\\\\covenants say \u0007 "covenant" \u2028 & <b> ${long('covenant')}`,
    ),
    document('c2', 'ALFA', `Société générale — “covenant” ${long('covenant lien')} 😀`, {
      section_title: 'Über',
    }),
    document('c3', 'BETA', `${long('words')} covenant\u00a0lien`, { page_count: 3 }),
    document('c4', 'BETA', 'A covenant.', { section_title: null }),
  ]
  const other = await builtLake(t.teardown.bind(t), { ...twoIssuers, documents })
  const engine = await open(other)
  t.teardown(() => engine.close())
  const columns: Columns = hitColumns
  const shown = Object.keys(columns).filter(name => !columns[name]!.on_request)
  for (const q of ['covenant', 'covenant lien', '"covenant lien" OR covenant', 'a covenant'])
    for (const mode of ['keyword', 'hybrid', 'semantic'] as const) {
      // Snippets are kept from the second time on.
      const [first, ...again] = [1, 2, 3].map(() => engine.call('search.documents', { q, mode }))
      const { data } = await first!
      t.ok(mode === 'semantic' || data.length > 0, `${q} ${mode}`)
      for (const same of again) t.strictSame((await same).data, data, `${q} ${mode} again`)
      const byColumn = await engine.ask('search.documents', { q, mode, fields: shown.join(',') })
      t.equal(JSON.stringify(byColumn['data']), JSON.stringify(data), `${q} ${mode} by column`)
      for (const word of [q, `${q} `, `${q} `]) {
        const open = await engine.openJson('search.documents', { q: word, mode })
        if (!('pieces' in open)) throw new Error('not open JSON')
        const text = `${Buffer.concat(open.pieces as Buffer[]).toString()}}}`
        t.equal(JSON.stringify(JSON.parse(text).data), JSON.stringify(data), `${q} ${mode} as JSON`)
        t.ok(text.startsWith(`{"data":${JSON.stringify(data)},"meta":`), `${q} ${mode}, byte by byte`)
      }
    }
})

t.test('an index of the same documents is taken over, and another is built when they change', async t => {
  const folder = (id: string) => inLake(lake, 'snapshots', id, 'search', 'postings.bin')
  const before = engine.manifest
  t.ok(
    before.files.some(f => f.file === 'search/vectors.bin' && f.sha256.length === 64),
    'listed with its checksum',
  )
  await addRows(lake, {
    treasury_yields: [
      { date: '2025-06-03', tenor_months: 12, rate: 4, publisher: 'treasury', known_from: '2025-06-03' },
    ],
  })
  const steps: string[] = []
  const same = await build(lake, {}, step => steps.push(step))
  t.notOk(steps.some(s => s.startsWith('reading sections') || s.startsWith('learning')))
  t.strictSame(await readFile(folder(same.id)), await readFile(folder(before.id)))
  await addRows(lake, {
    documents: [document('a3', 'ALFA', 'A new springing lien.', { known_from: '2025-06-03' })],
  })
  await build(lake)
  t.strictSame(await ids({ q: 'springing' }), ['a3'])
})

t.test('a damaged index is refused by name, and a lake without filings says what to do', async t => {
  const empty = await builtLake(t.teardown.bind(t), twoIssuers)
  const other = await open(empty)
  t.teardown(() => other.close())
  t.match(await other.ask('search.documents', { q: 'debt', mode: 'hybrid' }), {
    data: [],
    meta: { total: 0, warnings: [/no filing sections/] },
  })
  const { truncate } = await import('node:fs/promises')
  const harmed = await builtLake(t.teardown.bind(t), rows)
  const { id } = await currentManifest(harmed)
  await truncate(inLake(harmed, 'snapshots', id, 'search', 'text.bin'), 10)
  const broken = await open(harmed)
  t.teardown(() => broken.close())
  await t.rejects(broken.ask('search.documents', { q: 'debt' }), {
    code: 'DATA_DAMAGED',
    message: /search\/text.bin: has 10 bytes/,
  })
})

t.test('a search that finds nothing says why', async t => {
  const why = async (input: { q: string; [name: string]: unknown }) =>
    (await engine.call('search.documents', input as never)).meta['empty_because']
  t.strictSame(await why({ q: 'qwertzuiop' }), ['no section has what the query asks for'])
  t.strictSame(await why({ q: 'qwertzuiop', mode: 'semantic' }), [
    'none of the words of the query is in the index',
  ])
  t.strictSame(await why({ q: 'network', ticker: 'ALFA', doc_type: '10-K' }), [
    '1 section matches without ticker, doc_type',
  ])
  t.strictSame(await why({ q: 'leverage' }), undefined)
})
