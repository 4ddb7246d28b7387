import { parse } from 'csv-parse/sync'
import type { Test } from 'tap'
import {
  anyOf,
  at,
  atLeast,
  atMost,
  type Case,
  claimed,
  eachOf,
  type Narrowing,
  whether,
} from './narrowing.ts'
import type { Row, Service } from './service.ts'
import * as spec from './spec.ts'

/** A documented list endpoint. */
interface List {
  readonly path: string
  /** The member with its rows. */
  readonly envelope: 'data' | 'ratings'
  /** The same rows in an export. */
  readonly exported: string
  readonly record: spec.Members
  readonly page: { readonly usual: number; readonly max: number }
  /** The columns that identify a row. */
  readonly id: (row: Row) => string
  /** Members returned only on request, by the parameter that requests them. */
  readonly usually?: Readonly<Record<string, (row: Row) => boolean>>
  /** The default order. */
  readonly order?: { readonly member: string; readonly descending: true }
  /** Parameters of SPEC's table, beside `fields`, `sort`, `limit`, `offset` and `format`. */
  readonly narrowings: readonly Narrowing[]
  /** Those of CONTRACT 3. */
  readonly beyond: readonly Narrowing[]
  /** Parameters that have their own test. */
  readonly elsewhere?: readonly string[]
  /** A subset for walking pages, if the whole is long. */
  readonly part?: (rows: readonly Row[]) => Case
}

const buckets = ['IG', 'HY-BB', 'HY-B', 'HY-CCC', 'NR']

const companies: List = {
  path: '/v1/companies',
  envelope: 'data',
  exported: 'companies',
  record: spec.company,
  page: { usual: 50, max: 100 },
  id: row => String(row['ticker']),
  narrowings: [
    anyOf('ticker', 'ticker'),
    anyOf('sector', 'sector'),
    anyOf('industry', 'industry'),
    atLeast('min_leverage', 'leverage_ratio'),
    atMost('max_leverage', 'leverage_ratio'),
    atLeast('min_net_leverage', 'net_leverage_ratio'),
    atMost('max_net_leverage', 'net_leverage_ratio'),
    atLeast('min_debt', 'total_debt'),
    atMost('max_debt', 'total_debt'),
    claimed('has_structural_sub'),
    claimed('has_floating_rate'),
    claimed('has_near_term_maturity'),
  ],
  beyond: [
    eachOf('rating_bucket', 'rating_bucket', ['IG', 'HY-BB', 'HY-B', 'HY-CCC']),
    claimed('has_holdco_debt'),
    claimed('has_opco_debt'),
    anyOf('sp_rating', 'sp_rating'),
    anyOf('moodys_rating', 'moodys_rating'),
    anyOf('fitch_rating', 'fitch_rating'),
  ],
  elsewhere: ['include_metadata', 'max_age', 'rating_max_age', 'reported'],
}

