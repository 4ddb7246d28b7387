import t from 'tap'
import { jurisdictionNamed } from '../../engine/names/jurisdiction.ts'

t.test('a state has one name, whichever way its country stands beside it', async t => {
  for (const written of [
    'Delaware',
    'DE',
    'State of Delaware',
    'Delaware, USA',
    'United States, Delaware',
    'U.S.—Delaware',
  ])
    t.equal(jurisdictionNamed(written), 'Delaware', written)
  t.equal(jurisdictionNamed('Korea, Republic of'), 'South Korea')
  t.equal(jurisdictionNamed('DIFC, UAE'), 'United Arab Emirates')
  t.equal(jurisdictionNamed('China (Hong Kong)'), 'Hong Kong')
  t.equal(jurisdictionNamed('Wuxi, China'), 'Wuxi, China', 'a city is kept')
  t.equal(jurisdictionNamed('Luxembourg/United Kingdom'), 'Luxembourg/United Kingdom', 'two places')
  t.equal(jurisdictionNamed('Alfa Holdings, United States'), null)
})
