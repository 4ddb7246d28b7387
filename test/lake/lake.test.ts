import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { fingerprint } from '../../engine/lake/fingerprint.ts'
import { ensureLake, openLake, staysInside } from '../../engine/lake/lake.ts'
import { sealed, unsealed } from '../../engine/lake/seal.ts'
import { verifyFile } from '../../engine/lake/verify.ts'
import { testFolder } from '../folder.ts'

t.test('a lake is created once and opened again', async t => {
  const folder = join(testFolder(t), 'lake')
  const made = await ensureLake(folder, new Date('2026-01-02T03:04:05Z'))
  t.equal(made.created, '2026-01-02T03:04:05.000Z')
  t.strictSame(await ensureLake(folder), made)
  t.strictSame(await openLake(folder), made)
})

t.test('a folder that is not a lake is refused with advice', async t => {
  const folder = testFolder(t, { file: 'x', other: { 'thesis.txt': 'x' } })
  await t.rejects(openLake(join(folder, 'none')), {
    code: 'NOT_FOUND',
    message: /no such folder.*tranche sample/,
  })
  await t.rejects(openLake(join(folder, 'file')), { code: 'NOT_FOUND', message: /it is a file/ })
  await t.rejects(openLake(join(folder, 'other')), { code: 'NOT_FOUND', message: /no lake.json/ })
  await t.rejects(ensureLake(join(folder, 'other')), { code: 'INVALID_PARAMETER', message: /thesis.txt/ })
})

t.test('a lake of a newer format is refused', async t => {
  const folder = testFolder(t, { 'lake.json': '{"format": 2, "created": "2030-01-01"}' })
  await t.rejects(openLake(folder), { code: 'DATA_DAMAGED', message: /format 2.*upgrade/ })
  await writeFile(join(folder, 'lake.json'), '{"format"')
  await t.rejects(openLake(folder), { code: 'DATA_DAMAGED' })
  await writeFile(join(folder, 'lake.json'), 'null')
  await t.rejects(openLake(folder), { code: 'DATA_DAMAGED' })
})

t.test('a record detects every flipped bit and every truncation of itself', async t => {
  const text = sealed({ rows: 12, path: 'batches/bonds/1.parquet' })
  t.strictSame(unsealed(text, 'x.json'), { rows: 12, path: 'batches/bonds/1.parquet' })
  const bytes = Buffer.from(text)
  let unnoticed = 0
  for (let i = 0; i < bytes.length - 1; i++) {
    const flipped = Buffer.from(bytes)
    flipped[i] = flipped[i]! ^ (1 << (i % 8))
    try {
      // Only white space between members may change.
      const same = unsealed<{ rows: number; path: string }>(flipped.toString(), 'x.json')
      if (same.rows !== 12 || same.path !== 'batches/bonds/1.parquet') unnoticed++
    } catch (error) {
      t.match(error, { code: 'DATA_DAMAGED' })
    }
  }
  t.equal(unnoticed, 0)
  t.throws(() => unsealed(text.slice(0, 40), 'x.json'), { code: 'DATA_DAMAGED' })
})

t.test('a file is as written or is refused by name', async t => {
  const folder = testFolder(t, { 'bonds.parquet': 'PAR1 some rows PAR1' })
  const path = join(folder, 'bonds.parquet')
  const written = await fingerprint(path)
  await verifyFile(path, written)
  const bytes = await readFile(path)
  bytes[6] = bytes[6]! ^ 4
  await writeFile(path, bytes)
  await t.rejects(verifyFile(path, written, 'bonds.parquet'), {
    code: 'DATA_DAMAGED',
    message: /bonds.parquet: was changed/,
  })
  await writeFile(path, bytes.subarray(3))
  await t.rejects(verifyFile(path, written, 'bonds.parquet'), { message: /has 16 bytes, but 19/ })
  await t.rejects(verifyFile(join(folder, 'none'), written), { message: /is missing/ })
  await mkdir(join(folder, 'sub'))
  await t.rejects(verifyFile(join(folder, 'sub'), written), { message: /is not a file/ })
})

t.test('no path leaves the lake', async t => {
  for (const path of ['bonds.parquet', 'sorted/bonds.parquet', 'a..b/c'])
    t.ok(staysInside(path), JSON.stringify(path))
  for (const path of [
    '',
    '/etc/passwd',
    '../x',
    'a/../../x',
    'a/..',
    './a',
    'a//b',
    'a\\..\\b',
    'a\0b',
    '..',
  ])
    t.notOk(staysInside(path), JSON.stringify(path))
})
