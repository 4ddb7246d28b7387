import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const above = (from: string): string => (existsSync(join(from, 'biome.json')) ? from : above(dirname(from)))

/** The project's folder, above compiled code as above sources. */
export const projectFolder = above(import.meta.dirname)
