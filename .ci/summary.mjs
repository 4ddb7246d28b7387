// Counts the tests in the TAP of `npm test`, and names the slowest files: node .ci/summary.mjs LOG
import { readFileSync } from 'node:fs'

const text = readFileSync(process.argv[2], 'utf8')
let [passed, failed, skipped] = [0, 0, 0]
const files = []
/** The indentation of a file's tests: one level below the file, which may itself be a test of the suite. */
let level = '    '
for (const line of text.split('\n')) {
  const began = /^(\s*)# Subtest: \S+\.test\.js$/.exec(line)
  if (began) level = `${began[1]}    `
  const file = /^\s*(?:not ok|ok) \d+ - (\S+\.test\.js)\b.*# time=([\d.]+)ms/.exec(line)
  if (file) files.push({ name: file[1], seconds: Number(file[2]) / 1000 })
  const leaf = /^(\s*)(not ok|ok) \d+/.exec(line)
  if (leaf?.[1] !== level) continue
  if (/# (SKIP|TODO)/i.test(line)) skipped++
  else if (leaf[2] === 'ok') passed++
  else failed++
}
const slowest = files.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10)
if (slowest.length > 0) console.log(`the slowest of ${files.length} test files:`)
for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(8)} s  ${name}`)
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
if (passed === 0 || failed > 0) process.exitCode = 1
