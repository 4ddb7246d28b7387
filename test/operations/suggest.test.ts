import t from 'tap'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const section = (id: string, section_title: string | null, more: object = {}) => ({
  id,
  ticker: 'ALFA',
  doc_type: '10-K',
  section_type: 'notes',
  section_title,
  filing_date: '2025-02-01',
  known_from: '2025-02-01',
  content: `Text of ${id}.`,
  ...more,
})

const lake = await makeLake(t.teardown.bind(t), {
  ...twoIssuers,
  documents: [
    section('a', 'Note 10 – Drilling Commitments'),
    section('b', '10. DRILLING COMMITMENTS'),
    section('c', 'Item 7. Liquidity and Capital Resources (part 2 of 2)'),
    section('d', 'Change of Control', { known_from: '2025-05-01', filing_date: '2025-05-01' }),
    section('e', 'Network Changes', { ticker: 'BETA' }),
    section('f', null),
  ],
})
await build(lake)
const engine = await open(lake)
t.teardown(() => engine.close())

const suggest = async (input: object, options: Parameters<typeof engine.ask>[2] = {}) => {
  const { data } = (await engine.ask('suggest', input as { q: string }, options)) as {
    data: { text: string; sections: number | null }[]
  }
  return data.map(({ text, sections }) => (sections === null ? text : `${text} ${sections}`))
}

t.test('each word typed begins a word of a company, its ticker or a title without its number', async t => {
  t.strictSame(await suggest({ q: 'dril' }), ['Alfa Drilling Corp', 'Drilling Commitments 2'])
  t.strictSame(await suggest({ q: 'cap liq' }), ['Liquidity and Capital Resources 1'])
  t.strictSame(await suggest({ q: 'BET' }), ['Beta Networks Inc'])
  t.strictSame(await suggest({ q: 'chang' }), ['Change of Control 1', 'Network Changes 1'])
  t.strictSame(await suggest({ q: 'net' }), ['Beta Networks Inc', 'Network Changes 1'])
  t.strictSame(await suggest({ q: 'net', kind: 'title' }), ['Network Changes 1'])
  for (const q of ['zzz', '...', '“”']) t.strictSame(await suggest({ q }), [], q)
})

t.test('a slip is forgiven only where nothing begins as was typed', async t => {
  t.strictSame(await suggest({ q: 'liqidity' }), ['Liquidity and Capital Resources 1'])
  t.strictSame(await suggest({ q: 'drillng' }), ['Alfa Drilling Corp', 'Drilling Commitments 2'])
  t.strictSame(await suggest({ q: 'beta' }), ['Beta Networks Inc'])
})

t.test('a suggestion is a row with what it leads to, and pages as lists do', async t => {
  t.match(await engine.call('suggest', { q: 'dril', limit: 1 }), {
    data: [{ kind: 'company', text: 'Alfa Drilling Corp', ticker: 'ALFA', sections: null }],
    meta: { query: 'dril', total: 2, limit: 1, offset: 0 },
  })
  t.match(await engine.call('suggest', { q: 'dril', limit: 1, offset: 1 }), {
    data: [{ kind: 'title', text: 'Drilling Commitments', ticker: null, company_id: null, sections: 2 }],
  })
  await t.rejects(engine.ask('suggest', {}), { code: 'MISSING_PARAMETER' })
})

t.test('under as_of only titles known then, to callers of standard coverage only theirs', async t => {
  t.strictSame(await suggest({ q: 'chang', as_of: '2025-03-01' }), ['Network Changes 1'])
  const options = { coverage: 'standard' } as const
  t.strictSame(await suggest({ q: 'net' }, options), [])
  t.strictSame(await suggest({ q: 'chang' }, options), ['Change of Control 1'])
})

t.test(
  'of companies whose names begin alike, those with a ticker come first, however it is written',
  async t => {
    const lake = await makeLake(t.teardown.bind(t), {
      companies: [
        { ticker: 'ZGI', name: 'Gamma Industries Holdings Inc' },
        { name: 'Gamma Corp', cik: '0000000077' },
        { ticker: 'GAMX', name: 'Other Gamma Inc' },
      ],
    })
    await build(lake, { asOf: '2025-06-30' })
    const engine = await open(lake)
    t.teardown(() => engine.close())
    const { data } = (await engine.ask('suggest', { q: 'gam' })) as { data: { text: string }[] }
    t.strictSame(
      data.map(({ text }) => text),
      ['Other Gamma Inc', 'Gamma Industries Holdings Inc', 'Gamma Corp'],
    )
  },
)
