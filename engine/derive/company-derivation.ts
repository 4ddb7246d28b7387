import { type Database, literal } from '../database/database.ts'
import { instrumentId } from './bonds/instruments.ts'
import { Derivation, type DeriveOptions, stepsFor } from './derive.ts'
import type { Step } from './steps.ts'

/** Derived for all companies together: the links of rows to companies, tagged debt, ratings, and entities with their owners. */
const together = stepsFor(['companies_base', 'filed_terms', 'ratings', 'entities'])
const isTogether = (step: Step): boolean => together.includes(step)
const priceSteps = stepsFor(['bonds', 'pricing_history']).filter(step => !isTogether(step))
const figureSteps = stepsFor(['companies_by_age', 'financials', 'documents']).filter(
  step => !isTogether(step) && !priceSteps.includes(step),
)

/** Tables and views narrowed to one company. `all_<name>` has those of all companies. */
const narrowedTables = ['bonds_base', 'companies_base'] as const
const narrowedViews = [
  'company_of_cik',
  'company_link',
  'listed_prices',
  'in_trades',
  'in_facts',
  'in_documents',
  'in_collateral',
] as const
type Narrowed = (typeof narrowedTables)[number] | (typeof narrowedViews)[number]

/**
 * The company to derive, and the bonds whose terms and prices are needed; null if the company is not known that day.
 */
export interface CompanyScope {
  readonly company: string | null
  readonly bonds: readonly string[]
}

/**
 * The tables of a past day for one company at a time: the same steps as `Derivation`, over the rows that one company
 * needs. Links are derived once, for all. Prices are narrowed to the company's bonds, unless one of them is known
 * only from holdings lists: its yield is compared with the market of its day, so all prices are then derived, once.
 * Statements, documents and figures are always narrowed. Only the columns from which a company's state is read match
 * those of a whole day, without collateral.
 */
export class CompanyDerivation {
  readonly database: Database
  private readonly derivation: Derivation
  private readonly options: DeriveOptions
  private ready: Promise<void> | null = null
  private hasAllPrices = false
  private turn: Promise<unknown> = Promise.resolve()

  constructor(
    database: Database,
    files: (dataset: string) => Promise<readonly string[]>,
    options: DeriveOptions,
  ) {
    this.database = database
    this.options = options
    this.derivation = new Derivation(database, files, options)
  }

  /** The view `in_<dataset>` of the rows of a dataset known on the day. */
  readonly open = (dataset: string): Promise<void> => this.derivation.open(dataset)

  /** Derives what all companies share: `all_companies_base` and `all_bonds_base`. */
  prepare(): Promise<void> {
    this.ready ??= this.deriveTogether()
    this.ready.catch(() => {
      this.ready = null
    })
    return this.ready
  }

  private async deriveTogether(): Promise<void> {
    await this.derivation.make(...together.flatMap(step => step.makes))
    // Before tables get other names.
    await this.derivation.storeResults()
    const inputs = [...priceSteps, ...figureSteps].flatMap(step =>
      step.reads.filter(name => name.startsWith('in_')),
    )
    for (const name of new Set(inputs)) await this.derivation.open(name.slice('in_'.length))
    const tables = await this.database.rows<{ name: string }>(
      "SELECT table_name AS name FROM duckdb_tables() WHERE schema_name = 'main'",
    )
    const isTable = new Set(tables.map(({ name }) => name))
    for (const name of [...narrowedTables, ...narrowedViews])
      await this.database.run(`ALTER ${isTable.has(name) ? 'TABLE' : 'VIEW'} ${name} RENAME TO all_${name}`)
  }

  /** Derives a company's tables and uses them; the next company waits until then. */
  narrowed<T>(scope: CompanyScope, use: () => Promise<T>): Promise<T> {
    const mine = this.turn.then(async () => {
      await this.prepare()
      if (!this.hasAllPrices && (await this.isJudgedByMarket(scope))) {
        await this.narrow(everything)
        for (const step of priceSteps) await step.run(this.database, this.options)
        this.hasAllPrices = true
      }
      await this.narrow(narrowedTo(scope))
      for (const step of this.hasAllPrices ? figureSteps : [...priceSteps, ...figureSteps])
        await step.run(this.database, this.options)
      return use()
    })
    this.turn = mine.catch(() => {})
    return mine
  }

  private async isJudgedByMarket({ bonds }: CompanyScope): Promise<boolean> {
    const [row] = await this.database.rows<{ sparse: boolean }>(
      `SELECT EXISTS (SELECT 1 FROM all_bonds_base WHERE is_sparse AND ${among('id', bonds)}) AS sparse`,
    )
    return row!.sparse
  }

  private async narrow(rows: Readonly<Record<Narrowed, string>>): Promise<void> {
    const statements = [
      ...narrowedTables.map(name => `CREATE OR REPLACE TABLE ${name} AS ${rows[name]}`),
      ...narrowedViews.map(name => `CREATE OR REPLACE VIEW ${name} AS ${rows[name]}`),
    ]
    await this.database.run(statements.join('; '))
  }
}

const among = (column: string, values: readonly string[]): string =>
  values.length === 0 ? 'FALSE' : `${column} IN (${values.map(literal).join(', ')})`

const everything = Object.fromEntries(
  [...narrowedTables, ...narrowedViews].map(name => [
    name,
    `SELECT * FROM all_${name}${name === 'bonds_base' ? ' ORDER BY no' : ''}`,
  ]),
) as Record<Narrowed, string>

function narrowedTo({ company, bonds }: CompanyScope): Record<Narrowed, string> {
  const isIts = company === null ? 'FALSE' : `company_id = ${literal(company)}`
  const isItsInstrument = among(instrumentId(), bonds)
  return {
    // Prices refer to bonds by number, starting at 0.
    bonds_base: `SELECT * REPLACE (CAST(row_number() OVER (ORDER BY no) - 1 AS INTEGER) AS no) FROM all_bonds_base
      WHERE ${among('id', bonds)} ORDER BY no`,
    companies_base: `SELECT * FROM all_companies_base
      WHERE ${isIts} OR company_id IN (SELECT company_id FROM all_bonds_base WHERE ${among('id', bonds)})`,
    company_of_cik: `SELECT * FROM all_company_of_cik WHERE ${isIts}`,
    company_link: `SELECT * FROM all_company_link WHERE ${isIts}`,
    listed_prices: `SELECT * FROM all_listed_prices WHERE ${isItsInstrument}`,
    in_trades: `SELECT * FROM all_in_trades WHERE ${isItsInstrument}`,
    in_facts: `SELECT * FROM all_in_facts WHERE cik IN (SELECT cik FROM all_company_of_cik WHERE ${isIts})`,
    in_documents: `SELECT d.* FROM all_in_documents d WHERE EXISTS (SELECT 1 FROM mention_link l WHERE ${isIts === 'FALSE' ? isIts : `l.${isIts}`} AND l.lei IS NULL
      AND l.ticker IS NOT DISTINCT FROM d.ticker AND l.cik IS NOT DISTINCT FROM d.cik AND l.name IS NOT DISTINCT FROM d.company_name)`,
    in_collateral: 'SELECT * FROM all_in_collateral WHERE FALSE',
  }
}
