import { join } from 'node:path'
import { invalid, QueryError } from '../engine/base/errors.ts'
import type { FetchReport, FetchRequest, Source } from '../engine/fetch/fetch.ts'
import type { FetchProgress, FileOutcome } from '../engine/fetch/session.ts'
import { boolean, integer, number, text } from '../engine/schema/column.ts'
import { fallback, many, one } from '../engine/schema/params.ts'
import { type Actions, readAction, requireOption } from './actions.ts'
import { followBuild } from './build-progress.ts'
import { command, lakeFolder, lakeParams, verbatim } from './command.ts'
import { exitCode, exits } from './errors.ts'
import { inWorker } from './in-worker.ts'
import { ingestExit, ingestStep } from './ingest.ts'
import { summary } from './ingest-summary.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'
import { showProgress } from './progress.ts'

const columns = {
  what: text('Kind of file: the folder that holds it.'),
  files: integer('Files wanted.'),
  fetched: integer('New.'),
  changed: integer('Newer than before.'),
  unchanged: integer('Asked for, and as before.'),
  present: integer('Not asked for: they never change.'),
  failed: integer('Not received.'),
  bytes: integer('Size of those that are there.', { unit: 'bytes' }),
}

/** Which options go with which source, and with an update of everything. */
const general = ['agent', 'to', 'mirror', 'per_second', 'update', 'ingest', 'build']
const actions = {
  sec: { words: 0, options: ['tickers', 'ciks', 'since', 'forms', ...general] },
  treasury: { words: 0, options: ['since', ...general] },
  fred: { words: 0, options: ['series', 'since', ...general] },
  nport: { words: 0, options: ['funds', 'quarters', 'since', ...general] },
  gleif: { words: 0, options: general },
} as const satisfies Actions & Record<Source, unknown>

