import { elementAt } from '../../base/elements.ts'
import type { Database } from '../../database/database.ts'
import { tieBreak } from '../../database/tie-break.ts'
import { sectorLabels, sectorOf } from '../../names/sector.ts'
import { datasets, issuerDatasets } from '../../schema/datasets/datasets.ts'
import { fingerprintOfRows } from '../cache/derivation-cache.ts'
import { type FactsByDay, namesInFacts } from '../cache/facts-by-day.ts'
import type { Group, GroupEvidence, Suggested } from './groups.ts'
import type { CompanyRow, DirectoryRow, Mention } from './known-companies.ts'
import { type Company, type Linked, linkIssuers } from './link.ts'
import { Registry } from './registry.ts'

/** Where companies are named: the columns of each dataset that say which one. */
const mentions = (inFacts: string): string =>
  [
    `SELECT ticker, cik, issuer_lei AS lei, coalesce(issuer_name, company_name) AS name, 'bonds' AS dataset FROM unlinked_bonds`,
    `SELECT NULL, cik, NULL, name, 'facts' FROM (${inFacts})`,
    ...issuerDatasets.map(({ name }) => `SELECT ticker, cik, NULL, company_name, '${name}' FROM in_${name}`),
    `SELECT ticker, NULL, NULL, NULL, 'spreads' FROM in_spreads`,
  ].join(' UNION ALL ')

export interface LinkedMention extends Mention, Linked, Partial<Group> {
  /** Rows that name the company this way, and their datasets. */
  readonly rows: number
  readonly datasets: readonly string[]
  /** Companies that an unlinked issuer may belong to, most likely first. */
  readonly suggestions?: readonly Suggested[]
}

/** The registry of the last lists: other days mostly have the same. About 3 KB per company of the lists. */
export class RegistryMemory {
  private last: { readonly key: string; readonly registry: Registry } | null = null

  find(key: string): Registry | null {
    return this.last?.key === key ? this.last.registry : null
  }

  keep(key: string, registry: Registry): void {
    this.last = { key, registry }
  }
}

export interface IssuerOptions extends FactsByDay {
  /** The day as of which issuers belong to groups. */
  readonly asOf: string
  readonly registries?: RegistryMemory | undefined
  /** Whether to fill `issuer_mentions`, with suggestions for issuers that no company is found for. */
  readonly listMentions?: boolean
}

/** Names that were read out of the text of filings are not trusted as those of other sources are. */
const READ = new Set(datasets.filter(({ filed }) => filed).map(({ name }) => name))

/**
 * `companies_base`, one row per company; `mention_link(ticker, cik, lei, name, company_id)`, the company that each
 * mention means; `issuer_group(company_id, group_id, group_by, group_reason)`, the filing company of an unlisted bond
 * issuer; `company_of_cik(cik, company_id)`; `issuer_mentions(n, mention)`, each `LinkedMention` as JSON if they are listed.
 */
