import type { ComponentType } from 'react'
import { Screen } from '../pages/screen/screen.tsx'
import { wordsOf } from '../show/words.ts'

export interface PageProps {
  readonly path: readonly string[]
}

interface Page {
  readonly title: (path: readonly string[]) => string
  readonly show: ComponentType<PageProps>
}

/** The first page comes with the application; the others when they are opened. */
const pages: Readonly<Record<string, Page>> = {
  screen: { title: path => wordsOf(path[1] ?? 'companies'), show: Screen },
}

export const pageAt = ([name]: readonly string[]): Page => pages[name ?? 'screen'] ?? pages['screen']!
