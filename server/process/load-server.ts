import { createRequire } from 'node:module'
import { extname } from 'node:path'
import { openFiles } from '../limits/open-files.ts'

/** Below this many files `import()`, which opens all modules of a graph at once, fails. */
const FEW_FILES = 512

/** The server's modules, read one after the other where the system lets this process open few files. */
export async function loadServer(): Promise<typeof import('./serve.ts')> {
  const files = openFiles()
  const isCompiled = extname(import.meta.url) === '.js'
  if (files === null || files >= FEW_FILES || !isCompiled) return import('./serve.ts')
  const load = createRequire(import.meta.url)
  // What is otherwise loaded when it is first asked for.
  load('../mcp/over-http.js')
  return load('./serve.js')
}
