import t from 'tap'
import { spreadAt } from '../../engine/credit/nelson-siegel.ts'
import { type CurveTree, curveOfGroup, residuals, spreadCurves } from '../../engine/credit/spread-curves.ts'

// The market, one rating, two of its sectors, and three issuers: 3 and 4 in sector 2, 5 alone in sector 3.
const tree: CurveTree = {
  parent: Int32Array.of(-1, 0, 1, 1, 2, 2, 3),
  level: Uint8Array.of(0, 1, 2, 2, 3, 3, 3),
}
const [MARKET, RATING, SECTOR, THIN_SECTOR, TIGHT, WIDE, ALONE] = [0, 1, 2, 3, 4, 5, 6]

const rows = [
  ...[2, 4, 6, 8, 10, 15].map(years => ({ years, bps: 100 + 3 * years, group: TIGHT })),
  ...[2, 4, 6, 8, 10, 15].map(years => ({ years, bps: 160 + 3 * years, group: WIDE })),
  { years: 7, bps: 400, group: ALONE },
]
const bonds = {
  years: Float64Array.from(rows, row => row.years),
  bps: Float64Array.from(rows, row => row.bps),
  group: Int32Array.from(rows, row => row.group!),
  isFitted: new Uint8Array(rows.length).fill(1),
}

t.test(
  'groups of two bonds have a curve of their own, smaller ones that of the nearest ancestor',
  async t => {
    const { curveOf, bondCount, shrinkage } = spreadCurves(bonds, tree)
    t.strictSame([...bondCount], [13, 13, 12, 1, 6, 6, 1])
    t.strictSame([...curveOf], [MARKET, RATING, SECTOR, RATING, TIGHT, WIDE, RATING])
    t.equal(shrinkage[MARKET!], 0)
    t.equal(shrinkage[THIN_SECTOR!], 1)
    t.ok(shrinkage[TIGHT!]! > 0 && shrinkage[TIGHT!]! < 0.2)
  },
)

t.test('issuers lie on either side of their sector, and the lone wide bond moves nobody', async t => {
  const curves = spreadCurves(bonds, tree)
  const at8 = (group: number | undefined) => spreadAt(curveOfGroup(curves, group!)!, 8)
  t.ok(Math.abs(at8(TIGHT) - 124) < 6, `tight ${at8(TIGHT)}`)
  t.ok(Math.abs(at8(WIDE) - 184) < 6, `wide ${at8(WIDE)}`)
  t.ok(at8(SECTOR) > at8(TIGHT) && at8(SECTOR) < at8(WIDE))
  const without = spreadCurves({ ...bonds, isFitted: bonds.isFitted.map((_, i) => (i === 12 ? 0 : 1)) }, tree)
  t.ok(Math.abs(spreadAt(curveOfGroup(without, TIGHT!)!, 8) - at8(TIGHT)) < 5)
})

t.test('a residual is to the curve without the bond', async t => {
  const market = {
    years: Float64Array.from({ length: 40 }, (_, i) => 1.5 + i * 0.7),
    bps: Float64Array.from({ length: 40 }, (_, i) => 200 - 100 * Math.exp(-i / 10) + ((i * 7) % 11) - 5),
    group: new Int32Array(40),
    isFitted: new Uint8Array(40).fill(1),
  }
  const alone: CurveTree = { parent: Int32Array.of(-1), level: Uint8Array.of(0) }
  const shortcut = residuals(spreadCurves(market, alone), market)
  for (const i of [0, 5, 20, 39]) {
    const isFitted = market.isFitted.map((_, j) => (j === i ? 0 : 1))
    const without = curveOfGroup(spreadCurves({ ...market, isFitted }, alone), 0)!
    const refitted = market.bps[i]! - spreadAt(without, market.years[i]!)
    t.ok(Math.abs(shortcut[i]! - refitted) < 1.5, `${shortcut[i]}, refitted ${refitted}`)
  }
  // Two bonds of an issuer of their own: what one is off the other says, not itself.
  const two = {
    years: Float64Array.of(...bonds.years.slice(0, 12), 5, 9),
    bps: Float64Array.of(...bonds.bps.slice(0, 12), 200, 300),
    group: Int32Array.of(...bonds.group.slice(0, 12), ALONE!, ALONE!),
    isFitted: new Uint8Array(14).fill(1),
  }
  const [low, high] = [...residuals(spreadCurves(two, tree), two).slice(12)]
  t.ok(low! < -40 && high! > 40, `${low} and ${high}`)
})

t.test('a market of fewer than ten bonds has no curve, and nor has any group', async t => {
  const few = { ...bonds, isFitted: bonds.isFitted.map((_, i) => (i < 9 ? 1 : 0)) }
  const curves = spreadCurves(few, tree)
  t.strictSame([...curves.curveOf], [-1, -1, -1, -1, -1, -1, -1])
  t.ok([...residuals(curves, few)].every(Number.isNaN))
  t.equal(curveOfGroup(curves, TIGHT!), null)
})

t.test('the order of bonds moves no curve by more than rounding', async t => {
  const turned = Object.fromEntries(
    Object.entries(bonds).map(([name, column]) => [name, column.slice().reverse()]),
  ) as unknown as typeof bonds
  const [a, b] = [spreadCurves(bonds, tree), spreadCurves(turned, tree)]
  for (const group of tree.level.keys())
    t.ok(Math.abs(a.beta0[group]! - b.beta0[group]!) < 1e-6, `group ${group}`)
})
