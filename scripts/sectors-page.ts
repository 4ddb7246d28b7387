import { sectorLabels, sectors, sectorWords, sicRanges } from '../engine/names/sector.ts'

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')

const code = (n: number): string => String(n).padStart(4, '0')

/** The page that documents how labels and codes become sectors, out of the map itself. */
export const sectorsPage = (): string => `# Sectors

A company's \`sector\` is one of eleven: ${sectors.join(', ')}. \`sector_source\` is the label it was read from, as its source writes
it. This page is made from the map in \`engine/names/sector.ts\`.

The first of these that the map can read decides: the label of a list of companies (GICS, or your own), the SIC code of the
registrant, the label that most of its bonds have in fund holdings, the label of rating lists, a word of its name. A label that the map does not have gives
no sector; \`tranche doctor --data\` lists it. Sectors have no history: they are today's.

## Labels

Of several sectors the first holds, unless the name of the company says another of them: ASCENSION HEALTH is Health Care under
\`Consumer Non-Cyclical\`. The last column is only used to compare an issuer with a group (see [issuers](issuers.md)).

${table(
  ['Taxonomy', 'Label', 'Sector', 'Also found there'],
  sectorLabels.map(({ taxonomy, label, sectors, also }) => [
    taxonomy,
    label,
    sectors.length === 0 ? 'none: says nothing of the business' : sectors.join(', or '),
    also.join(', '),
  ]),
)}

## SIC codes

The first range that holds a code decides. 6770 (blank checks) has none.

${table(
  ['Codes', 'Sector', 'Business'],
  sicRanges.map(({ from, to, sector, what }) => [
    from === to ? code(from) : `${code(from)} to ${code(to)}`,
    sector,
    what,
  ]),
)}

## Words of names

Where nothing else tells. The first line of which the name holds a word decides; \`sector_source\` is \`name: BANK\`.

${table(
  ['Sector', 'Words'],
  sectorWords.map(([sector, words]) => [sector, words.join(', ')]),
)}
`