const bonds: List = {
  path: '/v1/bonds',
  envelope: 'data',
  exported: 'bonds',
  record: spec.bond,
  page: { usual: 50, max: 100 },
  id: row => String(row['id']),
  usually: { is_active: row => row['is_active'] === true, currency: row => row['currency'] === 'USD' },
  narrowings: [
    anyOf('ticker', 'company_ticker'),
    anyOf('sector', 'company_sector'),
    anyOf('cusip', 'cusip', 'all'),
    eachOf('seniority', 'seniority', spec.bond.seniority),
    eachOf('security_type', 'security_type', spec.bond.security_type),
    eachOf('instrument_type', 'instrument_type', ['senior_notes', 'term_loan_b', 'revolver']),
    eachOf('issuer_type', 'issuer_type', spec.bond.issuer_type),
    eachOf('rate_type', 'rate_type', spec.bond.rate_type),
    atLeast('min_coupon', 'coupon_rate'),
    atMost('max_coupon', 'coupon_rate'),
    atLeast('min_ytm', 'pricing.ytm'),
    atMost('max_ytm', 'pricing.ytm'),
    atLeast('min_spread', 'pricing.spread'),
    atMost('max_spread', 'pricing.spread'),
    whether('has_pricing', row => at(row, 'pricing.last_price') !== null),
    atMost('maturity_before', 'maturity_date'),
    atLeast('maturity_after', 'maturity_date'),
    atLeast('min_outstanding', 'outstanding'),
    whether('has_guarantors', row =>
      row['guarantor_count'] === null ? null : Number(row['guarantor_count']) > 0,
    ),
    anyOf('currency', 'currency', ['currency']),
  ],
  beyond: [
    atLeast('issued_after', 'issue_date'),
    atMost('issued_before', 'issue_date'),
    atMost('max_outstanding', 'outstanding'),
    atMost('max_staleness', 'pricing.staleness_days'),
    whether('has_cusip', row => row['cusip'] !== null),
    whether('is_active', row => row['is_active'] as boolean, ['is_active']),
    eachOf('rating_bucket', 'company.rating_bucket', ['IG', 'HY-BB', 'HY-B', 'HY-CCC']),
    anyOf('industry', 'company.industry'),
  ],
  // Every bond of the sample is issued by the company that it is linked to, and has a currency; test/derive/groups.test.ts and
  // test/operations/unknown-currency.test.ts ask lakes with others.
  elsewhere: ['group', 'aggregation', 'has_currency'],
}

const collateral: List = {
  path: '/v1/collateral',
  envelope: 'data',
  exported: 'collateral',
  record: spec.collateral,
  page: { usual: 50, max: 100 },
  id: row => String(row['id']),
  usually: { in_force: row => row['in_force'] === true },
  narrowings: [],
  beyond: [
    anyOf('ticker', 'company_ticker'),
    anyOf('cusip', 'cusip'),
    anyOf('bond_id', 'bond_id'),
    eachOf('collateral_type', 'type', spec.collateral.type),
    eachOf('priority', 'priority', spec.collateral.priority),
    whether('has_valuation', row => row['estimated_value'] !== null),
    atLeast('min_value', 'estimated_value'),
    whether('in_force', row => row['in_force'] as boolean, ['in_force']),
    anyOf('ended_because', 'ended_because', ['in_force']),
  ],
  // Other names of cusip and bond_id, not to be given beside them: test/server/client-names.test.ts.
  elsewhere: ['bond_cusip', 'debt_instrument_id'],
}

const covenants: List = {
  path: '/v1/covenants',
  envelope: 'data',
  exported: 'covenants',
  record: spec.covenant,
  page: { usual: 50, max: 100 },
  id: row => String(row['id']),
  usually: { in_force: row => row['in_force'] === true },
  narrowings: [
    anyOf('ticker', 'ticker'),
    eachOf('covenant_type', 'covenant_type', spec.covenant.covenant_type),
    eachOf('test_metric', 'test_metric', spec.covenant.test_metric),
    atLeast('min_threshold', 'threshold_value'),
    atMost('max_threshold', 'threshold_value'),
    claimed('has_step_down'),
  ],
  beyond: [
    anyOf('cusip', 'cusip'),
    anyOf('covenant_name', 'covenant_name'),
    atLeast('min_confidence', 'extraction_confidence'),
    whether('in_force', row => row['in_force'] as boolean, ['in_force']),
    anyOf('ended_because', 'ended_because', ['in_force']),
  ],
}

const isOfIssuer = (row: Row) =>
  row['cusip'] === null && ['issuer', 'corporate_family'].includes(String(row['rating_type']))

