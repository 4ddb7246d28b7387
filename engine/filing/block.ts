/** One line of a filing as a reader sees it: a paragraph, a heading, or a row of a table. */
export interface Block {
  /** Blanks collapsed; the cells of a row joined with ` | `. */
  readonly text: string
  /** Offset in the source where it begins, characters. */
  readonly at: number
  /** Offset in the source at which its innermost element ends. */
  readonly end: number
  /** Page number from 1; null if the source has none. */
  readonly page: number | null
  /** All of its letters are bold, underlined or italic. */
  readonly emphasised: boolean
  readonly bold: boolean
  readonly centred: boolean
  /** Target in the document of a link that covers it: for lines of a table of contents. */
  readonly link: string | null
  /** Anchors by which links lead here. */
  readonly anchors: readonly string[]
  /** Font size of the first letter, points. */
  readonly indent: number
  /** For a table row; null for any other line. */
  readonly cells: readonly Cell[] | null
}

export interface Cell {
  readonly text: string
  /** Lines of the cell as broken in the source. */
  readonly lines: readonly string[]
  /** First grid column that it covers, and the first after it. */
  readonly from: number
  readonly to: number
  /** Points. */
  readonly indent: number
  readonly bold: boolean
  /** Footnote marks at its end, if distinguished: raised or slanted. */
  readonly marks: string
}

/** A text tagged in inline XBRL: a note, a policy, a table. */
export interface TextBlock {
  /** Concept with its prefix, `us-gaap:DebtDisclosureTextBlock`. */
  readonly concept: string
  /** Source ranges that it covers, in order: `[from, to)`. */
  readonly ranges: readonly (readonly [number, number])[]
}

/** A document of a filing, split into lines. */
export interface Lines {
  readonly blocks: readonly Block[]
  readonly textBlocks: readonly TextBlock[]
  /** First value of each tagged fact about the document itself, `dei:EntityRegistrantName`. */
  readonly facts: ReadonlyMap<string, string>
  /** Source offsets at which pages end; empty if the source has no pages. */
  readonly pageBreaks: readonly number[]
  /** Characters of the source. */
  readonly length: number
}

/** The blocks of `[from, to)`, each with its index. */
export const blocksIn = (blocks: readonly Block[], from: number, to: number): (readonly [number, Block])[] =>
  blocks.slice(from, to).map((block, i) => [from + i, block] as const)
