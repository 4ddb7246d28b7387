import t from 'tap'
import { exampleInput } from '../../engine/schema/examples.ts'
import { endpoints } from '../../server/v1/endpoints.ts'
import { oneOf } from '../by-night.ts'
import { start } from './start.ts'
import { states } from './states.ts'

t.setTimeout(240_000)

/** An answer without the parts that differ between requests. */
const bodyOf = (text: string): string => text.replace(/"request_id":"[^"]*"/g, '')

/** Paths of every GET of the engine: bare, by an example, and in each format of a list. */
const asked = endpoints
  .filter(endpoint => endpoint.method === 'GET' && !endpoint.handle)
  .flatMap(endpoint => {
    const examples = endpoint.examples.flatMap(example => {
      const input = exampleInput(endpoint, example)
      return input ? [input] : []
    })
    const inputs: Readonly<Record<string, unknown>>[] = [{}, ...examples]
    return inputs.flatMap(input => {
      const missing = /\{(\w+)\}/.exec(endpoint.path)?.[1]
      if (missing && !Object.hasOwn(input, missing)) return []
      const rest = { ...input } as Record<string, unknown>
      const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name) => {
        const value = encodeURIComponent(String(rest[name]))
        delete rest[name]
        return value
      })
      const query = new URLSearchParams(
        Object.entries(rest).map(([k, v]): [string, string] => [k, String(v)]),
      ).toString()
      return [`${path}${query ? `?${query}` : ''}`]
    })
  })

t.test('tiers with different coverage share no cached body and no 304', { timeout: 200_000 }, async t => {
  // With and without cached answers, which must be equal. One minute per path, so that no limit interferes.
  let now = Date.UTC(2026, 0, 5)
  const clock = () => now
  const [kept, anew] = [await start(t, { clock }), await start(t, { clock, keptAnswers: 0 })]
  let compared = 0
  let differing = 0
  for (const path of oneOf(2, [...new Set(asked)])) {
    now += 60_000
    const truth = {
      pro: await anew.ask(path, { key: anew.keys.pro }),
      business: await anew.ask(path, { key: anew.keys.business }),
    }
    if (bodyOf(truth.pro.text) !== bodyOf(truth.business.text)) differing++
    // Often enough for answers to be cached, alternately.
    for (let round = 0; round < 4; round++)
      for (const tier of ['business', 'pro'] as const) {
        const { status, text } = await kept.ask(path, { key: kept.keys[tier] })
        t.equal(status, truth[tier].status, `${path} for ${tier}`)
        if (bodyOf(text) !== bodyOf(truth[tier].text)) t.fail(`${path} for ${tier} is another's answer`)
      }
    const [pro, business] = [truth.pro.headers.etag, truth.business.headers.etag]
    if (!pro || !business) continue
    compared++
    t.not(pro, business, `${path} has a tag for each coverage`)
    const ask = async (key: string, tag: string) =>
      (await kept.ask(path, { key, headers: { 'If-None-Match': tag } })).status
    t.equal(await ask(kept.keys.pro, pro), 304)
    t.equal(await ask(kept.keys.pro, business), 200, 'the tag of another coverage is no tag of ours')
    t.equal(await ask(kept.keys.business, pro), 200)
    // 403 if the endpoint needs a higher tier: an ETag is no way around that.
    const lower = await ask(kept.keys.pay_as_you_go, pro)
    t.ok(lower === 304 || lower === 403, 'the same coverage, the same answer')
  }
  t.ok(compared > 10, `${compared} paths have tags`)
  t.ok(differing > 5, `${differing} paths differ by coverage`)
})

t.test('a key whose tier changed sees by its new tier at once', async t => {
  const state = await states['in SQLite']!(t)
  const { ask, keys } = await start(t, { state })
  const path = '/v1/companies'
  for (let i = 0; i < 4; i++) await ask(path, { key: keys.business })
  const { headers, body } = await ask(path, { key: keys.business })
  t.equal(body.meta.total, 2)
  // An operator changes tiers of keys in the store.
  const principal = await state.authenticate(keys.business)
  t.ok(principal)
  const lesser = await state.createKey({ email: principal!.email, tier: 'pro' })
  const answer = await ask(path, { key: lesser.key, headers: { 'If-None-Match': headers.etag! } })
  t.match(answer, { status: 200, body: { meta: { total: 1 } } })
})

for (const [where, make] of Object.entries(states))
  t.test(`an Idempotency-Key ${where} belongs to one API key: others run their own request`, async t => {
    const state = await make(t)
    const { ask } = await start(t, { state })
    const ana = await state.createKey({ email: 'ana@example.com', tier: 'pay_as_you_go', credits: 50 })
    const second = await state.createKey({ email: 'ana@example.com', tier: 'pay_as_you_go', credits: 50 })
    const bo = await state.createKey({ email: 'bo@example.com', tier: 'pay_as_you_go', credits: 50 })
    const body = { operations: [{ primitive: 'search.bonds', params: { limit: 1 } }] }
    const send = (key: string, sent: object = body) =>
      ask('/v1/batch', { key, body: sent, headers: { 'Idempotency-Key': 'same' } })
    const seen = new Set<string>()
    for (const { key, keyId } of [ana, second, bo]) {
      const first = await send(key)
      t.equal(first.status, 200)
      t.notOk(first.headers['idempotency-replayed'], 'another account or key has not run it')
      const again = await send(key)
      t.equal(again.headers['idempotency-replayed'], 'true')
      t.equal(again.text, first.text, 'the own answer, to the byte')
      seen.add(first.text)
      t.match(await state.balance(keyId), { remaining: 49, used: 1 }, 'charged once')
    }
    t.equal(seen.size, 3, 'three requests, three answers')
    const other = { operations: [{ primitive: 'search.companies', params: {} }] }
    t.match(await send(bo.key, other), { status: 400, body: { error: { code: 'INVALID_PARAMETER' } } })
    t.equal((await state.balance(bo.keyId)).remaining, 49)
    // All at once.
    const at = await Promise.all(
      [ana, second, bo].flatMap(({ key }) =>
        [1, 2, 3].map(() => ask('/v1/batch', { key, body, headers: { 'Idempotency-Key': 'at-once' } })),
      ),
    )
    for (const { status, text } of at) t.equal(status, 200, text)
    t.equal(new Set(at.map(({ text }) => text)).size, 3)
    for (const { keyId } of [ana, second, bo]) t.equal((await state.balance(keyId)).remaining, 48)
  })
