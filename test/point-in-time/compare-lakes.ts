import { QueryError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import { rawViews, tables } from '../../engine/schema/resources/tables.ts'
import type { Question } from './questions.ts'

export interface Difference {
  readonly question: string
  readonly full: string
  readonly partial: string
}

/** An answer as text, without the snapshot's id; or its error. */
export async function answerOf(engine: Engine, { name, input }: Question): Promise<string> {
  try {
    const { meta, ...answer } = await engine.ask(name, input)
    const { snapshot: _, warnings: __, lane: ___, ...rest } = meta as Record<string, unknown>
    return JSON.stringify({ ...(name === 'search.documents' ? withoutNames(answer) : answer), meta: rest })
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    return JSON.stringify({ code: error.code, message: error.message, details: error.details })
  }
}

/** Under as_of a section keeps its company of the snapshot, and has that day's name in the heading that is scored. */
const withoutNames = <A extends object>(answer: A): A => ({
  ...answer,
  ...('data' in answer &&
    Array.isArray(answer.data) && {
      data: answer.data.map(({ company_name: _, relevance_score: __, ...hit }) => hit),
    }),
})

export const views = [...tables.map(table => table.table), ...rawViews]

/** The number of rows of a view that SQL sees as of a day, and their content, without the time of ingestion. */
export async function rowsOf(engine: Engine, view: string, day: string): Promise<string> {
  const rows = await engine.sql(
    `WITH seen AS (SELECT COLUMNS(c -> c <> 'ingested_at') FROM ${view}),
       texts AS (SELECT CAST(to_json(seen) AS VARCHAR) AS text FROM seen)
     SELECT count(*) AS rows, md5(string_agg(text, chr(10) ORDER BY text)) AS md5 FROM texts`,
    [],
    { asOf: day },
  )
  return JSON.stringify(rows)
}

export interface Comparison {
  readonly differences: readonly Difference[]
  /** The share of queries with a nonempty answer: errors and empty lists prove little. */
  readonly answered: number
}

/** The differences between two lakes: queries, and every view as of the day. */
export async function compareLakes(
  full: Engine,
  partial: Engine,
  day: string,
  questions: readonly Question[],
): Promise<Comparison> {
  const differences: Difference[] = []
  let answered = 0
  const compare = (question: string, a: string, b: string) => {
    if (a !== b) differences.push({ question, ...firstDifference(a, b) })
  }
  for (const question of questions) {
    const answer = await answerOf(full, question)
    if (!/^\{"code":|^\{"(data|ratings)":\[\]/.test(answer)) answered++
    compare(`${question.name} ${JSON.stringify(question.input)}`, answer, await answerOf(partial, question))
  }
  for (const view of views)
    compare(`SELECT * FROM ${view}`, await rowsOf(full, view, day), await rowsOf(partial, view, day))
  return { differences, answered: answered / questions.length }
}

export function firstDifference(a: string, b: string): { full: string; partial: string } {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  const around = (text: string) => text.slice(Math.max(0, at - 200), at + 200)
  return { full: around(a), partial: around(b) }
}
