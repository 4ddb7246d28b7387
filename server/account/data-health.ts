import { QueryError } from '../../engine/base/errors.ts'
import type { Suggested } from '../../engine/derive/issuers/groups.ts'
import type { LinkedMention } from '../../engine/derive/issuers/issuers.ts'
import type { Engine } from '../../engine/engine.ts'
import { readImports } from '../../engine/lake/imports.ts'
import { currentManifest } from '../../engine/lake/snapshot.ts'
import { text } from '../../engine/schema/column.ts'
import { one, required } from '../../engine/schema/params.ts'
import { freshnessText } from '../../engine/snapshot/as-of-day.ts'
import { sourceKinds, staleTables } from '../../engine/snapshot/data-health.ts'
import {
  isUnlinked,
  type LinkDecision,
  linkDecision,
  mentionsOf,
  pendingLinks,
  readLinks,
  storeLinks,
} from '../../engine/snapshot/links.ts'
import { adviceOf, refusalAdvice, refusals, sentenceOf } from '../../engine/snapshot/quality.ts'
import { partParams } from './credits.ts'
import { forAdmins } from './operation.ts'
import { checkMayWrite, isWritable, MEMORY } from './write-lake.ts'

/** What "tranche doctor --data" reports. */
const show = forAdmins({
  name: 'admin.data_health',
  method: 'GET',
  path: '/admin/data-health',
  params: {},
  async handle({ engine: { lake } }) {
    const [manifest, records] = await Promise.all([currentManifest(lake), readImports(lake)])
    const { id, created, as_of, quality, freshness, notes } = manifest
    const { tables, findings } = quality ?? { tables: [], findings: [] }
    const { rows, files } = refusals(records)
    const data = {
      snapshot: id,
      built_at: created,
      as_of,
      tables,
      stale: as_of === null ? [] : staleTables(tables, as_of),
      freshness: freshness ? freshnessText(freshness) : [],
      notes,
      findings: findings.map(finding => ({
        check: finding.check,
        severity: finding.severity,
        says: sentenceOf(finding),
        do: adviceOf(finding.check),
      })),
      sources: sourceKinds(records),
      rejected: rows.map(row => ({ ...row, do: refusalAdvice.rows(row.reason) })),
      refused: files.map(({ reason, names }) => ({
        reason,
        count: names.length,
        examples: names.slice(0, 3),
        do: refusalAdvice.files,
      })),
    }
    return { body: { data } }
  },
})

const keyOf = ({ name, lei, cik }: LinkDecision): string => JSON.stringify([name?.toUpperCase(), lei, cik])

/** Names that match no company, those with candidates first, with what was decided since the last build. */
const unlinked = forAdmins({
  name: 'admin.unlinked_issuers',
  method: 'GET',
  path: '/admin/unlinked-issuers',
  params: partParams,
  async handle({ engine: { lake } }, part) {
    const [mentions, pending, writable] = await Promise.all([
      currentManifest(lake).then(manifest => readLinks(lake, manifest)),
      pendingLinks(lake),
      isWritable(lake),
    ])
    const decided = new Map(pending.map(decision => [keyOf(decision), decision.ticker]))
    const rows = unlinkedIssuers(mentions).map(issuer => ({
      ...issuer,
      link: decided.get(keyOf(linkDecision(issuer.who, '-'))) ?? null,
    }))
    const waiting = pending.filter(({ ticker }) => ticker !== null).length
    return {
      body: {
        data: rows.slice(part.offset, part.offset + part.limit),
        meta: { total: rows.length, ...part, writable, pending: waiting },
      },
    }
  },
})

interface UnlinkedIssuer {
  readonly who: string
  readonly rows: number
  readonly datasets: readonly string[]
  readonly candidates: readonly Suggested[]
}

/** One entry a name: sources give some of them with different identifiers. */
function unlinkedIssuers(mentions: readonly LinkedMention[]): UnlinkedIssuer[] {
  const issuers = new Map<string, UnlinkedIssuer>()
  for (const { name, lei, cik, rows, datasets, suggestions = [] } of mentions.filter(isUnlinked)) {
    const who = name ?? lei ?? cik
    if (who === null) continue
    const before = issuers.get(who)
    issuers.set(who, {
      who,
      rows: rows + (before?.rows ?? 0),
      datasets: [...new Set([...(before?.datasets ?? []), ...datasets])],
      candidates: before?.candidates.length ? before.candidates : suggestions,
    })
  }
  return [...issuers.values()].sort(
    (a, b) => Number(b.candidates.length > 0) - Number(a.candidates.length > 0) || b.rows - a.rows,
  )
}

/** As "tranche link set": the next build applies it. */
const accept = forAdmins({
  name: 'admin.links.set',
  method: 'POST',
  path: '/admin/links',
  params: {
    who: required(one(text('Name, LEI or CIK as in the source.'), { length: 500 })),
    ticker: required(one(text('Ticker of the company it belongs to; - undoes a link.'), { length: 20 })),
  },
  async handle({ engine, session, audit, now }, { who, ticker }) {
    const { lake } = engine
    const decision = linkDecision(who, ticker)
    await checkLink(engine, who, decision.ticker)
    // The name comes from a file: it is not put into a command that somebody pastes into a shell.
    await checkMayWrite(lake, 'run "tranche link set" with this name and ticker where it is built')
    await storeLinks(lake, [decision], 'explorer', { now: new Date(now), memory: MEMORY })
    audit('issuer linked', { email: session.email, who, ticker: decision.ticker })
    return { status: 201, body: { data: { who, ticker: decision.ticker } } }
  },
})

/** Some row must name it, and the ticker be one of its candidates or in the lake. */
async function checkLink(engine: Engine, who: string, ticker: string | null): Promise<void> {
  const mentions = mentionsOf(await readLinks(engine.lake, await currentManifest(engine.lake)), who)
  if (mentions.length === 0) throw new QueryError('NOT_FOUND', `no row names ${who} in just these words`)
  const isCandidate = mentions.some(({ suggestions = [] }) => suggestions.some(one => one.ticker === ticker))
  if (ticker === null || isCandidate) return
  await engine.ask('search.companies', { ticker, limit: 1, fields: ['ticker'] })
}

export const dataHealthOperations = [show, unlinked, accept]
