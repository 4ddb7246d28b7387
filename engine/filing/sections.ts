import { elementAt, lastOf } from '../base/elements.ts'
import { append } from '../base/lists.ts'
import { covenantArticles } from './articles.ts'
import { type AttachedExhibit, attachedExhibits } from './attached-exhibits.ts'
import { attachedList } from './attached-list.ts'
import { type Block, blocksIn, type Lines } from './block.ts'
import { type DocumentText, documentText, sourceLength } from './document-text.ts'
import { isHeading, isTitle, setting } from './heading.ts'
import { findItems } from './items.ts'
import { liquidityParts } from './liquidity-parts.ts'
import { GUARANTORS, notesIn, notesOfStatements } from './notes.ts'
import { outlineOf, type SectionType } from './outline.ts'
import { isCrossIndexed, ownSections } from './own-headings.ts'

/** A part of a document that is extracted and searched by itself. */
export interface Section {
  readonly type: SectionType
  readonly title: string | null
  /** The form item that it is or is in, `1A`, `part2item1a`. */
  readonly item: string | null
  readonly text: string
  /** Where `text` begins in the document's text, characters. */
  readonly offset: number
  /** Where it begins in the source, and its length there. */
  readonly source_offset: number
  readonly source_length: number
  /** First page, and pages covered; null if the source has no pages. */
  readonly page: number | null
  readonly pages: number | null
  /** Inside another section that is also present, as liquidity is within MD&A. */
  readonly within: SectionType | null
  /** The exhibit that it is or is in, `EX-4.18`, if it is printed behind a report. */
  readonly exhibit: string | null
}

/** Blocks `[from, to)` with their type. */
interface Piece extends Pick<Section, 'type' | 'title'> {
  readonly from: number
  readonly to: number
  readonly item?: string
  readonly within?: SectionType
  readonly exhibit?: string
}

export const LONGEST_SECTION = 500_000

/**
 * The sections of a document.
 *
 * @param docType form or exhibit, `10-K`, `EX-10.1`
 */
export function sectionsOf(lines: Lines, docType: string): Section[] {
  const document = documentText(lines)
  const pieces = piecesOf(lines, docType).filter(({ from, to }) => from < to)
  return pieces.flatMap(piece => parts(document, piece)).filter(({ text }) => text.trim() !== '')
}

function piecesOf(lines: Lines, docType: string): Piece[] {
  const { blocks } = lines
  const whole = { from: 0, to: blocks.length }
  const outline = outlineOf(docType)
  if (outline) return withAttached(lines, formPieces(lines, docType))
  if (/^8-?K/i.test(docType)) return currentReportPieces(lines)
  // The series of a term sheet share rows, so that its headings do not part it.
  if (/^FWP/i.test(docType) && blocks.some(({ text }) => isOfSettlement.test(text)))
    return [{ ...whole, type: 'other', title: titleOf(blocks) }]
  if (/^(424|S-|F-|FWP)/i.test(docType)) return prospectusPieces(blocks)
  // Annual reports of Canadian issuers and reports of foreign ones have no items, and may have statements.
  if (/^(40-?F|6-?K)/i.test(docType)) {
    const parts = notePieces(lines, { ...whole, type: 'other', title: titleOf(blocks) })
    if (parts.length > 1) return parts
  }
  const exhibit = /^EX-?(\d+)/i.exec(docType)?.[1]
  const title = titleOf(blocks)
  if (exhibit === '21' || exhibit === '8') return [{ ...whole, type: 'exhibit_21', title }]
  if (exhibit === '22') return [{ ...whole, type: 'guarantor_list', title }]
  return agreementPieces(blocks, { ...whole, type: 'other', title }, exhibit)
}

/** The row of a term sheet with the day on which notes are paid for. */
const isOfSettlement =
  /^\W{0,3}(?:expected )?(?:settlement|original issue|issue|closing)\b(?: date)?[^.]{0,30}[:|]/i

