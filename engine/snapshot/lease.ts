import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Manifest } from '../lake/snapshot.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { CompanyDay } from './company-day.ts'
import type { SnapshotDay } from './day.ts'
import type { KnownCompanies } from './known-companies.ts'
import type { OpenSnapshot, TogetherAsked } from './open-snapshot.ts'
import type { ReadOf } from './undated.ts'

export interface DaysInOne {
  readonly day: SnapshotDay
  /** The companies that the names asked for mean on these days. */
  readonly known: KnownCompanies
  readonly lease: SnapshotLease
}

/** The snapshot that a query reads, and every day of it that it uses, kept open until the answer is complete. */
export class SnapshotLease {
  private readonly opened: OpenSnapshot
  private readonly days: (SnapshotDay | CompanyDay)[] = []

  constructor(opened: OpenSnapshot) {
    this.opened = opened
    opened.hold()
  }

  /** The requested day, given by the query's `parameter`. */
  day(asOf: string | undefined, parameter?: string): MaybePromise<SnapshotDay> {
    return this.hold(this.opened.day(asOf, parameter))
  }

  /** The snapshot's own day, if a day is that and what is read of it has no undated row. */
  ownDayFor(asOf: string, read: ReadOf): MaybePromise<SnapshotDay> | null {
    const day = this.opened.ownDayFor(asOf, read)
    return day && this.hold(day)
  }

  sqlDay(asOf: string | undefined): MaybePromise<SnapshotDay> {
    return this.hold(this.opened.sqlDay(asOf))
  }

  /** A database for a user's SQL over several days, to be closed by the caller. */
  sqlOverDays(...asked: Parameters<OpenSnapshot['sqlOverDays']>): ReturnType<OpenSnapshot['sqlOverDays']> {
    return this.opened.sqlOverDays(...asked)
  }

  storeDay(...asked: Parameters<OpenSnapshot['storeDay']>): ReturnType<OpenSnapshot['storeDay']> {
    return this.opened.storeDay(...asked)
  }

  private hold(day: SnapshotDay): MaybePromise<SnapshotDay> {
    day.hold()
    this.days.push(day)
    return day.ready()
  }

  /** Several days in one, each held by a lease of its own. */
  async daysTogether(dates: readonly string[], asked: TogetherAsked): Promise<DaysInOne[]> {
    const found = await this.opened.daysTogether(dates, asked)
    return Promise.all(
      found.map(async ({ known, open }) => {
        const lease = this.another()
        try {
          return { known, lease, day: await lease.hold(open()) }
        } catch (error) {
          lease.release()
          throw error
        }
      }),
    )
  }

  /** A past day of one company; null if what is read of the whole day is derived. */
  async companyDay(asOf: string, company: string, read: readonly string[]): Promise<CompanyDay | null> {
    if (await this.opened.hasWhole(asOf, read)) return null
    const day = this.opened.companyDay(asOf, company)
    if (day === null) return null
    day.hold()
    this.days.push(day)
    return day
  }

  /** A second lease on the same snapshot and days, to be released on its own. */
  share(): SnapshotLease {
    const lease = this.another()
    for (const day of this.days) {
      day.hold()
      lease.days.push(day)
    }
    return lease
  }

  /** A second lease on the same snapshot, without its days. */
  another(): SnapshotLease {
    return new SnapshotLease(this.opened)
  }

  get manifest(): Manifest {
    return this.opened.manifest
  }

  search(): Promise<SearchIndex> {
    return this.opened.search()
  }

  release(): void {
    for (const day of this.days) day.release()
    this.opened.release()
  }
}
