import { createHash } from 'node:crypto'
import { elementAt } from '../../base/elements.ts'
import { issuerName } from '../../names/issuer-name.ts'
import type { entityTypes } from '../../schema/vocabulary.ts'
import type { ListedCompany } from '../subsidiaries.ts'
import type { Guarantor } from './guarantors.ts'

type EntityType = (typeof entityTypes)[number]

/** A role in the group suggested by an entity's name and share. */
export interface Role {
  readonly type: EntityType
  /** 0 to 1: an estimate of how often the rule is right. */
  readonly confidence: number
  readonly rule: string
}

/** The rest of a longer name says nothing about its role, characters. */
const LONGEST_NAME = 200

const RULES: readonly (readonly [says: RegExp, type: EntityType, confidence: number, rule: string])[] = [
  [/\bjoint venture\b|\bJV\b/i, 'jv', 0.85, 'name says joint venture'],
  [/\b(VIE|variable interest)\b/i, 'vie', 0.85, 'name says variable interest entity'],
  [
    // at most 200 characters: `roleOf` reads no more of a name
    /\b(receivables|securiti[sz]ation|auto (loan|owner|lease)|card|mortgage|equipment)\b.*\btrust\b|\breceivables (funding|finance)|\bSPV\b|\bSPE\b/i,
    'vie',
    0.55,
    'name of a securitisation vehicle',
  ],
  [
    /\b(finance|financing|funding|treasury|capital (corp|funding|trust|markets)|credit corp(oration)?|acceptance|issuer|escrow|co-issuer|borrower|financial (services|corp))/i,
    'finco',
    0.7,
    'name of a financing company',
  ],
  [
    /\bhold(ing|ings|co|coop)\b|\bholdings?\b|\bbeteiligung|\bparent\b|\bintermediate\b|\btopco\b|\bmidco\b|\bbidco\b/i,
    'holdco',
    0.75,
    'name of a holding company',
  ],
  [/\boperating\b|\boperations\b|\bopco\b|\bmanufacturing\b/i, 'opco', 0.6, 'name of an operating company'],
]

/** The role of a listed company, by the first rule that matches. */
export function roleOf(name: string, share: number | null, hasChildren: boolean): Role {
  if (share !== null && share <= 50)
    return { type: 'jv', confidence: share === 50 ? 0.75 : 0.6, rule: 'at most half owned' }
  const read = name.slice(0, LONGEST_NAME)
  for (const [says, type, confidence, rule] of RULES) if (says.test(read)) return { type, confidence, rule }
  if (hasChildren) return { type: 'holdco', confidence: 0.5, rule: 'has subsidiaries in the list' }
  return { type: 'subsidiary', confidence: 0.9, rule: 'listed as a subsidiary' }
}

