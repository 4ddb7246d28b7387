import { type Logger, pino } from 'pino'
import type { LogLevel } from './log-levels.ts'

export type Log = Logger

/** One JSON line per event, on stderr: stdout only says where the server listens. */
export const openLog = (level: LogLevel): Log =>
  pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: false }),
  )
