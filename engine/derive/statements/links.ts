import { elementAt, firstOf } from '../../base/elements.ts'
import { type Database, literal } from '../../database/database.ts'
import { BALANCE_SHEET, SHEET_TOTALS, sheetOfSql } from '../../schema/datasets/calculations.ts'
import { factsOfCompanies } from '../cache/facts-of-companies.ts'
import { borrowedName } from './borrowings.ts'
import { Calculations, type FilingLinks, type LinksOfFilings } from './calculations.ts'
import { debtConcepts } from './debt-concepts.ts'

type Filed = LinksOfFilings['filed']
type Sheets = LinksOfFilings['sheets']

/** Links of linkbases by document: those between lines of debt, and those of balance sheets. */
async function filedLinks(db: Database): Promise<Filed> {
  const rows = await db.rows<{
    document: string
    parent: string
    child: string
    sheet: boolean
    debt: boolean
  }>(
    `WITH filed AS (FROM in_calculations WHERE role <> ${literal(BALANCE_SHEET)}),
     sheets AS (SELECT DISTINCT document, role FROM filed WHERE parent IN (${SHEET_TOTALS.map(literal).join(', ')})),
     links AS (
       SELECT c.document, c.parent, c.child, s.document IS NOT NULL AS sheet,
         c.child IN (SELECT unnest(?::JSON::VARCHAR[])) OR regexp_matches(c.child, ${literal(borrowedName)}, 'i') AS debt
       FROM filed c LEFT JOIN sheets s ON s.document = c.document AND s.role = c.role
       WHERE c.weight > 0)
     SELECT document, parent, child, bool_or(sheet) AS sheet, bool_or(debt) AS debt
     FROM links WHERE debt OR sheet GROUP BY ALL ORDER BY ALL`,
    [JSON.stringify(debtConcepts)],
  )
  const documents = new Map<string, FilingLinks>()
  for (const { document, parent, child, sheet, debt } of rows) {
    const links = documents.get(document) ?? { filed: new Calculations(), balanceSheet: new Calculations() }
    documents.set(document, links)
    if (debt) links.filed.add(parent, child)
    if (sheet) links.balanceSheet.add(parent, child)
  }
  return documents
}

/** Links of balance sheets that are found by adding up, by company and filing: of some companies, in order. */
async function* sheetLinks(
  db: Database,
  those: ReadonlySet<string>,
): AsyncGenerator<readonly [company: string, sheets: Sheets]> {
  let company: string | null = null
  let sheets = new Map<string, Calculations>()
  for await (const { names, columns, rowCount } of db.stream(
    `SELECT f.company_id, c.document, c.parent, c.child
     FROM in_calculations c JOIN (
       SELECT DISTINCT k.company_id, ${sheetOfSql('f')} AS document FROM ${await factsOfCompanies(db, those)} f JOIN company_of_cik k USING (cik)
       WHERE k.company_id IN (SELECT unnest(?::JSON::VARCHAR[]))) f USING (document)
     WHERE c.role = ${literal(BALANCE_SHEET)} AND c.weight > 0
     ORDER BY ALL`,
    [JSON.stringify([...those])],
  )) {
    const cells = (name: string) => elementAt(columns, names.indexOf(name)) as readonly string[]
    const [companies, documents] = [cells('company_id'), cells('document')]
    const [parents, children] = [cells('parent'), cells('child')]
    for (let i = 0; i < rowCount; i++) {
      if (company !== elementAt(companies, i)) {
        if (company !== null) yield [company, sheets]
        company = elementAt(companies, i)
        sheets = new Map()
      }
      const document = elementAt(documents, i)
      const sheet = sheets.get(document) ?? new Calculations()
      sheets.set(document, sheet)
      sheet.add(elementAt(parents, i), elementAt(children, i))
    }
  }
  if (company !== null) yield [company, sheets]
}

/** The links of the filings of companies, which are asked for in the order of their ids. */
export class CompanyLinks {
  private readonly filed: Filed
  private readonly sheets: AsyncGenerator<readonly [company: string, sheets: Sheets]>
  private next: readonly [company: string, sheets: Sheets] | null

  private constructor(filed: Filed, sheets: CompanyLinks['sheets'], next: CompanyLinks['next']) {
    this.filed = filed
    this.sheets = sheets
    this.next = next
  }

  static async open(db: Database, those: ReadonlySet<string>): Promise<CompanyLinks> {
    const sheets = sheetLinks(db, those)
    const { value } = await sheets.next()
    return new CompanyLinks(await filedLinks(db), sheets, value ?? null)
  }

  /** Of one company: a later one than those asked for before. */
  async of(company: string): Promise<LinksOfFilings> {
    while (this.next !== null && firstOf(this.next) < company)
      this.next = (await this.sheets.next()).value ?? null
    const [id, sheets] = this.next ?? []
    return { filed: this.filed, sheets: id === company && sheets ? sheets : new Map() }
  }

  async close(): Promise<void> {
    await this.sheets.return(undefined)
  }
}
