import t from 'tap'
import { chooseOutput, terminalWidth, wantsAll } from '../../cli/output.ts'

t.test('a terminal gets a table, a pipe NDJSON, a file the format of its extension', async t => {
  t.strictSame(chooseOutput({}, true), { format: 'table', file: null, pages: true })
  t.strictSame(chooseOutput({}, false), { format: 'ndjson', file: null })
  t.strictSame(chooseOutput({ output: 'b.parquet' }, true), { format: 'parquet', file: 'b.parquet' })
  t.strictSame(chooseOutput({ output: 'b.JSONL' }, true), { format: 'ndjson', file: 'b.JSONL' })
  t.strictSame(chooseOutput({ output: 'b.txt' }, false), { format: 'table', file: 'b.txt' })
  t.strictSame(chooseOutput({ output: 'b.csv', format: 'json' }, true), { format: 'json', file: 'b.csv' })
  t.strictSame(chooseOutput({ output: '-' }, false), { format: 'ndjson', file: null })
})

t.test('a terminal of unknown size has 80 columns, and what is no terminal cuts nothing', async t => {
  t.equal(terminalWidth({ isTTY: true, columns: 0 }), 80)
  t.equal(terminalWidth({ isTTY: true }), 80)
  t.equal(terminalWidth({ isTTY: true, columns: 120 }), 120)
  t.equal(terminalWidth({}), null)
})

t.test('binary formats are not written to a terminal', async t => {
  t.throws(() => chooseOutput({ format: 'parquet' }, true), { message: /write it to a file with -o/ })
  t.throws(() => chooseOutput({ format: 'arrow' }, true), { code: 'INVALID_PARAMETER' })
  t.strictSame(chooseOutput({ format: 'arrow' }, false), { format: 'arrow', file: null })
  t.throws(() => chooseOutput({ output: 'bonds' }, true), { message: /or --format/ })
})

t.test('machine formats contain all rows, readable ones a page', async t => {
  const all = (['table', 'json', 'ndjson', 'csv', 'arrow', 'parquet'] as const).filter(format =>
    wantsAll({ format, file: null }),
  )
  t.strictSame(all, ['ndjson', 'csv', 'arrow', 'parquet'])
})