export const fetchCommand = command({
  word: 'fetch',
  words: '[sec | treasury | fred | nport | gleif]',
  firstWords: Object.keys(actions),
  params: {
    tickers: many(text('Companies by ticker.', { example: 'AAPL,VZ' })),
    ciks: many(text('Companies by CIK: for those without a ticker.', { example: '732712' })),
    funds: many(text('Funds by ticker, series or CIK of their registrant.', { example: 'LQD,S000004361' })),
    quarters: many(
      text('Quarters of the data sets of all funds, 0.4 GB each.', { example: '2026q1,2026q2' }),
    ),
    series: many(
      text('FRED series; default the Treasury yields and index spreads that ingest reads.', {
        example: 'DGS10',
      }),
    ),
    since: one(
      text(
        'A year or a day: filings and curves from then on. Default two years for sec and treasury, everything for fred, the newest report for nport.',
        { example: '2022' },
      ),
    ),
    forms: many(
      text('Forms of filings, with their amendments; default 10-K,10-Q,8-K,20-F,40-F,6-K.', {
        example: '10-K,10-Q,8-K,424B5',
      }),
    ),
    update: fallback(
      one(boolean('Ask again for everything fetched before, or for what came of the named source.')),
      false,
    ),
    ingest: fallback(one(boolean('Then ingest the whole folder.')), false),
    build: fallback(one(boolean('Then ingest the whole folder, and build a snapshot.')), false),
    agent: verbatim(
      'Who asks: a name and a mail address, which the SEC demands of programs; default TRANCHE_USER_AGENT.',
      'TEXT',
    ),
    to: verbatim("Folder to keep the files in; default the lake's with -fetched after its name.", 'DIR'),
    per_second: one(number('Most requests a second to one publisher; default 5 to the SEC, 1 to others.'), {
      min: 0.01,
      max: 10,
    }),
    mirror: verbatim(
      'Ask this server, below which each public host is a folder, instead; default TRANCHE_FETCH_MIRROR.',
      'URL',
    ),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'sec       submissions, company facts, and filings with exhibits and XBRL figures\n' +
    'treasury  the daily par yield curve\n' +
    'fred      Treasury yields and index spreads\n' +
    'nport     holdings and marks of funds, or of all funds by quarter\n' +
    'gleif     legal entity identifiers and parents: 0.5 GB at first, then only changes\n' +
    'Nothing is asked for unless named here. Files are kept as received, with address and SHA-256 in\n' +
    '.fetch/manifest.ndjson. Run again after an interruption, it continues; --update each night asks for changes only.\n' +
    'Exit code 5 if a file could not be had.',
  examples: [
    'sec --tickers AAPL,VZ --since 2022 --agent "Jane Doe jane@example.com"',
    'treasury --since 2022',
    'nport --funds LQD,HYG',
    'nport --quarters 2026q2',
    '--update --build',
  ],
  async run({ lake, format, output, csv_safe, no_pager, ...options }, { words: [word, ...words], input }) {
    const choice = chooseOutput({ format, output, csv_safe, no_pager }, onTerminal())
    const { update, ingest, build } = options
    const own = Object.fromEntries(
      Object.keys(input)
        .filter(name => name in options)
        .map(name => [name, input[name]]),
    )
    const source = word === undefined ? null : readAction('fetch', actions, word, words, own)
    if (update) for (const name of Object.keys(own)) refuseWithUpdate(name)
    if (source === null && !update)
      throw new QueryError(
        'MISSING_PARAMETER',
        'name what to fetch: tranche fetch sec --tickers AAPL,VZ, or treasury, fred, nport, gleif; --update repeats what was fetched before',
        { parameter: 'source' },
      )
    const [{ fetchAgain, fetchSources }, { AGENT_HELP }] = await Promise.all([
      import('../engine/fetch/fetch.ts'),
      import('../engine/fetch/http-client.ts'),
    ])
    const agent = options.agent ?? process.env['TRANCHE_USER_AGENT']
    if (!agent) throw new QueryError('MISSING_PARAMETER', AGENT_HELP, { parameter: 'agent' })
    const folder = lakeFolder(lake)
    const to = options.to ?? `${folder.replace(/(?<!\/)\/+$/, '')}-fetched`
    const mirror = options.mirror ?? process.env['TRANCHE_FETCH_MIRROR']
    const request = update ? null : await requestOf(source!, options)
    const progress = showProgress()
    const report = await stoppable(signal => {
      const how = {
        to,
        agent,
        signal,
        progress: (at: FetchProgress) => progress.report(fetchStep(at)),
        ...(mirror && { mirror }),
        ...(options.per_second !== undefined && { perSecond: options.per_second }),
      }
      return request ? fetchSources([request], how) : fetchAgain(how, source ?? undefined)
    }).finally(progress.end)
    await writeList(columns, countedByFolder(report.files), choice)
    for (const line of reportLines(report, to)) notice(line)
    const code = fetchExit(report)
    if (!ingest && !build) return code
    return (await ingestFolder(folder, to, report, build)) ?? code
  },
})

/** An update repeats earlier requests as they were. */
function refuseWithUpdate(name: string): void {
  if (['tickers', 'ciks', 'funds', 'quarters', 'series', 'since', 'forms'].includes(name))
    throw invalid(
      name,
      null,
      `${name} does not go with --update, which repeats earlier requests: name it without --update`,
    )
}

interface SourceOptions {
  readonly tickers?: string[] | undefined
  readonly ciks?: string[] | undefined
  readonly funds?: string[] | undefined
  readonly quarters?: string[] | undefined
  readonly series?: string[] | undefined
  readonly since?: string | undefined
  readonly forms?: string[] | undefined
}

async function requestOf(
  source: Source,
  { tickers, ciks, funds, quarters, series, since, forms }: SourceOptions,
): Promise<FetchRequest> {
  const upper = (list: readonly string[] = []) => list.map(item => item.trim().toUpperCase())
  const from = since === undefined ? null : dayOf(since)
  const usually = `${new Date().getUTCFullYear() - 2}-01-01`
  switch (source) {
    case 'sec': {
      if (tickers === undefined && ciks === undefined)
        throw new QueryError(
          'MISSING_PARAMETER',
          'name companies: tranche fetch sec --tickers AAPL,VZ, or --ciks for those without a ticker',
          {
            parameter: 'tickers',
          },
        )
      const { usualForms } = await import('../engine/fetch/sec.ts')
      return {
        source,
        tickers: upper(tickers),
        ciks: (ciks ?? []).map(cikIn),
        since: from ?? usually,
        forms: forms ? upper(forms) : usualForms,
      }
    }
    case 'treasury':
      return { source, since: from ?? usually }
    case 'fred': {
      const { usualSeries } = await import('../engine/fetch/fred.ts')
      return { source, series: series ? upper(series).map(seriesIn) : usualSeries, since: from }
    }
    case 'nport':
      return {
        source,
        funds:
          quarters && !funds
            ? []
            : upper(requireOption('funds', funds, 'tranche fetch nport --funds LQD,HYG')),
        since: from,
        ...(quarters && { quarters: quarters.map(quarterIn) }),
      }
    case 'gleif':
      return { source }
  }
}

/** `2022` or `2022-03-01` as a day. */
function dayOf(since: string): string {
  const day = /^\d{4}$/.test(since) ? `${since}-01-01` : since
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(day) && day >= '1990') return day
  throw invalid('since', since, 'since must be a year or a day from 1990 on: 2022 or 2022-03-01')
}

