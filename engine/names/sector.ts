/** The sectors of companies, as index providers define them. */
export const sectors = [
  'Communication Services',
  'Consumer Discretionary',
  'Consumer Staples',
  'Energy',
  'Financials',
  'Health Care',
  'Industrials',
  'Materials',
  'Real Estate',
  'Technology',
  'Utilities',
] as const
export type Sector = (typeof sectors)[number]

/** A source's label and its sectors. The first is used unless the company's name indicates another. */
export interface SectorLabel {
  readonly taxonomy: string
  readonly label: string
  /** Empty where the label does not describe the business, or describes many. */
  readonly sectors: readonly Sector[]
  /** Sectors in which the same taxonomy sometimes puts such companies; used only for comparison. */
  readonly also: readonly Sector[]
}

const of = (
  taxonomy: string,
  labels: Readonly<Record<string, readonly Sector[]>>,
  also: Readonly<Record<string, readonly Sector[]>> = {},
): SectorLabel[] =>
  Object.entries(labels).map(([label, meant]) => ({
    taxonomy,
    label,
    sectors: meant,
    also: also[label] ?? [],
  }))

/** The one map of labels: GICS and relatives, bond-fund classes, exchanges and rating lists. */
export const sectorLabels: readonly SectorLabel[] = [
  ...of(
    'GICS and others',
    {
      'Communication Services': ['Communication Services'],
      'Telecommunication Services': ['Communication Services'],
      Telecommunications: ['Communication Services'],
      Telecom: ['Communication Services'],
      Media: ['Communication Services'],
      'Consumer Discretionary': ['Consumer Discretionary'],
      Retail: ['Consumer Discretionary'],
      Automotive: ['Consumer Discretionary'],
      Gaming: ['Consumer Discretionary'],
      Leisure: ['Consumer Discretionary'],
      'Consumer Staples': ['Consumer Staples'],
      'Consumer Defensive': ['Consumer Staples'],
      Energy: ['Energy'],
      'Oil & Gas': ['Energy'],
      'Oil and Gas': ['Energy'],
      Financials: ['Financials'],
      'Financial Services': ['Financials'],
      Financial: ['Financials'],
      Finance: ['Financials'],
      Banks: ['Financials'],
      'Health Care': ['Health Care'],
      Healthcare: ['Health Care'],
      Industrials: ['Industrials'],
      'Aerospace & Defense': ['Industrials'],
      Materials: ['Materials'],
      'Basic Materials': ['Materials'],
      Chemicals: ['Materials'],
      'Metals & Mining': ['Materials'],
      'Metals and Mining': ['Materials'],
      'Real Estate': ['Real Estate'],
      'Information Technology': ['Technology'],
      Technology: ['Technology'],
      Utilities: ['Utilities'],
      Utility: ['Utilities'],
    },
    {
      Technology: ['Communication Services', 'Industrials', 'Real Estate'],
      Energy: ['Utilities', 'Materials'],
    },
  ),
  ...of(
    'Bond funds',
    {
      Banking: ['Financials'],
      'Basic Industry': ['Materials'],
      'Brokerage/Asset Managers/Exchanges': ['Financials'],
      'Capital Goods': ['Industrials'],
      Communications: ['Communication Services'],
      'Consumer Cyclical': ['Consumer Discretionary'],
      'Consumer Non-Cyclical': ['Consumer Staples', 'Health Care'],
      Electric: ['Utilities'],
      'Finance Companies': ['Financials'],
      'Financial Institutions': ['Financials', 'Real Estate'],
      'Financial Other': ['Financials', 'Real Estate'],
      // The class of every issuer that is neither financial nor a utility.
      Industrial: [],
      'Industrial Other': ['Industrials', 'Consumer Discretionary'],
      Insurance: ['Financials', 'Health Care'],
      'Natural Gas': ['Utilities'],
      Reits: ['Real Estate'],
      REIT: ['Real Estate'],
      Transportation: ['Industrials'],
      'Utility Other': ['Utilities'],
      'Owned No Guarantee': [],
      'Government Guarantee': [],
      'Government Guaranteed': [],
      Agency: [],
      'Local Authority': [],
      Supranational: [],
      Sovereign: [],
      Treasuries: [],
    },
    {
      'Basic Industry': ['Energy', 'Industrials'],
      'Capital Goods': ['Materials', 'Technology'],
      Communications: ['Technology'],
      'Consumer Cyclical': [
        'Consumer Staples',
        'Industrials',
        'Technology',
        'Real Estate',
        'Communication Services',
      ],
      'Consumer Non-Cyclical': ['Consumer Discretionary', 'Industrials', 'Materials'],
      Industrial: [
        'Communication Services',
        'Consumer Discretionary',
        'Consumer Staples',
        'Energy',
        'Health Care',
        'Industrials',
        'Materials',
        'Technology',
      ],
      Electric: ['Energy'],
      'Finance Companies': ['Industrials'],
      'Natural Gas': ['Energy'],
    },
  ),
  ...of('Exchanges and rating lists', {
    'Basic Industries': ['Materials', 'Industrials', 'Consumer Discretionary'],
    'Consumer Durables': ['Consumer Discretionary', 'Industrials'],
    'Consumer Non-Durables': ['Consumer Staples', 'Consumer Discretionary'],
    'Consumer Services': ['Consumer Discretionary', 'Communication Services', 'Real Estate'],
    'Public Utilities': ['Utilities', 'Communication Services', 'Energy'],
    Miscellaneous: [],
    Other: [],
  }),
]

