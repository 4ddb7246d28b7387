import type { MaybePromise } from '../base/maybe-promise.ts'
import type { Manifest } from '../lake/snapshot.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { CompanyDay } from './company-day.ts'
import type { SnapshotDay } from './day.ts'
import type { OpenSnapshot } from './open-snapshot.ts'

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

  sqlDay(asOf: string | undefined): MaybePromise<SnapshotDay> {
    return this.hold(this.opened.sqlDay(asOf))
  }

  private hold(day: SnapshotDay): MaybePromise<SnapshotDay> {
    day.hold()
    this.days.push(day)
    return day.ready()
  }

  /** A past day of one company; null if the whole day is derived. */
  companyDay(asOf: string, company: string): CompanyDay | null {
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
