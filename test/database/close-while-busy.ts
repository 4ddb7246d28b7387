import { Database } from '../../engine/database/database.ts'

// Closes databases at every moment of a statement, and then exits.
let answered = 0
for (let i = 0; i < 60; i++) {
  const db = await Database.create({ threads: 1 })
  const rows = () => db.rows(`SELECT sum(a.range * b.range) FROM range(300) a, range(${100 + i}) b`)
  for (let j = 0; j < 4; j++)
    rows().then(
      () => answered++,
      () => {},
    )
  for (let turn = 0; turn < i % 7; turn++) await new Promise(resolve => setImmediate(resolve))
  db.close()
}
console.log('closed')
process.exit(0)
