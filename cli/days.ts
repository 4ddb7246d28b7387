import { daysParams } from '../engine/operations/panel-days.ts'
import { date, oneOf, text } from '../engine/schema/column.ts'
import { many, one } from '../engine/schema/params.ts'
import { tables as allTables } from '../engine/schema/resources/tables.ts'
import { command, lakeFolder, lakeParams } from './command.ts'
import { stoppable } from './interrupt.ts'
import { chooseOutput, notice, onTerminal, outputLetters, outputParams, writeList } from './output.ts'
import { showProgress } from './progress.ts'

const columns = {
  as_of: date('Day.'),
  state: oneOf(
    ['derived', 'stored', 'snapshot'],
    'Derived now, stored before, or the day of the snapshot itself.',
  ),
}

const EVERY_TABLE = 'all'

export const dayTables = many(
  oneOf(
    [EVERY_TABLE, ...allTables.map(({ table }) => table)],
    'Tables to derive, or `all`; default companies, bonds, ratings.',
  ),
)

export const daysCommand = command({
  word: 'days',
  params: {
    ...daysParams,
    tables: dayTables,
    memory: one(text('Memory of DuckDB, `2GB`; default a share of the machine.')),
    ...outputParams,
    ...lakeParams,
  },
  letters: outputLetters,
  notes:
    'A question as of a past day derives the tables that it reads and keeps them in the folder days\n' +
    'of the lake. This command does it in advance, two days at a time, and skips what is stored. New\n' +
    'prices and filings leave earlier days as they are, so that after a build only new days are left\n' +
    'to derive. Above 4 GB the days unused for longest are removed.',
  examples: ['--from 2023-01 --every month', '--dates 2024-12-31,2025-03-31 --tables all'],
  async run({ lake, dates, from, to, every, tables, memory, ...outputOptions }) {
    const choice = chooseOutput(outputOptions, onTerminal())
    const { open } = await import('../engine/engine.ts')
    const engine = await open(lakeFolder(lake), { hotMemory: '0', ...(memory && { memory }) })
    const progress = showProgress()
    try {
      const names = tables?.includes(EVERY_TABLE) ? allTables.map(({ table }) => table) : tables
      const days = await stoppable(signal =>
        engine.deriveDays({
          ...{ dates, from, to, every, tables: names, signal },
          progress: (done, total) => progress.report({ label: 'deriving days', done, total }),
        }),
      ).finally(progress.end)
      await writeList(columns, days, choice)
      const derived = days.filter(({ state }) => state === 'derived').length
      const others = derived === days.length ? '' : '; the others were ready'
      notice(`${derived} of ${days.length} days were derived${others}`)
    } finally {
      engine.close()
    }
    return undefined
  },
})
