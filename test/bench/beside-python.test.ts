import t from 'tap'
import type { Ground } from '../../bench/case.ts'
import { keyRates } from '../../bench/cases/key-rates.ts'
import { optionLattice } from '../../bench/cases/option-lattice.ts'
import { issuerCurves } from '../../bench/cases/spread-curves.ts'
import { quick } from '../../bench/measure.ts'
import { random } from '../../cli/sample/random.ts'

t.test('without the libraries of Python a case measures the engine and names them as missing', async t => {
  const { PATH } = process.env
  t.teardown(() => {
    process.env['PATH'] = PATH
  })
  process.env['PATH'] = ''
  for (const [one, libraries] of [
    [keyRates, 'QuantLib'],
    [optionLattice, 'QuantLib'],
    [issuerCurves, 'pandas and numpy'],
  ] as const) {
    const measured = await one.measure({} as Ground, { ...quick, rounds: 1 }, random('bench'))
    t.strictSame(Object.keys(measured.contestants), ['engine'], one.name)
    t.strictSame([measured.ratios, measured.missing], [{}, [`${libraries} for Python`]])
    t.ok(measured.contestants['engine']!.p50 > 0)
  }
})
