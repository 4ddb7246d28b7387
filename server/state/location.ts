import { join } from 'node:path'

/** Where the state of a lake is if nothing else is said: among its files, so that no two lakes share their keys. */
export const stateBeside = (lake: string): string => join(lake, 'state.db')

/** The location that is meant: the one that is named, else TRANCHE_STATE, else the one in the lake. */
export const stateLocation = (named: string | undefined, lake: string): string =>
  named || process.env['TRANCHE_STATE'] || stateBeside(lake)

export const isPostgres = (location: string): boolean => /^postgres(ql)?:\/\//i.test(location)

/** A location as it may be shown: without the password. */
export const shownLocation = (location: string): string =>
  isPostgres(location) ? location.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/s, '') : location
