import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { failureText } from '../../cli/errors.ts'
import { plainLines, printTable } from '../../cli/print-table.ts'
import { progressLine } from '../../cli/progress.ts'
import { invalid } from '../../engine/base/errors.ts'
import { text } from '../../engine/schema/column.ts'
import { builtLake } from '../built-lake.ts'
import { testFolder } from '../folder.ts'
import { type Rows, twoIssuers } from '../make-lake.ts'
import { root } from '../root.ts'
import { resident } from './resident.ts'

const { tranche } = await resident(t)

/** Sets the title, clears the screen, moves the cursor; in one byte and in two. */
const HOSTILE = '\x1b]0;owned\x07\x1b[2J\x9b2J\x1b[1;31m\r\u202e'
const controls = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/

t.test('what is printed for people holds no control characters of the data', async t => {
  const columns = [{ name: `a${HOSTILE}`, column: text('') }]
  t.notMatch(printTable(columns, [[`b${HOSTILE}\nc`]], 80).text, controls)
  t.notMatch(progressLine({ label: `a${HOSTILE}`, done: 1, total: 2 }, 1, 70), controls)
  t.notMatch(failureText(invalid('x', 'x', `no ${HOSTILE}`), 'bonds', []), controls)
  t.notMatch(failureText(new Error(`no ${HOSTILE}`), 'bonds', []), controls)
  t.equal(plainLines('a\tb\n\x1b[1mbold\x1b[22m\x1b[31m\n'), 'a\tb\n\x1b[1mbold\x1b[22m [31m\n')
})

/** Names, titles and descriptions with control characters in them. */
const hostileIssuers: Rows = Object.fromEntries(
  Object.entries(twoIssuers).map(([dataset, rows]) => [
    dataset,
    rows.map(row =>
      Object.fromEntries(
        Object.entries(row).map(([column, value]) => [
          column,
          typeof value === 'string' && /name|title|description|content|sector/.test(column)
            ? `${value} ${HOSTILE}`
            : value,
        ]),
      ),
    ),
  ]),
)

t.test('names of files, words, values and columns cannot move the cursor', async t => {
  const folder = testFolder(t, {
    sources: { [`a${HOSTILE}.csv`]: 'no,kind\n1,2\n', 'b\nsnapshot x is current': 'x' },
  })
  const lake = join(folder, 'lake')
  const ingest = await tranche(['ingest', join(folder, 'sources'), '--lake', lake])
  t.notMatch(ingest.err, controls)
  t.match(ingest.err, /not taken/)
  t.notMatch(ingest.err, /^snapshot/m, 'the name of a file does not begin a line of its own')
  const { root: sample } = await builtLake(t.teardown, hostileIssuers)
  for (const args of [
    [`x${HOSTILE}`],
    ['companies', '--format', 'table', '--lake', sample],
    ['companies', '--format', 'table', '--plot', 'total_debt', '--lake', sample],
    ['bonds', '--format', 'table', '--lake', sample],
    ['covenants', '--format', 'table', '--lake', sample],
    ['compare-covenants', '--ticker', 'ALFA,BETA', '--format', 'table', '--lake', sample],
    ['collateral', '--format', 'table', '--lake', sample],
    ['changes', 'ALFA', '--since', '2025-01-02', '--format', 'table', '--lake', sample],
    ['maturities', '--format', 'table', '--lake', sample],
    ['recovery', 'ALFA', '--format', 'table', '--lake', sample],
    ['traverse', '000000AA7', '--relationships', 'guarantees', '--format', 'table', '--lake', sample],
    ['resolve', 'alfa 2030', '--format', 'table', '--lake', sample],
    ['companies', '--ticker', `X${HOSTILE}`, '--lake', sample],
    ['companies', '--sector', `X${HOSTILE}`, '--lake', sample],
    ['companies', `--x${HOSTILE}`, '1', '--lake', sample],
    ['bonds', '--sort', HOSTILE, '--lake', sample],
    ['snapshots', 'use', `../${HOSTILE}`, '--lake', sample],
    ['sql', `SELECT 1 AS "a${HOSTILE}", 'b${HOSTILE}' AS b`, '--format', 'table', '--lake', sample],
    [
      'sql',
      `SELECT 'b${HOSTILE}' AS b, 1 AS "a${HOSTILE}"`,
      '--format',
      'table',
      '--plot',
      `a${HOSTILE}`,
      '--lake',
      sample,
    ],
    ['sql', `SELECT "a${HOSTILE}"`, '--lake', sample],
  ]) {
    const { out, err } = await tranche(args)
    t.notMatch(out + err, controls, JSON.stringify(args))
    t.not(out + err, '')
  }
})

/** Files that write to a terminal by themselves, and why that is safe. */
const writers: Readonly<Record<string, string>> = {
  'program.ts': 'help, the version, errors out of failureText',
  'main.ts': 'what the system says of a stream that cannot be written',
  'output.ts': 'tables by plainLines, notices by plainText, formats for programs',
  'progress.ts': 'labels by plainText',
  'serve.ts': 'the address that it listens on',
  'snapshots.ts': 'ids of snapshots that are there',
  'sql-prompt.ts': 'errors out of failureText',
  'completion.ts': 'our own scripts',
}

t.test('the command line writes to the terminal in few places', async t => {
  const found = []
  for (const entry of await readdir(join(root, 'cli'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
    const source = await readFile(join(entry.parentPath, entry.name), 'utf8')
    if (/process\.std(out|err)\.write|\bconsole\./.test(source)) found.push(entry.name)
  }
  t.strictSame(
    found.filter(name => !(name in writers)),
    [],
    'use notice, writeRows or writeObject of cli/output.ts',
  )
})