/** Words of names that reveal the business where no source has a label; the first match decides. */
export const sectorWords: readonly (readonly [sector: Sector, words: readonly string[]])[] = [
  [
    'Real Estate',
    ['REIT', 'REALTY', 'REAL ESTATE', 'PROPERTIES', 'PROPERTY', 'APARTMENT', 'HEALTHCARE INVESTORS'],
  ],
  // Banks and insurers known by their own name.
  [
    'Financials',
    [
      'ABN AMRO',
      'AEGON',
      'ALLIANZ',
      'AVIVA',
      'AXA',
      'BARCLAYS',
      'BBVA',
      'CITIGROUP',
      'CREDIT AGRICOLE',
      'CREDIT SUISSE',
      'DNB',
      'GENERALI',
      'GOLDMAN SACHS',
      'HSBC',
      'ING GROEP',
      'INTESA SANPAOLO',
      'JPMORGAN',
      'KBC',
      'LIBERTY MUTUAL',
      'LLOYDS',
      'MACQUARIE',
      'MANULIFE',
      'MASSMUTUAL',
      'METLIFE',
      'MIZUHO',
      'MORGAN STANLEY',
      'MUNICH RE',
      'NATIONWIDE',
      'NATWEST',
      'NEW YORK LIFE',
      'NOMURA',
      'NORDEA',
      'PACIFIC LIFE',
      'PARIBAS',
      'PRUDENTIAL',
      'SANTANDER',
      'SOCIETE GENERALE',
      'STANDARD CHARTERED',
      'SUMITOMO MITSUI',
      'SWISS RE',
      'UBS',
      'UNICREDIT',
      'WESTPAC',
      'ZURICH',
    ],
  ],
  [
    'Financials',
    [
      'BANK',
      'BANKS',
      'BANCO',
      'BANCORP',
      'BANCSHARES',
      'BANKING',
      'BANQUE',
      'LENDING',
      'INSURANCE',
      'ASSURANCE',
      'REINSURANCE',
      'ANNUITY',
      'SAVINGS',
      'FINANCIAL',
      'FINANCIALS',
    ],
  ],
  // Issuers without a filing or a usable label, often state-owned, known by their own name.
  [
    'Utilities',
    [
      'ABU DHABI FUTURE ENERGY',
      'ABU DHABI NATIONAL ENERGY',
      'CHINA THREE GORGES',
      'DHAFRAH',
      'EMERA',
      'ENEL',
      'ENGIE',
      'EDF',
      'ESKOM',
      'GREENKO',
      'KEPCO',
      'KOREA GAS',
      'MASDAR',
      'NTPC',
      'TENAGA NASIONAL',
      'TNB',
      'TRANSMANTARO',
    ],
  ],
  [
    'Energy',
    [
      'AKER BP',
      'ARAMCO',
      'BAPCO',
      'CNOOC',
      'CONTINENTAL RESOURCES',
      'ECOPETROL',
      'EQUINOR',
      'GAZPROM',
      'KAZMUNAYGAZ',
      'LUKOIL',
      'PEMEX',
      'PERTAMINA',
      'PETROBRAS',
      'PETROCHINA',
      'PETRONAS',
      'PTTEP',
      'PTT',
      'REPSOL',
      'SINOPEC',
      'SOCAR',
      'TOTALENERGIES',
      'VAR ENERGI',
      'WOODSIDE',
      'YPF',
    ],
  ],
  [
    'Materials',
    ['CODELCO', 'FREEPORT', 'GLENCORE', 'INDONESIA ASAHAN', 'MAADEN', 'MEGLOBAL', 'SABIC', 'SUZANO', 'VALE'],
  ],
  [
    'Communication Services',
    [
      'OOREDOO',
      'OTEL',
      'OZTEL',
      'SINGTEL',
      'STC SUKUK',
      'TENCENT',
      'TURK TELEKOMUNIKASYON',
      'TURKCELL',
      'VODAFONE',
    ],
  ],
  [
    'Industrials',
    [
      'AERCAP',
      'BOC AVIATION',
      'CCCI',
      'CITIC',
      'CARLISLE COMPANIES',
      'CHINA STATE CONSTRUCTION',
      'CHINA STATE RAILWAY',
      'CMHI',
      'DP WORLD',
      'FORTUNE BRANDS',
      'KOREA EXPRESSWAY',
      'MTR CORP',
      'MTR CORPORATION',
      'ST ENGINEERING',
      'TRANSNET',
    ],
  ],
  [
    'Financials',
    [
      'ACRISURE',
      'CHINA CINDA',
      'CHINA GREAT WALL',
      'CHINA HUARONG',
      'CLIFFORD CAPITAL',
      'FAB SUKUK',
      'ICBCIL',
      'REC LIMITED',
      'POWER FINANCE',
    ],
  ],
  ['Health Care', ['CSL']],
  ['Technology', ['QORVO']],
  ['Consumer Staples', ['JDE PEET', 'JDE PEET S']],
  ['Consumer Discretionary', ['AUTONATION', 'PROSUS']],
  ['Real Estate', ['W P CAREY', 'WP CAREY']],
  [
    'Health Care',
    [
      'HEALTH',
      'HEALTHCARE',
      'PHARMA',
      'PHARMACEUTICAL',
      'PHARMACEUTICALS',
      'MEDICAL',
      'HOSPITAL',
      'HOSPITALS',
      'THERAPEUTICS',
      'BIOTECH',
    ],
  ],
  [
    'Utilities',
    [
      'ELECTRIC',
      'ELECTRICITY',
      'EDISON',
      'POWER',
      'UTILITIES',
      'WATER',
      'PUBLIC SERVICE',
      'TRANSMISSION',
      'GRID',
    ],
  ],
  [
    'Energy',
    ['PIPELINE', 'PIPE LINE', 'MIDSTREAM', 'PETROLEUM', 'PETROLEOS', 'PETROLEO', 'OIL', 'DRILLING', 'LNG'],
  ],
  [
    'Communication Services',
    [
      'COMMUNICATIONS',
      'TELECOM',
      'TELECOMMUNICATIONS',
      'TELEKOM',
      'TELEKOMUNIKASYON',
      'WIRELESS',
      'MEDIA',
      'BROADCASTING',
      'CABLE',
      'WARNERMEDIA',
    ],
  ],
  [
    'Industrials',
    [
      'AIRLINES',
      'AIRWAYS',
      'RAILWAY',
      'RAILWAYS',
      'RAILROAD',
      'AEROSPACE',
      'LOGISTICS',
      'SHIPPING',
      'AIRPORT',
      'AIRPORTS',
      'PORTS',
      'EXPRESSWAY',
    ],
  ],
  ['Technology', ['SOFTWARE', 'SEMICONDUCTOR', 'SEMICONDUCTORS', 'MICROELECTRONICS']],
  ['Materials', ['MINING', 'STEEL', 'CHEMICAL', 'CHEMICALS', 'METALS', 'CEMENT', 'CEMEX', 'FERTILIZER']],
  ['Consumer Staples', ['FOODS', 'BREWING', 'BREWERIES', 'TOBACCO', 'BEVERAGES']],
  [
    'Consumer Discretionary',
    ['AUTOMOTIVE', 'MOTOR', 'MOTORS', 'HOTELS', 'RESORTS', 'CASINO', 'UNIVERSITY', 'COLLEGE'],
  ],
]

