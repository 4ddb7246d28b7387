import { readFile } from 'node:fs/promises'
import { invalid, QueryError } from '../engine/base/errors.ts'
import type { LinkedMention } from '../engine/derive/issuers/issuers.ts'
import type { Lake } from '../engine/lake/lake.ts'
import { nearest } from '../engine/names/nearest.ts'
import { boolean, integer, list, nullable, text } from '../engine/schema/column.ts'
import { links as linksDataset } from '../engine/schema/datasets/links.ts'
import { fallback, one } from '../engine/schema/params.ts'
import {
  isUnlinked,
  type LinkDecision,
  linkDecision,
  mentionsOf,
  readLinks,
  storeLinks,
} from '../engine/snapshot/links.ts'
import { command, lakeFolder, lakeParams } from './command.ts'
import { exits } from './errors.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'

const { lei, cik, ticker } = linksDataset.columns

const columns = {
  name: nullable(text('Name as in the source.')),
  ticker,
  cik,
  lei,
  rows: integer('Rows with this name.'),
  datasets: list('Where.'),
  company_id: nullable(text('The matched company.')),
  method: text('How it was matched; "own" if it was not.'),
  group_id: nullable(text('The filing company of an unlisted bond issuer.')),
  group_by: nullable(text('Evidence for the group.')),
  candidates: list('Candidates by number, with the evidence for each.'),
}

const actions = ['list', 'set', 'import'] as const

export const linkCommand = command({
  word: 'link',
  words: '[list | set NAME TICKER | import FILE]',
  firstWords: actions,
  params: {
    all: fallback(one(boolean('Also list matched names, and how they were matched.')), false),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'list     names that match no company (--all: every name, with its match)\n' +
    'set      links a name, an LEI or a CIK to a ticker, or to one of its numbered candidates;\n' +
    '         "-" keeps it apart as its own company\n' +
    'import   reads links from a CSV with the columns name, lei, cik, ticker\n' +
    'Links take effect with the next build.',
  examples: [
    '',
    'set "ACME FINANCE CORP" ACME',
    'set "ACME FINANCE CORP" 1',
    'set 5493001KJTIIGC8Y1R12 ACME',
    'import links.csv',
  ],
  async run({ lake, all, ...outputOptions }, { words: [action = 'list', ...words] }) {
    const choice = chooseOutput(outputOptions, onTerminal())
    const { openLake } = await import('../engine/lake/lake.ts')
    if (action === 'list') {
      if (words.length > 0)
        throw invalid('words', words[0], `link list takes no further argument: ${words[0]}`)
      const lines = await linksOf(await openLake(lakeFolder(lake)))
      const shown = lines.filter(l => all || isUnlinked(l)).sort((a, b) => b.rows - a.rows)
      await writeList(columns, shown.map(withCandidates), choice)
      notice(
        all
          ? `${shown.length} company names`
          : `${shown.length} of ${lines.length} company names match no company; "tranche link set NAME TICKER" links one, "tranche link set NAME 1" takes its first candidate`,
      )
      return undefined
    }
    if (action === 'set') {
      const [who, to, ...more] = words
      if (who === undefined || to === undefined || more.length > 0)
        throw new QueryError(
          'MISSING_PARAMETER',
          'give a name in quotes and a ticker: link set "ACME FINANCE CORP" ACME',
          {
            parameter: 'words',
          },
        )
      const opened = await openLake(lakeFolder(lake))
      const ticker = /^\d{1,2}$/.test(to.trim()) ? candidateOf(await linksOf(opened), who, Number(to)) : to
      return decide(opened, [linkDecision(who, ticker)], 'link set')
    }
    if (action === 'import') {
      const [file, ...more] = words
      if (file === undefined || more.length > 0)
        throw new QueryError('MISSING_PARAMETER', 'give one CSV: link import FILE', { parameter: 'words' })
      return decide(await openLake(lakeFolder(lake)), await readDecisions(file), file)
    }
    const meant = nearest(action, actions)
    throw invalid(
      'action',
      action,
      `there is no "link ${action}"${meant ? `; did you mean ${meant}?` : ''}`,
      {
        allowed: actions,
        ...(meant && { suggestion: meant }),
      },
    )
  },
})

/** Candidates in one line: `1 TMUS T-Mobile US, Inc.: its name begins so too`. */
function withCandidates({ suggestions, candidates, ...mention }: LinkedMention) {
  const numbered = suggestions?.map(
    ({ ticker, name, reason }, i) => `${i + 1} ${ticker ?? '-'} ${name}: ${reason}`,
  )
  return {
    ...mention,
    group_id: mention.group_id ?? null,
    group_by: mention.group_by ?? null,
    candidates: numbered ?? candidates,
  }
}

/** The ticker of a candidate by its number. */
export function candidateOf(mentions: readonly LinkedMention[], who: string, number: number): string {
  const meant = mentionsOf(mentions, who)
  const suggestions = meant.find(m => m.suggestions && m.suggestions.length > 0)?.suggestions ?? []
  const ticker = suggestions[number - 1]?.ticker
  if (ticker) return ticker
  throw new QueryError(
    'NOT_FOUND',
    suggestions.length === 0
      ? `${who} has no candidates; give a ticker, and see "tranche link" for names that match none`
      : `${who} has candidates 1 to ${suggestions.length}, not ${number}`,
  )
}

/** How the current snapshot matched each name. */
async function linksOf(lake: Lake): Promise<LinkedMention[]> {
  const { currentManifest } = await import('../engine/lake/snapshot.ts')
  return readLinks(lake, await currentManifest(lake))
}

async function readDecisions(file: string): Promise<LinkDecision[]> {
  const { parse } = await import('csv-parse/sync')
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new QueryError('NOT_FOUND', `file ${file}: there is no such file`) : error
  })
  const known = ['name', 'lei', 'cik', 'ticker']
  const header = (names: string[]) => {
    const trimmed = names.map(n => n.trim().toLowerCase())
    const odd = trimmed.find(n => !known.includes(n))
    if (odd !== undefined || !trimmed.includes('ticker'))
      throw invalid(
        'file',
        file,
        `${file} must have the columns ticker and any of name, lei, cik${odd === undefined ? '' : `, not ${odd}`}`,
      )
    return trimmed
  }
  const rows = parse(content, { bom: true, columns: header, skip_empty_lines: true, trim: true }) as Record<
    string,
    string
  >[]
  return rows.map(row => {
    const cell = (column: string) => row[column] || null
    return {
      name: cell('name'),
      lei: cell('lei'),
      cik: cell('cik'),
      ticker: row['ticker'] === '-' ? null : cell('ticker'),
    }
  })
}

