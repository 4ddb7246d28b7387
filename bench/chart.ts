import type { Results } from './run.ts'

export const chart = (_: Results): string => ''
