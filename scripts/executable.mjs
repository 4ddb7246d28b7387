// Lets the program be executed, at the end of every build. npx does so only when it first links a clone: a later one in
// the same folder, or one whose dist/ was deleted, could not run.
import { chmodSync, readFileSync } from 'node:fs'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const program of new Set(Object.values(bin))) chmodSync(program, 0o755)
