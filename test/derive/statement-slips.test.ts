import t from 'tap'
import { parseDay } from '../../engine/credit/calendar.ts'
import { type ReportedFigure, ScaleCheck } from '../../engine/derive/statements/slips.ts'

function findScaleErrors(figures: readonly ReportedFigure[]) {
  const check = new ScaleCheck()
  for (const [position, figure] of figures.entries()) check.add(figure, position)
  return check.errors()
}

const ends = ['2023-03-31', '2023-06-30', '2023-09-30', '2023-12-31', '2024-03-31']

/** One filing a quarter, in thousands, with assets and revenue beside the concept under test. */
function told(
  concept: string,
  values: readonly number[],
  more: Partial<ReportedFigure> = {},
): ReportedFigure[] {
  const figure = (name: string, value: number, i: number, quarters = 0): ReportedFigure => ({
    concept: name,
    unit: 'USD',
    quarters,
    end: parseDay(ends[i]!),
    value: value * 1000,
    decimals: -3,
    filing: `10-Q ${i}`,
  })
  return values.flatMap((value, i) => [
    { ...figure(concept, value, i), ...more },
    figure('us-gaap:Assets', 98_765 + 321 * i, i),
    figure('us-gaap:Revenues', 12_345 + 67 * i, i, 1),
  ])
}
const out = (figures: ReportedFigure[]) =>
  findScaleErrors(figures).map(({ position, factor }) => [position / 3, factor])

t.test('a figure off by a power of ten against both neighbours is found, either way', async t => {
  t.strictSame(out(told('us-gaap:LongTermDebt', [4321, 4300, 4_295_000, 4288, 4277])), [[2, 1000]])
  t.strictSame(out(told('us-gaap:LongTermDebt', [4321, 4300, 4.295, 4288, 4277])), [[2, 0.001]])
  t.strictSame(out(told('us-gaap:LongTermDebt', [4321, 4300, 429_500, 4288, 4277])), [[2, 100]])
  t.strictSame(out(told('us-gaap:LongTermDebt', [4321, 4300, 4295e6, 4288, 4277])), [[2, 1e6]])
})

t.test('the newest figure is compared with the two before it', async t => {
  t.strictSame(out(told('us-gaap:LongTermDebt', [4321, 4300, 4295, 4288, 4_277_000])), [[4, 1000]])
})

t.test('items that legitimately come and go are left alone', async t => {
  t.strictSame(out(told('us-gaap:CommercialPaper', [5, 5, 5000, 5, 5])), [], 'round figures of a lumpy line')
  t.strictSame(out(told('us-gaap:LongTermDebt', [4, 4, 4321, 4300, 4295])), [], 'a level that stays')
  t.strictSame(out(told('us-gaap:LongTermDebt', [4321, 4300, 120_000, 4288, 4277])), [], 'no power of ten')
  t.strictSame(out(told('us-gaap:CommercialPaper', [0, 0, 4321, 0, 0])), [], 'nothing is no neighbour')
  const shell = told('us-gaap:LongTermDebt', [4, 4, 4, 4321, 4300]).map((f, i) =>
    i < 9 ? { ...f, value: Math.round(f.value / 70_000) * 1000 } : f,
  )
  t.strictSame(out(shell), [], 'a company that all grew at once')
})

t.test('the same digits in another filing show which figure slipped', async t => {
  const figures = told('us-gaap:InterestExpense', [431, 428, 433], { quarters: 1 })
  const again: ReportedFigure = { ...figures[3]!, value: 428_000_000, filing: '10-K' }
  t.match(findScaleErrors([...figures, again]), [
    { position: 9, factor: 1000, reason: '1,000 times too large against the same digits in 10-Q 1' },
  ])
})

t.test('a filing in thousands tagged as dollars slipped as a whole', async t => {
  const figures = told('us-gaap:LongTermDebt', [4321, 4300, 4295, 4288, 4277])
  const slipped = figures.map(f =>
    f.filing === '10-Q 2' ? { ...f, value: f.value / 1000, decimals: null } : f,
  )
  t.strictSame(
    findScaleErrors(slipped).map(s => slipped[s.position]!.filing),
    ['10-Q 2', '10-Q 2', '10-Q 2'],
  )
})

t.test('interest above all assets of the time is set aside, whatever its digits', t => {
  const interest = told('us-gaap:InterestExpenseLongTermDebt', [1061, 1048, 2_726_175, 1055, 1061])
  const year = interest.map(figure =>
    figure.concept === 'us-gaap:Assets' || figure.concept === 'us-gaap:Revenues'
      ? figure
      : { ...figure, quarters: 4 },
  )
  t.strictSame(out(year), [[2, null]])
  t.match(findScaleErrors(year), [{ reason: 'above all assets at the time (100,049,000)' }])
  t.strictSame(out(told('us-gaap:InterestExpense', [1061, 1048, 9055, 1055, 1061], { quarters: 1 })), [])
  t.end()
})
