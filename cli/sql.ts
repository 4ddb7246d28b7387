import { readFile } from 'node:fs/promises'
import { text as readAll } from 'node:stream/consumers'
import { invalid, QueryError } from '../engine/base/errors.ts'
import { daysParams } from '../engine/operations/panel-days.ts'
import { date } from '../engine/schema/column.ts'
import { many, one } from '../engine/schema/params.ts'
import { command, lakeFolder, lakeParams, verbatim } from './command.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, onTerminal, outputLetters, outputParams } from './output.ts'
import { plotParams } from './plot.ts'
import { namedValues } from './sql-text.ts'

export const sqlCommand = command({
  word: 'sql',
  words: '["SELECT ..."]',
  params: {
    file: verbatim('Read the statement from this file.', 'FILE'),
    param: many({
      kind: 'json',
      unit: 'name=value',
      doc: 'Value of $name in the statement; may be repeated.',
      nullable: false,
    }),
    as_of: one(date('Answer as of the close of this day.')),
    ...daysParams,
    remote: verbatim(
      'Run the statement on this Trino server, in its SQL; default DuckDB on this machine.',
      'URL',
    ),
    ...plotParams,
    ...outputParams,
    ...lakeParams,
  },
  letters: { ...outputLetters, f: 'file' },
  notes:
    'Without a statement: a prompt on a terminal, else reads the statement from standard input.\n' +
    'Only SELECT and EXPLAIN are allowed. "tranche schema" lists tables and columns.\n' +
    "With --remote the statement is Trino's SQL, in a transaction that cannot write; tables are those of the current\n" +
    'snapshot\'s schema there, columns with dots are quoted ("pricing.ytm"), and the functions of bonds are not known.\n' +
    'With --dates, or --from and --every, the statement is over the tables as of all these days: each is led by the column\n' +
    'as_of, so that rows of one day are joined by it.\n' +
    'Values of --param are text: cast them where a number or a day is needed, as in $k::INT.',
  examples: [
    '"SELECT sector, median(leverage_ratio) FROM companies GROUP BY sector"',
    `'SELECT name, "pricing.ytm" FROM bonds WHERE company_ticker = $t' --param t=TRNX`,
    '--from 2025-01 --to 2025-06 --every month "SELECT as_of, median(leverage_ratio) FROM companies GROUP BY 1 ORDER BY 1"',
    '-f screen.sql -o screen.parquet',
    '--remote trino://trino.internal:8080/debt/lake "SELECT tenor, count(*) FROM spreads GROUP BY tenor"',
    '"SELECT sector, median(leverage_ratio) AS leverage FROM companies GROUP BY 1" --plot leverage',
    '',
  ],
  async run({ lake, as_of, dates, from, to, every, file, plot, remote, ...outputOptions }, { input, words }) {
    const choice = chooseOutput({ ...outputOptions, ...(plot && { format: 'table' }) }, onTerminal())
    if (words.length > 1) throw invalid('words', words[1], 'sql takes one statement: put it in quotes')
    if (words.length > 0 && file !== undefined)
      throw invalid('file', file, 'give the statement as an argument or with -f, not both')
    // Taken literally: a list would be split at its commas.
    const { values, mistake } = namedValues(([input['param'] ?? []] as (string | string[])[]).flat())
    if (mistake) throw invalid('param', input['param'], mistake)
    if (remote !== undefined) {
      checkRemoteOptions({ as_of, dates, from, to, every, param: input['param'] })
      const [{ writeRemoteSql }, statement] = await Promise.all([
        import('./remote-sql.ts'),
        words[0] ?? readStatement(file),
      ])
      await stoppable(signal =>
        writeRemoteSql({ remote, lake: lakeFolder(lake) }, statement, { signal, plot }, choice),
      )
      return undefined
    }
    const prompts = words.length === 0 && file === undefined && process.stdin.isTTY === true
    const statement = prompts ? null : (words[0] ?? (await readStatement(file)))
    const days = { dates, from, to, every }
    const { open } = await import('../engine/engine.ts')
    const engine = await open(lakeFolder(lake), { hotMemory: '0' })
    try {
      if (statement === null) {
        const { prompt } = await import('./sql-prompt.ts')
        // The prompt reads the keys that a pager would want.
        await prompt(engine, { params: values, asOf: as_of, days }, { ...choice, pages: false })
      } else {
        const { writeSql } = await import('./sql-output.ts')
        await stoppable(signal =>
          writeSql(engine, statement, { params: values, asOf: as_of, days, signal, plot }, choice),
        )
      }
    } finally {
      engine.close()
    }
    return undefined
  },
})

function checkRemoteOptions(options: Readonly<Record<string, unknown>>): void {
  for (const [name, given] of Object.entries(options))
    if (given !== undefined)
      throw invalid(name, given, `${name} is not for a remote engine: write it into the statement`)
}

async function readStatement(file: string | undefined): Promise<string> {
  const statement =
    file === undefined || file === '-'
      ? await readAll(process.stdin)
      : await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
          throw error.code === 'ENOENT' || error.code === 'EISDIR'
            ? new QueryError(
                'NOT_FOUND',
                `file ${file}: ${error.code === 'ENOENT' ? 'there is no such file' : 'it is a folder'}`,
              )
            : error
        })
  if (statement.trim() !== '') return statement
  throw new QueryError('MISSING_PARAMETER', 'give a statement: tranche sql "SELECT ..."', {
    parameter: 'statement',
  })
}
