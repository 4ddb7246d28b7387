/** Milliseconds before another worker takes the place of one that died, after so many young ones in a row. */
export const pauseAfter = (young: number): number => (young === 0 ? 0 : Math.min(30_000, 250 * 2 ** young))
