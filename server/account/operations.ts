import { adminOperations } from './accounts.ts'
import { correctionOperations } from './corrections.ts'
import { coverageOperations } from './coverage.ts'
import { creditOperations } from './credits.ts'
import { dataHealthOperations } from './data-health.ts'
import { keyOperations } from './keys.ts'
import type { AccountOperation } from './operation.ts'
import { savedOperations } from './saved.ts'
import { seatOperations } from './seats.ts'
import { sessionOperations } from './session.ts'
import { signedInOperations } from './sessions.ts'

/** The web application's calls outside `/v1`. */
export const accountOperations: readonly AccountOperation[] = [
  ...sessionOperations,
  ...keyOperations,
  ...creditOperations,
  ...seatOperations,
  ...signedInOperations,
  ...coverageOperations,
  ...savedOperations,
  ...adminOperations,
  ...dataHealthOperations,
  ...correctionOperations,
]
