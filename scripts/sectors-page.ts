import { sectorLabels, sectors, sectorWords, sicRanges } from '../engine/names/sector.ts'

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

const code = (n: number): string => String(n).padStart(4, '0')

/** The page that documents how labels and codes become sectors, generated from the map. */
export const sectorsPage = (): string => `# Sectors

A company's \`sector\` is one of eleven: ${sectors.join(', ')}. \`sector_source\` is the label it was read from, as its source writes
it. This page is generated from the map in \`engine/names/sector.ts\`.

The first mapped value decides: the label in a list of companies (GICS, or your own), the registrant's SIC code, the most frequent label of its bonds in
fund holdings, the label in rating lists, a word of its name. An unmapped label gives no sector; \`tranche doctor --data\` lists it. Sectors have no
history: they are today's.

## Labels

Of several sectors the first is used, unless the company's name indicates another: ASCENSION HEALTH is Health Care under
\`Consumer Non-Cyclical\`. The last column is used only to compare an issuer with a group ([issuers](issuers.md)).

${table(
  ['Taxonomy', 'Label', 'Sector', 'Also found there'],
  sectorLabels.map(({ taxonomy, label, sectors, also }) => [
    taxonomy,
    label,
    sectors.length === 0 ? 'none: does not describe the business' : sectors.join(', or '),
    also.join(', '),
  ]),
)}

## SIC codes

The first range that contains a code decides. 6770 (blank checks) has none.

${table(
  ['Codes', 'Sector', 'Business'],
  sicRanges.map(({ from, to, sector, what }) => [
    from === to ? code(from) : `${code(from)} to ${code(to)}`,
    sector,
    what,
  ]),
)}

## Words of names

The last resort. The first row with a word of the name decides; \`sector_source\` is \`name: BANK\`.

${table(
  ['Sector', 'Words'],
  sectorWords.map(([sector, words]) => [sector, words.join(', ')]),
)}
`
