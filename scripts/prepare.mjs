// Builds after `npm ci`, before `npm pack`, and when `npx tranche` runs in a clone: only if a source is newer than what
// was built, because npx would otherwise rebuild before every command. Types are not checked, which takes twice as long as
// the rest: `npm run build` and `npm test` check them, and rebuild nothing for it.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const isChecked = process.argv[2] === 'checked'
const BUILT = 'dist/.built'
const stamp = isChecked ? 'dist/.checked' : BUILT
const sources = [
  'engine',
  'server',
  'cli',
  'scripts',
  'bench',
  'test',
  'docs',
  'package.json',
  'tsconfig.json',
]

const newest = path => {
  const info = statSync(path)
  if (!info.isDirectory()) return info.mtimeMs
  const inside = readdirSync(path).filter(name => !name.startsWith('.') && name !== 'node_modules')
  return Math.max(0, ...inside.map(name => newest(join(path, name))))
}

const isCurrent = stamp =>
  ['dist/cli/main.js', 'dist/web/index.html', stamp].every(file => existsSync(file)) &&
  statSync(stamp).mtimeMs > Math.max(...sources.map(newest))

if (!isCurrent(stamp)) {
  // What is built already only has its types checked.
  const checked = isCurrent(BUILT) ? 'types' : 'build'
  const { status } = spawnSync('npm', ['run', isChecked ? checked : 'build:unchecked'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
  for (const file of [BUILT, stamp]) writeFileSync(file, '')
}
