// Module hooks: a test file that imports `tap` gets the subtest of the process that is the file's own.
import type { ResolveHook } from 'node:module'
import { extname } from 'node:path'

const tapOfFile = new URL(`./tap-of-file${extname(import.meta.url)}`, import.meta.url)

export const resolve: ResolveHook = (specifier, context, next) => {
  const from = context.parentURL ?? ''
  if (specifier !== 'tap' || !/\.test\.[jt]s$/.test(from)) return next(specifier, context)
  return { url: `${tapOfFile}?${encodeURIComponent(from)}`, shortCircuit: true }
}
