/**
 * What comes at once, or later. Where it is there already, waiting for it would take longer than a page out of memory:
 * who may have it asks `isLater` before they wait.
 */
export type MaybePromise<T> = T | Promise<T>

export const isPromise = <T>(soon: MaybePromise<T>): soon is Promise<T> => soon instanceof Promise