/** An exhibit, with its articles of covenants if it is an agreement. */
function agreementPieces(blocks: readonly Block[], piece: Piece, exhibit: string | undefined): Piece[] {
  const own = blocks.slice(piece.from, piece.to)
  const agreement = agreementType(own, exhibit)
  if (agreement === null) return [piece]
  const articles = covenantArticles(own).map(({ from, to, title }) => ({
    ...piece,
    type: 'covenants' as const,
    title,
    from: piece.from + from,
    to: piece.from + to,
    within: agreement,
  }))
  return [{ ...piece, type: agreement }, ...articles]
}

const DESCRIPTION = /\bdescription of\b[^.]{0,80}\bsecurities\b/i

/** An exhibit printed behind a report. */
function exhibitPieces(lines: Lines, { from, to, number }: AttachedExhibit): Piece[] {
  const { blocks } = lines
  const own = blocks.slice(from, to)
  const exhibit = `EX-${number}`
  const piece: Piece = { type: 'other', title: titleOf(own), from, to, exhibit }
  const [main] = number.split('.')
  if (main === '22') return [{ ...piece, type: 'guarantor_list' }]
  // An annual report to shareholders.
  if (main === '13')
    return annexed(blocks, piece).flatMap(part =>
      part.type === 'other' ? notePieces(lines, part).map(each => ({ ...each, exhibit })) : [part],
    )
  // What every annual report says of its registered securities; notes follow the shares.
  const heading = own
    .slice(0, 6)
    .map(({ text }) => text)
    .join(' ')
  const description = main === '4' ? DESCRIPTION.exec(heading)?.[0] : undefined
  if (description !== undefined && own.some(({ text }) => INDENTURE.test(text)))
    return [{ ...piece, type: 'indenture', title: description }]
  return agreementPieces(blocks, piece, main)
}

function formPieces(lines: Lines, form: string): Piece[] {
  const { blocks } = lines
  const starts = findItems(blocks, outlineOf(form)!)
  const [cover] = starts
  if (isCrossIndexed(blocks, starts)) return indexedPieces(lines)
  if (!cover) return notePieces(lines, { type: 'other', title: titleOf(blocks), from: 0, to: blocks.length })
  const pieces: Piece[] = [{ type: 'other', title: 'Cover', from: 0, to: cover.block }]
  const exhibits = attachedExhibits(blocks, lastOf(starts).block)
  const end = exhibits[0]?.from ?? blocks.length
  const order = starts.findIndex(({ item }) => item.type === 'notes')
  const statements = starts[order]
  const next = starts[order + 1]?.block ?? end
  // Statements that are part of the discussion leave only a reference in their own item, or none.
  const referred = statements === undefined || next - statements.block < STUB
  for (const [i, { item, block: from }] of starts.entries()) {
    const to = starts[i + 1]?.block ?? end
    const piece: Piece = { type: item.type, title: headingText(blocks, from), from, to }
    // Statements may follow the exhibits, with only a reference in their own item.
    const holdsNotes = item.type === 'notes' || i === starts.length - 1
    const behind = referred && item.key === '7A' ? statementsBehind(lines, piece) : []
    if (behind.length > 0) {
      append(pieces, behind)
      continue
    }
    const parts = holdsNotes
      ? notePieces(lines, piece)
      : item.type === 'mda'
        ? discussionPieces(lines, piece, referred)
        : [piece]
    append(
      pieces,
      parts.map(part => ({ ...part, item: item.key })),
    )
  }
  const discussed = pieces.find(({ type }) => type === 'mda')
  const isDiscussed = discussed !== undefined && discussed.to - discussed.from >= STUB
  return [
    ...(isDiscussed ? pieces : pieces.flatMap(piece => annexedReport(lines, piece))),
    ...exhibits.flatMap(each => exhibitPieces(lines, each)),
  ]
}

const AUDITED =
  /^(?:management\W?s )?reports? (?:of|on) (?:independent|management|internal)|^index to (?:the )?(?:consolidated )?financial statements/i

