/**
 * A value or a promise of it. Awaiting a ready value costs more than a page from memory, so hot paths test with
 * `isPromise` first.
 */
export type MaybePromise<T> = T | Promise<T>

export const isPromise = <T>(value: MaybePromise<T>): value is Promise<T> => value instanceof Promise
