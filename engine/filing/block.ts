/** One line of a filing as a reader sees it: a paragraph, a heading, or a row of a table. */
export interface Block {
  /** Blanks collapsed; the cells of a row joined with ` | `. */
  readonly text: string
  /** Offset in the source where it begins, characters. */
  readonly at: number
  /** Offset in the source where its innermost element ends. */
  readonly end: number
  /** Counted from 1 by page breaks; null where the source has none. */
  readonly page: number | null
  /** All of its letters are bold, underlined or italic. */
  readonly emphasised: boolean
  readonly bold: boolean
  readonly centred: boolean
  /** Where a link that covers it leads inside the document: lines of a table of contents. */
  readonly link: string | null
  /** Names by which links lead here. */
  readonly anchors: readonly string[]
  /** Of the first letter, points. */
  readonly indent: number
  /** Of a row of a table; null for any other line. */
  readonly cells: readonly Cell[] | null
}

export interface Cell {
  readonly text: string
  /** Lines of the cell as they are broken in the source. */
  readonly lines: readonly string[]
  /** First column of the grid that it covers, and the first after it. */
  readonly from: number
  readonly to: number
  /** Points. */
  readonly indent: number
  readonly bold: boolean
  /** Marks of footnotes at its end, where they are set apart: raised or slanted. */
  readonly marks: string
}

/** A text tagged in inline XBRL: a note, a policy, a table. */
export interface TextBlock {
  /** Concept with its prefix, `us-gaap:DebtDisclosureTextBlock`. */
  readonly concept: string
  /** Parts of the source that it covers, in order: `[from, to)`. */
  readonly ranges: readonly (readonly [number, number])[]
}

/** A document of a filing, read into lines. */
export interface Lines {
  readonly blocks: readonly Block[]
  readonly textBlocks: readonly TextBlock[]
  /** First value of each tagged fact about the document itself, `dei:EntityRegistrantName`. */
  readonly facts: ReadonlyMap<string, string>
  /** Offsets in the source at which a page ends; empty where the source has no pages. */
  readonly pageBreaks: readonly number[]
  /** Characters of the source. */
  readonly length: number
}