/** Market risk, and the statements behind it whose own heading is not found; empty if there are none. */
function statementsBehind(lines: Lines, piece: Piece): Piece[] {
  const { from, to } = piece
  const [note] = notesIn(lines, from, to)
  if (note === undefined) return []
  const begin = titled(lines.blocks, from + 1, note.from, AUDITED)?.[0] ?? note.from
  const title = headingText(lines.blocks, begin)
  return [
    { ...piece, to: begin, item: '7A' },
    ...notePieces(lines, { type: 'other', title, from: begin, to }).map(each => ({ ...each, item: '8' })),
  ]
}

/** A report whose items are an index: its sections under headings of their own. */
function indexedPieces(lines: Lines): Piece[] {
  const { blocks } = lines
  const sections = ownSections(blocks)
  const numbered = notesIn(lines, 0, blocks.length)
  const first = numbered[0]?.from ?? blocks.length
  // The last note ends at the next heading of the report.
  const lastNote = numbered.at(-1)?.from ?? blocks.length
  const last = sections.find(({ from }) => from > lastNote)?.from ?? numbered.at(-1)?.to ?? blocks.length
  return sections.flatMap((section): Piece[] => {
    const { from, to } = section
    if (from > first && to <= last) return []
    const holdsNotes = from <= first && first < to
    const piece: Piece = {
      ...section,
      from: from > first ? Math.max(from, last) : from,
      to: holdsNotes ? first : to,
    }
    const parts = piece.type === 'mda' ? discussionPieces(lines, piece, false) : [piece]
    const notes: Piece = { type: 'other', title: section.title, from: first, to: last }
    return holdsNotes ? [...parts, ...notePieces(lines, notes)] : parts
  })
}

/** A shorter item only says where its text is. */
const STUB = 10

const DISCUSSION = /^management\W?s discussion and analysis\b(?!.*(continued|\d$))/i
const BEHIND_DISCUSSION =
  /^(management\W?s )?report (of|on) (independent|management|internal)|^(consolidated )?(statements?|balance sheets?) of |^consolidated balance sheets?|^selected financial data/i

/** A final piece, without the discussion if an annual report to shareholders is annexed. */
function annexed(blocks: readonly Block[], piece: Piece): Piece[] {
  const { from, to, type, item, exhibit } = piece
  if (type !== 'other' || to - from < 100) return [piece]
  const discussion = titled(blocks, from + 1, to, DISCUSSION)
  if (!discussion) return [piece]
  const [first, { text }] = discussion
  const [end] = titled(blocks, first + STUB, to, BEHIND_DISCUSSION) ?? [to]
  const of = { ...(item !== undefined && { item }), ...(exhibit !== undefined && { exhibit }) }
  return [
    { ...piece, to: first },
    { type: 'mda', title: text.slice(0, 200), from: first, to: end, ...of },
    ...liquidity(blocks, first, end).map(each => ({ ...each, ...of })),
    { ...piece, title: blocks[end]?.text.slice(0, 200) ?? null, from: end, to },
  ]
}

/** The parts of a final piece; where a discussion is annexed, with the notes behind it. */
function annexedReport(lines: Lines, piece: Piece): Piece[] {
  const parts = annexed(lines.blocks, piece)
  if (parts.length === 1) return parts
  const { item } = piece
  return parts.flatMap(part =>
    part.type === 'other'
      ? notePieces(lines, part).map(each => ({ ...each, ...(item !== undefined && { item }) }))
      : [part],
  )
}

/** The first informative title in `[from, to)`, and where it is. */
const titled = (blocks: readonly Block[], from: number, to: number, says: RegExp) =>
  blocksIn(blocks, from, to).find(([, block]) => isTitle(block) && says.test(block.text))

/** The discussion, and the notes behind it where the statements are in it. */
function discussionPieces(lines: Lines, piece: Piece, holdsStatements: boolean): Piece[] {
  const { blocks } = lines
  const { from, to } = piece
  const first = holdsStatements ? notesIn(lines, from, to)[0]?.from : undefined
  const end = first ?? to
  const rest = first === undefined ? [] : notePieces(lines, { ...piece, type: 'other', from: end })
  return [
    { ...piece, to: end },
    ...liquidity(blocks, from, end),
    ...headed(blocks, from, end, 'mda'),
    ...rest,
  ]
}

