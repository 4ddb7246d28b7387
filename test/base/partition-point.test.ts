import t from 'tap'
import { partitionPoint } from '../../engine/base/partition-point.ts'

t.test('the partition point is where the test stops passing, for every list and place', t => {
  for (let length = 0; length < 20; length++) {
    const list = Array.from({ length }, (_, i) => i)
    for (let point = 0; point <= length; point++)
      t.equal(
        partitionPoint(list, element => element < point),
        point,
      )
  }
  t.end()
})