const ratings: List = {
  path: '/v1/ratings',
  envelope: 'ratings',
  exported: 'ratings',
  record: spec.rating,
  page: { usual: 50, max: 200 },
  id: row => String(row['id']),
  order: { member: 'effective_date', descending: true },
  narrowings: [
    anyOf('ticker', 'ticker'),
    anyOf('sector', 'sector'),
    eachOf('rating_bucket', 'rating_bucket', buckets),
    () => [
      { query: 'sp_rating=bb%2B', holds: row => row['agency'] === 'sp' && row['rating'] === 'BB+' },
      {
        query: 'sp_rating=BB,BBB-',
        holds: row => row['agency'] === 'sp' && ['BB', 'BBB-'].includes(String(row['rating'])),
      },
      { query: 'moodys_rating=Ba1', holds: row => row['agency'] === 'moodys' && row['rating'] === 'Ba1' },
    ],
    eachOf('rating_type', 'rating_type', spec.rating.rating_type),
    anyOf('cusip', 'cusip'),
    () => [{ query: 'issuer_only=true', holds: isOfIssuer }],
    atLeast('from_date', 'effective_date'),
    atMost('to_date', 'effective_date'),
  ],
  beyond: [
    () => [{ query: 'fitch_rating=BB-', holds: row => row['agency'] === 'fitch' && row['rating'] === 'BB-' }],
  ],
  elsewhere: ['latest'],
}

const spreads: List = {
  path: '/v1/market/cds',
  envelope: 'data',
  exported: 'spreads',
  record: spec.spread,
  page: { usual: 50, max: 200 },
  id: row => `${row['ticker']} ${row['spread_date']} ${row['tenor']} ${row['source']}`,
  usually: { tenor: row => row['tenor'] === '5Y' },
  order: { member: 'spread_date', descending: true },
  narrowings: [
    anyOf('ticker', 'ticker'),
    anyOf('sector', 'company.sector'),
    eachOf('tenor', 'tenor', spec.spread.tenor, ['tenor']),
    () => [
      { query: 'tenor=1y,10Y', holds: row => ['1Y', '10Y'].includes(String(row['tenor'])), frees: ['tenor'] },
    ],
    eachOf('source', 'source', spec.spread.source),
    atLeast('from_date', 'spread_date'),
    atMost('to_date', 'spread_date'),
  ],
  beyond: [
    anyOf('industry', 'company.industry'),
    eachOf('rating_bucket', 'company.rating_bucket', ['IG', 'HY-BB', 'HY-B']),
  ],
  elsewhere: ['latest_only'],
  part: rows => {
    const ticker = rows.at(-1)!['ticker']
    return { query: `ticker=${ticker}`, holds: row => row['ticker'] === ticker }
  },
}

export const lists = { companies, bonds, collateral, covenants, ratings, spreads }

/** Whether a row appears with default parameters. */
export const usual = ({ usually = {} }: List, frees: Case['frees'] = []) => {
  const held = frees === 'all' ? [] : Object.entries(usually).filter(([name]) => !frees.includes(name))
  return (row: Row) => held.every(([, holds]) => holds(row))
}

/** Parameters of every list. */
const common = [
  'fields',
  'sort',
  'limit',
  'offset',
  'format',
  'csv_safe',
  'on_unknown',
  'as_of',
  'snapshot',
  'explain',
  'lane',
]

