import { embedTexts } from '../embed/embed-texts.ts'
import { embedSections } from '../embed/lsa.ts'
import { cutSections } from '../text/cut-sections.ts'
import { linkPassages } from '../vectors/graph.ts'

/** Helpers' jobs: pure functions of values and index files, with the same result in every process. */
export const jobs = { cut: cutSections, place: embedSections, link: linkPassages, embed: embedTexts } as const

export type Jobs = typeof jobs
