import { displayWidth } from './print-table.ts'

export interface Step {
  readonly label: string
  /** Done and total; without them only the label and the time are shown. */
  readonly done?: number
  readonly total?: number
  readonly unit?: 'bytes' | 'rows'
}

export interface Progress {
  report(step: Step): void
  /** Clears the bar; call before printing anything else. */
  end(): void
}

const REDRAW_MS = 100
const LINE_MS = 3000

/** A bar redrawn on a terminal; elsewhere a line every few seconds, so that logs stay short. */
export function showProgress(
  stream: NodeJS.WriteStream = process.stderr,
  now: () => number = Date.now,
): Progress {
  const began = now()
  let last = stream.isTTY ? 0 : began
  let drawn = false
  const end = () => {
    if (drawn) stream.write('\r\x1b[K')
    drawn = false
  }
  return {
    report(step) {
      const time = now()
      if (time - last < (stream.isTTY ? REDRAW_MS : LINE_MS)) return
      last = time
      const seconds = (time - began) / 1000
      if (!stream.isTTY) stream.write(`${progressLine(step, seconds, null)}\n`)
      else {
        stream.write(`\r${progressLine(step, seconds, (stream.columns ?? 80) - 1)}\x1b[K`)
        drawn = true
      }
    },
    end,
  }
}

/** One line of at most `width` columns: a bar, rate and remaining time if the total is known. */
export function progressLine(step: Step, seconds: number, width: number | null): string {
  const { label, done, total, unit } = step
  if (done === undefined) return clipped(`${label}  ${clock(seconds)}`, width)
  const rate = seconds > 0 ? done / seconds : 0
  const speed = rate > 0 && unit ? `  ${amount(rate, unit)}/s` : ''
  if (!total) return clipped(`${label}  ${amount(done, unit ?? 'rows')}${speed}  ${clock(seconds)}`, width)
  const share = Math.min(done / total, 1)
  const left = rate > 0 && done > 0 ? `  ${clock((total - done) / rate)} left` : ''
  const facts = `${String(Math.floor(share * 100)).padStart(3)}%${speed}${left}`
  if (width === null) return `${label}  ${facts}`
  const bar = 20
  const full = Math.round(share * bar)
  return clipped(`${'█'.repeat(full)}${'░'.repeat(bar - full)} ${facts}  ${label}`, width)
}

function clipped(text: string, width: number | null): string {
  if (width === null || displayWidth(text) <= width) return text
  return `${[...text].slice(0, Math.max(width - 1, 0)).join('')}…`
}

const steps = ['', 'k', 'M', 'G', 'T']

function amount(value: number, unit: 'bytes' | 'rows'): string {
  let power = 0
  let size = value
  while (size >= 1000 && power < steps.length - 1) {
    size /= 1000
    power++
  }
  const digits = size < 10 && power > 0 ? size.toFixed(1) : String(Math.round(size))
  return unit === 'bytes' ? `${digits} ${steps[power]}B` : `${digits}${steps[power]} rows`
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return h > 0
    ? `${h}h${String(m).padStart(2, '0')}m`
    : m > 0
      ? `${m}m${String(s).padStart(2, '0')}s`
      : `${s}s`
}
