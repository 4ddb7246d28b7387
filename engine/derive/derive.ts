import { setTimeout } from 'node:timers/promises'
import { AtMost } from '../base/at-most.ts'
import type { Database } from '../database/database.ts'
import { datasetNamed } from '../schema/datasets/datasets.ts'
import { type Inputs, openInput } from './inputs.ts'
import { listedMentions } from './issuers/issuers.ts'
import { StepResults } from './step-results.ts'
import { type RunStep, type ShortCut, type Step, type StepOptions, shortCuts, steps } from './steps.ts'

export interface DeriveOptions extends StepOptions {
  /** Whether undated rows count as known: true except for queries about an earlier day. */
  readonly undated: boolean
}

export interface Derived {
  /** How each mention of a company was linked: `LinkedMention` as JSON. */
  readonly mentions: readonly string[]
  /** What a table depends on, as text that is equal only if its rows are; null if the step that makes it is not repeatable. */
  readonly contentOf: (table: string) => string | null
}

/** Derives every table that users query, from the rows of the lake known on a day, into `db`. */
export async function derive(db: Database, inputs: Inputs, options: DeriveOptions): Promise<Derived> {
  const files = async (dataset: string) => inputs.get(dataset) ?? []
  const derivation = new Derivation(db, files, {
    ...options,
    listMentions: true,
    keepsQuarters: true,
    keepsDays: true,
  })
  for (const step of steps) await derivation.make(...step.makes)
  await derivation.storeResults()
  return { mentions: await listedMentions(db), contentOf: table => derivation.contentOf(table) }
}

/** Each holds a thread of Node's pool, of which a process has four by default, and other queries need some. */
const STEPS_AT_ONCE = 2

/**
 * The tables of a lake as of a day, derived in `db` on first use. The same steps make a snapshot and answer `as_of`.
 * Nothing later than the day can reach a figure, because steps read the lake only through views of what was known.
 */
export class Derivation {
  private readonly db: Database
  private readonly files: (dataset: string) => Promise<readonly string[]>
  private readonly options: DeriveOptions
  private readonly begun = new Map<string | Step, Promise<void>>()
  private readonly running = new Set<Promise<void>>()
  private readonly made = new Set<string>()
  private readonly turns = new AtMost(STEPS_AT_ONCE)
  /** Without a cache each step runs. */
  private readonly results: StepResults | null

  constructor(db: Database, files: (dataset: string) => Promise<readonly string[]>, options: DeriveOptions) {
    this.db = db
    this.files = files
    this.options = options
    this.results = options.cache ? new StepResults({ db, cache: options.cache, files }) : null
  }