/** If exhibits follow the report, the list of subsidiaries is removed from the section containing it. */
function withAttached(lines: Lines, pieces: readonly Piece[]): Piece[] {
  const list = attachedList(lines)
  if (list === null) return [...pieces]
  const cut = pieces.flatMap((piece): Piece[] => {
    if (piece.to <= list.from || piece.from >= list.to) return [piece]
    const rest: Piece = { type: 'other', title: 'Exhibits', from: list.to, to: piece.to }
    return [{ ...piece, to: list.from }, ...(piece.within === undefined && rest.from < rest.to ? [rest] : [])]
  })
  const { from, to } = list
  return [...cut, { type: 'exhibit_21', title: headingText(lines.blocks, from), from, to }]
}

/** The notes in a piece, with what is under their headings, and the text before, between and after them. */
function notePieces(lines: Lines, piece: Piece): Piece[] {
  const { blocks } = lines
  const notes =
    piece.type === 'notes'
      ? notesOfStatements(lines, piece.from, piece.to)
      : notesIn(lines, piece.from, piece.to)
  if (notes.length === 0) return [piece]
  const pieces: Piece[] = []
  let from = piece.from
  for (const note of [...notes, null]) {
    const to = note?.from ?? piece.to
    const title = from === piece.from ? piece.title : (blocks[from]?.text.slice(0, 200) ?? null)
    if (from < to) pieces.push({ type: 'other', title, from, to })
    if (note === null) break
    pieces.push({ ...note })
    if (note.type === 'debt_footnote') append(pieces, headed(blocks, note.from, note.to, 'debt_footnote'))
    from = note.to
  }
  return pieces
}

/** The text of a heading, with the next line if it is only a number. */
function headingText(blocks: readonly Block[], at: number): string {
  const text = elementAt(blocks, at).text.replaceAll(' | ', ' ')
  const isBare = /^(part\s+[IVX]+\W*)?item\s*[\d.]+(?![\d.])[ABC]?\W*$/i.test(text)
  return (isBare ? `${text} ${blocks[at + 1]?.text.replaceAll(' | ', ' ') ?? ''}` : text).slice(0, 200)
}

/** The discussion of liquidity and capital resources within MD&A, which may have several parts. */
const liquidity = (blocks: readonly Block[], from: number, to: number): Piece[] =>
  liquidityParts(blocks, from, to).map(part => ({ ...part, type: 'mda_liquidity', within: 'mda' }))

/** Sections under headings of their own inside a longer text: covenants, and what guarantors add to the statements. */
function headed(blocks: readonly Block[], from: number, to: number, whole: SectionType): Piece[] {
  const pieces: Piece[] = []
  let covered = from + 1
  for (const [i, block] of blocksIn(blocks, from + 1, to)) {
    if (i < covered || !isHeading(block) || block.text.length > 120) continue
    const type = /\bcovenants?\b/i.test(block.text)
      ? 'covenants'
      : GUARANTORS.test(block.text)
        ? 'guarantor_list'
        : null
    if (type === null) continue
    const look = setting(block)
    const [end] = blocksIn(blocks, i + 1, to).find(
      ([, next]) => isHeading(next) && setting(next) === look,
    ) ?? [to]
    pieces.push({ type, title: block.text, from: i, to: end, within: whole })
    covered = end
  }
  return pieces
}

const CREDIT =
  /credit agreement|credit facility|loan agreement|term loan|revolving (credit|loan)|loan and security/i
const LENDERS =
  /\b(?:credit|loan|bank)\s+(?:agreements?|facilit(?:y|ies))|\b(?:term\s+loans?|revolving\s+credit|lenders)\b/i
const INDENTURE =
  /indenture|(senior|subordinated|convertible|secured|\d%) (secured |unsecured )?(notes|debentures)|first mortgage bonds/i

