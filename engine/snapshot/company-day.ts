import type { Database } from '../database/database.ts'
import { publicSql, stored } from '../database/views.ts'
import type { CompanyDerivation, CompanyScope } from '../derive/company-derivation.ts'
import type { CompanyTables } from '../operations/operation.ts'
import { type rawViews, tableNamed } from '../schema/resources/tables.ts'
import type { Deriving } from './deriving.ts'
import { Leased } from './leased.ts'

/** The tables from which a company's state is read. */
const tables = [
  'companies',
  'companies_by_age',
  'bonds',
  'pricing_history',
  'entities',
  'ratings',
  'documents',
  'financials',
]
const raw = ['prices', 'filings'] as const satisfies readonly (typeof rawViews)[number][]

/** The tables of a past day, derived for one company at a time: see `CompanyDerivation`. */
export class CompanyDay extends Leased implements CompanyTables {
  readonly asOf: string
  /** Companies queried so far. */
  readonly companies = new Set<string>()
  private readonly opening: Promise<CompanyDerivation>
  private hasViews = false

  constructor(asOf: string, deriving: Promise<Deriving>) {
    super()
    this.asOf = asOf
    this.opening = deriving.then(async ({ open, files, options }) => {
      // A hundred modules that no other question needs.
      const { CompanyDerivation } = await import('../derive/company-derivation.ts')
      return new CompanyDerivation(await open([]), files, options)
    })
    this.opening.catch(() => {})
  }

  async database(): Promise<Database> {
    const derivation = await this.opening
    await derivation.prepare()
    return derivation.database
  }

  async narrowed<T>(scope: CompanyScope, use: (database: Database) => Promise<T>): Promise<T> {
    const derivation = await this.opening
    return derivation.narrowed(scope, async () => {
      await this.views(derivation)
      return use(derivation.database)
    })
  }

  /** Created with the tables; the views stay valid when a table is replaced for the next company. */
  private async views({ database, open }: CompanyDerivation): Promise<void> {
    if (this.hasViews) return
    for (const name of tables)
      await database.run(
        `CREATE OR REPLACE VIEW ${stored(name)} AS ${await publicSql(database, tableNamed(name)!)}`,
      )
    for (const name of raw) {
      await open(name)
      await database.run(`CREATE OR REPLACE VIEW ${stored(name)} AS SELECT * FROM in_${name}`)
    }
    this.hasViews = true
  }

  protected close(): void {
    this.opening.then(({ database }) => database.close()).catch(() => {})
  }
}
