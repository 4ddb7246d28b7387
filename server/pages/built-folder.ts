import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the build puts a part of the site: beside the compiled files, or in `dist` when running from source. */
export const builtFolder = (name: string): string =>
  fileURLToPath(
    new URL(extname(import.meta.url) === '.ts' ? `../../dist/${name}/` : `../../${name}/`, import.meta.url),
  )
