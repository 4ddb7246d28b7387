import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The project's folder, for compiled tests and sources alike. */
export const root: string = (() => {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()
