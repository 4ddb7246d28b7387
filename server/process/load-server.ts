import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { openFiles } from '../limits/open-files.ts'

/** Below this limit of open files `import()`, which opens all modules of a graph at once, fails. */
const FEW_FILES = 512

/** The server's modules, loaded one after the other if few files may be open. */
export async function loadServer(): Promise<typeof import('./serve.ts')> {
  const files = openFiles()
  const isCompiled = extname(import.meta.url) === '.js'
  if (files === null || files >= FEW_FILES || !isCompiled) return import('./serve.ts')
  const load = createRequire(import.meta.url)
  // Modules otherwise loaded on first use.
  load('../mcp/over-http.js')
  return load('./serve.js')
}
