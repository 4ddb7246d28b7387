import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { root } from './root.ts'
import { start } from './server/start.ts'

const python = process.env['PYTHON'] ?? 'python3'
const skip =
  spawnSync(python, ['-c', 'import duckdb, pandas, polars, pyarrow, pytest']).status !== 0 &&
  'pytest, pandas, polars, duckdb and pyarrow are not all installed, so the Python package is not tried'

t.test('the Python package asks a server and a lake, and its page runs', { skip }, async t => {
  const { url, keys, lake } = await start(t)
  // Not synchronous: the server that it calls runs in this process.
  const run = promisify(execFile)(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
    cwd: join(root, 'python'),
    env: {
      ...process.env,
      PYTHONPATH: join(root, 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      TRANCHE_URL: url,
      TRANCHE_KEY: keys.business,
      TRANCHE_LAKE: lake.root,
      TRANCHE_PROGRAM: `'${process.execPath}' '${join(root, 'dist/cli/main.js')}'`,
    },
  })
  const said = await run.then(
    ({ stdout }) => ({ passed: true, text: stdout }),
    (error: { stdout: string; stderr: string }) => ({ passed: false, text: error.stdout + error.stderr }),
  )
  t.ok(said.passed, said.text)
  t.match(said.text, /\d+ passed/)
})
