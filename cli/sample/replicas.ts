import { join } from 'node:path'
import { elementAt, firstOf } from '../../engine/base/elements.ts'
import { type Database, quote } from '../../engine/database/database.ts'
import type { Dataset } from '../../engine/schema/dataset.ts'
import { bonds } from '../../engine/schema/datasets/bonds.ts'
import { collateral } from '../../engine/schema/datasets/collateral.ts'
import { companies } from '../../engine/schema/datasets/companies.ts'
import { covenants } from '../../engine/schema/datasets/covenants.ts'
import { documents } from '../../engine/schema/datasets/documents.ts'
import { entities } from '../../engine/schema/datasets/entities.ts'
import { filings } from '../../engine/schema/datasets/filings.ts'
import { guarantees } from '../../engine/schema/datasets/guarantees.ts'
import { ownership } from '../../engine/schema/datasets/ownership.ts'
import { ratings } from '../../engine/schema/datasets/ratings.ts'
import { statements } from '../../engine/schema/datasets/statements.ts'
import { trades } from '../../engine/schema/datasets/trades.ts'
import { cikOf, cusipIssuer, cusipOf, foreignIsin, leiOf, usIsin, uuidSql } from './identifiers.ts'
import type { Issuer } from './issuers.ts'
import { random } from './random.ts'
import type { SampleFile, SampleOptions } from './sample-files.ts'
import { tableOf, writeParquet } from './tables.ts'

/** Sets of issuers per file. */
const SETS_A_FILE = 10

/**
 * The datasets of further issuers, with the owner of each row. They have no prices other than trades and no loaded
 * spreads; of filings only the debt footnote, and of each bond and day only the last trade.
 */
const replicated: readonly { dataset: Dataset; rows: string }[] = [
  { dataset: companies, rows: `select *, ticker as owner from ${tableOf(companies)}` },
  { dataset: entities, rows: `select *, ticker as owner from ${tableOf(entities)}` },
  {
    dataset: ownership,
    rows: `select o.*, e.ticker as owner from ${tableOf(ownership)} o
      join (select distinct id, ticker from ${tableOf(entities)}) e on e.id = o.child_id`,
  },
  { dataset: bonds, rows: `select *, ticker as owner from ${tableOf(bonds)}` },
  {
    dataset: guarantees,
    rows: `select g.*, e.ticker as owner from ${tableOf(guarantees)} g
      join (select distinct id, ticker from ${tableOf(entities)}) e on e.id = g.guarantor_id`,
  },
  { dataset: statements, rows: `select *, ticker as owner from ${tableOf(statements)}` },
  {
    dataset: filings,
    rows: `select f.*, c.ticker as owner from ${tableOf(filings)} f join ${tableOf(companies)} c using (cik)`,
  },
  { dataset: covenants, rows: `select *, ticker as owner from ${tableOf(covenants)}` },
  { dataset: collateral, rows: `select *, ticker as owner from ${tableOf(collateral)}` },
  { dataset: ratings, rows: `select *, ticker as owner from ${tableOf(ratings)}` },
  {
    dataset: documents,
    rows: `select *, ticker as owner from ${tableOf(documents)} where section_type = 'debt_footnote'`,
  },
  {
    dataset: trades,
    rows: `select t.*, b.ticker as owner from ${tableOf(trades)} t
      join (select distinct cusip, ticker from ${tableOf(bonds)}) b using (cusip)
      where action = 'trade' and not when_issued and not price_estimated
        and not exists (select 1 from ${tableOf(trades)} u where u.original_trade_id = t.trade_id)
      qualify row_number() over (partition by cusip, trade_date order by trade_time desc, trade_id desc) = 1`,
  },
]

const renamed = (column: string) => `replace(t.${column}, m.stem, m.new_stem)`
const otherUuid = (column: string) =>
  `case when t.${column} is not null then ${uuidSql(`t.${column} || ' ' || m.k`)} end`

