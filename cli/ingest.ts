import { stat } from 'node:fs/promises'
import { QueryError } from '../engine/base/errors.ts'
import type { IngestProgress } from '../engine/ingest/ingest.ts'
import type { IngestReport } from '../engine/ingest/report.ts'
import { boolean, date, integer, json, list, nullable, oneOf, text } from '../engine/schema/column.ts'
import { fallback, one } from '../engine/schema/params.ts'
import { command, lakeFolder, lakeParams, verbatim } from './command.ts'
import { exits } from './errors.ts'
import { inWorker } from './in-worker.ts'
import { byKind, fileLines, kindColumns, summary } from './ingest-summary.ts'
import { stoppable } from './interrupt.ts'
import {
  chooseOutput,
  notice,
  onTerminal,
  openOutput,
  outputLetters,
  outputParams,
  writeList,
} from './output.ts'
import { type Step, showProgress } from './progress.ts'

const counts = {
  read: integer('Rows, records or elements in the file.'),
  accepted: integer('Taken.'),
  duplicate: integer('Already in the lake.'),
  rejected: integer('Refused: accepted, duplicate and rejected add up to the rows read.'),
}

const columns = {
  name: text('File.'),
  status: oneOf(['taken', 'unchanged', 'refused', 'unknown'], 'Result.'),
  kinds: list('Kind it was read as.'),
  ...counts,
  reason: nullable(text('Why the file was not used.')),
  bytes: integer('Size.', { unit: 'bytes' }),
  added: json('Rows added, by dataset.'),
  reasons: json('Rejected rows, by reason.'),
  notes: list('Notes on how it was read.'),
  members: json('Members of an archive that were skipped.'),
  import: nullable(text('Its record in the lake.')),
}

export const ingestCommand = command({
  word: 'ingest',
  words: 'PATH...',
  params: {
    kind: one(text('Kind of all files; recognised from their content by default.')),
    dataset: one(text('The files are tables with the columns of this dataset.')),
    date: one(date('The day of files that do not give one.')),
    known_from: one(date('The day the market could know rows that do not give one.')),
    map: verbatim("Mapping (JSON) from a table's columns to those of a dataset.", 'FILE'),
    strict: fallback(one(boolean('Refuse a file with any rejected row, and exit with 4.')), false),
    verbose: fallback(
      one(boolean('Show each file, and all reasons, instead of a summary by kind of file.')),
      false,
    ),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'Files and folders (with .gz and .zip), and "-" for standard input. Each file is taken whole or not at all;\n' +
    'ingesting it again adds nothing. "tranche rejects" shows what was refused. Exit code 4 if nothing could be taken,\n' +
    '1 if Tranche itself failed on a file.',
  examples: [
    'filings/ nport.xml daily-treasury-rates.csv',
    'holdings.csv --date 2025-12-17',
    'bonds.csv --dataset bonds --known-from 2025-06-30',
    'vendor.csv --dataset prices --map vendor.json --strict',
    'filings/ --verbose',
  ],
  async run({ lake, format, output, csv_safe, no_pager, verbose, ...options }, { words }) {
    const choice = chooseOutput(
      { ...(format && { format }), ...(output && { output }), ...(csv_safe && { csv_safe }), no_pager },
      onTerminal(),
    )
    if (words.length === 0)
      throw new QueryError('MISSING_PARAMETER', 'give files or folders: tranche ingest PATH...', {
        parameter: 'path',
      })
    // A misspelt path must not create an empty lake.
    for (const path of words) if (path !== '-') await checkThere(path)
    const progress = showProgress()
    const job = { lake: lakeFolder(lake), paths: words, options: given(options) }
    const report = await stoppable(signal =>
      inWorker('ingest', job, at => progress.report(ingestStep(at)), signal),
    ).finally(progress.end)
    if (choice.format !== 'table') await writeList(columns, report.files, choice)
    else if (verbose)
      await openOutput(choice, write => write(report.files.map(file => `${fileLines(file)}\n`).join('')))
    else await writeList(kindColumns, byKind(report.files), choice)
    for (const line of summary(report, verbose)) notice(line)
    return ingestExit(report, options.strict)
  },
})

const given = <T extends object>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, v]) => v !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

async function checkThere(path: string): Promise<void> {
  await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new QueryError('NOT_FOUND', `no such file or folder: ${path}`, { path })
  })
}

/** Progress by the estimated time of all files; for a single file, by rows. */
export const ingestStep = ({ file, files, files_done, rows, share, seconds_left }: IngestProgress): Step =>
  files === 1
    ? { label: file, done: rows, unit: 'rows' }
    : {
        label: `${Math.min(files_done + 1, files)} of ${files} files, ${rows.toLocaleString('en-US')} rows: ${file}`,
        share,
        secondsLeft: seconds_left,
      }

/**
 * 1 if Tranche itself failed on a file, 4 if nothing new could be taken, or anything was refused under `--strict`.
 */
export function ingestExit(
  { totals, files: reports }: Pick<IngestReport, 'totals' | 'files'>,
  strict: boolean,
): number | undefined {
  if (reports.some(({ failure, members }) => failure !== null || members.some(m => m.failure)))
    return exits.bug
  const { accepted, duplicate, rejected, files } = totals
  if (strict && (rejected > 0 || files.refused > 0)) return exits.damaged
  if (accepted > 0 || duplicate > 0 || files.unchanged > 0) return undefined
  // A file may have no rows and still be valid.
  return rejected > 0 || files.refused > 0 || files.unknown > 0 || files.taken === 0
    ? exits.damaged
    : undefined
}