/** The items of a current report, and the exhibits printed behind it. */
function currentReportPieces(lines: Lines): Piece[] {
  const { blocks } = lines
  const found = [...blocks.entries()].flatMap(([from, { text }]) => {
    const number = /^item\s*(\d\.\d{2})\b/i.exec(text)?.[1]
    return number !== undefined && text.length < 300 ? [{ from, number }] : []
  })
  const [first] = found
  if (!first) return [{ type: 'other', title: titleOf(blocks), from: 0, to: blocks.length }]
  const exhibits = attachedExhibits(blocks, lastOf(found).from)
  const end = exhibits[0]?.from ?? blocks.length
  const items = found.map(({ from, number }, i): Piece => {
    const to = found[i + 1]?.from ?? end
    const text = blocks
      .slice(from, Math.min(to, from + 12))
      .map(block => block.text)
      .join(' ')
    const isFinancing = /^(1\.0[12]|2\.0[34])$/.test(number)
    // Other events tell of waivers that lenders gave.
    const isOfLenders = /^[78]\.01$/.test(number) && LENDERS.test(text) && /\bcovenants?\b/i.test(text)
    const type =
      isOfLenders || (isFinancing && CREDIT.test(text))
        ? 'credit_agreement'
        : isFinancing && INDENTURE.test(text)
          ? 'indenture'
          : 'other'
    return { type, title: headingText(blocks, from), from, to, item: number }
  })
  const attached = exhibits.flatMap(each => exhibitPieces(lines, each))
  return [{ type: 'other', title: 'Cover', from: 0, to: first.from }, ...items, ...attached]
}

const PROSPECTUS: readonly (readonly [RegExp, SectionType])[] = [
  [/^risk factors/i, 'risk_factors'],
  [
    /^description of (?!other |common|capital|warrant).*(notes|bonds|debentures|debt securities|securities)/i,
    'indenture',
  ],
  [/^(unsecured |secured )?(senior|subordinated) (notes|debentures|debt)/i, 'indenture'],
  [/guarantor/i, 'guarantor_list'],
  [/^(our company|the company|(our )?business)$/i, 'business'],
]

/** Main parts of a prospectus with uniform names. */
const PROSPECTUS_PART =
  /^(risk factors|use of proceeds|capitalization|description of (?!.*\bcovenants?\b).{3,60}|underwriting( \(.*\))?|plan of distribution( \(.*\))?|legal matters|validity of .{3,40}|experts|where you can find more information|incorporation (of certain (documents|information) )?by reference|(prospectus (supplement )?)?summary|the offering|(certain|material) (u\.?s\.? |united states )?(federal )?(income )?tax .{0,60}|about this prospectus( supplement)?|forward-looking statements|book-entry.{0,40}|ratio of earnings .{0,60}|certain erisa .{0,40})$/i

/** A prospectus: linked contents, centred capitals, and parts with usual names. */
function prospectusPieces(blocks: readonly Block[]): Piece[] {
  const anchored = new Map(blocks.flatMap(({ anchors }, i) => anchors.map(anchor => [anchor, i] as const)))
  const linked = new Set(blocks.flatMap(({ link }) => (link === null ? [] : (anchored.get(link) ?? []))))
  const isMain = (i: number, block: Block) => {
    if (!isHeading(block) || block.text.length > 100) return false
    return (
      linked.has(i) || (block.centred && block.text === block.text.toUpperCase() && block.text.length > 6)
    )
  }
  // On a contents page the parts follow each other without text in between.
  const isUsual = (i: number, block: Block) =>
    PROSPECTUS_PART.test(block.text) &&
    isTitle(block) &&
    !blocks.slice(i + 1, i + 3).some(({ text }) => PROSPECTUS_PART.test(text))
  const begins = blocksIn(blocks, 1, blocks.length).filter(each => isMain(...each) || isUsual(...each))
  const starts = [0, ...begins.map(([i]) => i)]
  return starts.map((from, i) => {
    const title = blocks[from]?.text ?? ''
    const type = PROSPECTUS.find(([says]) => says.test(title))?.[1] ?? 'other'
    return { type, title, from, to: starts[i + 1] ?? blocks.length }
  })
}

