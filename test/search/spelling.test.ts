import t from 'tap'
import { ask, madeIndex } from './made-index.ts'
import { section } from './section.ts'

const texts = [
  'The indenture limits liens on principal property of the guarantors.',
  'Each holder of the debentures may require repurchase upon a change of control.',
  'The covenants limit dividends and other restricted payments.',
]
const index = await madeIndex(
  t,
  Array.from({ length: 30 }, (_, i) =>
    section(i, texts[i % 3]!, { section_title: 'Liquidity', company_name: 'Krevowan Petroleum', shown: {} }),
  ),
)
const meant = (text: string) =>
  index.didYouMean({ text, mode: 'keyword', filter: {}, order: 'relevance', limit: 10, offset: 0 })

t.test('a query without a hit is asked back in words that there are, as texts write them', async t => {
  for (const [written, instead] of [
    ['indentrue', 'indenture'],
    ['dividnds "restricted paymnts"', 'dividends "restricted payments"'],
    ['krevovan liquidty', 'krevowan liquidity'],
    ['covenents OR zzzzzz', null],
    ['gaurantors', 'guarantors'],
    ['covnants', 'covenants'],
  ] as const) {
    if (instead !== null) t.equal((await ask(index, written)).total, 0, written)
    t.equal(await meant(written), instead, written)
  }
})

t.test('a slip is compared with words as they are written, in each form that texts have', async t => {
  const own = await madeIndex(
    t,
    Array.from({ length: 30 }, (_, i) =>
      section(
        i,
        i % 2 ? 'A covenant of the borrower limits payment.' : 'The covenants limit dividend payments.',
        {
          section_title: 'Covenants',
          shown: {},
        },
      ),
    ),
  )
  const meant = (text: string) =>
    own.didYouMean({ text, mode: 'keyword', filter: {}, order: 'relevance', limit: 10, offset: 0 })
  for (const [written, instead] of [
    ['covnant', 'covenant'],
    ['covnants', 'covenants'],
    ['covennant', 'covenant'],
    ['paymnt', 'payment'],
    ['divdends', 'dividend'],
  ] as const)
    t.equal(await meant(written), instead, written)
})

t.test('nothing is suggested for words that are near none, numbers and words that there are', async t => {
  for (const text of ['qwxyzzy', '1234567', 'dividends indenture', '', '"""', 'x'.repeat(5000)])
    t.equal(await meant(text), null, text.slice(0, 20))
})