/** A word of the name that reveals the business, with its sector. */
function wordOf(name: string): { sector: Sector; word: string } | null {
  const written = ` ${name.toUpperCase().replace(/[^A-Z]+/g, ' ')} `
  for (const [sector, words] of sectorWords) {
    // `CaixaBank`, `Rabobank`, `KeyBank`
    const word = words.find(each => written.includes(each === 'BANK' ? 'BANK ' : ` ${each} `))
    if (word) return { sector, word }
  }
  return null
}

/** The sector that a name indicates among those of a broad label. */
const NAMED: readonly (readonly [Sector, RegExp])[] = [
  [
    'Health Care',
    /\b(HEALTH(CARE)?|PHARMA\w*|MEDIC(AL|INES?)|HOSPITALS?|THERAPEUTICS|BIO\w+|LABORATOR\w+|LABS|DIAGNOSTICS|PERMANENTE|SURGICAL|DENTAL|GENETICS)\b/,
  ],
  ['Real Estate', /\b(REIT|REALTY|PROPERT(Y|IES)|REAL ESTATE|APARTMENT\w*|LAND)\b/],
  [
    'Communication Services',
    /\b(TELE\w*|COMMUNICATIONS?|WIRELESS|MEDIA|BROADCASTING|CABLE|ENTERTAINMENT|MOBILE)\b/,
  ],
  ['Energy', /\b(PIPE ?LINES?|MIDSTREAM|PETROLEUM|OIL|DRILLING)\b/],
  ['Consumer Discretionary', /\b(UNIVERSITY|COLLEGE|FELLOWS|TRUSTEES OF|INSTITUTE OF TECHNOLOGY)\b/],
]

