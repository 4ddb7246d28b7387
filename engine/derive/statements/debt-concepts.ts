import { borrowings, conceptsUnder, fairValue, otherFunding, repayments } from './borrowings.ts'
import { currentLiabilities, noncurrentLiabilities, otherNoncurrent } from './other-liabilities.ts'

/** Every concept that total debt is read from or checked against. */
export const debtConcepts: readonly string[] = [
  ...Object.values(borrowings),
  ...repayments,
  ...otherNoncurrent,
  fairValue,
  otherFunding,
  currentLiabilities,
  noncurrentLiabilities,
].flatMap(conceptsUnder)
