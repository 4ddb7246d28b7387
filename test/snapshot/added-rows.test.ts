import { cp, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { inLake, type Lake, openLake } from '../../engine/lake/lake.ts'
import type { Manifest } from '../../engine/lake/snapshot.ts'
import { build } from '../../engine/snapshot/build.ts'
import { byNight } from '../by-night.ts'
import { removeFolder } from '../folder.ts'
import { addRows, makeLake, type Rows } from '../make-lake.ts'
import { richRows } from '../point-in-time/rich-lake.ts'

t.setTimeout(230_000)

/** The files of a build that derives everything anew, in a copy of the lake. */
async function filesOfFullBuild(lake: Lake, asOf?: string): Promise<Record<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'tranche-test-'))
  t.teardown(() => removeFolder(folder))
  for (const name of ['lake.json', 'batches', 'imports'])
    await cp(inLake(lake, name), join(folder, name), { recursive: true })
  return hashes(await build(await openLake(folder), { full: true, ...(asOf && { asOf }) }))
}

const hashes = ({ tables, files }: Manifest): Record<string, string> =>
  Object.fromEntries([...tables, ...files].map(({ file, sha256 }) => [file, sha256]))

const day = '2025-08-04'
const known = { known_from: day, source: 'added.csv:2' }
const trade = (trade_id: string, bond_id: string, price: number | null, more = {}) => ({
  trade_id,
  bond_id,
  trade_date: day,
  price,
  quantity: 1_000_000,
  side: 'buy',
  counterparty: 'customer',
  ...known,
  ...more,
})

/** Rows that become known after others, one batch after the other. */
const added: Readonly<Record<string, Rows>> = {
  'a day of prices': {
    trades: ['B001', 'B002', 'B005'].map((bond, i) => trade(`N${i}`, bond, 97 + i)),
    prices: [{ bond_id: 'B008', price_date: day, price: 91, price_source: 'vendor', ...known }],
  },
  'a cancel and a correction of old trades': {
    trades: [
      trade('N10', 'B001', null, { action: 'cancel', original_trade_id: 'T4-1' }),
      trade('N11', 'B003', 96, {
        action: 'correction',
        original_trade_id: 'T30-3',
        trade_date: '2024-10-04',
      }),
    ],
  },
  'a price a tenth of what it should be, then one that confirms none': {
    trades: [trade('N20', 'B004', 9.8), trade('N21', 'B004', 98, { trade_date: '2025-08-05' })],
  },
  'another coupon and maturity of a bond': {
    bonds: [{ bond_id: 'B001', coupon_rate: 7.25, maturity_date: '2033-02-01', ...known }],
  },
  'a bond that no list names': { trades: [trade('N30', 'B0001', 88)] },
  'a curve of an old day': {
    treasury_yields: [24, 60, 120].map(tenor_months => ({
      date: '2024-05-14',
      tenor_months,
      rate: 5.5,
      publisher: 'treasury',
      ...known,
    })),
  },
  'a link of an issuer to another company': {
    links: [
      {
        name: 'EPSILON PPR CAYMAN',
        ticker: 'ALFA',
        decided_at: '2025-08-04T10:00:00Z',
        ...known,
      },
    ],
  },
  'a rating that changes a bucket': {
    ratings: [{ ticker: 'BETA', agency: 'sp', rating: 'CCC', effective_date: day, ...known }],
  },
  'a trade older than all': { trades: [trade('N40', 'B002', 99, { trade_date: '2019-03-01' })] },
  'rows without a day': {
    trades: [trade('N50', 'B003', 97.5, { trade_date: '2024-06-14', known_from: null })],
    covenants: [
      {
        ticker: 'BETA',
        covenant_type: 'financial',
        covenant_name: 'Minimum liquidity',
        source: 'added.csv:9',
      },
    ],
  },
}

/** So many kinds of rows before each build. */
const AT_ONCE = byNight ? 1 : 6
const kinds = Object.entries(added)
const turns = Array.from({ length: Math.ceil(kinds.length / AT_ONCE) }, (_, i) => {
  const these = kinds.slice(i * AT_ONCE, (i + 1) * AT_ONCE)
  return [these.map(([what]) => what).join('; '), these.map(([, rows]) => rows)] as const
})

t.test('a build after rows were added writes the files of a full one', async t => {
  const lake = await makeLake(t.teardown.bind(t), richRows)
  await build(lake)
  for (const [what, kinds] of turns) {
    for (const rows of kinds) await addRows(lake, rows)
    const after = hashes(await build(lake))
    t.strictSame(after, await filesOfFullBuild(lake), what)
  }
})

t.test('so does a build of the same rows for a later day', async t => {
  const lake = await makeLake(t.teardown.bind(t), richRows)
  await build(lake)
  const asOf = '2026-03-01'
  t.strictSame(hashes(await build(lake, { asOf })), await filesOfFullBuild(lake, asOf))
})
