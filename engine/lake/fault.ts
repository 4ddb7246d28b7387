let planned: { point: string; pass: number; code: string | undefined } | undefined
let passes = 0

/**
 * A fault injection point for tests: `TRANCHE_FAULT=publish:before-current:2` kills the process at the second pass,
 * `...:2:ENOSPC` throws that error instead. Does nothing without the variable.
 */
export function fault(point: string): void {
  const setting = process.env['TRANCHE_FAULT']
  if (!setting) return
  if (!planned) {
    const [, name, pass, code] = /^(.*?):(\d+)(?::([A-Z]+))?$/.exec(setting) ?? []
    planned = { point: name ?? setting, pass: Number(pass ?? 1), code }
  }
  if (planned.point !== point || ++passes !== planned.pass) return
  if (planned.code)
    throw Object.assign(new Error(`${planned.code}: fault at ${point}`), { code: planned.code })
  process.kill(process.pid, 'SIGKILL')
  // On Linux the signal is delivered before this returns; elsewhere nothing may run in between.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
}
