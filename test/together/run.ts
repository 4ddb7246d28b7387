// Runs test files one after the other in this process, each as one test: node run.js FILE...
// Starting a process and loading the test runner and the engine takes longer than most files.
import { register } from 'node:module'
import { extname, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../root.ts'
import { setCurrentFile } from './current-file.ts'
import { FILE_TIMEOUT } from './processes.ts'

// tap names the folders of tests by the words that the process began with: those of ten files are too long a name.
const files = process.argv.splice(2)
const { default: t } = await import('tap')
register(`./hooks${extname(import.meta.url)}`, import.meta.url)
t.setTimeout(0)

for (const file of files) {
  const path = resolve(file)
  await t.test(relative(root, path), { timeout: FILE_TIMEOUT }, async own => {
    setCurrentFile(own)
    await import(pathToFileURL(path).href)
  })
}
