import { borrowings, conceptsUnder, fairValue, otherFunding, repayments } from './borrowings.ts'
import { currentLiabilities, noncurrentLiabilities, otherNoncurrent } from './other-liabilities.ts'

/** Every concept from which total debt is read or checked. */
export const debtConcepts: readonly string[] = [
  ...Object.values(borrowings),
  ...repayments,
  ...otherNoncurrent,
  fairValue,
  otherFunding,
  currentLiabilities,
  noncurrentLiabilities,
].flatMap(conceptsUnder)