const byLabel = new Map(sectorLabels.map(entry => [entry.label.toUpperCase(), entry]))

const labelled = (label: string): SectorLabel | undefined => byLabel.get(label.trim().toUpperCase())

/** The sectors that a label of any classification stands for. */
export const sectorsOfLabel = (label: string): readonly Sector[] => labelled(label)?.sectors ?? []

/** The sector of a company under a source's label. */
export function sectorLabelled(label: string, name: string): Sector | null {
  const meant = labelled(label)?.sectors ?? []
  if (meant.length > 1) {
    const written = name.toUpperCase()
    for (const [sector, words] of NAMED) if (meant.includes(sector) && words.test(written)) return sector
  }
  return meant[0] ?? null
}

/** A range of Standard Industrial Classification codes; the first match is used. */
export interface SicRange {
  readonly from: number
  readonly to: number
  readonly sector: Sector
  readonly what: string
}

const sic = (from: number, to: number, sector: Sector, what: string): SicRange => ({ from, to, sector, what })

/** The map of SIC codes as the SEC assigns them: narrow ranges before the divisions that contain them. */
export const sicRanges: readonly SicRange[] = [
  sic(100, 999, 'Consumer Staples', 'agriculture, forestry, fishing'),
  sic(1220, 1221, 'Materials', 'coal mining'),
  sic(1311, 1389, 'Energy', 'oil and gas extraction and services'),
  sic(1000, 1499, 'Materials', 'mining'),
  sic(1520, 1531, 'Consumer Discretionary', 'home builders'),
  sic(1500, 1799, 'Industrials', 'construction'),
  sic(2000, 2199, 'Consumer Staples', 'food, beverages, tobacco'),
  sic(2200, 2399, 'Consumer Discretionary', 'textiles and apparel'),
  sic(2510, 2519, 'Consumer Discretionary', 'household furniture'),
  sic(2520, 2599, 'Industrials', 'office furniture and fixtures'),
  sic(2451, 2452, 'Consumer Discretionary', 'mobile homes'),
  sic(2400, 2699, 'Materials', 'wood, paper, packaging'),
  sic(2711, 2741, 'Communication Services', 'newspapers, periodicals, books'),
  sic(2700, 2799, 'Industrials', 'printing'),
  sic(2833, 2836, 'Health Care', 'drugs and biological products'),
  sic(2840, 2844, 'Consumer Staples', 'soap, detergents, cosmetics'),
  sic(2800, 2899, 'Materials', 'chemicals'),
  sic(2900, 2999, 'Energy', 'petroleum refining'),
  sic(3011, 3011, 'Consumer Discretionary', 'tires'),
  sic(3021, 3021, 'Consumer Discretionary', 'footwear'),
  sic(3060, 3089, 'Materials', 'plastics'),
  sic(3100, 3199, 'Consumer Discretionary', 'leather and footwear'),
  sic(3200, 3399, 'Materials', 'stone, glass, metals'),
  sic(3411, 3412, 'Materials', 'metal cans'),
  sic(3420, 3429, 'Industrials', 'tools and hardware'),
  sic(3533, 3533, 'Energy', 'oil and gas field machinery'),
  sic(3570, 3579, 'Technology', 'computers and office equipment'),
  sic(3400, 3599, 'Industrials', 'metal products and machinery'),
  sic(3630, 3651, 'Consumer Discretionary', 'household appliances and electronics'),
  sic(3661, 3679, 'Technology', 'communications equipment and semiconductors'),
  sic(3690, 3699, 'Industrials', 'electrical equipment'),
  sic(3600, 3629, 'Industrials', 'electrical equipment'),
  sic(3711, 3711, 'Consumer Discretionary', 'motor vehicles'),
  sic(3714, 3716, 'Consumer Discretionary', 'vehicle parts, motor homes'),
  sic(3751, 3751, 'Consumer Discretionary', 'motorcycles and bicycles'),
  sic(3700, 3799, 'Industrials', 'aircraft, ships, trucks, defence'),
  sic(3812, 3812, 'Industrials', 'navigation and defence electronics'),
  sic(3826, 3826, 'Health Care', 'laboratory analytical instruments'),
  sic(3841, 3851, 'Health Care', 'medical instruments'),
  sic(3800, 3899, 'Technology', 'instruments'),
  sic(3900, 3999, 'Consumer Discretionary', 'toys, sporting goods, other goods'),
  sic(4810, 4899, 'Communication Services', 'telecommunications, broadcasting, cable'),
  sic(4610, 4619, 'Energy', 'pipelines'),
  sic(4922, 4922, 'Energy', 'natural gas transmission'),
  sic(4953, 4959, 'Industrials', 'refuse and environmental services'),
  sic(4900, 4999, 'Utilities', 'electricity, gas, water'),
  sic(4000, 4799, 'Industrials', 'transport'),
  sic(5045, 5045, 'Technology', 'wholesale of computers'),
  sic(5047, 5047, 'Health Care', 'wholesale of medical supplies'),
  sic(5065, 5065, 'Technology', 'wholesale of electronic parts'),
  sic(5122, 5122, 'Health Care', 'wholesale of drugs'),
  sic(5140, 5149, 'Consumer Staples', 'wholesale of groceries'),
  sic(5171, 5172, 'Energy', 'wholesale of petroleum'),
  sic(5180, 5189, 'Consumer Staples', 'wholesale of beverages and farm goods'),
  sic(5000, 5199, 'Industrials', 'wholesale'),
  sic(5330, 5331, 'Consumer Staples', 'variety stores'),
  sic(5400, 5499, 'Consumer Staples', 'food stores'),
  sic(5912, 5912, 'Consumer Staples', 'drug stores'),
  sic(5200, 5999, 'Consumer Discretionary', 'retail and restaurants'),
  sic(6324, 6324, 'Health Care', 'hospital and medical service plans'),
  sic(6500, 6553, 'Real Estate', 'real estate'),
  sic(6798, 6798, 'Real Estate', 'real estate investment trusts'),
  sic(6792, 6795, 'Energy', 'oil royalties, mineral royalties'),
  sic(6000, 6799, 'Financials', 'finance and insurance'),
  sic(7000, 7033, 'Consumer Discretionary', 'hotels'),
  sic(7200, 7299, 'Consumer Discretionary', 'personal services'),
  sic(7310, 7319, 'Communication Services', 'advertising'),
  sic(7370, 7379, 'Technology', 'software and data processing'),
  sic(7300, 7399, 'Industrials', 'business services'),
  sic(7500, 7599, 'Industrials', 'car rental and repair'),
  sic(7812, 7841, 'Communication Services', 'motion pictures'),
  sic(7900, 7999, 'Consumer Discretionary', 'amusement, gaming, sports'),
  sic(8000, 8099, 'Health Care', 'health services'),
  sic(8200, 8299, 'Consumer Discretionary', 'education'),
  sic(8300, 8399, 'Consumer Discretionary', 'social services'),
  sic(8731, 8734, 'Health Care', 'commercial research and testing'),
  sic(8700, 8799, 'Industrials', 'engineering and management services'),
]

