import { type Database, literal } from '../../database/database.ts'
import { borrowedName } from './borrowings.ts'
import { Calculations, type FilingLinks } from './calculations.ts'
import { debtConcepts } from './debt-concepts.ts'

/** The role of links that are found by adding up the lines of a balance sheet. */
export const BALANCE_SHEET = 'balance sheet'
/** What only a balance sheet adds up to. */
const SHEET_TOTALS = ['us-gaap:LiabilitiesAndStockholdersEquity', 'ifrs-full:EquityAndLiabilities']

/** Links between lines of debt, and those of balance sheets, by document or accession number. */
export async function linksByDocument(db: Database): Promise<Map<string, FilingLinks>> {
  const rows = await db.rows<{
    document: string
    parent: string
    child: string
    sheet: boolean
    filed: boolean
  }>(
    `WITH sheets AS (SELECT DISTINCT document, role FROM in_calculations WHERE role = ${literal(BALANCE_SHEET)} OR parent IN (${SHEET_TOTALS.map(literal).join(', ')})),
     links AS (
       SELECT c.document, c.parent, c.child, s.document IS NOT NULL AS sheet, c.role <> ${literal(BALANCE_SHEET)} AS filed,
         c.child IN (SELECT unnest(?::JSON::VARCHAR[])) OR regexp_matches(c.child, ${literal(borrowedName)}, 'i') AS debt
       FROM in_calculations c LEFT JOIN sheets s ON s.document = c.document AND s.role = c.role
       WHERE c.weight > 0)
     SELECT document, parent, child, bool_or(sheet) AS sheet, bool_or(filed AND debt) AS filed
     FROM links WHERE debt OR sheet GROUP BY ALL ORDER BY ALL`,
    [JSON.stringify(debtConcepts)],
  )
  const documents = new Map<string, FilingLinks>()
  for (const { document, parent, child, sheet, filed } of rows) {
    const links = documents.get(document) ?? { filed: new Calculations(), balanceSheet: new Calculations() }
    documents.set(document, links)
    if (filed) links.filed.add(parent, child)
    if (sheet) links.balanceSheet.add(parent, child)
  }
  return documents
}
