export type { IndexFacts } from '../index-facts.ts'