/** The sector of a SIC code; null for codes that name no business, such as a blank check. */
export function sectorOfSic(code: string): Sector | null {
  const number = Number(code)
  if (!Number.isInteger(number) || number === 6770) return null
  return sicRanges.find(({ from, to }) => number >= from && number <= to)?.sector ?? null
}

/** What each source says of a company's business, where known. */
export interface SectorClues {
  readonly name: string
  /** Label in a list of companies: GICS, or the user's own. */
  readonly listed?: string | null
  readonly sic?: string | null
  /** The most frequent label of its bonds in fund holdings. */
  readonly fund?: string | null | undefined
  /** Label in rating lists. */
  readonly rated?: string | null | undefined
}

export interface SectorFound {
  readonly sector: Sector | null
  /** The label used, as its source writes it. */
  readonly source: string | null
}

/**
 * The sector of a company: from a list of companies, else its SIC code, else fund labels, else rating lists, else a
 * word of its name. An unmapped label is reported, not guessed.
 */
export function sectorOf({ name, listed, sic, fund, rated }: SectorClues): SectorFound {
  const choices: SectorFound[] = [
    ...(listed ? [{ sector: sectorLabelled(listed, name), source: listed }] : []),
    ...(sic ? [{ sector: sectorOfSic(sic), source: `SIC ${sic}` }] : []),
    ...(fund ? [{ sector: sectorLabelled(fund, name), source: fund }] : []),
    ...(rated ? [{ sector: sectorLabelled(rated, name), source: rated }] : []),
  ]
  const read = choices.find(({ sector }) => sector !== null)
  if (read) return read
  const word = wordOf(name)
  return word
    ? { sector: word.sector, source: `name: ${word.word}` }
    : (choices[0] ?? { sector: null, source: null })
}

/** Whether two descriptions of a business may belong to one group; null where one is missing, or too broad to say. */
export function sectorsAgree(label: string | null | undefined, sector: Sector | null): boolean | null {
  const meant = label ? labelled(label) : undefined
  if (meant === undefined || sector === null) return null
  const isThere = meant.sectors.includes(sector) || meant.also.includes(sector)
  // A class of many businesses can only say that another is not in it.
  return meant.sectors.length > 0 ? isThere : isThere || meant.also.length === 0 ? null : false
}