/** How each column of a further issuer derives from the first set's: `t` is the row, `m` the issuer, `b` the bond. */
const rules: Readonly<Record<string, string>> = {
  ticker: 'm.ticker',
  cik: 'm.cik',
  lei: 'case when t.lei = m.base_lei then m.lei end',
  issuer_lei: 'case when t.issuer_lei = m.base_lei then m.lei end',
  company_name: renamed('company_name'),
  issuer_name: renamed('issuer_name'),
  name: renamed('name'),
  description: renamed('description'),
  content: renamed('content'),
  former_names: 'null',
  aliases: 'null',
  id: `t.id || '-' || m.k`,
  issuer_id: otherUuid('issuer_id'),
  parent_id: otherUuid('parent_id'),
  child_id: otherUuid('child_id'),
  guarantor_id: otherUuid('guarantor_id'),
  cusip: 'b.cusip',
  isin: 'b.isin',
  bond_id: 'm.ticker || substr(t.bond_id, length(t.owner) + 1)',
  accession: 'replace(t.accession, m.base_cik, m.cik)',
  source_url: 'replace(t.source_url, m.base_cik, m.cik)',
  operating_income: 'cast(round(t.operating_income * m.fortune / 1e7) * 1e7 as bigint)',
  price: 'round(greatest(1, t.price + b.shift), 3)',
}

/** Letters that distinguish the sets, `width` of them. */
function suffixOf(k: number, width: number): string {
  let text = ''
  for (let i = 0, left = k; i < width; i++, left = Math.floor(left / 26))
    text = String.fromCharCode(65 + (left % 26)) + text
  return text
}

/** Sets of issuers beyond the first, with the same structure under other names and identifiers. */
export async function* writeReplicas(
  db: Database,
  dir: string,
  issuers: readonly Issuer[],
  { scale, tradesADay }: Required<Pick<SampleOptions, 'scale' | 'tradesADay'>>,
  progress: (k: number) => void,
): AsyncGenerator<SampleFile> {
  if (scale === 1) return
  for (const { dataset, rows } of replicated)
    await db.run(`create table ${base(dataset)} as select row_number() over () as n, * from (${rows})`)
  if (tradesADay > 1) await repeatTrades(db, tradesADay)
  const numbers = await db.rows<{ cusip: string | null; isin: string | null; ticker: string }>(
    `select distinct cusip, isin, ticker from ${tableOf(bonds)} where cusip is not null or isin is not null order by all`,
  )
  const width = Math.max(2, Math.ceil(Math.log(scale) / Math.log(26)))
  for (let from = 1; from < scale; from += SETS_A_FILE) {
    const to = Math.min(scale, from + SETS_A_FILE)
    await mapIssuers(db, issuers, from, to, width)
    await mapBonds(db, issuers, numbers, from, to)
    for (const { dataset } of replicated) {
      const path = join(dir, `${dataset.name}-${String(from).padStart(4, '0')}.parquet`)
      await writeParquet(db, replicaSql(dataset), path)
      const [count] = await db.rows<{ n: number }>(
        `select count(*) * ${to - from} as n from ${base(dataset)}`,
      )
      yield { path, dataset: dataset.name, rows: count!.n }
    }
    await db.run('drop table other_issuers; drop table other_bonds')
    progress(to - 1)
  }
}

/** Puts further trades of the same day before each: minutes earlier, up to half a point away, of other sizes. */
async function repeatTrades(db: Database, times: number): Promise<void> {
  const drawn = (name: string, below: number) => `CAST(hash(n, i, '${name}') % ${below} AS BIGINT)`
  await db.run(`create or replace table ${base(trades)} as
    select * exclude (i) replace (row_number() over (order by n, i desc) as n,
      case when i = 0 then trade_id else trade_id || '-' || i end as trade_id,
      case when i = 0 then trade_time
        else strftime(timestamp '1970-01-01' + to_seconds(28800 + (epoch(trade_time::time)::bigint - 28800) * (${times} - i) // ${times}), '%H:%M:%S') end as trade_time,
      case when i = 0 then price else round(greatest(1, price + (${drawn('price', 1001)} - 500) / 1000), 3) end as price,
      case when i = 0 then quantity else (1 + ${drawn('size', 40)}) * 2500000 end as quantity,
      case when i = 0 then quantity_capped else false end as quantity_capped,
      case when i = 0 then side else ['buy', 'sell'][1 + ${drawn('side', 2)}] end as side)
    from ${base(trades)}, range(${times}) r(i)`)
}

