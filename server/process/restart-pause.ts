/** Milliseconds to wait before a dead worker is replaced, given how many in a row died young. */
export const pauseAfter = (young: number): number => (young === 0 ? 0 : Math.min(30_000, 250 * 2 ** young))
