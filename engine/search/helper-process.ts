import { type Asked, told } from './helpers.ts'
import { jobs } from './jobs.ts'

// One job after the other, as they come. The builder's end is this one's too.
process.on('disconnect', () => process.exit())
process.on('SIGINT', () => {})
process.on('message', async ({ id, job, input }: Asked) => {
  try {
    process.send!({ id, output: await jobs[job](input as never) })
  } catch (error) {
    process.send!({ id, error: told(error) })
  }
})
