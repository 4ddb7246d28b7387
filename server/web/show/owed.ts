import type { Instrument } from '../../../engine/schema/resources/instruments.ts'

/** What is owed; the face amount of a facility is what may be. */
export const owedOf = ({
  carrying_amount,
  principal,
  drawn,
  commitment,
}: Pick<Instrument, 'carrying_amount' | 'principal' | 'drawn' | 'commitment'>): number | null =>
  carrying_amount ?? drawn ?? (commitment === null ? principal : null)
