/** The words of the program, said apart from what they do: the first help must not load an engine. */
export interface CommandLine {
  readonly word: string
  readonly doc: string
  /** Made from an operation; word and doc are the operation's own, as a test checks. */
  readonly operation?: string
}

const asked = (operation: string, word: string, doc: string): CommandLine => ({ word, doc, operation })

export const groups: Readonly<Record<string, readonly CommandLine[]>> = {
  'Make a lake': [
    { word: 'sample', doc: 'Make a lake of fictional issuers and build it.' },
    { word: 'ingest', doc: 'Read source files or folders into the lake.' },
    { word: 'rejects', doc: 'What was refused, and why.' },
    { word: 'link', doc: 'Issuers that could not be matched, and your own decisions on them.' },
    { word: 'build', doc: 'Derive the tables and put a new snapshot in force.' },
    { word: 'snapshots', doc: 'List, verify, compare and remove snapshots.' },
  ],
  'Ask it': [
    asked('search.companies', 'companies', 'Companies with their debt metrics as of a day.'),
    asked('get.company', 'company', 'One company with its debt metrics, by ticker, CIK or id.'),
    asked('search.bonds', 'bonds', 'Bonds and loans with their terms, issuer, collateral and latest price.'),
    asked('resolve.bond', 'resolve', 'Find a bond by identifier or description.'),
    asked(
      'search.pricing',
      'pricing',
      'Prices of bonds with yield and spread to Treasury: latest, by day, or by week.',
    ),
    asked('history.pricing', 'pricing-history', 'Prices of one bond over up to two years, newest first.'),
    asked(
      'search.financials',
      'financials',
      'Financial statements by quarter and for the trailing twelve months.',
    ),
    asked('search.collateral', 'collateral', 'Collateral behind secured bonds and loans.'),
    asked('search.covenants', 'covenants', 'Covenants of bonds and credit agreements.'),
    asked('compare.covenants', 'compare-covenants', 'Covenants of two to ten companies side by side.'),
    asked('search.ratings', 'ratings', 'Rating actions by company, agency and rating type.'),
    asked(
      'search.migrations',
      'rating-migrations',
      'Issuers whose composite rating moved between two days: fallen angels, rising stars, upgrades and downgrades.',
    ),
    asked('search.spreads', 'spreads', 'Credit spread time series by company and tenor.'),
    asked(
      'aggregate.spreads',
      'spread-aggregate',
      'Statistics of spreads by day, week, month, tenor, sector, industry, rating bucket or company.',
    ),
    asked('search.indices', 'index-spreads', 'Option-adjusted spreads of bond indices by day, as published.'),
    asked(
      'count.facets',
      'facets',
      "Distribution of a list's rows by column: counts by value and histograms, each without the filters of its own column.",
    ),
    asked(
      'traverse.entities',
      'traverse',
      'Guarantors, subsidiaries, parents and debt reached from a company, a bond or an entity.',
    ),
    asked('search.documents', 'search', 'Sections of filings by keyword, by meaning, or both.'),
    asked(
      'changes.company',
      'changes',
      'What changed for a company between two days: debt, entities, metrics, ratings, prices, filings.',
    ),
    asked('export', 'export', 'Rows of one resource in bulk, up to 50,000 over HTTP.'),
    { word: 'sql', doc: 'One SELECT over the tables, or a prompt for several.' },
    { word: 'schema', doc: 'Tables, columns, types, units and what they mean.' },
  ],
  'Serve it': [
    { word: 'serve', doc: 'Answer over HTTP: the /v1 API, its docs, health and metrics.' },
    { word: 'mcp', doc: 'Answer an assistant: the Model Context Protocol on standard input and output.' },
    { word: 'accounts', doc: 'Let people sign in, and reset or disable them.' },
    { word: 'keys', doc: 'Make, list, replace and end API keys, and add credits.' },
  ],
  'Look after it': [
    { word: 'verify', doc: 'Recompute every derived figure from its inputs, and report what differs.' },
    { word: 'doctor', doc: 'Check the installation, the lake and the data.' },
  ],
}

export const commands: readonly CommandLine[] = Object.values(groups).flat()

export const commandNamed = (word: string): CommandLine | undefined => commands.find(c => c.word === word)

/** What `tranche --help` prints, within `width` columns. */
export function mainHelp(width: number): string {
  const pad = Math.max(...commands.map(c => c.word.length))
  const lines = ['tranche COMMAND [options]', '', 'An embedded analytical engine for corporate debt.']
  for (const [title, members] of Object.entries(groups)) {
    lines.push('', `${title}:`)
    for (const { word, doc } of members) {
      const [first, ...rest] = wrapped(doc, Math.max(width - pad - 4, 30))
      lines.push(`  ${word.padEnd(pad)}  ${first}`, ...rest.map(line => `  ${' '.repeat(pad)}  ${line}`))
    }
  }
  return `${lines.join('\n')}

Every command takes --lake DIR (else TRANCHE_LAKE, else ./lake), and --help tells its options with examples.

  tranche sample                                  a lake to try, in ./lake
  tranche companies --min-leverage 4 --sort -leverage_ratio
  tranche bonds --min-ytm 8 -o bonds.parquet
`
}

/** Lines of at most `width` characters, broken at blanks. */
export function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1]!
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
