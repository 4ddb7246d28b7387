import { largest } from '../base/lists.ts'
import { isZip } from './content-checks.ts'
import type { FetchedFolder } from './fetched-folder.ts'
import { moved, type Session } from './session.ts'

export interface GleifRequest {
  readonly source: 'gleif'
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Changes that GLEIF publishes in one file, and up to which age of the last file they are enough. A publication is up
 * to eight hours old when it is fetched, and must overlap with the next.
 */
const DELTAS = [
  { delta: 'LastDay', within: 16 * HOUR_MS },
  { delta: 'LastWeek', within: 6 * DAY_MS },
  { delta: 'LastMonth', within: 27 * DAY_MS },
] as const

/** LEI records, and who consolidates whom: all of them once, then what changed since. */
export async function fetchGleif(session: Session): Promise<void> {
  for (const level of ['lei2', 'rr'] as const) {
    const at = session.now()
    const last = lastOf(session.folder, level)
    const delta =
      last === null ? undefined : DELTAS.find(({ within }) => at.getTime() - last <= within)?.delta
    const url = `https://goldencopy.gleif.org/api/v2/golden-copies/publishes/${level}/latest.csv`
    const day = at.toISOString().slice(0, 10)
    const found = await session.file({
      url: delta === undefined ? url : `${url}?delta=${delta}`,
      file: delta === undefined ? `gleif/${level}-full.csv.zip` : `gleif/${level}-${day}-${delta}.csv.zip`,
      check: isZip,
      isCompressed: true,
    })
    if (found === null) throw moved(url)()
  }
}

/** When the newest file of a level was last known to be current; null without a full one. */
function lastOf(folder: FetchedFolder, level: string): number | null {
  if (!folder.record(`gleif/${level}-full.csv.zip`)) return null
  const times = [...folder.records()].flatMap(({ file, checked }) =>
    file.startsWith(`gleif/${level}-`) ? [Date.parse(checked)] : [],
  )
  return largest(times)
}
