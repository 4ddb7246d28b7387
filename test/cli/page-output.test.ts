import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { chooseOutput } from '../../cli/output.ts'
import { needsPager, page } from '../../cli/page-output.ts'
import { testFolder } from '../folder.ts'

t.test('only a table on a terminal is paged, unless --no-pager is given', async t => {
  t.equal(chooseOutput({}, true).pages, true)
  t.notOk(chooseOutput({ no_pager: true }, true).pages)
  t.notOk(chooseOutput({}, false).pages)
  t.notOk(chooseOutput({ format: 'table' }, false).pages)
  t.notOk(chooseOutput({ format: 'csv' }, true).pages)
  t.notOk(chooseOutput({ output: 'a.txt' }, true).pages)
})

t.test('a text is paged if it is longer than the terminal', async t => {
  const long = 'row\n'.repeat(30)
  t.equal(needsPager(long, { isTTY: true, rows: 24 }), true)
  t.equal(needsPager(long, { isTTY: true, rows: 40 }), false)
  t.equal(needsPager(long, { isTTY: false, rows: 24 } as never), false)
  t.equal(needsPager(long, { isTTY: true } as never), false, 'a terminal of unknown size')
})

t.test('PAGER is a command line; without a program the text is printed as it is', async t => {
  const folder = testFolder(t)
  const file = join(folder, 'seen.txt')
  t.equal(await page('a\nb\n', { ...process.env, PAGER: `cat > '${file}'` }), true)
  t.equal(await readFile(file, 'utf8'), 'a\nb\n')
  t.equal(await page('a', { PAGER: '' }), false)
  t.equal(await page('a', { PAGER: 'cat' }), false)
  t.equal(await page('a', { ...process.env, PAGER: 'no-such-pager-at-all 2>/dev/null' }), false)
  t.equal(await page('a', { ...process.env, PAGER: 'exit 1' }), true, 'quitting is no failure')
})
