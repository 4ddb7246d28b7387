import { elementAt } from '../base/elements.ts'
import { yieldToEventLoop } from '../base/event-loop.ts'
import { literal } from '../database/database.ts'
import type { Dataset } from '../schema/dataset.ts'
import { datasetNamed } from '../schema/datasets/datasets.ts'
import { stagedColumns, trimmed } from './checks.ts'
import type { Output, Sink } from './readers/reader.ts'
import { AT, type IngestRun, type Settlement, shorten, stageTableSql, table } from './settle.ts'

/** Rows per write to the database, and per write to the lake. */
const FLUSH_ROWS = 16_384
const FLUSH_CHARACTERS = 16_000_000
const SETTLE_ROWS = 1_000_000
const SETTLE_CHARACTERS = 256_000_000

type Cell = string | null

interface Buffer {
  readonly dataset: Dataset
  readonly names: readonly string[]
  readonly known: ReadonlySet<string>
  rows: number[]
  at: string[]
  columns: Cell[][]
}

/** Collects the rows of one source file, or of an archive's members, as text. */
export class Stage {
  private readonly intake: IngestRun
  private readonly settlement: Settlement
  private readonly settleRows: number
  private readonly buffers = new Map<string, Buffer>()
  private readonly staged = new Map<Dataset, number>()
  private refusals: Cell[][] = [[], [], [], []]
  private refusedRows: number[] = []
  private buffered = 0
  private characters = 0
  private waitingRows = 0
  private waitingCharacters = 0
  /** Ordinals of the last source row read, taken, and settled. */
  private row = 0
  private settledUpTo = 0
  private taken = 0
  private empty = 0
  private pending: Promise<void> = Promise.resolve()
  private failure: unknown
  notes: string[] = []

  constructor(intake: IngestRun, settlement: Settlement, settleRows = SETTLE_ROWS) {
    this.intake = intake
    this.settlement = settlement
    this.settleRows = settleRows
  }

  /** Source rows read so far. */
  get read(): number {
    return this.row
  }

  /** The sink of one file or member; `name` is its name in `source` and the rejects. */
  sink(name: string): Sink {
    return {
      take: (at, outputs) => {
        this.accept(name, at, outputs)
        return this.room()
      },
      refuse: (at, raw, reason) => {
        this.refuse(name, at, raw, reason)
        return this.room()
      },
      drain: async () => {
        await this.room()
        await this.pending
        // Long work in pieces: a signal to stop is received here.
        await yieldToEventLoop()
        this.check()
      },
      note: text => {
        if (!this.notes.includes(text)) this.notes.push(text)
      },
    }
  }

  private accept(name: string, at: string, outputs: readonly Output[]): void {
    const nul = outputs.find(({ values }) => hasNul(values))
    if (nul) {
      this.refuse(name, at, JSON.stringify(nul.values), 'has a NUL character in a text')
      return
    }
    const row = ++this.row
    if (outputs.length === 0) this.empty++
    else this.taken++
    for (const { dataset, values } of outputs) {
      const buffer = this.buffers.get(dataset) ?? this.buffer(dataset)
      for (const key in values)
        if (!buffer.known.has(key)) throw new Error(`dataset ${dataset} has no column ${key}`)
      buffer.rows.push(row)
      buffer.at.push(name + AT + at)
      for (let i = 0; i < buffer.names.length; i++) {
        const cell = cellOf(values[elementAt(buffer.names, i)])
        if (cell !== null) this.characters += cell.length
        elementAt(buffer.columns, i).push(cell)
      }
      this.buffered++
    }
  }

  private refuse(name: string, at: string, raw: string, reason: string): void {
    const text = shorten(raw)
    this.refusedRows.push(++this.row)
    for (const [i, cell] of [name, at, reason, text].entries())
      elementAt(this.refusals, i).push(cell.replaceAll('\0', '�'))
    this.characters += text.length
    this.buffered++
  }

  private buffer(name: string): Buffer {
    const dataset = datasetNamed(name)
    if (!dataset) throw new Error(`no dataset ${name}`)
    const names = stagedColumns(dataset)
    const made = { dataset, names, known: new Set(names), rows: [], at: [], columns: names.map(() => []) }
    this.buffers.set(name, made)
    return made
  }

  /** Writes once enough is buffered; a reader that does not await this is caught at its next `drain`. */
  private room(): Promise<void> | undefined {
    if (this.buffered < FLUSH_ROWS && this.characters < FLUSH_CHARACTERS) return undefined
    this.flush()
    const written = this.pending.then(() => this.check())
    written.catch(() => {})
    return written
  }

