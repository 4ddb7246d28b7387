import { readdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import t from 'tap'
import type { Lake } from '../../engine/lake/lake.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { addRows, makeLake, twoIssuers } from '../make-lake.ts'

t.setTimeout(120_000)

const section = (n: number) => ({
  id: `d${n}`,
  ticker: 'ALFA',
  accession: `0000000000-25-00000${n}`,
  section_type: 'mda',
  section_title: `Part ${n}`,
  filing_date: '2025-02-03',
  content: `Liquidity ${n}`,
  known_from: '2025-02-03',
})

const price = (day: string) => ({
  prices: [{ cusip: '000000AA7', price_date: day, price: 91.5, price_source: 'vendor', known_from: day }],
})

/** The stored files of the table `documents`. */
async function stored(lake: Lake): Promise<string[]> {
  const cache = join(lake.root, 'cache')
  return (await readdir(cache, { recursive: true }))
    .filter(name => name.endsWith(join('file-documents', basename(dirname(name)), 'documents.parquet')))
    .map(name => join(cache, name))
}

async function built(lake: Lake, full = false) {
  await build(lake, { full })
  const { tables, inputs } = await currentManifest(lake)
  return { inputs, sha256: tables.find(({ name }) => name === 'documents')!.sha256 }
}

t.test('a build takes the file of documents, and the days of batches, from earlier builds', async t => {
  const lake = await makeLake(t.teardown.bind(t), { ...twoIssuers, documents: [section(1)] })
  const first = await built(lake)
  const files = await stored(lake)
  t.equal(files.length, 1)
  await addRows(lake, price('2025-05-30'))
  const second = await built(lake)
  t.equal(second.sha256, first.sha256)
  t.strictSame(await stored(lake), files, 'not written again')
  t.strictSame(second, await built(lake, true), 'as a full build has it')
  const added = second.inputs.findLast(({ dataset }) => dataset === 'prices')
  t.equal(added?.first_known, '2025-05-30')

  await writeFile(files[0]!, 'damaged')
  t.strictSame(await built(lake), second, 'a damaged file is not used')

  await addRows(lake, { documents: [section(2)] })
  t.not((await built(lake)).sha256, first.sha256)
})
