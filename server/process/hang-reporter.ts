import { writeSync } from 'node:fs'
import { type Debugger, Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { beatsIn, requestsIn } from '../log/running-requests.ts'

// A thread of each worker. When the event loop is blocked it logs the running requests, and the code's position.

const LOOK_MS = 500
/** Well before the supervisor kills the process, after five seconds. */
const STILL_MS = 3000
const MOST_REQUESTS = 20
const MOST_FRAMES = 10
const STDERR = 2
const ERROR = 50

const memory = workerData as SharedArrayBuffer
let beats = beatsIn(memory)
let still = 0
let reported = false

setInterval(() => {
  const now = beatsIn(memory)
  still = now === beats ? still + LOOK_MS : 0
  if (now !== beats) reported = false
  beats = now
  if (still < STILL_MS || reported) return
  reported = true
  log('the event loop does not answer', { requests: requestsIn(memory, Date.now()).slice(0, MOST_REQUESTS) })
  logStackOfMainThread()
}, LOOK_MS)

/** Interrupts the main thread just long enough to read its stack. Native code has none to show. */
function logStackOfMainThread(): void {
  const files = new Map<string, string>()
  const session = new Session()
  session.connectToMainThread()
  session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }) => {
    const stack = params.callFrames.slice(0, MOST_FRAMES).map(frame => frameText(frame, files))
    session.disconnect()
    log('where the event loop was held up', { stack })
  })
  session.post('Debugger.enable')
  session.post('Debugger.pause')
}

function log(msg: string, what: object): void {
  const line = { level: ERROR, time: new Date().toISOString(), pid: process.pid, ...what, msg }
  writeSync(STDERR, `${JSON.stringify(line)}\n`)
}

/** The file name only: the installation folder is private. */
function frameText(
  { functionName, location }: Debugger.CallFrame,
  files: ReadonlyMap<string, string>,
): string {
  const url = files.get(location.scriptId) ?? ''
  return `${functionName || '(anonymous)'} ${url.slice(url.lastIndexOf('/') + 1)}:${location.lineNumber + 1}`
}
