import { readFile } from 'node:fs/promises'
import { type Certificate, compare } from './certificate.ts'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('give the certificate that certify-quantlib.py wrote')
const certificate = JSON.parse(await readFile(path, 'utf8')) as Certificate

for (const { name, figures, worst, tolerance, unit, failing } of compare(certificate)) {
  const verdict = failing.length === 0 ? 'ok' : `${failing.length} rows beyond it`
  console.log(
    `${name.padEnd(28)} ${String(figures).padStart(6)} figures, off by at most ${worst.toExponential(1)} ${unit} of ${tolerance}: ${verdict}`,
  )
  for (const row of failing.slice(0, 3)) console.log(`  ${JSON.stringify(row)}`)
  if (failing.length > 0) process.exitCode = 1
}
