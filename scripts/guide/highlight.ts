import { createRequire } from 'node:module'
import { escapeHtml } from './html.ts'

interface Highlighter {
  registerLanguage(name: string, language: unknown): void
  highlight(code: string, options: { readonly language: string }): { readonly value: string }
}

// Required, not imported: its types would add those of browsers to every file of the project.
const require = createRequire(import.meta.url)
const highlighter = require('highlight.js/lib/core') as Highlighter

/** Languages by their names in pages, and those of the highlighter. */
const languages: Readonly<Record<string, string>> = {
  sh: 'bash',
  http: 'http',
  json: 'json',
  python: 'python',
  sql: 'sql',
  ts: 'typescript',
  yaml: 'yaml',
}
for (const language of Object.values(languages))
  highlighter.registerLanguage(language, require(`highlight.js/lib/languages/${language}`))

/** A block of code with classes for its parts; plain in a language that is not known. */
export function highlighted(code: string, name: string): string {
  const language = Object.hasOwn(languages, name) ? languages[name] : undefined
  return language === undefined ? escapeHtml(code) : highlighter.highlight(code, { language }).value
}
