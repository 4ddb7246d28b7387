import { QueryError } from '../../engine/base/errors.ts'
import type { Lake } from '../../engine/lake/lake.ts'
import { type Manifest, readCurrent, readManifest } from '../../engine/lake/snapshot.ts'
import type { DaysAsked } from '../../engine/operations/panel-days.ts'
import { checkDay } from '../../engine/snapshot/check-day.ts'
import { daysOfStatement } from '../../engine/snapshot/sql-days.ts'
import type { DaysOfTables } from './prepare-days.ts'
import type { Prepared, PreparedDay, Waiter } from './prepared.ts'
import { derivedDay } from './prepared-folder.ts'
import type { Coverage } from './visible.ts'

/** A file that answers a statement. */
export interface FileOfStatement {
  readonly file: string
  readonly snapshot: string
  readonly asOf: string
  /** The days of a statement over several, in order; else null. */
  readonly dates: readonly string[] | null
}

/** The files that answer statements: with the tables of the snapshot, of a past day, or of several days. */
export class StatementFiles {
  private readonly lake: Lake
  private readonly prepared: Prepared
  private newest: Manifest | null = null
  private served: Manifest | null = null

  constructor(lake: Lake, prepared: Prepared) {
    this.lake = lake
    this.prepared = prepared
  }

  /** Whether a day is derived: it is not that of the snapshot. */
  async isPast(asOf: string | undefined): Promise<boolean> {
    if (asOf === undefined) return false
    const newest = await this.current()
    checkDay(newest, asOf, 'as_of')
    return derivedDay(newest, asOf) !== null
  }

  /**
   * The file of a day. While that of a new snapshot is prepared, the previous one keeps answering.
   * @param tables of a past day, those wanted; default all
   */
  async ofDay(
    asOf: string | undefined,
    coverage: Coverage,
    waiter: Waiter,
    tables?: readonly string[],
  ): Promise<FileOfStatement> {
    const newest = await this.current()
    if (asOf !== undefined) checkDay(newest, asOf, 'as_of')
    const day = asOf === undefined ? null : derivedDay(newest, asOf)
    const wanted: PreparedDay = {
      snapshot: newest.id,
      day,
      coverage,
      ...(day !== null && tables && { tables }),
    }
    const answers = (of: Manifest, file: string): FileOfStatement => ({
      file,
      snapshot: of.id,
      asOf: day ?? of.as_of!,
      dates: null,
    })
    const { served } = this
    if (day === null && served && served.id !== newest.id && !this.prepared.ready(wanted)) {
      const older = this.prepared.ready({ ...wanted, snapshot: served.id })
      this.prepared.file(wanted, waiter).catch(() => {})
      if (older) return answers(served, older)
    }
    const file = await this.prepared.file(wanted, waiter)
    if (day === null) this.served = newest
    return answers(newest, file)
  }

  /** The days that a statement asks for, in order. */
  async dates(asked: DaysAsked, asOf: string | undefined): Promise<readonly string[]> {
    const newest = await this.current()
    const dates = daysOfStatement(asked, asOf, newest.as_of!) ?? []
    for (const date of dates) checkDay(newest, date, 'dates')
    return dates
  }

  /** The file of some tables as of several days. */
  async ofDays(over: DaysOfTables, coverage: Coverage, waiter: Waiter): Promise<FileOfStatement> {
    const { id, as_of } = await this.current()
    const file = await this.prepared.file({ snapshot: id, day: null, over, coverage }, waiter)
    return { file, snapshot: id, asOf: as_of!, dates: over.dates }
  }

  /** How many of several days are derived while their file is made. */
  progress(over: DaysOfTables, coverage: Coverage): number {
    return this.newest ? this.prepared.progress({ snapshot: this.newest.id, day: null, over, coverage }) : 0
  }

  private async current(): Promise<Manifest> {
    const id = await readCurrent(this.lake)
    if (id === null) throw new QueryError('NOT_READY', 'the lake has no snapshot yet: run "tranche build"')
    if (this.newest?.id !== id) this.newest = await readManifest(this.lake, id)
    return this.newest
  }
}
