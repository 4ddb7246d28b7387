import t, { type Test } from 'tap'
import { type Engine, open } from '../../../engine/engine.ts'
import { builtLake } from '../../built-lake.ts'
import type { Rows } from '../../make-lake.ts'

const known = { known_from: '2024-01-01' }
const bond = (
  cusip: string,
  ticker: string,
  name: string,
  coupon: number | null,
  maturity: string,
  more = {},
) => ({
  cusip,
  ticker,
  name,
  issuer_name: name,
  coupon_rate: coupon,
  maturity_date: maturity,
  currency: 'USD',
  ...known,
  ...more,
})
const company = (ticker: string, name: string) => ({ ticker, name, coverage: 'standard' })

/** Made so that the check digits hold. */
const cusips = [
  '000000AA7',
  '000000AB5',
  '000000AC3',
  '000000AD1',
  '000000AE9',
  '000000AF6',
  '000000AG4',
  '000000AH2',
]

const short = ['000000AJ8', '000000AK5', '000000AL3', '000000AM1']

const rows: Rows = {
  companies: [
    company('GHK', 'Gold Harbor Kinetic & Mining Co'),
    company('GOOGL', 'Googol Searches Inc'),
    company('BRK.B', 'Broken Hill Railways'),
    company('ALFA', 'Alfa Drilling Corp'),
    company('BETA', 'Beta Networks Holdings Inc'),
    company('BTF', 'Beta Networks Finance LLC'),
    company('T', 'Telephone & Telegraph Inc'),
  ],
  bonds: [
    bond(cusips[0]!, 'ALFA', 'ALFA DRILLING CORP', 4.5, '2030-03-15'),
    bond(cusips[1]!, 'ALFA', 'ALFA DRILLING CORP', 6.25, '2030-09-15', { seniority: 'senior_secured' }),
    bond(cusips[2]!, 'BETA', 'BETA NETWORKS HOLDINGS INC', 4.5, '2030-06-01'),
    bond(cusips[3]!, 'BTF', 'BETA NETWORKS FINANCE LLC', 5.47, '2033-08-10'),
    bond(cusips[4]!, 'T', 'TELEPHONE & TELEGRAPH INC', 4.5, '2048-03-09'),
    bond(cusips[5]!, 'T', 'TELEPHONE & TELEGRAPH INC', null, '2031-06-12', { rate_type: 'floating' }),
    bond(cusips[6]!, 'BETA', 'BETA NETWORKS HOLDINGS INC', 7, '2079-12-31'),
    bond(short[0]!, 'GHK', 'GOLD HARBOR KINETIC & MINING CO', 5.35, '2053-04-01'),
    bond(short[1]!, 'GOOGL', 'GOOGOL SEARCHES INC', 4.7, '2035-11-15'),
    bond(short[2]!, 'BRK.B', 'BROKEN HILL RAILWAYS', 3.3, '2051-09-15'),
    bond(short[3]!, 'GOOGL', 'GOOGOL SEARCHES INC', 5.125, '2033-07-20'),
    bond(cusips[7]!, 'ALFA', 'ALFA DRILLING CORP', 3, '2023-01-15'),
  ],
}

async function opened(t: Test): Promise<Engine> {
  const lake = await builtLake(t.teardown, rows, { asOf: '2025-06-02' })
  const engine = await open(lake)
  t.teardown(() => engine.close())
  return engine
}

const engine = await opened(t)
const resolve = async (q: string, more: object = {}) =>
  (await engine.call('resolve.bond', { q, ...more })).data

t.test('a description leads to its bond, however it is written', async t => {
  const meant: readonly (readonly [string, string])[] = [
    ['alfa 4 1/2% 2030', cusips[0]!],
    ['ALFA 4½% 2030', cusips[0]!],
    ['ALFA DRILLING CORPORATION 6.250% 09/15/2030 SR SECURED', cusips[1]!],
    ['alfa 6.25 09/30', cusips[1]!],
    ['BETA NETWORKS FIN LLC 5.468% 08/10/33', cusips[3]!],
    ['Beta Networks Finance LLC, (SOFR + 1.1%), 5.47%, due 10 Aug 2033', cusips[3]!],
    ['T 4.5 48', cusips[4]!],
    ['T 4 1/2 48', cusips[4]!],
    ['T FRN 06/31', cusips[5]!],
    ['beta networks perp', cusips[6]!],
    ['alfa driling 4.5 2030', cusips[0]!],
    ['BETA NTWRKS HLDGS 4.5 06/30', cusips[2]!],
    ['betanetworks finance 2033', cusips[3]!],
  ]
  for (const [q, cusip] of meant) {
    const { matches, exact_match } = await resolve(q)
    t.equal(matches[0]?.bond.cusip, cusip, q)
    t.equal(exact_match, false, q)
    t.ok(matches[0]!.confidence > 0.5, `${q}: ${matches[0]!.confidence}`)
  }
})

t.test(
  'an issuer is found by its initials, and by its ticker with a country or without a share class',
  async t => {
    const meant: readonly (readonly [string, string])[] = [
      ['GHKM 5.35 53', short[0]!],
      ['ghk&m 5.35 2053', short[0]!],
      ['goog 4.7 35', short[1]!],
      ['BRK 3.3 51', short[2]!],
      ['GOOGLCN 4.7 35', short[1]!],
    ]
    for (const [q, cusip] of meant) {
      const { matches } = await resolve(q)
      t.equal(matches[0]?.bond.cusip, cusip, q)
      t.ok(matches[0]!.confidence > 0.8, `${q}: ${matches[0]!.confidence}`)
    }
  },
)