/** The type of an exhibit from its first lines: an indenture, a credit document, or neither. */
function agreementType(
  blocks: readonly Block[],
  exhibit: string | undefined,
): 'credit_agreement' | 'indenture' | null {
  const opening = blocks
    .slice(0, 60)
    .map(({ text }) => text)
    .join('\n')
    .slice(0, 4000)
  if (exhibit === '4')
    return INDENTURE.test(opening) ? 'indenture' : CREDIT.test(opening) ? 'credit_agreement' : null
  if (exhibit !== '10' && exhibit !== '99' && exhibit !== '1') return null
  if (/\bindenture\b/i.test(opening.slice(0, 1500)) && !/credit agreement/i.test(opening.slice(0, 1500)))
    return 'indenture'
  if (
    /employment|compensation|separation|incentive plan|stock option|consulting/i.test(opening.slice(0, 600))
  )
    return null
  return LOAN.test(opening) ? 'credit_agreement' : null
}

const LOAN =
  /(?:syndicated|revolving|term) facility agreement|credit agreement|credit facility|loan agreement|loan and security|term loan|security agreement|revolving (credit|note|loan)|promissory note|pledge agreement|guarant(y|ee) agreement|\bguaranty\b|note purchase|financing agreement|letter of credit|forbearance|intercreditor|reimbursement agreement/i

/** The first words of a document beyond its exhibit number. */
const titleOf = (blocks: readonly Block[]): string | null =>
  blocks
    .slice(0, 40)
    .find(
      ({ text }) =>
        /\p{L}{4}/u.test(text) &&
        !/^exhibit\b|^ex-\d|^table of contents|^execution (copy|version)/i.test(text),
    )
    ?.text.slice(0, 200) ?? null

/** A piece with its text, split at line ends if it is longer than a section may be. */
function parts(document: DocumentText, piece: Piece): Section[] {
  const { from, to, type, title, item = null, within = null, exhibit = null } = piece
  const { lines, text, starts } = document
  const startOf = (block: number): number => starts[block] ?? text.length
  const cuts = [from]
  let cut = from
  for (let i = from + 1; i < to; i++)
    if (startOf(i + 1) - startOf(cut) > LONGEST_SECTION - MARK) {
      cut = i
      cuts.push(cut)
    }
  const wholes = cuts.map((cut, i) => [cut, cuts[i + 1] ?? to] as const)
  const pieces = wholes.flatMap(([cut, end]) => {
    const body = text.slice(startOf(cut), startOf(end)).trimEnd()
    // One line may be longer than a section.
    const chunks = []
    for (let at = 0; at < body.length || at === 0; at += LONGEST_SECTION - MARK)
      chunks.push({ cut, end, at: startOf(cut) + at, body: body.slice(at, at + LONGEST_SECTION - MARK) })
    return chunks
  })
  return pieces.map(({ cut, end, at, body }, i): Section => {
    const [first, last] = [
      elementAt(lines.blocks, cut).page,
      elementAt(lines.blocks, Math.max(cut, end - 1)).page,
    ]
    const isCut = pieces.length > 1
    return {
      type,
      title: isCut ? `${title ?? type} (part ${i + 1} of ${pieces.length})` : title,
      item,
      within,
      exhibit,
      text: i < pieces.length - 1 ? `${body}\n\n[continues in part ${i + 2} of ${pieces.length}]` : body,
      offset: at,
      source_offset: elementAt(lines.blocks, cut).at,
      source_length: sourceLength(document, cut, end),
      page: lines.pageBreaks.length > 0 ? first : null,
      pages: lines.pageBreaks.length > 0 && first !== null && last !== null ? last - first + 1 : null,
    }
  })
}

/** Room for a note that the section continues. */
const MARK = 100
