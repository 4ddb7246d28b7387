import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { open } from '../engine/engine.ts'
import { createApp } from '../server/app/app.ts'
import { openState } from '../server/state/open.ts'

// Computes every answer: `tranche serve` would answer repeated questions from its cache.
const { values } = parseArgs({ options: { lake: { type: 'string' }, state: { type: 'string' } } })
const engine = await open(values.lake ?? '')
const state = await openState(values.state ?? '')
const app = createApp({ engine, state, keptAnswers: 0, heavy: { running: 4, waiting: 64 } })
const server = createServer(app)
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send!((user + system) / 1000)
})
process.once('SIGTERM', () => process.exit(0))
