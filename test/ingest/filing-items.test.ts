import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { filingItems } from '../../engine/ingest/readers/filing-items.ts'
import { prose } from '../filing/make-filing.ts'
import { testFolder } from '../folder.ts'
import { readWith, sourceOf } from './financial-sources.ts'

const words = (about: string) => prose(about).replaceAll(/<[^>]+>/g, '')

const cut = {
  cik: '12345',
  company: 'Acme Pipelines Inc.',
  filing_type: '10-K',
  filing_date: '2011-11-29',
  period_of_report: '2011-09-30',
  filing_html_index: 'https://example.org/12345/0000012345-11-000007-index.html',
  filename: '12345_10K_2011_0000012345-11-000007.htm',
  item_1: `Item 1.\nBusiness\n${words('pipelines')}`,
  item_1A: '',
  item_7: `Item 7.\nManagement’s Discussion and Analysis of Financial Condition and Results of Operations\n${words('results')}\nLiquidity and Capital Resources\n${words('cash')}`,
  item_8: `Item 8.\nFinancial Statements and Supplementary Data\n${words('statements')}\n3. DEBT\nThe Credit Agreement dated May 5, 2010 requires us to maintain a maximum leverage ratio of 4.50 to 1.00. ${words('debt')}`,
  item_15: `Item 15.\nExhibits\n${words('exhibits')}`,
}

t.test('a report cut into items is read as its text, with its filer, form and days', async t => {
  for (const text of [JSON.stringify(cut), JSON.stringify(cut, null, 2)]) {
    const { rows, refused, notes } = await readWith(filingItems, sourceOf('a.json', text))
    t.strictSame([refused, notes], [[], []])
    const documents = rows('documents')
    for (const row of documents)
      t.match(row, {
        cik: '0000012345',
        company_name: 'Acme Pipelines Inc.',
        doc_type: '10-K',
        accession: '0000012345-11-000007',
        filing_date: '2011-11-29',
        period_end_date: '2011-09-30',
      })
    const types = documents.map(row => row['section_type'])
    for (const type of ['business', 'mda', 'mda_liquidity']) t.ok(types.includes(type), type)
    t.match(rows('covenants'), [{ threshold_value: 4.5, cik: '0000012345' }])
  }
})

t.test('a collection has a filing a line, and a broken line is refused alone', async t => {
  const of = (cik: string) => ({
    filename: `${cik}_1993.txt`,
    cik,
    year: '1993',
    section_1: cut.item_1,
    section_7A: '',
    section_7: cut.item_7,
  })
  const text = [JSON.stringify(of('718413')), '{"cik": "7184', JSON.stringify(of('718414')), ''].join('\n')
  const { rows, refused, notes } = await readWith(filingItems, sourceOf('1993.jsonl', text))
  t.match(refused, [{ at: 'line 2', reason: /not a JSON object/ }])
  t.strictSame(
    [...new Set(rows('documents').map(row => `${row['cik']} ${row['doc_type']} ${row['filing_date']}`))],
    ['0000718413 10-K null', '0000718414 10-K null'],
  )
  t.match(notes.join(), /no filing date and no period/)
})

t.test('an index lists the files of folders below it and of archives beside it', async t => {
  const folder = testFolder(t)
  await mkdir(join(folder, '10-k'))
  await writeFile(join(folder, 'INDEX.csv'), 'file,cik,filed\nb.json,54321,2012-02-01\n')
  const { filing_date, cik, filename, filing_html_index, ...unnamed } = cut
  const text = JSON.stringify({ ...unnamed, cik: '54321' })
  for (const name of [join(folder, '10-k', 'b.json'), join(folder, 'all.zip!inner/b.json')]) {
    const { rows } = await readWith(filingItems, sourceOf(name, text))
    t.match(rows('documents')[0], { cik: '0000054321', filing_date: '2012-02-01' }, name)
  }
})