/** What SPEC says of list endpoints, of each of them. */
export function walkLists(t: Test, service: Service) {
  /** Rows as exported, each with its company. */
  async function rowsOf(list: List): Promise<Row[]> {
    const companies = new Map((await service.rows('companies')).map(row => [row['ticker'], row]))
    const rows = await service.rows(list.exported)
    return rows.map(row => ({
      ...row,
      company: companies.get(row['company_ticker'] ?? row['ticker']) ?? null,
    }))
  }

  for (const list of Object.values(lists)) {
    const { path, envelope, page, id } = list
    const url = (...parts: string[]) => `${path}?${parts.filter(Boolean).join('&')}`
    const loaded = once(() => rowsOf(list))
    const all = async (frees?: Case['frees']) => (await loaded()).filter(usual(list, frees))

    t.test(`GET ${path}: records, page by page, each once and with every member`, async t => {
      const part = list.part?.(await all())
      const expected = (await all(part?.frees)).filter(part?.holds ?? (() => true))
      const walked: Row[] = []
      for (;;) {
        const body = await service.get(url(part?.query ?? '', `limit=${page.max}`, `offset=${walked.length}`))
        t.equal(body.meta.total, expected.length)
        if (body[envelope].length === 0) break
        walked.push(...body[envelope])
      }
      t.strictSame(walked.map(id).sort(), expected.map(id).sort())
      t.strictSame(spec.faultsOf(list.record, walked), [])
    })

    t.test(`GET ${path}: envelope, limit and offset`, async t => {
      const body = await service.get(path)
      t.strictSame(Object.keys(body), [envelope, 'meta'])
      const total = (await all()).length
      t.match(body.meta, { total, limit: page.usual, offset: 0, request_id: String, snapshot: String })
      t.type(body.meta.filters_applied, 'object')
      t.equal(body[envelope].length, Math.min(page.usual, total))
      t.equal((await service.get(url('limit=1')))[envelope].length, 1)
      const full = await service.get(url(`limit=${page.max}`))
      t.equal(full[envelope].length, Math.min(page.max, total))
      t.equal(full.meta.limit, page.max)
      const over = await service.ask(url(`limit=${page.max + 1}`))
      t.equal(over.status, 400, 'a limit above the maximum is refused, never clamped')
      t.match(over.body.error, { code: 'INVALID_PARAMETER', details: { parameter: 'limit', max: page.max } })
      const second = await service.get(url('offset=3', 'limit=5'))
      t.strictSame(second[envelope].map(id), full[envelope].slice(3, 8).map(id))
      t.match(second.meta, { offset: 3, limit: 5 })
      const past = await service.get(url('offset=2147483648'))
      t.strictSame([past[envelope], past.meta.total], [[], total], 'no more results')
    })

    t.test(`GET ${path}: each parameter leaves exactly the rows it should`, async t => {
      const tried = new Set([...common, ...(list.elsewhere ?? [])])
      for (const narrowing of [...list.narrowings, ...list.beyond]) {
        const cases = narrowing(await all('all'))
        let leaves = 0
        for (const { query, holds, frees } of cases) {
          const body = await service.get(url(query, `limit=${page.max}`))
          const among = await all(frees)
          const expected = among.filter(holds)
          t.equal(body.meta.total, expected.length, query)
          const strange = new Set(body[envelope].map(id))
          for (const row of expected) strange.delete(id(row))
          t.strictSame([...strange], [], `${query} gives no other row`)
          t.ok(expected.length > 0, `${query} finds something`)
          leaves += among.length - expected.length
          tried.add(query.split('=')[0]!)
        }
        t.ok(leaves > 0, `${cases[0]!.query} leaves something out`)
      }
      const declared = service.document['paths'][path].get.parameters as { name?: string }[]
      const names = declared.flatMap(({ name }) => (name ? [name] : []))
      t.strictSame([...tried].sort(), names.sort(), 'every parameter that the document has is tried')
    })

    t.test(`GET ${path}: sort by each member, nulls last both ways`, async t => {
      const rows = await all()
      for (const [i, member] of sortable(list.record).entries()) {
        const sign = i % 2 === 0 ? '-' : ''
        const body = await service.get(url(`sort=${sign}${member}`, `limit=${page.max}`))
        const values = body[envelope].map((row: Row) => at(row, member))
        const expected = rows.map(row => at(row, member)).sort(sign ? falling : rising)
        t.strictSame(values, expected.slice(0, page.max), `sort=${sign}${member}`)
      }
      if (list.order) {
        const body = await service.get(path)
        const dates = body[envelope].map((row: Row) => row[list.order!.member])
        t.strictSame(dates, [...dates].sort(falling), `sort=-${list.order.member} unless asked otherwise`)
      }
      const { status, body } = await service.ask(url('sort=nonsense'))
      t.strictSame([status, body.error.details.parameter], [400, 'sort'])
    })

    t.test(`GET ${path}: fields gives those members in that order`, async t => {
      const names = Object.keys(list.record).reverse()
      const body = await service.get(url(`fields=${names.join(',')}`))
      for (const row of body[envelope]) t.strictSame(Object.keys(row), names)
      const [one] = names
      t.strictSame(Object.keys((await service.get(url(`fields=${one}`, 'limit=1')))[envelope][0]), [one])
      const { status, body: refused } = await service.ask(url(`fields=${one},${one}x`))
      t.equal(status, 400)
      t.match(refused.error.details, { parameter: 'fields', value: `${one}x`, suggestion: one })
    })

    t.test(`GET ${path}: format=csv has all matches up to 1000`, async t => {
      const rows = await all()
      const [first = '', second = ''] = Object.keys(list.record)
      const fields = `fields=${second},${first}`
      const json = (await service.get(url(fields, `limit=${page.max}`)))[envelope]
      const asked = [await service.ask(url(fields, 'format=csv'))]
      asked.push(await service.ask(url(fields), { headers: { Accept: 'text/csv' } }))
      for (const { status, headers, text } of asked) {
        t.equal(status, 200)
        t.match(headers['content-type'], /^text\/csv/)
        t.equal(headers['x-total-count'], String(rows.length))
        t.equal(headers['x-truncated'], rows.length > 1000 ? 'true' : undefined)
        const [head, ...lines] = parse(text) as string[][]
        t.strictSame(head, [second, first])
        t.equal(lines.length, Math.min(1000, rows.length))
        const shown = (row: Row) => [row[second], row[first]].map(v => (v === null ? '' : String(v)))
        t.strictSame(lines.slice(0, page.max), json.map(shown))
      }
      const none = await service.ask(url(fields, 'format=csv', 'offset=1000000'))
      t.strictSame(parse(none.text), [[second, first]], 'the header stands there on no match too')
    })
  }

  t.test('a parent name selects its object, a dot its member, and sorts go into objects', async t => {
    const path = '/v1/bonds?has_pricing=true&limit=100&sort=-pricing.ytm'
    const { data } = await service.get(`${path}&fields=pricing,issuer.name,id`)
    t.strictSame(Object.keys(data[0]), ['pricing', 'issuer', 'id'])
    t.strictSame(Object.keys(data[0].issuer), ['name'])
    t.ok(Object.keys(data[0].pricing).length > 4)
    const yields = data.map((row: Row) => at(row, 'pricing.ytm'))
    t.strictSame(yields, [...yields].sort(falling))
    const several = await service.get(
      '/v1/bonds?sort=-seniority,coupon_rate,-id&limit=100&fields=seniority,coupon_rate,id',
    )
    const keys = several.data.map((r: Row) => [r['seniority'], r['coupon_rate'], r['id']])
    t.strictSame(
      keys,
      [...keys].sort((a, b) => falling(a[0], b[0]) || rising(a[1], b[1]) || falling(a[2], b[2])),
    )
  })
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Sortable members, with dots for those of objects. */
const sortable = (members: spec.Members, within = ''): string[] =>
  Object.entries(members).flatMap(([name, kind]) => {
    if (kind === 'string[]' || kind === 'any') return []
    if (typeof kind === 'object' && !Array.isArray(kind))
      return sortable(kind as spec.Members, `${within}${name}.`)
    return [`${within}${name}`]
  })

const compare = (a: unknown, b: unknown, sign: 1 | -1): number => {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return (a as string) < (b as string) ? -sign : sign
}
const rising = (a: unknown, b: unknown): number => compare(a, b, 1)
const falling = (a: unknown, b: unknown): number => compare(a, b, -1)