const base = (dataset: Dataset) => quote(`base_${dataset.name}`)

function replicaSql(dataset: Dataset): string {
  const has = (name: string) => name in dataset.columns
  const hasBond = has('cusip') || has('isin')
  const names = [
    ...Object.keys(dataset.columns),
    ...(dataset === bonds || dataset === collateral ? ['known_from'] : []),
  ]
  const columns = names.map(name => {
    const rule = dataset === entities && name === 'id' ? otherUuid('id') : (rules[name] ?? `t.${quote(name)}`)
    return `${rule} as ${quote(name)}`
  })
  const key = ['cusip', 'isin'].filter(has).map(name => `t.${name}`)
  return `select ${columns.join(', ')} from ${base(dataset)} t join other_issuers m on m.base_ticker = t.owner
    ${hasBond ? `left join other_bonds b on b.k = m.k and b.base = coalesce(${key.join(', ')})` : ''}
    order by m.k, t.n`
}

async function mapIssuers(db: Database, issuers: readonly Issuer[], from: number, to: number, width: number) {
  const columns: unknown[][] = Array.from({ length: 11 }, () => [])
  for (let k = from; k < to; k++)
    for (const issuer of issuers) {
      const n = k * issuers.length + issuer.n
      const name = issuer.name.replace(issuer.stem, `${issuer.stem} ${k}`)
      const row = [
        k,
        issuer.ticker,
        issuer.cik,
        issuer.lei,
        issuer.stem,
        issuer.ticker + suffixOf(k, width),
        cikOf(n),
        leiOf(name),
        name,
        `${issuer.stem} ${k}`,
        random(`fortune ${n}`).between(0.8, 1.25),
      ]
      for (const [i, value] of row.entries()) elementAt(columns, i).push(value)
    }
  await db.run(`create table other_issuers (k integer, base_ticker varchar, base_cik varchar, base_lei varchar, stem varchar,
    ticker varchar, cik varchar, lei varchar, name varchar, new_stem varchar, fortune double)`)
  await db.append('other_issuers', columns, firstOf(columns).length)
}

async function mapBonds(
  db: Database,
  issuers: readonly Issuer[],
  numbers: readonly { cusip: string | null; isin: string | null; ticker: string }[],
  from: number,
  to: number,
) {
  const byTicker = new Map(issuers.map(issuer => [issuer.ticker, issuer]))
  const columns: unknown[][] = Array.from({ length: 5 }, () => [])
  for (let k = from; k < to; k++) {
    const shifts = random(`shift ${k}`)
    for (const { cusip, isin, ticker } of numbers) {
      const cusip6 = cusipIssuer(k * issuers.length + byTicker.get(ticker)!.n)
      const other =
        cusip === null
          ? null
          : cusipOf(cusip6, 'ABCDEFGHJK'.indexOf(elementAt(cusip, 6)) * 10 + Number(cusip[7]))
      const row = [
        k,
        cusip ?? isin,
        other,
        other ? usIsin(other) : foreignIsin(cusip6, Number(isin!.slice(8, 11))),
        shifts.between(-0.15, 0.15),
      ]
      for (const [i, value] of row.entries()) elementAt(columns, i).push(value)
    }
  }
  await db.run(
    'create table other_bonds (k integer, base varchar, cusip varchar, isin varchar, shift double)',
  )
  await db.append('other_bonds', columns, firstOf(columns).length)
}
