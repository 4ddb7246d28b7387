import { displayWidth, plainText } from './print-table.ts'

export interface Step {
  readonly label: string
  /** Done and total; without them only the label and the time are shown. */
  readonly done?: number
  readonly total?: number
  readonly unit?: 'bytes' | 'rows'
  /** Part of the whole work that is done, from 0 to 1, where it is known other than by `done` and `total`. */
  readonly share?: number
  readonly secondsLeft?: number | null
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
  const { done, total, unit } = step
  // It may be the name of a file.
  const label = plainText(step.label)
  if (step.share !== undefined)
    return withBar(label, step.share, leftText(step.secondsLeft ?? null, step.share), width)
  if (done === undefined) return clipped(`${label}  ${clock(seconds)}`, width)
  const rate = seconds > 0 ? done / seconds : 0
  const speed = rate > 0 && unit ? `  ${amount(rate, unit)}/s` : ''
  if (!total) return clipped(`${label}  ${amount(done, unit ?? 'rows')}${speed}  ${clock(seconds)}`, width)
  const left = rate > 0 && done > 0 ? leftText((total - done) / rate, done / total) : ''
  return withBar(label, done / total, `${speed}${left}`, width)
}

/** The time left while there is any: an estimate of nothing reads as an end that does not come. */
const leftText = (seconds: number | null, share: number): string =>
  seconds === null || share >= 1 ? '' : `  ${clock(Math.max(seconds, 1))} left`

/** 100% is shown only at the end. */
function withBar(label: string, share: number, facts: string, width: number | null): string {
  const percent = share >= 1 ? 100 : Math.min(Math.floor(share * 100), 99)
  const text = `${String(percent).padStart(3)}%${facts}`
  if (width === null) return `${label}  ${text}`
  const bar = 20
  const full = Math.min(Math.round(share * bar), bar)
  return clipped(`${'█'.repeat(full)}${'░'.repeat(bar - full)} ${text}  ${label}`, width)
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