export async function deriveIssuers(
  db: Database,
  { asOf, registries, listMentions = false, factsByDay }: IssuerOptions,
): Promise<void> {
  const inFacts = await namesInFacts({ asOf, factsByDay })
  const mentionRows = await db.rows<Mention & { rows: number; datasets: string[] }>(`
    SELECT ticker, cik, lei, name, count(*) AS rows, list_sort(list(DISTINCT dataset)) AS datasets FROM (${mentions(inFacts)})
    WHERE coalesce(ticker, cik, lei, name) IS NOT NULL
    GROUP BY ALL ORDER BY ticker NULLS LAST, cik NULLS LAST, lei NULLS LAST, name NULLS LAST`)
  const mentioned = mentionRows.map(m => ({
    ...m,
    isRead: m.datasets.every(dataset => READ.has(dataset)),
    isInFilings: m.datasets.some(dataset => READ.has(dataset)),
  }))
  const decisions = await db.rows(`
    SELECT name, lei, cik, ticker, decided_at FROM in_links
    QUALIFY row_number() OVER (PARTITION BY name, lei, cik
      ORDER BY decided_at DESC NULLS LAST, ingested_at DESC, source, ${tieBreak('in_links')}) = 1
    ORDER BY name NULLS LAST, lei NULLS LAST, cik NULLS LAST`)
  const { links, companies, groups, suggestions } = linkIssuers({
    mentions: mentioned,
    registry: await registryOf(db, registries),
    decisions: decisions as never,
    evidence: await groupEvidence(db, mentionRows, asOf),
    suggest: listMentions,
  })
  const shown = companies.filter(shownCompanies(mentionRows, links, companies, groups))
  const column = <T>(rows: readonly T[], pick: (row: T) => unknown) => rows.map(pick)
  await db.run(`
    CREATE OR REPLACE TABLE mention_link (ticker VARCHAR, cik VARCHAR, lei VARCHAR, name VARCHAR, company_id VARCHAR,
      method VARCHAR, candidates VARCHAR);
    CREATE OR REPLACE TABLE issuer_group (company_id VARCHAR, group_id VARCHAR, group_by VARCHAR, group_reason VARCHAR)`)
  await db.append(
    'mention_link',
    [
      column(mentionRows, m => m.ticker),
      column(mentionRows, m => m.cik),
      column(mentionRows, m => m.lei),
      column(mentionRows, m => m.name),
      column(links, l => l.company_id),
      column(links, l => l.method),
      column(links, l => JSON.stringify(l.candidates)),
    ],
    mentionRows.length,
  )
  await db.append(
    'issuer_group',
    [
      column([...groups], ([issuer]) => issuer),
      column([...groups], ([, group]) => group.group_id),
      column([...groups], ([, group]) => group.group_by),
      column([...groups], ([, group]) => group.group_reason),
    ],
    groups.size,
  )
  await writeCompanies(db, shown)
  await db.run(`
    CREATE OR REPLACE TABLE company_link AS
      SELECT DISTINCT ticker, cik, lei, name AS company_name, company_id FROM mention_link;
    CREATE OR REPLACE TABLE company_of_cik AS
      SELECT cik, min(company_id) AS company_id FROM (
        SELECT cik, company_id FROM mention_link WHERE cik IS NOT NULL
        UNION ALL SELECT cik, company_id FROM companies_base WHERE cik IS NOT NULL) GROUP BY cik`)
  const listed = listMentions
    ? mentionRows.map((mention, i) =>
        JSON.stringify(linked(mention, elementAt(links, i), groups, suggestions)),
      )
    : []
  await db.run('CREATE OR REPLACE TABLE issuer_mentions (n INTEGER, mention VARCHAR)')
  await db.append('issuer_mentions', [Int32Array.from(listed.keys()), listed], listed.length)
}

/** A mention with the company that it means, and if that is a bond issuer, its group or the companies it may belong to. */
function linked(
  mention: Mention & Pick<LinkedMention, 'rows' | 'datasets'>,
  link: Linked,
  groups: ReadonlyMap<string, Group>,
  suggestions: ReadonlyMap<string, readonly Suggested[]>,
): LinkedMention {
  const { company_id } = link
  const isIssuer = mention.datasets.includes('bonds') && company_id !== null
  const those = isIssuer ? suggestions.get(company_id) : undefined
  return {
    ...mention,
    ...link,
    ...(isIssuer && groups.get(company_id)),
    ...(those && { suggestions: those }),
  }
}

/** Each mention of a company that was listed, as JSON. */
export async function listedMentions(db: Database): Promise<string[]> {
  const rows = await db.rows<{ mention: string }>('SELECT mention FROM issuer_mentions ORDER BY n')
  return rows.map(({ mention }) => mention)
}