t.test('an eighth may be the third decimal of a coupon that a list wrote with two', async t => {
  const { matches } = await resolve('Googol 5.133 07/33')
  t.equal(matches[0]!.bond.cusip, short[3])
  t.ok(matches[0]!.confidence > 0.9)
  t.ok((await resolve('Googol 5.14 07/33')).matches[0]!.confidence < 0.5)
})

t.test('two swapped letters count as one wrong letter', async t => {
  const [swapped, wrong] = [await resolve('Borken 3.3 51'), await resolve('Brokon 3.3 51')]
  t.equal(swapped.matches[0]?.bond.cusip, short[2])
  t.equal(swapped.matches[0]?.confidence, wrong.matches[0]?.confidence)
})

t.test('three letters alone are a ticker, not an abbreviation of another name', async t => {
  const { matches } = await resolve('nwk 4.5 06/01/30')
  t.ok(matches.every(({ confidence }) => confidence < 0.5))
})

t.test('a coupon that is written weighs more than words', async t => {
  const { matches } = await resolve('beta networks finance 4.5 2030')
  t.equal(matches[0]!.bond.cusip, cusips[2])
})

t.test('without an issuer a match is less sure', async t => {
  const named = await resolve('alfa 6.25 09/15/2030')
  const unnamed = await resolve('6.25 09/15/2030')
  t.equal(unnamed.matches[0]!.bond.cusip, cusips[1])
  t.ok(named.matches[0]!.confidence > 0.95)
  t.ok(unnamed.matches[0]!.confidence < 0.9)
})

t.test('bonds that are meant as likely share the confidence, and the answer suggests', async t => {
  const { matches, suggestions } = await resolve('alfa 2030')
  t.strictSame(new Set(matches.map(match => match.bond.cusip)), new Set([cusips[0], cusips[1]]))
  for (const { confidence } of matches) t.ok(confidence <= 0.5)
  t.strictSame(suggestions, ['ALFA 4.5 03/15/30', 'ALFA 6.25 09/15/30'])
})

t.test('words that name nothing are answered with suggestions and no bond', async t => {
  for (const q of ['notes', 'the bonds', 'bonds due at']) {
    const { matches, suggestions, exact_match } = await resolve(q)
    t.strictSame([matches, exact_match], [[], false], q)
    t.ok(suggestions.length > 0, q)
    const again = await resolve(suggestions[0]!)
    t.equal(again.exact_match, true, `${suggestions[0]} resolves`)
  }
  const ranked = await resolve('senior secured notes')
  t.equal(ranked.matches[0]!.bond.cusip, cusips[1], 'a ranking is something')
})

t.test('a part of an identifier finds the bonds that have it', async t => {
  const part = await resolve('000000AD')
  t.equal(part.matches[0]!.bond.cusip, cusips[3])
  t.equal(part.exact_match, false)
  t.ok(part.matches[0]!.confidence > 0.9)
  const issuer = await resolve('000000', { limit: 20 })
  t.ok(issuer.matches.length > 5 && issuer.matches.every(({ confidence }) => confidence < 0.3))
  const within = await resolve(`beta ${cusips[3]} due 2033`)
  t.match(within, { exact_match: true, matches: [{ confidence: 1, bond: { cusip: cusips[3] } }] })
  const grouped = await resolve('000000 AD 1')
  t.match(grouped, { exact_match: true, matches: [{ confidence: 1, bond: { cusip: cusips[3] } }] })
  for (const unknown of ['000000 AN 9', 'CUSIP: 000000AN9'])
    t.match(await resolve(unknown), { exact_match: false, matches: [], suggestions: [] }, unknown)
  const slip = await resolve('000000AD9')
  t.equal(slip.matches[0]?.bond.cusip, cusips[3], 'a wrong check digit')
})

t.test('exact mode answers only with bonds of which all is true that was written', async t => {
  const exact = { match_mode: 'exact' as const }
  t.equal((await resolve('alfa 4.5 03/15/2030', exact)).matches.length, 1)
  t.strictSame((await resolve('alfa 4.5 03/16/2030', exact)).matches, [])
  t.strictSame((await resolve('alfa zzzz', exact)).matches, [])
})

t.test('parameters beside the text narrow it and count as written', async t => {
  const year = await resolve('alfa', { maturity_year: 2030, coupon: 6.25 })
  t.strictSame(
    year.matches.map(match => match.bond.cusip),
    [cusips[1]],
  )
  t.ok(year.matches[0]!.confidence > 0.9)
  t.strictSame((await resolve('beta', { ticker: 'ALFA' })).matches, [])
  const alone = (await engine.call('resolve.bond', { ticker: 'ALFA', maturity_year: 2030 })).data
  t.strictSame(
    alone.matches.map(match => match.confidence),
    [0.45, 0.45],
  )
})

t.test('bonds that are over are meant less often', async t => {
  const { matches } = await resolve('alfa drilling', { limit: 20 })
  t.equal(matches.at(-1)!.bond.cusip, cusips[7])
})

t.test('explain adds up to the score', async t => {
  const { matches } = await resolve('alfa 4.5 2030', { explain: true })
  const { parts = [], score } = matches[0]!._explain!
  t.strictSame(
    parts.map(part => part.asked),
    ['alfa', 4.5, '2030'],
  )
  t.equal(
    parts.reduce((sum, part) => sum + part.score, 0),
    score,
  )
})

t.test('an index answers as of an earlier day with what was known then', async t => {
  const { matches } = await resolve('alfa 3 2023', { as_of: '2024-06-03' })
  t.equal(matches[0]!.bond.cusip, cusips[7])
})
