import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

const above = (from: string): string => (existsSync(join(from, 'biome.json')) ? from : above(dirname(from)))

/** The folder of the project, above the compiled code as above the source. */
export const projectFolder = above(import.meta.dirname)