/** The registry of the lists known on the day, or that of another day with the same lists. */
async function registryOf(db: Database, registries: RegistryMemory | undefined): Promise<Registry> {
  const key = registries
    ? `${await fingerprintOfRows(db, 'FROM in_companies')} ${await fingerprintOfRows(db, 'FROM in_directory')}`
    : ''
  const before = registries?.find(key)
  if (before) return before
  const declared = await db.rows<CompanyRow>(`
    SELECT * EXCLUDE (source, ingested_at, known_from) FROM in_companies
    QUALIFY row_number() OVER (PARTITION BY ticker, cik, name
      ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source, ${tieBreak('in_companies')}) = 1
    ORDER BY ticker NULLS LAST, cik NULLS LAST, name`)
  const directory = await db.rows<DirectoryRow>(`
    SELECT d.* EXCLUDE (source, ingested_at, known_from), q.quarters FROM in_directory d
    LEFT JOIN (SELECT cik, list_sort(list(DISTINCT regexp_replace(source, ':[^:]*$', ''))) AS quarters FROM in_directory
      WHERE registry = 'sec_filers' AND cik IS NOT NULL GROUP BY cik) q ON d.registry = 'sec_filers' AND q.cik = d.cik
    QUALIFY row_number() OVER (PARTITION BY registry, ticker, d.cik, lei, name
      ORDER BY known_from DESC NULLS LAST, ingested_at DESC, source, ${tieBreak('d')}) = 1
    ORDER BY registry, position, name, ticker, d.cik, lei`)
  const made = new Registry(declared, directory)
  registries?.keep(key, made)
  return made
}

/** Companies that are more than a bond issuer within a group. */
function shownCompanies(
  mentionRows: readonly { datasets: readonly string[] }[],
  links: readonly Linked[],
  companies: readonly Company[],
  groups: ReadonlyMap<string, Group>,
): (company: Company) => boolean {
  const spokenOf = new Set<string | null>(
    links.flatMap((link, i) =>
      elementAt(mentionRows, i).datasets.some(dataset => dataset !== 'bonds') ? [link.company_id] : [],
    ),
  )
  for (const { group_id } of groups.values()) spokenOf.add(group_id)
  const loaded = new Set(companies.filter(c => c.linked_by === 'companies').map(c => c.company_id))
  return ({ company_id }) => !groups.has(company_id) || spokenOf.has(company_id) || loaded.has(company_id)
}

/**
 * Evidence about groups in the lake: bonds by issuer, lists of entities, consolidation by LEI, CUSIP issuer codes.
 */
async function groupEvidence(
  db: Database,
  mentionRows: readonly Mention[],
  asOf: string,
): Promise<GroupEvidence> {
  const key = ({ ticker, cik, lei, name }: Mention) => JSON.stringify([ticker, cik, lei, name])
  const places = new Map(mentionRows.map((m, i) => [key(m), i]))
  const bonds = await db.rows<Mention & { cusip6s: string[] | null; sector: string | null }>(`
    SELECT ticker, cik, issuer_lei AS lei, coalesce(issuer_name, company_name) AS name,
      list_sort(list(DISTINCT cusip[1:6]) FILTER (WHERE cusip IS NOT NULL)) AS cusip6s, mode(sector ORDER BY sector) AS sector
    FROM unlinked_bonds WHERE ticker IS NULL GROUP BY ALL ORDER BY ALL`)
  const entities = await db.rows<
    Omit<Mention, 'lei' | 'name'> & {
      company_name: string | null
      name: string
      document_type: string | null
    }
  >(`
    SELECT DISTINCT ticker, cik, company_name, name, document_type FROM in_entities WHERE name IS NOT NULL
    ORDER BY ticker NULLS LAST, cik NULLS LAST, company_name NULLS LAST, name, document_type NULLS LAST`)
  const parents = await db.rows<{ child: string; lei: string; name: string | null }>(`
    SELECT DISTINCT o.child_lei AS child, o.parent_lei AS lei, d.name FROM in_ownership o
    LEFT JOIN (SELECT lei, min(name) AS name FROM in_directory WHERE lei IS NOT NULL GROUP BY lei) d ON d.lei = o.parent_lei
    WHERE o.parent_lei IS NOT NULL AND o.child_lei IS NOT NULL AND o.ended_date IS NULL
      AND NOT EXISTS (SELECT 1 FROM in_ownership e WHERE e.child_lei = o.child_lei AND e.parent_lei = o.parent_lei AND e.ended_date IS NOT NULL)
    ORDER BY 1, 2`)
  const codes = await db.rows<{ cusip6: string; ciks: string[] }>(
    `SELECT cusip6, list_sort(list(DISTINCT cik)) AS ciks FROM in_issuer_codes
     WHERE cusip6 IN (SELECT cusip[1:6] FROM unlinked_bonds) GROUP BY 1 ORDER BY 1`,
  )
  const above = new Map<string, { lei: string; name: string | null }[]>()
  for (const { child, lei, name } of parents) above.set(child, [...(above.get(child) ?? []), { lei, name }])
  return {
    asOf,
    bonds: bonds.flatMap(b => {
      const mention = places.get(key({ ticker: b.ticker, cik: b.cik, lei: b.lei, name: b.name }))
      return mention === undefined ? [] : [{ mention, cusip6s: b.cusip6s ?? [], sector: b.sector }]
    }),
    entities: entities.flatMap(e => {
      const mention = places.get(key({ ticker: e.ticker, cik: e.cik, lei: null, name: e.company_name }))
      return mention === undefined ? [] : [{ mention, name: e.name, document_type: e.document_type }]
    }),
    parents: above,
    codes: new Map(codes.map(({ cusip6, ciks }) => [cusip6, ciks])),
  }
}

