import { QueryError } from '../../engine/base/errors.ts'
import type { Failed, Prepared } from './messages.ts'
import { type PrepareRequest, prepare } from './prepare.ts'

process.on('disconnect', () => process.exit(1))
process.once('message', (wanted: PrepareRequest) => {
  const progress = (ready: number) => process.send!({ kind: 'progress', ready } satisfies Prepared)
  void prepare(wanted, progress)
    .then((isDone): Prepared => ({ kind: isDone ? 'done' : 'wait' }), failed)
    .then(reply => process.send!(reply, () => process.exit(0)))
})

const failed = (error: unknown): Failed =>
  error instanceof QueryError
    ? { kind: 'failed', code: error.code, message: error.message, details: error.details }
    : {
        kind: 'failed',
        code: null,
        message: error instanceof Error ? error.message : String(error),
        details: {},
      }
