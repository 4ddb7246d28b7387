import { memberOf } from '../base/elements.ts'
import { QueryError } from '../base/errors.ts'
import { formatDay } from '../credit/calendar.ts'
import type { Database } from '../database/database.ts'
import { stored } from '../database/views.ts'
import { dayNumber } from '../derive/bonds/instruments.ts'
import { numberAt, wordAt } from '../query/memory/column.ts'
import type { MemoryRows } from '../query/memory/count-values.ts'
import type { Columns } from '../schema/column.ts'
import { pricingHistory } from '../schema/resources/pricing.ts'
import type { Context } from './operation.ts'
import { type Periods, spanOf } from './returns/periods.ts'
import type { PricePoint } from './returns/price-point.ts'

/** Most prices that one answer reads. */
const MOST_PRICES = 1_000_000

const names = [
  'bond_id',
  'date',
  'last_price',
  'duration',
  'price_source',
  'yield_null_because',
  'is_active',
] as const
const kinds: Columns = pricingHistory.columns
const columns = names.map(name => ({ name, column: memberOf(kinds, name) }))

/** Prices of bonds by id, in the order of days: all of them, or the last of the days up to each end of a period. */
export async function pricePoints(
  context: Context,
  bonds: readonly string[],
  periods: Periods,
  maxStaleness: number,
): Promise<ReadonlyMap<string, readonly PricePoint[]>> {
  const [first, last] = spanOf(periods, maxStaleness).map(formatDay) as [string, string]
  const found = context.memoryRows(
    {
      table: 'pricing_history',
      columns,
      where: [
        { column: 'bond_id', op: 'in', values: bonds },
        { column: 'date', op: 'ge', value: first },
        { column: 'date', op: 'le', value: last },
      ],
      after: [],
      order: [],
      limit: null,
      offset: 0,
    },
    kinds,
  )
  const points = found
    ? pointsInMemory(found, periods, maxStaleness)
    : await pointsRead(context.database, bonds, periods, maxStaleness)
  let count = 0
  for (const those of points.values()) count += those.length
  if (count > MOST_PRICES) throw tooMany()
  return points
}

const tooMany = () =>
  new QueryError(
    'RESULT_TOO_LARGE',
    `more than ${MOST_PRICES} prices are in the range: use a shorter one, fewer bonds, or every=month`,
    { max: MOST_PRICES },
  )

function pointsInMemory(
  found: MemoryRows,
  { ends }: Periods,
  maxStaleness: number,
): Map<string, readonly PricePoint[]> {
  const id = found.column('bond_id')
  const date = found.column('date')
  const price = found.column('last_price')
  const duration = found.column('duration')
  const source = found.column('price_source')
  const reason = found.column('yield_null_because')
  const isActive = found.column('is_active')
  const byBond = new Map<string, number[]>()
  let count = 0
  for (const row of found.rows) {
    if (wordAt(isActive, row) !== true || !(numberAt(price, row) > 0)) continue
    if (++count > MOST_PRICES && ends === null) throw tooMany()
    const bond = wordAt(id, row) as string
    const own = byBond.get(bond)
    if (own) own.push(row)
    else byBond.set(bond, [row])
  }
  const pointAt = (row: number, at: number): PricePoint => {
    const years = numberAt(duration, row)
    return {
      at,
      day: numberAt(date, row),
      clean: numberAt(price, row),
      duration: Number.isNaN(years) ? null : years,
      source: wordAt(source, row) as string,
      isFlat: wordAt(reason, row) === 'defaulted',
    }
  }
  const points = new Map<string, readonly PricePoint[]>()
  for (const [bond, rows] of byBond) {
    rows.sort((a, b) => numberAt(date, a) - numberAt(date, b))
    if (ends === null) {
      points.set(
        bond,
        rows.map(row => pointAt(row, numberAt(date, row))),
      )
      continue
    }
    const picked: PricePoint[] = []
    let next = 0
    for (const end of ends) {
      while (next < rows.length && numberAt(date, rows[next] as number) <= end) next++
      const row = rows[next - 1]
      if (row !== undefined && numberAt(date, row) >= end - maxStaleness) picked.push(pointAt(row, end))
    }
    if (picked.length > 0) points.set(bond, picked)
  }
  return points
}

async function pointsRead(
  database: Database,
  bonds: readonly string[],
  periods: Periods,
  maxStaleness: number,
): Promise<Map<string, readonly PricePoint[]>> {
  const [first, last] = spanOf(periods, maxStaleness).map(formatDay)
  const chosen = `
    SELECT bond_id, date, last_price, duration, price_source, yield_null_because FROM ${stored('pricing_history')}
    WHERE bond_id IN (SELECT unnest(?::JSON::VARCHAR[])) AND date BETWEEN CAST(? AS DATE) AND CAST(? AS DATE)
      AND is_active AND last_price > 0`
  const picked =
    periods.ends === null
      ? `SELECT *, date AS period_day FROM (${chosen})`
      : `SELECT h.*, e.period_day FROM (${chosen}) h
         JOIN (SELECT unnest(?::JSON::DATE[]) AS period_day) e ON h.date <= e.period_day AND h.date >= e.period_day - ${maxStaleness}
         QUALIFY row_number() OVER (PARTITION BY h.bond_id, e.period_day ORDER BY h.date DESC) = 1`
  const { columns } = await database.columns(
    `SELECT bond_id, ${dayNumber('period_day')}, ${dayNumber('date')}, last_price, duration, price_source,
       yield_null_because IS NOT DISTINCT FROM 'defaulted'
     FROM (${picked}) ORDER BY bond_id, period_day LIMIT ${MOST_PRICES + 1}`,
    [
      JSON.stringify(bonds),
      first as string,
      last as string,
      ...(periods.ends === null ? [] : [JSON.stringify(periods.ends.map(formatDay))]),
    ],
  )
  const points = new Map<string, PricePoint[]>()
  const [id, at, day, clean, duration, source, isFlat] = columns as [
    string[],
    number[],
    number[],
    number[],
    (number | null)[],
    string[],
    boolean[],
  ]
  for (const [i, bond] of id.entries()) {
    const point = {
      at: Number(at[i]),
      day: Number(day[i]),
      clean: clean[i] as number,
      duration: duration[i] ?? null,
      source: source[i] as string,
      isFlat: isFlat[i] === true,
    }
    const those = points.get(bond)
    if (those) those.push(point)
    else points.set(bond, [point])
  }
  return points
}
