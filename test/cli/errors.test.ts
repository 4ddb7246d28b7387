import t from 'tap'
import { exitCode, failureText } from '../../cli/errors.ts'
import { type codes, damaged, invalid, QueryError } from '../../engine/base/errors.ts'

t.test('the exit code shows the kind of failure', async t => {
  const codeOf = (code: keyof typeof codes) => exitCode(new QueryError(code, ''))
  t.equal(codeOf('INVALID_PARAMETER'), 2)
  t.equal(codeOf('INVALID_SQL'), 2)
  t.equal(codeOf('INVALID_TICKER'), 3)
  t.equal(codeOf('NO_SNAPSHOT'), 3)
  t.equal(codeOf('NOT_READY'), 3, 'waiting gives no snapshot to a lake that has none')
  t.equal(codeOf('EMBEDDER_UNAVAILABLE'), 3)
  t.equal(codeOf('STATE_UNAVAILABLE'), 5)
  t.equal(codeOf('DATA_DAMAGED'), 4)
  t.equal(codeOf('STATE_DAMAGED'), 4)
  t.equal(codeOf('QUERY_TIMEOUT'), 5)
  t.equal(codeOf('OVERLOADED'), 5)
  t.equal(exitCode(new TypeError('x is not a function')), 1)
})

t.test('parameters are called by the names of their options', async t => {
  const say = (error: Error) =>
    failureText(error, 'bonds', ['min_ytm', 'max_ytm', 'date', 'sort', 'has_pricing'])
  t.equal(
    say(invalid('min_ytm', 'x', 'min_ytm must be a number')),
    'tranche bonds: --min-ytm must be a number\n',
  )
  t.equal(
    say(invalid('min_ytm', 9, 'min_ytm is above max_ytm: swap them')),
    'tranche bonds: --min-ytm is above --max-ytm: swap them\n',
  )
  t.equal(
    say(invalid('date', '2030-01-01', 'date is after the as-of date 2026-01-02')),
    'tranche bonds: --date is after the as-of date 2026-01-02\n',
  )
  t.equal(
    say(invalid('sort', 'ytm', 'bonds has no field ytm', { allowed: ['name', 'pricing.ytm'] })),
    'tranche bonds: bonds has no field ytm\n  allowed: name, pricing.ytm\n',
  )
  t.equal(
    say(invalid('fields', 'ytm', 'bonds has no field ytm; did you mean min_ytm?')),
    'tranche bonds: bonds has no field ytm; did you mean min_ytm?\n',
    'a column may have the name of an option',
  )
  t.equal(
    say(
      invalid('has_prcing', 1, 'there is no parameter has_prcing; did you mean has_pricing?', {
        suggestion: 'has_pricing',
      }),
    ),
    'tranche bonds: there is no option --has-prcing; did you mean --has-pricing?\n',
  )
  t.equal(say(damaged('bonds.parquet', 'was changed')), 'tranche bonds: bonds.parquet: was changed\n')
})

t.test('a bug is reported briefly, and shows its stack only on request', async t => {
  const error = new TypeError('x is not a function')
  t.notMatch(failureText(error, 'bonds', []), /errors\.test/)
  t.match(failureText(error, 'bonds', []), /This is a bug in Tranche: please report it/)
  process.env['TRANCHE_DEBUG'] = '1'
  t.match(failureText(error, 'bonds', []), /errors\.test/)
  delete process.env['TRANCHE_DEBUG']
})
