import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { literal } from '../engine/database/database.ts'
import { companies } from '../engine/schema/resources/companies.ts'
import { Duck } from './duck.ts'

/** Hand-written servers, without keys, limits, validation or accounting. */
const [kind, file] = process.argv.slice(2) as [string, string]
const app = express()
app.set('etag', false)
app.disable('x-powered-by')

if (kind === 'ready') {
  const bytes = readFileSync(file)
  app.get('/v1/companies', (_, response) => {
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.setHeader('Content-Length', bytes.byteLength)
    response.end(bytes)
  })
} else if (kind === 'json') {
  const body = JSON.parse(readFileSync(file, 'utf8'))
  app.get('/v1/companies', (_, response) => void response.json(body))
} else {
  const duck = await Duck.open()
  const shown = Object.entries(companies.columns).filter(([, column]) => !column.on_request)
  const columns = shown.map(([name, { kind }]) =>
    kind === 'cents' || kind === 'integer' ? `CAST("${name}" AS DOUBLE) AS "${name}"` : `"${name}"`,
  )
  await duck.run(`CREATE TABLE companies AS SELECT * FROM read_parquet(${literal(file)})`)
  const statement = await duck.prepare(
    `SELECT ${columns.join(', ')}, count(*) OVER () AS "_total" FROM companies WHERE total_debt >= $1
     ORDER BY companies.leverage_ratio DESC NULLS LAST, company_id LIMIT 50`,
  )
  // A prepared statement runs one query at a time.
  let turn: Promise<unknown> = Promise.resolve()
  app.get('/v1/companies', async (request, response) => {
    const mine = turn.then(() => statement.rows([Number(request.query['min_debt'])]))
    turn = mine.catch(() => {})
    const rows = await mine
    const total = Number(rows[0]?.['_total'] ?? 0)
    for (const row of rows) delete row['_total']
    response.json({ data: rows, meta: { total, limit: 50, offset: 0 } })
  })
}

const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.on('SIGTERM', () => process.exit(0))
