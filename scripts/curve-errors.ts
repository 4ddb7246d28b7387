// Indices below are within bounds by construction: bonds are numbered from zero.

import { CURVE_LEVELS } from '../engine/credit/curve-rules.ts'
import { spreadAt } from '../engine/credit/nelson-siegel.ts'
import {
  type CurveBonds,
  type CurveTree,
  curveOfGroup,
  residuals,
  spreadCurves,
} from '../engine/credit/spread-curves.ts'
import { open } from '../engine/main.ts'

/**
 * How well a lake's spread curves predict a bond they have not seen: every bond that shapes curves is left out once,
 * the curves of its issuer, cell, rating and market are fitted to the others, and its spread is compared with the
 * fitted one. Beside it: the spread of the bond nearest in maturity, and the mean of the group, both of the issuer,
 * else of the cell of sector and rating, else of all.
 */
const [lake, ...given] = process.argv.slice(2)
if (lake === undefined)
  throw new Error('usage: node dist/scripts/curve-errors.js LAKE [DATE] [--max-staleness DAYS]')
const staleness = given.indexOf('--max-staleness')
const date = given[0]?.startsWith('--') ? undefined : given[0]

interface Row {
  readonly remaining_years: number
  readonly spread: number
  readonly issuer: string
  readonly cell: string
  readonly rating: string
}

const { rows, day } = await bondsOf(lake)
const issuers = numbersOf(rows.map(row => row.issuer))
const cells = numbersOf(rows.map(row => row.cell))
const ratings = numbersOf(rows.map(row => row.rating))
const years = Float64Array.from(rows, row => row.remaining_years)
const bps = Float64Array.from(rows, row => row.spread)
console.log(`${rows.length} bonds of ${new Set(issuers).size} issuers on ${day}`)

const errors: Record<string, number[]> = {
  'curve of the issuer': [],
  'the same, by leverage': [],
  'curve of sector and rating': [],
  'curve of the market': [],
  'nearest maturity': [],
  'group mean': [],
}
const sizes = countsOf(issuers)
const small: number[] = []
for (const i of rows.keys()) {
  const fitted = predictions(i)
  record('curve of the issuer', fitted.issuer - bps[i]!)
  record('the same, by leverage', fitted.shortcut - bps[i]!)
  record('curve of sector and rating', fitted.cell - bps[i]!)
  record('curve of the market', fitted.market - bps[i]!)
  const peers = peersOf(i)
  const nearest = peers.reduce((a, b) =>
    Math.abs(years[b]! - years[i]!) < Math.abs(years[a]! - years[i]!) ? b : a,
  )
  record('nearest maturity', bps[nearest]! - bps[i]!)
  record('group mean', peers.reduce((sum, j) => sum + bps[j]!, 0) / peers.length - bps[i]!)
  small.push(sizes.get(issuers[i]!)! - 1)
}
table('all bonds', () => true)
table('issuers with three or more other bonds', i => small[i]! >= 3)
table('issuers with one or two other bonds', i => small[i]! > 0 && small[i]! < 3)
table('issuers without another bond', i => small[i] === 0)

/** Adds an error in basis points to those of a method. */
function record(method: string, error: number): void {
  errors[method]?.push(error)
}

/** Bonds that shape curves, with the groups they are in. */
async function bondsOf(folder: string): Promise<{ rows: Row[]; day: string }> {
  const engine = await open(folder)
  const { data, meta } = await engine.call('search.relative_value', {
    fields: [
      'bond_id',
      'company_id',
      'sector',
      'rating_bucket',
      'remaining_years',
      'spread',
      'residual',
      'not_fitted_because',
    ],
    sort: 'bond_id',
    limit: 1_000_000,
    ...(date && { date }),
    ...(staleness >= 0 && { max_staleness: Number(given[staleness + 1]) }),
  })
  engine.close()
  const fitted = data.filter(row => row.not_fitted_because === null && row.residual !== null)
  return {
    day: String(meta['curve_date']),
    rows: fitted.map(row => ({
      remaining_years: row.remaining_years!,
      spread: row.spread!,
      issuer: row.company_id ?? row.bond_id,
      cell: `${row.sector} ${row.rating_bucket}`,
      rating: String(row.rating_bucket),
    })),
  }
}

function numbersOf(words: readonly string[]): Int32Array {
  const numbers = new Map([...new Set(words)].sort().map((word, i) => [word, i]))
  return Int32Array.from(words, word => numbers.get(word)!)
}

function countsOf(values: Int32Array): Map<number, number> {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** The other bonds of the issuer, else of the cell, else all. */
function peersOf(i: number): number[] {
  for (const groups of [issuers, cells, new Int32Array(rows.length)]) {
    const peers = [...rows.keys()].filter(j => j !== i && groups[j] === groups[i])
    if (peers.length > 0) return peers
  }
  throw new Error('there is one bond only')
}

/** The spreads fitted to a bond without it, by the curves on the path from the market to its issuer. */
function predictions(i: number): { market: number; cell: number; issuer: number; shortcut: number } {
  const tree: CurveTree = {
    parent: Int32Array.of(-1, 0, 1, 2),
    level: Uint8Array.from(CURVE_LEVELS.keys()),
  }
  const group = Int32Array.from(rows.keys(), j =>
    issuers[j] === issuers[i] ? 3 : cells[j] === cells[i] ? 2 : ratings[j] === ratings[i] ? 1 : 0,
  )
  const bonds: CurveBonds = { years, bps, group, isFitted: new Uint8Array(rows.length).fill(1) }
  const whole = residuals(spreadCurves(bonds, tree), bonds)[i]!
  bonds.isFitted[i] = 0
  // A group of two keeps its curve when one of them is left out.
  const curves = spreadCurves(bonds, tree, 1)
  const at = (g: number) => spreadAt(curveOfGroup(curves, g)!, years[i]!)
  return { market: at(0), cell: at(2), issuer: at(3), shortcut: bps[i]! - whole }
}

function table(title: string, isOf: (i: number) => boolean): void {
  const of = [...rows.keys()].filter(isOf)
  console.log(`\n${title}: ${of.length}`)
  console.log(`${''.padEnd(28)}${['mean abs', 'median abs', 'rms'].map(head => head.padStart(12)).join('')}`)
  if (of.length === 0) return
  for (const [name, all] of Object.entries(errors)) {
    const absolute = of.map(i => Math.abs(all[i]!)).sort((a, b) => a - b)
    const mean = absolute.reduce((sum, e) => sum + e, 0) / of.length
    const rms = Math.sqrt(absolute.reduce((sum, e) => sum + e * e, 0) / of.length)
    const shown = [mean, absolute[absolute.length >> 1]!, rms].map(e => e.toFixed(1).padStart(12))
    console.log(`${name.padEnd(28)}${shown.join('')}`)
  }
}
