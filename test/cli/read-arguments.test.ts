import t from 'tap'
import { command } from '../../cli/command.ts'
import { checked, readArguments } from '../../cli/read-arguments.ts'
import { boolean, integer, shaped, text } from '../../engine/schema/column.ts'
import { many, one } from '../../engine/schema/params.ts'

const screen = command({
  word: 'bonds',
  positional: ['ticker'],
  params: {
    ticker: one(shaped('ticker', 'Ticker.')),
    has_pricing: one(boolean('Has a price.')),
    sort: many(text('Sort.')),
    limit: one(integer('Rows.')),
    output: one(text('File.')),
  },
  letters: { o: 'output' },
  examples: [],
  run: async () => undefined,
})

const read = async (...argv: string[]) => {
  const given = readArguments(screen, argv)
  return given && { ...checked(screen, given) }
}

t.test('options are named like the parameters, with hyphens or underscores', async t => {
  for (const said of [
    ['--has-pricing=true'],
    ['--has_pricing', 'true'],
    ['--has-pricing', '1'],
    ['--has-pricing'],
  ])
    t.strictSame(await read(...said), { has_pricing: true }, said.join(' '))
  t.strictSame(await read('--has-pricing', 'false'), { has_pricing: false })
  t.strictSame(await read('--has-pricing', 'RIG'), { has_pricing: true, ticker: 'RIG' })
})

t.test('a descending sort keeps its minus, and a list option may be repeated', async t => {
  t.strictSame((await read('--sort', '-pricing.ytm,name', '--sort=-coupon_rate'))?.['sort'], [
    '-pricing.ytm',
    'name',
    '-coupon_rate',
  ])
})

t.test('a negative number is a value', async t => {
  t.strictSame((await read('--limit', '-5'))?.['limit'], -5)
})

t.test('short options take their value joined or separate', async t => {
  for (const said of [['-o', 'x.csv'], ['-ox.csv'], ['-o=x.csv'], ['--output=x.csv']])
    t.equal((await read(...said))?.['output'], 'x.csv', said.join(' '))
})

t.test('help is recognised anywhere before --', async t => {
  t.equal(await read('rig', '--help'), null)
  t.equal(await read('-h', '--limit', '5'), null)
  await t.rejects(read('RIG', '--', '--help'), { message: /takes no further word: --help/ })
})

t.test('mistakes name the parameter', async t => {
  await t.rejects(read('--sort'), { code: 'INVALID_PARAMETER', message: /^sort needs a value/ })
  await t.rejects(read('--has-pricing=maybe'), { message: 'has_pricing must be true or false' })
  await t.rejects(read('--has-prcing'), { message: /did you mean has_pricing/ })
  await t.rejects(read('--limit', '3', '--limit', '4'), { message: /takes one value/ })
  await t.rejects(read('RIG', 'CHTR'), { message: /takes no further word: CHTR/ })
  await t.rejects(read('--__proto__', 'x'), { code: 'INVALID_PARAMETER' })
})

t.test('free text takes all remaining words, without quotes', async t => {
  const resolve = command({
    word: 'resolve',
    positional: ['q'],
    params: { q: one(text('Text.')) },
    examples: [],
    run: async () => undefined,
  })
  t.strictSame({ ...readArguments(resolve, ['rig', '8', '2027'])?.input }, { q: 'rig 8 2027' })
})
