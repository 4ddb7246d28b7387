let planned: { point: string; pass: number; code: string | undefined } | undefined
let passes = 0

/**
 * A named point at which tests stop the process or fail the disk: `TRANCHE_FAULT=publish:before-current:2` kills
 * it at the second pass, `...:2:ENOSPC` throws that error instead. Without the variable it does nothing.
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
  // The signal is delivered before this returns on Linux; elsewhere nothing may run in between.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000)
}
