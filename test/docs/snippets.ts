import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../root.ts'

/** A fenced block of a page, and what the comment above it says of it. */
export interface Snippet {
  /** `docs/start.md:12` */
  readonly at: string
  readonly language: string
  readonly text: string
  /** Why it is only read. */
  readonly notRun?: string
  /** The file that it shows. */
  readonly file?: string
}

const fence = /(?:^<!-- (not run|file): (.+?) -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm

/** The blocks of a page in order. */
export function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(fence)].map(([, mark, said, language, block], i, all) => {
    const at = `${page}:${text.slice(0, text.indexOf('```', all[i]!.index)).split('\n').length}`
    return {
      at,
      language: language!,
      text: block!,
      ...(mark === 'not run' && { notRun: said! }),
      ...(mark === 'file' && { file: said! }),
    }
  })
}

/** Files that a page links to, without what stands on the web and places within a page. */
export function linksOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '')
  return [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)]
    .map(([, to]) => to!)
    .filter(to => !/^\w+:/.test(to))
}
