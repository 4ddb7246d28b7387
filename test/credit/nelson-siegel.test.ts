import t from 'tap'
import { random } from '../../cli/sample/random.ts'
import {
  CurveFitter,
  type NelsonSiegel,
  type Prior,
  slopeLoading,
  spreadAt,
} from '../../engine/credit/nelson-siegel.ts'

/** A market of bonds on a known curve: maturities from one to thirty years, normal noise, some far off. */
function bondsOn(curve: NelsonSiegel, count: number, noise: number, outliers = 0) {
  const drawn = random(`curve ${count} ${noise}`)
  const years = Float64Array.from({ length: count }, (_, i) => 1 + (29 * (i + 0.5)) / count)
  const bps = years.map(
    (t, i) =>
      spreadAt(curve, t) +
      noise * normal(drawn) +
      (outliers > 0 && i % Math.round(1 / outliers) === 0 ? 600 : 0),
  )
  return { years, bps, size: count }
}

function normal(drawn: ReturnType<typeof random>): number {
  const uniform = () => (drawn.whole(0, 999_999) + 0.5) / 1e6
  return Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
}

const free: Prior = {
  curve: { beta0: 150, beta1: 0, beta2: 0, tau: 3 },
  weight: [0, 0.001, 0.001],
  ownTau: true,
}
const known: NelsonSiegel = { beta0: 220, beta1: -150, beta2: 80, tau: 2.5 }
const tenors = [1, 2, 3, 5, 7, 10, 15, 20, 30]
const furthest = (a: NelsonSiegel, b: NelsonSiegel) =>
  Math.max(...tenors.map(years => Math.abs(spreadAt(a, years) - spreadAt(b, years))))

t.test(
  'the loadings are those of Nelson and Siegel, with the hump of Diebold and Li at 30 months',
  async t => {
    t.equal(slopeLoading(0, 2), 1)
    t.ok(Math.abs(slopeLoading(2, 2) - (1 - Math.exp(-1))) < 1e-12)
    t.equal(spreadAt({ beta0: 100, beta1: -40, beta2: 0, tau: 2 }, 0), 60)
    t.ok(Math.abs(spreadAt(known, 1000) - 220) < 0.5, 'far out only the level is left')
    // Diebold and Li (2006) fix lambda = 0.0609 a month, where the loading of the curvature is largest at 30 months.
    const tau = 1 / (0.0609 * 12)
    const hump = (years: number) => spreadAt({ beta0: 0, beta1: 0, beta2: 1, tau }, years)
    const months = Array.from({ length: 120 }, (_, i) => i + 1)
    const largest = months.reduce((best, month) => (hump(month / 12) > hump(best / 12) ? month : best))
    t.ok(Math.abs(largest - 30) <= 1, `the hump is largest at ${largest} months`)
  },
)

t.test('bonds on a curve give back its parameters', async t => {
  const { curve } = new CurveFitter().fit(bondsOn(known, 200, 0), free)
  t.ok(furthest(curve, known) < 0.5, `furthest ${furthest(curve, known)} bp`)
  t.ok(Math.abs(curve.tau - known.tau) < 0.05, `tau ${curve.tau}`)
  t.ok(Math.abs(curve.beta0 - known.beta0) < 1, `beta0 ${curve.beta0}`)
  t.ok(Math.abs(curve.beta1 - known.beta1) < 5, `beta1 ${curve.beta1}`)
  t.ok(Math.abs(curve.beta2 - known.beta2) < 10, `beta2 ${curve.beta2}`)
})

t.test('noise of 10 bp moves no tenor by more than a few, and more bonds come nearer', async t => {
  const fitter = new CurveFitter()
  const distance = (count: number) => furthest(fitter.fit(bondsOn(known, count, 10), free).curve, known)
  t.ok(distance(100) < 12, `100 bonds: ${distance(100)} bp`)
  t.ok(distance(2500) < 2, `2,500 bonds: ${distance(2500)} bp`)
})

t.test('one bond in twenty 600 bp too wide moves no tenor by more than a few basis points', async t => {
  const fitter = new CurveFitter()
  const clean = fitter.fit(bondsOn(known, 400, 5), free).curve
  const { curve, weights } = fitter.fit(bondsOn(known, 400, 5, 0.05), free)
  t.ok(furthest(curve, clean) < 2, `${furthest(curve, clean)} bp`)
  t.equal([...weights].filter(weight => weight < 0.05).length, 20)
})

t.test('a thin group moves from its parent by its weight, and a large one leaves it', async t => {
  const fitter = new CurveFitter()
  const wide: NelsonSiegel = { ...known, beta0: known.beta0 + 100 }
  const prior = (ownTau: boolean): Prior => ({ curve: known, weight: [1, 2, 2], ownTau })
  const three = fitter.fit(bondsOn(wide, 3, 0), prior(false)).curve
  const moved = spreadAt(three, 10) - spreadAt(known, 10)
  t.ok(moved > 60 && moved < 90, `three bonds 100 bp wide of the parent move it by ${moved}`)
  t.equal(three.tau, known.tau)
  const many = fitter.fit(bondsOn(wide, 500, 0), prior(true)).curve
  t.ok(furthest(many, wide) < 1)
})

t.test('bonds of one maturity have a level and no shape', async t => {
  const years = new Float64Array(12).fill(5)
  const bps = Float64Array.from({ length: 12 }, (_, i) => 200 + (i % 3))
  const { curve } = new CurveFitter().fit({ years, bps, size: 12 }, free)
  t.ok(Math.abs(spreadAt(curve, 5) - 201) < 1)
  t.ok(Math.abs(spreadAt(curve, 20)) < 2000, 'and no tenor runs away')
})