/** `companies_base`, with each company's sector from the one map, and the label it came from. */
async function writeCompanies(db: Database, companies: readonly Company[]): Promise<void> {
  const labels = await db.rows<{ company_id: string; fund: string | null; rated: string | null }>(`
    WITH said AS (
      SELECT ticker, cik, issuer_lei AS lei, coalesce(issuer_name, company_name) AS name, sector AS fund, NULL AS rated FROM unlinked_bonds
      UNION ALL SELECT ticker, cik, NULL, company_name, NULL, sector FROM in_ratings)
    SELECT coalesce(g.group_id, l.company_id) AS company_id, mode(s.fund ORDER BY s.fund) AS fund, mode(s.rated ORDER BY s.rated) AS rated
    FROM said s JOIN mention_link l ON l.ticker IS NOT DISTINCT FROM s.ticker AND l.cik IS NOT DISTINCT FROM s.cik
      AND l.lei IS NOT DISTINCT FROM s.lei AND l.name IS NOT DISTINCT FROM s.name
    LEFT JOIN issuer_group g ON g.company_id = l.company_id AND s.fund IS NOT NULL
    WHERE coalesce(s.fund, s.rated) IS NOT NULL AND l.company_id IS NOT NULL GROUP BY 1 ORDER BY 1`)
  const labelled = new Map(labels.map(row => [row.company_id, row]))
  const rows = companies.map(c => {
    const { fund, rated } = labelled.get(c.company_id) ?? {}
    const { sector, source } = sectorOf({ name: c.name, listed: c.sector, sic: c.sic, fund, rated })
    return { ...c, sector, sector_source: source }
  })
  await db.run(`
    CREATE OR REPLACE TABLE companies_base (company_id VARCHAR, ticker VARCHAR, name VARCHAR, cik VARCHAR, lei VARCHAR,
      sector VARCHAR, sector_source VARCHAR, industry VARCHAR, sic VARCHAR, country VARCHAR, fiscal_year_end VARCHAR, coverage VARCHAR,
      aliases VARCHAR, former_names VARCHAR);
    CREATE OR REPLACE TABLE sector_label (label VARCHAR, sector VARCHAR)`)
  const column = (pick: (row: (typeof rows)[number]) => unknown) => rows.map(pick)
  await db.append(
    'companies_base',
    [
      column(c => c.company_id),
      column(c => c.ticker),
      column(c => c.name),
      column(c => c.cik),
      column(c => c.lei),
      column(c => c.sector),
      column(c => c.sector_source),
      column(c => c.industry),
      column(c => c.sic),
      column(c => c.country),
      column(c => c.fiscal_year_end),
      column(c => c.coverage ?? 'standard'),
      column(c => JSON.stringify(c.aliases)),
      column(c => JSON.stringify(c.former_names)),
    ],
    rows.length,
  )
  await db.append(
    'sector_label',
    [
      sectorLabels.map(({ label }) => label.toUpperCase()),
      sectorLabels.map(({ sectors }) => sectors[0] ?? null),
    ],
    sectorLabels.length,
  )
}
