import t from 'tap'
import { progressLine, showProgress } from '../../cli/progress.ts'

t.test('a bar shows the share, the rate and the time left', async t => {
  const step = { label: 'ingesting trades.parquet', done: 250_000, total: 1_000_000, unit: 'rows' as const }
  t.equal(
    progressLine(step, 10, 80),
    '█████░░░░░░░░░░░░░░░  25%  25k rows/s  30s left  ingesting trades.parquet',
  )
  t.equal(progressLine(step, 10, null), 'ingesting trades.parquet   25%  25k rows/s  30s left')
  t.equal(
    progressLine({ ...step, unit: 'bytes', done: 1_000_000, total: 2e9 }, 1, null),
    'ingesting trades.parquet    0%  1.0 MB/s  33m19s left',
  )
  t.equal(progressLine({ label: 'writing tables' }, 75, 80), 'writing tables  1m15s')
  t.equal(progressLine(step, 10, 20).length, 20)
  t.equal(
    progressLine({ label: '12 of 850 files', share: 0.25, secondsLeft: 90 }, 30, 80),
    '█████░░░░░░░░░░░░░░░  25%  1m30s left  12 of 850 files',
  )
  t.equal(progressLine({ label: 'prices', share: 0.02, secondsLeft: null }, 1, null), 'prices    2%')
})

t.test('100% and no time left are shown only at the end', async t => {
  t.equal(progressLine({ label: 'a', share: 0.9999, secondsLeft: 0.1 }, 30, null), 'a   99%  1s left')
  t.equal(progressLine({ label: 'a', done: 999, total: 1000 }, 30, null), 'a   99%  1s left')
  t.equal(progressLine({ label: 'a', share: 1, secondsLeft: 0 }, 30, null), 'a  100%')
})

const stream = (isTTY: boolean) => {
  const written: string[] = []
  return { written, isTTY, columns: 80, write: (text: string) => written.push(text) }
}

t.test('a log gets a line every few seconds, a terminal one line that is redrawn and cleared', async t => {
  let now = 0
  const log = stream(false)
  const quiet = showProgress(log as never, () => now)
  const terminal = stream(true)
  const bar = showProgress(terminal as never, () => now + 1e6)
  for (; now < 7000; now += 50) {
    quiet.report({ label: 'prices' })
    bar.report({ label: 'prices' })
  }
  bar.end()
  quiet.end()
  t.strictSame(log.written, ['prices  3s\n', 'prices  6s\n'])
  t.equal(terminal.written.length, 71)
  t.ok(terminal.written.every(w => w.startsWith('\r') && w.endsWith('\x1b[K')))
})
