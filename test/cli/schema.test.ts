import t from 'tap'
import { sqlFunctions } from '../../engine/sql/sql-functions.ts'
import { resident } from './resident.ts'

const { tranche } = await resident(t)

t.test('schema lists the functions of SQL, and the arguments of one', async t => {
  const { out } = await tranche(['schema', 'functions', '--format', 'json'])
  const { data } = JSON.parse(out)
  t.equal(data.length, sqlFunctions.length)
  t.match(data[0], { function: /^bond_price\(ytm, coupon/, type: 'DOUBLE', unit: 'percent of par' })
  const one = JSON.parse((await tranche(['schema', 'settlement_date', '--format', 'json'])).out)
  t.strictSame(one.data, [
    {
      argument: 'trade_date',
      type: 'DATE',
      unit: null,
      default: null,
      doc: 'Day of the trade.',
      values: null,
    },
  ])
})