/** A name as compared: without case, punctuation and spacing. */
export const plainName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/&/g, ' and ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The same id for the same name in one filer's group, in any document. */
export function entityId(filer: string, name: string): string {
  const hex = createHash('sha256')
    .update(`${filer}\n${plainName(name)}`)
    .digest('hex')
  // The variant and version of a UUID made from a name by a hash of one's own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${'89ab'[Number.parseInt(elementAt(hex, 16), 16) & 3]}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** The filer, and the document with the list. */
export interface Lister {
  readonly cik: string | null
  readonly ticker: string | null
  readonly company_name: string | null
  readonly document_type: string
  readonly accession: string | null
  readonly document_date: string | null
}

export interface EntityRow extends Lister {
  readonly id: string
  readonly name: string
  readonly entity_type: EntityType | null
  readonly entity_type_confidence: number | null
  readonly entity_type_rule: string | null
  readonly jurisdiction: string | null
  readonly jurisdiction_as_written: string | null
  readonly parent_id: string | null
  readonly ownership_pct: number | null
  readonly is_guarantor: boolean | null
  readonly guarantee_type: string | null
  readonly at: number
}

/** Rows of the dataset `entities`: the filer, as the holding company at the top, and the listed companies. */
export function entityRows(
  lister: Lister,
  listed: readonly ListedCompany[],
  guarantee: { type: string | null } | null,
): EntityRow[] {
  const filer = filerOf(lister)
  const top = topOf(lister)
  const topId = top === null ? null : filerId(lister)
  const ids = listed.map(({ name }) =>
    topId !== null && isCalled(top, name) ? topId : entityId(filer, name),
  )
  const parents = new Set(listed.map(({ parent }) => parent))
  const rows = new Map<string, EntityRow>()
  if (top !== null && topId !== null)
    rows.set(topId, {
      ...lister,
      id: topId,
      name: top,
      entity_type: 'holdco',
      entity_type_confidence: 0.9,
      entity_type_rule: lister.company_name === null ? FILES_UNNAMED : 'files the list',
      jurisdiction: null,
      jurisdiction_as_written: null,
      parent_id: null,
      ownership_pct: null,
      is_guarantor: null,
      guarantee_type: null,
      at: 0,
    })
  for (const [
    i,
    { name, jurisdiction, jurisdiction_as_written, ownership_pct, parent, at },
  ] of listed.entries()) {
    const id = elementAt(ids, i)
    if (rows.has(id)) continue
    const role = roleOf(name, ownership_pct, parents.has(i))
    rows.set(id, {
      ...lister,
      id,
      name,
      entity_type: role.type,
      entity_type_confidence: role.confidence,
      entity_type_rule: role.rule,
      jurisdiction,
      jurisdiction_as_written,
      parent_id: guarantee !== null ? null : parent === null ? topId : (ids[parent] ?? topId),
      ownership_pct,
      is_guarantor: guarantee === null ? null : true,
      guarantee_type: guarantee?.type ?? null,
      at,
    })
  }
  return [...rows.values()]
}

/** Rows of the dataset `guarantees`. */
export interface GuaranteeRow
  extends Pick<
    Guarantor,
    'guarantee_type' | 'rule' | 'extraction_confidence' | 'evidence' | 'evidence_section' | 'evidence_offset'
  > {
  readonly guarantor_id: string
  readonly instrument_name: string | null
  readonly issuer_id: string | null
  readonly document_date: string | null
  readonly accession: string | null
}

/** The guarantors that a text names, and of what. The filer is itself, whatever the text calls it. */
export function guarantorRows(
  lister: Lister,
  guarantors: readonly Guarantor[],
): { entities: EntityRow[]; guarantees: GuaranteeRow[] } {
  const filer = filerOf(lister)
  const top = lister.company_name
  const isTop = (name: string) => isCalled(top, name)
  const named = (name: string) => (isTop(name) ? top! : name)
  const entities = new Map<string, EntityRow>()
  const guarantees = guarantors.flatMap((guarantor): GuaranteeRow[] => {
    const name = named(guarantor.name)
    const guarantor_id = isTop(name) ? filerId(lister) : entityId(filer, name)
    const role = isTop(name) ? FILES_REPORT : roleOf(name, null, false)
    const isTold = isTop(name) || role.type !== 'subsidiary'
    const before = entities.get(guarantor_id)
    entities.set(guarantor_id, {
      ...lister,
      id: guarantor_id,
      name,
      entity_type: isTold ? role.type : null,
      entity_type_confidence: isTold ? role.confidence : null,
      entity_type_rule: isTold ? role.rule : null,
      jurisdiction: guarantor.jurisdiction ?? before?.jurisdiction ?? null,
      jurisdiction_as_written: guarantor.jurisdiction ?? before?.jurisdiction ?? null,
      parent_id: null,
      ownership_pct: null,
      is_guarantor: true,
      guarantee_type: guarantor.guarantee_type ?? before?.guarantee_type ?? null,
      at: before?.at ?? guarantor.evidence_offset,
    })
    const { guarantee_type, rule, extraction_confidence, evidence, evidence_section, evidence_offset } =
      guarantor
    const { issuer } = guarantor
    // Unnamed debt of an unnamed issuer is the filer's debt.
    const isOwn = guarantor.issuer === null && guarantor.instruments.length === 0 && !isTop(name)
    const issuer_id =
      isOwn || (issuer !== null && isTop(issuer)) ? filerId(lister) : issuer && entityId(filer, issuer)
    const instruments = guarantor.instruments.length > 0 ? guarantor.instruments : [null]
    return instruments
      .filter(instrument => instrument !== null || issuer_id !== null)
      .map(instrument_name => ({
        guarantor_id,
        instrument_name,
        issuer_id,
        guarantee_type,
        document_date: lister.document_date,
        accession: lister.accession,
        rule,
        extraction_confidence,
        evidence,
        evidence_section,
        evidence_offset,
      }))
  })
  return { entities: [...entities.values()], guarantees }
}

const FILES_REPORT: Role = { type: 'holdco', confidence: 0.7, rule: 'files the report' }

/** The row of a filer that its list does not name: its name is its ticker or CIK until the company is known. */
export const FILES_UNNAMED = 'files the list, which does not name it'

/** Whether both are spellings of one company's name: `Kraft Heinz Co`, `The Kraft Heinz Company`. */
function isCalled(top: string | null, name: string): boolean {
  if (top === null) return false
  const [one, other] = [issuerName(top), issuerName(name)]
  return one.base === other.base && (one.form === other.form || !one.form || !other.form)
}

/** The filer keeps its id when its name changes. */
const filerId = (lister: Lister): string => entityId(filerOf(lister), '')

const topOf = ({ company_name, ticker, cik }: Lister): string | null => company_name ?? ticker ?? cik

const filerOf = ({ cik, company_name, ticker }: Lister): string =>
  cik ?? plainName(company_name ?? ticker ?? '')

/** The debt in a list of guarantors (Exhibit 22): securities named before the first company, else the filer's. */
export function listedGuarantees(
  lister: Lister,
  rows: readonly EntityRow[],
  securities: readonly string[],
  evidence: string,
): GuaranteeRow[] {
  const top = topOf(lister)
  const topId = top === null ? null : filerId(lister)
  const instruments = securities.length > 0 ? securities : [null]
  if (topId === null && securities.length === 0) return []
  return rows
    .filter(({ id, is_guarantor }) => id !== topId && is_guarantor === true)
    .flatMap(({ id, guarantee_type }) =>
      instruments.map(instrument_name => ({
        guarantor_id: id,
        instrument_name,
        issuer_id: topId,
        guarantee_type,
        document_date: lister.document_date,
        accession: lister.accession,
        rule: 'list_of_guarantors',
        extraction_confidence: 0.95,
        evidence,
        evidence_section: lister.document_type,
        evidence_offset: 0,
      })),
    )
}
