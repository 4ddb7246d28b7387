import { serializeError } from '../../base/serialized-error.ts'
import { fault } from '../../lake/fault.ts'
import type { JobRequest } from './helpers.ts'
import { jobs } from './jobs.ts'

// Runs jobs one after the other. Exits with the building process.
process.on('disconnect', () => process.exit())
process.on('SIGINT', () => {})
process.on('message', async ({ id, job, input }: JobRequest) => {
  fault('index:helper')
  try {
    process.send!({ id, output: await jobs[job](input as never, done => process.send!({ id, done })) })
  } catch (error) {
    process.send!({ id, error: serializeError(error) })
  }
})