/** Stores links in the lake, and warns about those that match nothing. */
async function decide(
  lake: Lake,
  decisions: readonly LinkDecision[],
  source: string,
): Promise<number | undefined> {
  const { accepted, rejected, reasons } = await stoppable(signal =>
    storeLinks(lake, decisions, source, { signal }),
  )
  for (const [reason, count] of Object.entries(reasons)) notice(`rejected ${count}: ${reason}`)
  const { readCurrent } = await import('../engine/lake/snapshot.ts')
  if ((await readCurrent(lake)) !== null)
    for (const text of unanswered(decisions, await linksOf(lake))) notice(text)
  notice(
    `${accepted} ${accepted === 1 ? 'decision' : 'decisions'} kept; run "tranche build" to use ${accepted === 1 ? 'it' : 'them'}`,
  )
  return accepted === 0 && rejected > 0 ? exits.damaged : undefined
}

/** Links of names that no row has, with the nearest existing name. */
function unanswered(decisions: readonly LinkDecision[], mentions: readonly LinkedMention[]): string[] {
  const names = mentions.flatMap(m => m.name ?? [])
  const known = new Set(names.map(n => n.toLowerCase()))
  return decisions.flatMap(({ name }) => {
    if (name === null || known.has(name.toLowerCase())) return []
    const meant = nearest(name, names)
    return [`warning: no row names ${name} in just these words${meant ? `; did you mean ${meant}?` : ''}`]
  })
}
