import {
  borrowings,
  conceptsUnder,
  fairValue,
  otherFunding,
  repayments,
  subjectToCompromise,
} from './borrowings.ts'
import { currentLiabilities, noncurrentLiabilities, otherNoncurrent } from './other-liabilities.ts'

/** Every concept from which total debt is read or checked. */
export const debtConcepts: readonly string[] = [
  ...Object.values(borrowings),
  ...repayments,
  ...otherNoncurrent,
  fairValue,
  otherFunding,
  subjectToCompromise,
  currentLiabilities,
  noncurrentLiabilities,
].flatMap(conceptsUnder)
