// Compares what a run with coverage reached in the product with the kept floor: node .ci/coverage.mjs SUMMARY FLOOR [DIST]
// UPDATE=1 writes the floor. Modules that no test loads are named.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const [summaryPath, floorPath, dist = 'dist'] = process.argv.slice(2)
const measures = ['lines', 'functions', 'branches']
const folders = ['engine', 'server', 'cli']

const modules = folders.flatMap(folder =>
  existsSync(join(dist, folder))
    ? readdirSync(join(dist, folder), { recursive: true })
        .filter(name => name.endsWith('.js'))
        .map(name => resolve(dist, folder, name))
    : [],
)
const summary = JSON.parse(readFileSync(summaryPath, 'utf8'))
const loaded = modules.filter(path => summary[path])

const share = measure => {
  const [covered, total] = ['covered', 'total'].map(key =>
    loaded.reduce((sum, path) => sum + summary[path][measure][key], 0),
  )
  return total === 0 ? 0 : Math.floor((1000 * covered) / total) / 10
}
const reached = Object.fromEntries(measures.map(measure => [measure, share(measure)]))

for (const path of modules) if (!summary[path]) console.log(`no test loads ${path}`)
const least = loaded.toSorted((a, b) => summary[a].lines.pct - summary[b].lines.pct).slice(0, 10)
for (const path of least) console.log(`${String(summary[path].lines.pct).padStart(6)} % of lines  ${path}`)
for (const measure of measures) console.log(`${String(reached[measure]).padStart(6)} % of ${measure}`)

if (process.env.UPDATE === '1') writeFileSync(floorPath, `${JSON.stringify(reached, null, 2)}\n`)
if (!existsSync(floorPath)) {
  console.log(`no floor is kept in ${floorPath}: UPDATE=1 writes what was reached`)
  process.exitCode = 1
} else {
  const floor = JSON.parse(readFileSync(floorPath, 'utf8'))
  for (const measure of measures)
    if (reached[measure] < floor[measure]) {
      console.log(`${measure}: ${reached[measure]} % is below the floor of ${floor[measure]} %`)
      process.exitCode = 1
    }
}
