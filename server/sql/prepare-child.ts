import { QueryError } from '../../engine/base/errors.ts'
import type { Failed } from './messages.ts'
import { type PrepareRequest, prepare } from './prepare.ts'

process.on('disconnect', () => process.exit(1))
process.once('message', (wanted: PrepareRequest) => {
  void prepare(wanted)
    .then((): { kind: 'done' } => ({ kind: 'done' }), failed)
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