function cikIn(text: string): string {
  const digits = /^(?:CIK)?(\d{1,10})$/i.exec(text.trim())?.[1]
  if (digits) return digits
  throw invalid(
    'ciks',
    text,
    `ciks are numbers of up to ten digits, not ${text}: a ticker goes into --tickers`,
  )
}

function seriesIn(text: string): string {
  if (/^[A-Z0-9_]{2,40}$/.test(text)) return text
  throw invalid('series', text, `${text} is not the name of a FRED series, such as DGS10 or BAMLH0A0HYM2`)
}

function quarterIn(text: string): string {
  const quarter = text.trim().toLowerCase()
  if (/^20\d{2}q[1-4]$/.test(quarter)) return quarter
  throw invalid('quarters', text, `${text} is not a quarter such as 2026q2`)
}

const fetchStep = ({ file, files, bytes }: FetchProgress) => ({
  label: `${files.toLocaleString('en-US')} files: ${file}`,
  done: bytes,
  unit: 'bytes' as const,
})

/** `sec/filings/0000320193/x.txt` counts as `sec/filings`. */
function countedByFolder(files: readonly FileOutcome[]) {
  const counts = new Map<
    string,
    { what: string; files: number; bytes: number } & Record<FileOutcome['status'], number>
  >()
  for (const { file, status, bytes } of files) {
    const what = file.split('/').slice(0, -1).slice(0, 2).join('/')
    const count = counts.get(what) ?? {
      what,
      files: 0,
      fetched: 0,
      changed: 0,
      unchanged: 0,
      present: 0,
      failed: 0,
      bytes: 0,
    }
    count.files++
    count[status]++
    count.bytes += bytes
    counts.set(what, count)
  }
  return [...counts.values()]
}

const MOST_SHOWN = 20

function reportLines({ files, notes, stopped }: FetchReport, to: string): string[] {
  const failed = files.filter(({ status }) => status === 'failed')
  const lines = [...notes, ...failed.map(({ file, reason }) => `${file} failed: ${reason}`)]
  const arrived = files.filter(({ status }) => ['fetched', 'changed'].includes(status))
  return [
    ...lines.slice(0, MOST_SHOWN),
    ...(lines.length > MOST_SHOWN ? [`… and ${lines.length - MOST_SHOWN} more of this kind`] : []),
    ...stopped.map(({ source, error }) => `${source} stopped: ${error.message}`),
    `${arrived.length.toLocaleString('en-US')} new or changed ${arrived.length === 1 ? 'file' : 'files'} in ${to}`,
    ...(failed.length > 0 ? ['run the same command again for those that failed: it continues'] : []),
  ]
}

const fetchExit = ({ files, stopped }: FetchReport): number | undefined => {
  const [first] = stopped
  if (first) return exitCode(first.error)
  return files.some(({ status }) => status === 'failed') ? exits.busy : undefined
}

/** Ingests all files of the folder, and builds if asked to. What the lake has already is only compared. */
async function ingestFolder(
  lake: string,
  to: string,
  { held }: FetchReport,
  isBuilt: boolean,
): Promise<number | undefined> {
  if (held.length === 0) return undefined
  const progress = showProgress()
  const job = { lake, paths: held.map(file => join(to, file)), options: {} }
  const report = await stoppable(signal =>
    inWorker('ingest', job, at => progress.report(ingestStep(at)), signal),
  ).finally(progress.end)
  for (const line of summary(report)) if (!isBuilt || !line.startsWith('run "tranche build"')) notice(line)
  const code = ingestExit(report, false)
  if (!isBuilt || code === exits.bug) return code
  const stepOf = followBuild()
  const { manifest } = await stoppable(signal =>
    inWorker('build', { lake, options: {} }, label => progress.report(stepOf(label)), signal),
  ).finally(progress.end)
  const { freshnessText } = await import('../engine/snapshot/as-of-day.ts')
  for (const sentence of manifest.freshness ? freshnessText(manifest.freshness) : []) notice(sentence)
  notice(`snapshot ${manifest.id} is current; try: tranche companies --sort -total_debt`)
  return code
}