  private check(): void {
    if (this.failure !== undefined) throw this.failure
    this.intake.options.signal?.throwIfAborted()
  }

  private flush(): void {
    const full = [...this.buffers.values()]
      .filter(buffer => buffer.rows.length > 0)
      .map(({ dataset, rows, at, columns }) => ({
        dataset,
        count: rows.length,
        columns: [rows, at, ...columns],
      }))
    const refused = { rows: this.refusedRows, cells: this.refusals }
    const { row, taken, empty } = this
    for (const buffer of this.buffers.values()) {
      buffer.rows = []
      buffer.at = []
      buffer.columns = buffer.names.map(() => [])
    }
    this.waitingRows += this.buffered
    this.waitingCharacters += this.characters
    this.refusals = [[], [], [], []]
    this.refusedRows = []
    this.buffered = 0
    this.characters = 0
    const settles = this.waitingRows >= this.settleRows || this.waitingCharacters >= SETTLE_CHARACTERS
    if (settles) {
      this.waitingRows = 0
      this.waitingCharacters = 0
      this.taken = 0
      this.empty = 0
    }
    this.pending = this.pending
      .then(async () => {
        if (this.failure !== undefined) return
        for (const part of full) await this.append(part.dataset, part.columns, part.count)
        if (refused.rows.length > 0) await this.appendRefused(refused.rows, refused.cells)
        if (settles) await this.settle(taken, empty, row)
      })
      .catch(error => {
        this.failure = error
      })
  }

  private async append(
    dataset: Dataset,
    columns: readonly ArrayLike<unknown>[],
    count: number,
  ): Promise<void> {
    if (!this.staged.has(dataset)) await this.settlement.run(stageTableSql(dataset))
    this.staged.set(dataset, (this.staged.get(dataset) ?? 0) + count)
    const name = `stage_${dataset.name}`
    await this.intake.database.append(
      name,
      [(columns[0] as number[]).map(BigInt), ...columns.slice(1)],
      count,
    )
  }

  private async appendRefused(rows: readonly number[], [files, ats, reasons, raws]: Cell[][]): Promise<void> {
    const nothing = rows.map(() => null)
    await this.settlement.reject(
      [rows.map(BigInt), files!, ats!, nothing, nothing, nothing, reasons!, raws!],
      rows.length,
    )
  }

  private async settle(taken: number, empty: number, upTo: number): Promise<void> {
    const staged = new Map([...this.staged.keys()].map(dataset => [dataset, table('stage', dataset)]))
    if (taken + empty > 0) await this.settlement.settle(staged, taken, { empty, isTrimmed: true })
    for (const dataset of this.staged.keys())
      await this.settlement.run(`DROP TABLE ${table('stage', dataset)}`)
    this.staged.clear()
    this.settledUpTo = upTo
  }

  /** Resolves when everything is in the lake's scratch folder. */
  async finish(): Promise<void> {
    this.flush()
    await this.pending
    this.check()
    await this.settle(this.taken, this.empty, this.row)
    this.taken = 0
    this.empty = 0
    this.waitingRows = 0
    this.waitingCharacters = 0
  }

  /** Waits until no write is running, successful or not. */
  async rest(): Promise<void> {
    await this.pending
  }

  /** Marks the start of a member, for `undo`. */
  mark(): Mark {
    return { row: this.row, taken: this.taken, empty: this.empty, notes: [...this.notes] }
  }

  /** Removes a member's rows since the mark; false if some are settled already. */
  async undo(mark: Mark, member: string): Promise<boolean> {
    this.flush()
    await this.pending
    this.check()
    if (this.settledUpTo > mark.row) return false
    for (const dataset of this.staged.keys())
      await this.settlement.run(`DELETE FROM ${table('stage', dataset)} WHERE _row > ${mark.row}`)
    await this.settlement.run(`DELETE FROM rejects WHERE file = ${literal(member)}`)
    this.row = mark.row
    this.taken = mark.taken
    this.empty = mark.empty
    this.notes = mark.notes
    return true
  }
}

export interface Mark {
  readonly row: number
  readonly taken: number
  readonly empty: number
  readonly notes: string[]
}

/** A plain value as trimmed text for the checks. */
export function cellOf(value: unknown): Cell {
  if (typeof value === 'string') return trimmed(value)
  if (value === null || value === undefined) return null
  if (typeof value === 'object') return value instanceof Date ? value.toISOString() : JSON.stringify(value)
  return String(value)
}

/** DuckDB's appender would truncate text at NUL. */
function hasNul(values: Readonly<Record<string, unknown>>): boolean {
  for (const key in values) {
    const value = values[key]
    if (typeof value === 'string' && value.includes('\0')) return true
  }
  return false
}
