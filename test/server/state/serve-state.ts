import { createInterface } from 'node:readline'
import { openState } from '../../../server/state/open.ts'

/** Calls a state's methods, one per line of standard input. */
const state = await openState(process.argv[2]!)
const methods = state as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
process.stdout.write('ready\n')
for await (const line of createInterface(process.stdin)) {
  const [method, args, times] = JSON.parse(line) as [string, unknown[], number]
  const results = await Promise.all(Array.from({ length: times }, () => methods[method]!(...args)))
  process.stdout.write(`${JSON.stringify(results)}\n`)
}
await state.close()
