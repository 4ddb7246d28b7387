import { href } from '../app/route.ts'

export type Subject = `${'company' | 'bond'}:${string}`

export const kindOf = (subject: string): 'company' | 'bond' =>
  subject.startsWith('bond:') ? 'bond' : 'company'

/** The ticker, CUSIP or id of a subject. */
export const idOf = (subject: string): string => subject.slice(subject.indexOf(':') + 1)

/** The page of a company or bond. */
export const subjectLink = (subject: string): string => href([kindOf(subject), idOf(subject)])
