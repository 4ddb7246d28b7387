import { hostname, userInfo } from 'node:os'
import type { Actor } from '../server/state/state.ts'

/** The user of this machine, as the audit log names them: `ana@desk1`. */
export function operator(): Actor {
  try {
    return { who: `${userInfo().username}@${hostname()}` }
  } catch {
    // A container may run as a user without a name.
    return { who: `uid ${process.getuid?.() ?? 'unknown'}@${hostname()}` }
  }
}
