import { embedSections } from '../embed/lsa.ts'
import { cutSections } from '../text/cut-sections.ts'
import { linkPassages } from '../vectors/graph.ts'

/** What helpers do: from values and files of the index to values and files of it, the same in every process. */
export const jobs = { cut: cutSections, place: embedSections, link: linkPassages } as const

export type Jobs = typeof jobs
