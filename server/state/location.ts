import { join } from 'node:path'

/** The default location of a lake's state: among its files, so that no two lakes share keys. */
export const stateInLake = (lake: string): string => join(lake, 'state.db')

/** The location: the given one, else TRANCHE_STATE, else the one in the lake. */
export const stateLocation = (named: string | undefined, lake: string): string =>
  named || process.env['TRANCHE_STATE'] || stateInLake(lake)

export const isPostgres = (location: string): boolean => /^postgres(ql)?:\/\//i.test(location)

/** A location for display: without the password. */
export const displayLocation = (location: string): string =>
  isPostgres(location) ? location.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/s, '') : location
