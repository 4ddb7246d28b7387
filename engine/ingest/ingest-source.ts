import type { Accounting, ImportRecord } from '../lake/imports.ts'
import { Refused } from './readers/reader.ts'
import { type FileReport, nothingRead, report, statusOf } from './report.ts'
import { isDatabaseLost, type Run } from './run.ts'
import { Settlement, type SourceIdentity } from './settle.ts'
import type { ReadSource, SourceContents } from './source.ts'
import { Stage } from './stage.ts'
import { WholeRefusal, wholeRefusal } from './whole-refusal.ts'

/** Stages, settles and commits one source; nothing of it remains if it is refused or fails. */
export async function ingestSource(
  intake: Run,
  identity: SourceIdentity,
  { strict, origin }: { strict: boolean; origin: 'file' | 'rows' },
  readSource: ReadSource,
  before?: ImportRecord,
  tell: (rows: number) => void = () => {},
): Promise<FileReport> {
  const settlement = new Settlement(intake, identity)
  const stage = new Stage(intake, settlement)
  const ticking = setInterval(() => tell(Math.max(stage.read, settlement.rowsSettled)), 250)
  ticking.unref()
  try {
    await settlement.begin()
    const contents = await readSource(settlement, stage)
    await stage.finish()
    intake.options.signal?.throwIfAborted()
    const { replaces } = identity
    const accounting = await settlement.report([
      ...stage.notes,
      ...(replaces
        ? [`its name has the accession number missing from ${replaces.name}, which it replaces`]
        : []),
    ])
    if (strict && accounting.rejected > 0)
      return await refuseWhole(settlement, identity, accounting, contents)
    if (contents.kinds.length === 0) {
      await settlement.abandon()
      const reason =
        contents.members.length > 0
          ? 'an archive without a member of a known kind'
          : 'an archive without members'
      const refused = contents.members.find(member => member.status === 'refused')
      if (!refused) return report(identity, 'unknown', { ...accounting, ...contents, reason })
      const whole = new WholeRefusal(new Refused(refused.reason), [])
      return { ...(await refuse(intake, identity, whole, before)), members: contents.members }
    }
    const status = statusOf(accounting)
    const reason =
      status === 'refused' ? 'none of its rows could be taken: "tranche rejects" shows why' : null
    const made = report(identity, status, { ...accounting, ...contents, reason })
    // Ingested before, unchanged: the first record stays.
    if (before && !replaces && accounting.accepted === 0 && before.report.rejected === accounting.rejected) {
      await settlement.abandon()
      return { ...made, import: before.id }
    }
    const record = await settlement.commit(accounting, {
      kinds: contents.kinds,
      refused: null,
      members: contents.members.filter(member => member.status === 'refused'),
    })
    return { ...made, import: record.id }
  } catch (error) {
    await stage.rest()
    intake.options.signal?.throwIfAborted()
    const failure = origin === 'file' ? wholeRefusal(error, [], intake) : error
    if (!(failure instanceof WholeRefusal)) {
      // The first failure is reported: cleaning up on the same disk may fail as well.
      await settlement.abandon().catch(() => {})
      throw error
    }
    if (isDatabaseLost(failure.cause)) await intake.restartDatabase()
    await settlement.abandon()
    return refuse(intake, identity, failure, before)
  } finally {
    clearInterval(ticking)
  }
}

async function refuseWhole(
  settlement: Settlement,
  identity: SourceIdentity,
  { read, rejected, reasons, notes }: Accounting,
  contents: SourceContents,
): Promise<FileReport> {
  await settlement.abandon()
  const first = Object.keys(reasons)[0]
  return report(identity, 'refused', {
    ...nothingRead,
    read,
    rejected: read,
    reasons,
    notes,
    ...contents,
    reason: `${rejected} of ${read} rows were refused (${first}) and --strict takes all or nothing`,
  })
}

/** Records that a file was refused, and why, for `tranche rejects`. */
export async function refuse(
  intake: Run,
  identity: SourceIdentity,
  { message: reason, kinds, failure }: WholeRefusal,
  before: ImportRecord | undefined,
): Promise<FileReport> {
  const made = {
    ...report(identity, 'refused', { ...nothingRead, kinds, reason, members: [] }),
    failure,
  }
  if (before?.refused === reason) return { ...made, import: before.id }
  const settlement = new Settlement(intake, identity)
  const record = await settlement.commit(nothingRead, { kinds, refused: reason })
  return { ...made, import: record.id }
}
