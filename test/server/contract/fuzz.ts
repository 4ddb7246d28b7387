import fc from 'fast-check'
import type { Test } from 'tap'
import { lists, usual } from './lists.ts'
import { knownOf, requestsOf } from './requests.ts'
import type { Row, Service } from './service.ts'

/** Generated requests; FUZZ_REQUESTS sets their number. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 200)
const AT_ONCE = 4
/** Maximum duration of any answer. */
const PATIENCE_MS = 120_000

export function walkFuzz(t: Test, service: Service) {
  t.test(
    `Fuzz: ${REQUESTS} requests made from the document are answered as it says, and none breaks anything`,
    async t => {
      const { as_of: asOf } = (await service.get('/v1/companies?limit=1')).meta
      const known = knownOf(await service.rows('bonds'), await service.rows('companies'))
      // So that later queries about changes find their first day.
      await service.get(`/v1/companies/${known.ticker[0]}/changes`)
      const counts = new Map<number, number>()
      const requests = fc.array(requestsOf(service.document, { known, asOf }), {
        minLength: AT_ONCE,
        maxLength: AT_ONCE,
      })
      await fc.assert(
        fc.asyncProperty(requests, async list => {
          await Promise.all(
            list.map(async ({ path, how }) => {
              const { status } = await within(PATIENCE_MS, service.ask(path, how), path)
              counts.set(status, (counts.get(status) ?? 0) + 1)
              if (status >= 500 || status === 429)
                throw new Error(`${status} for ${path} ${JSON.stringify(how).slice(0, 500)}`)
            }),
          )
        }),
        {
          numRuns: Math.ceil(REQUESTS / AT_ONCE),
          endOnFailure: false,
          interruptAfterTimeLimit: REQUESTS * 1000,
        },
      )
      t.comment(
        [...counts]
          .sort()
          .map(([status, n]) => `${status}: ${n}`)
          .join(', '),
      )
      for (const status of [200, 400]) t.ok(counts.get(status)! > REQUESTS / 5, `many are ${status}`)
    },
  )

  t.test('Fuzz: several parameters together leave the rows that pass each of them', async t => {
    for (const list of Object.values(lists)) {
      const rows = await service.rows(list.exported)
      const cases = [...list.narrowings, ...list.beyond]
        .flatMap(narrowing => narrowing(rows))
        // An export does not have the company beside the row.
        .filter(({ query }) => !/^(sector|industry|rating_bucket)=/.test(query))
      const some = fc.uniqueArray(fc.constantFrom(...cases), {
        minLength: 2,
        maxLength: 4,
        selector: ({ query }) => query.split('=')[0],
      })
      await fc.assert(
        fc.asyncProperty(some, async asked => {
          const frees = asked.some(c => c.frees === 'all') ? 'all' : asked.flatMap(c => c.frees ?? [])
          const expected = rows.filter(usual(list, frees)).filter(row => asked.every(c => c.holds(row)))
          const ids = new Set(expected.map(list.id))
          const query = asked.map(c => c.query).join('&')
          const { meta, [list.envelope]: shown } = await service.get(
            `${list.path}?${query}&limit=${list.page.max}`,
          )
          if (meta.total !== ids.size || !shown.every((row: Row) => ids.has(list.id(row))))
            throw new Error(`${query}: ${meta.total} rows, not ${ids.size}`)
        }),
        { numRuns: Math.ceil(REQUESTS / 40) },
      )
      t.pass(list.path)
    }
  })
}

async function within<T>(milliseconds: number, work: Promise<T>, says: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${milliseconds} ms: ${says}`)), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
