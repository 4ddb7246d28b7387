import type { Accounts, AuditAction, AuditEntry } from './accounts.ts'
import type { Actor } from './state.ts'
import type { Db, Store } from './store.ts'

/** A program that has the store itself, and does not say for whom. */
const PROGRAM: Actor = { who: 'program' }

/**
 * Writes an entry in the transaction of the change, so that neither is kept without the other. The subject is the person or
 * key that was changed, an email or the id of a key; the details are the new values, never a secret.
 */
export const recordChanges =
  (now: () => number) =>
  async (
    tx: Db,
    by: Actor = PROGRAM,
    action: AuditAction,
    subject: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> => {
    const given = Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined))
    await tx
      .insertInto('audit_entries')
      .values({
        at: now(),
        who: by.who,
        action,
        subject,
        details: JSON.stringify(given),
        address: by.address ?? null,
        request_id: by.requestId ?? null,
      })
      .execute()
  }

export const auditLog = ({ db }: Store): Pick<Accounts, 'auditLog'> => ({
  async auditLog({ subject, who } = {}, { limit, offset } = { limit: 100, offset: 0 }) {
    let wanted = db.selectFrom('audit_entries')
    if (subject !== undefined) wanted = wanted.where('subject', '=', subject)
    if (who !== undefined) wanted = wanted.where('who', '=', who)
    const { total } = await wanted.select(e => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    const rows = await wanted.selectAll().orderBy('id', 'desc').limit(limit).offset(offset).execute()
    return {
      total,
      rows: rows.map(
        ({ id, at, who, action, subject, details, address, request_id }): AuditEntry => ({
          id,
          at: new Date(at).toISOString(),
          who,
          action,
          subject,
          details: JSON.parse(details),
          address,
          requestId: request_id,
        }),
      ),
    }
  },
})