  /** Derives tables and their inputs, each once; concurrent callers share the work, and steps run beside those that they do not read. */
  async make(...tables: readonly string[]): Promise<void> {
    let rest = tables
    const short: (readonly string[])[] = []
    for (const one of shortCuts) {
      const wanted = rest.filter(name => one.makes.includes(name))
      if (wanted.length === 0 || this.isWhole(one, rest)) continue
      rest = [...rest.filter(name => !wanted.includes(name)), ...one.reads]
      short.push(wanted)
    }
    const making = new Map<string, Promise<void>>()
    const begin = (step: Step | ShortCut) => {
      // What a short cut makes on the way is in order anyway.
      const ready = async ({ reads }: Step) => {
        await Promise.all(reads.filter(name => step.reads.includes(name)).map(name => making.get(name)))
      }
      const done = this.once(step, () => this.run(step, ready))
      for (const name of step.makes) making.set(name, done)
    }
    for (const step of [...stepsFor(rest), ...short.flatMap(wanted => this.stepsTo(wanted))]) begin(step)
    // All end before the first error is thrown: a caller may close the database then.
    const failed = (await Promise.allSettled(making.values())).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  /** Whether a short cut makes too little, as its steps are needed, or run, over all rows or for other tables. */
  private isWhole(one: ShortCut, wanted: readonly string[]): boolean {
    const others = wanted.filter(name => !one.makes.includes(name))
    return this.hasBegun(one) || stepsFor(others).some(step => one.insteadOf.includes(step))
  }

  private hasBegun({ insteadOf }: ShortCut): boolean {
    return insteadOf.some(step => this.begun.has(step))
  }

  /** A short cut to tables: one that has begun, else the shortest; the steps over all rows if any of those has begun. */
  private stepsTo(tables: readonly string[]): readonly Step[] {
    const fitting = shortCuts.filter(({ makes }) => tables.every(name => makes.includes(name)))
    const [shortest] = fitting
    if (!shortest || this.hasBegun(shortest)) return stepsFor(tables)
    return [fitting.find(one => this.begun.has(one)) ?? shortest]
  }

  /** The view `in_<dataset>` of the rows of a dataset known on the day. */
  open(dataset: string): Promise<void> {
    return this.once(dataset, async () => {
      const declared = datasetNamed(dataset)
      if (!declared) throw new Error(`there is no dataset ${dataset}`)
      const filings = declared.filed ? await this.files('filings') : []
      if (declared.filed && this.results) await this.open('filings')
      await openInput(this.db, declared, await this.files(dataset), this.options, filings)
    })
  }

  /** @param ready waits for the tables that a step reads */
  private async run(step: Step | ShortCut, ready: (step: Step) => Promise<void>): Promise<void> {
    for (const name of step.reads) if (name.startsWith('in_')) await this.open(name.slice('in_'.length))
    for (const one of shortCuts) if (replaces(step, one)) await this.begun.get(one)?.catch(() => {})
    const runStep: RunStep = async (one, options) => {
      await ready(one)
      await this.turns.run(() => (this.results ? this.results.run(one, options) : one.run(this.db, options)))
    }
    if ('insteadOf' in step) await step.run(this.db, this.options, runStep)
    else await runStep(step, this.options)
    for (const name of step.makes) this.made.add(name)
  }

  /** Whether a table exists: requested, or made as a step towards another. */
  has(table: string): boolean {
    return this.made.has(table)
  }

  /** What a table depends on; null if it is not the result of a repeatable step. */
  contentOf(table: string): string | null {
    return this.results?.contentOf(table) ?? null
  }

  /** Stores what other days and builds may use of the tables made. */
  async storeResults(): Promise<void> {
    await this.results?.store()
  }

  private once(what: string | Step, work: () => Promise<void>): Promise<void> {
    const before = this.begun.get(what)
    if (before) return before
    const done = work()
    this.begun.set(what, done)
    this.running.add(done)
    done.catch(() => this.begun.delete(what)).finally(() => this.running.delete(done))
    return done
  }

  /**
   * Interrupts running steps, and resolves once none is running. Waiting callers get an error; the next caller reruns
   * only the interrupted steps.
   */
  async interrupt(): Promise<void> {
    // DuckDB ignores an interrupt between two of its tasks, and a step has several statements.
    while (this.running.size > 0) {
      this.db.interrupt()
      await Promise.race([Promise.allSettled(this.running), setTimeout(INTERRUPT_EVERY_MS)])
    }
  }
}

const INTERRUPT_EVERY_MS = 20

/** Whether a step replaces tables that a short cut made: steps over all rows do, and longer short cuts. */
function replaces(step: Step, shorter: ShortCut): boolean {
  if (shorter.insteadOf.includes(step)) return true
  const at = shortCuts.indexOf(step as ShortCut)
  return at > shortCuts.indexOf(shorter) && shortCuts[at]!.insteadOf.some(s => shorter.insteadOf.includes(s))
}

/** The steps that tables depend on, in pipeline order. */
export function stepsFor(tables: readonly string[]): Step[] {
  const wanted = new Set(tables)
  const needed: Step[] = []
  for (const step of [...steps].reverse())
    if (step.makes.some(name => wanted.has(name))) {
      needed.unshift(step)
      for (const name of step.reads) wanted.add(name)
    }
  return needed
}
