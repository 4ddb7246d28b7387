import { firstOf } from '../../engine/base/elements.ts'
import type { Random } from './random.ts'

/** Words of an industry, for company names, subsidiaries, products and filing texts. */
export interface Industry {
  readonly sector: string
  readonly name: string
  readonly sic: string
  /** Second words of company names. */
  readonly words: readonly string[]
  /** Businesses of subsidiaries. */
  readonly units: readonly string[]
  readonly products: string
  /** EBITDA margin. */
  readonly margin: number
}

const industry = (
  sector: string,
  name: string,
  sic: string,
  margin: number,
  words: string,
  units: string,
  products: string,
): Industry => ({ sector, name, sic, margin, words: words.split(','), units: units.split(','), products })

export const industries: readonly Industry[] = [
  industry(
    'Technology',
    'Software',
    '7372',
    0.34,
    'Software,Cloud,Systems',
    'Cloud Services,Licensing,Analytics',
    'subscription software for payroll, logistics and records',
  ),
  industry(
    'Technology',
    'Semiconductors',
    '3674',
    0.38,
    'Semiconductor,Micro,Photonics',
    'Wafer,Test,Design',
    'power and sensing chips',
  ),
  industry(
    'Technology',
    'IT Services',
    '7374',
    0.16,
    'Data,Digital,Computing',
    'Managed Services,Hosting,Consulting',
    'hosting and managed data services',
  ),
  industry(
    'Energy',
    'Oil & Gas Exploration & Production',
    '1311',
    0.55,
    'Petroleum,Energy,Resources',
    'Upstream,Gathering,Minerals',
    'crude oil, natural gas and natural gas liquids',
  ),
  industry(
    'Energy',
    'Oil & Gas Midstream',
    '4922',
    0.42,
    'Midstream,Pipeline,Gas Partners',
    'Pipeline,Terminals,Processing',
    'gathering, transport and storage of hydrocarbons',
  ),
  industry(
    'Energy',
    'Offshore Drilling',
    '1381',
    0.33,
    'Offshore,Drilling,Marine',
    'Rig,Deepwater,Crewing',
    'contract drilling in deep water',
  ),
  industry(
    'Communication Services',
    'Cable & Satellite',
    '4841',
    0.38,
    'Cable,Broadband,Satellite',
    'Broadband,Spectrum,Programming',
    'broadband, video and wireless services',
  ),
  industry(
    'Communication Services',
    'Media',
    '4833',
    0.24,
    'Media,Broadcasting,Studios',
    'Stations,Outdoor,Studios',
    'local television, outdoor advertising and film rights',
  ),
  industry(
    'Communication Services',
    'Telecom Services',
    '4813',
    0.36,
    'Telecom,Fiber,Wireless',
    'Fiber,Towers,Wholesale',
    'fiber and mobile telephone services',
  ),
  industry(
    'Consumer Discretionary',
    'Automobiles',
    '3711',
    0.11,
    'Motor,Auto,Mobility',
    'Credit,Assembly,Parts',
    'light trucks and their financing',
  ),
  industry(
    'Consumer Discretionary',
    'Hotels & Leisure',
    '7011',
    0.29,
    'Resorts,Leisure,Gaming',
    'Hotels,Casino,Vacation',
    'hotels, casinos and holiday clubs',
  ),
  industry(
    'Consumer Discretionary',
    'Specialty Retail',
    '5651',
    0.12,
    'Stores,Retail,Outfitters',
    'Distribution,Sourcing,Online',
    'clothing and household goods in stores and online',
  ),
  industry(
    'Consumer Staples',
    'Packaged Foods',
    '2000',
    0.17,
    'Foods,Provisions,Bakeries',
    'Foods,Dairy,Ingredients',
    'packaged foods and ingredients',
  ),
  industry(
    'Consumer Staples',
    'Household Products',
    '2840',
    0.21,
    'Household,Home Care,Consumer',
    'Care,Paper,Brands',
    'cleaning and paper products',
  ),
  industry(
    'Health Care',
    'Hospitals',
    '8062',
    0.15,
    'Hospitals,Health,Care',
    'Hospital,Surgery,Physicians',
    'acute care hospitals and surgery centers',
  ),
  industry(
    'Health Care',
    'Pharmaceuticals',
    '2834',
    0.36,
    'Pharma,Therapeutics,Biologics',
    'Generics,Research,Sterile',
    'generic and specialty medicines',
  ),
  industry(
    'Health Care',
    'Medical Devices',
    '3841',
    0.27,
    'Medical,Surgical,Diagnostics',
    'Implants,Imaging,Diagnostics',
    'imaging systems and implants',
  ),
  industry(
    'Industrials',
    'Aerospace & Defense',
    '3728',
    0.19,
    'Aerospace,Aviation,Dynamics',
    'Structures,Avionics,Services',
    'aircraft structures and avionics',
  ),
  industry(
    'Industrials',
    'Rental & Leasing',
    '7359',
    0.44,
    'Rentals,Leasing,Equipment',
    'Fleet,Rental,Used Equipment',
    'rental of construction equipment and vehicles',
  ),
  industry(
    'Industrials',
    'Building Products',
    '3430',
    0.18,
    'Building,Roofing,Industries',
    'Roofing,Windows,Supply',
    'roofing, windows and insulation',
  ),
  industry(
    'Industrials',
    'Airlines',
    '4512',
    0.15,
    'Airways,Air Lines,Aviation Group',
    'Regional,Loyalty,Cargo',
    'scheduled passenger and cargo flights',
  ),
  industry(
    'Materials',
    'Chemicals',
    '2810',
    0.18,
    'Chemical,Polymers,Specialties',
    'Polymers,Coatings,Gases',
    'specialty chemicals and coatings',
  ),
  industry(
    'Materials',
    'Containers & Packaging',
    '3411',
    0.16,
    'Packaging,Containers,Paperboard',
    'Glass,Cans,Board',
    'cans, glass and paperboard',
  ),
  industry(
    'Materials',
    'Metals & Mining',
    '1000',
    0.26,
    'Mining,Metals,Steel',
    'Mine,Smelting,Recycling',
    'copper, nickel and flat steel',
  ),
  industry(
    'Real Estate',
    'Equity REITs',
    '6798',
    0.58,
    'Property Trust,Realty,Properties',
    'Properties,Land,Storage',
    'leased offices, warehouses and homes',
  ),
  industry(
    'Real Estate',
    'Real Estate Development',
    '6552',
    0.17,
    'Homes,Land,Communities',
    'Homes,Land,Mortgage',
    'single-family homes and developed land',
  ),
  industry(
    'Utilities',
    'Electric Utilities',
    '4911',
    0.4,
    'Power,Electric,Light & Power',
    'Transmission,Generation,Retail',
    'generation, transmission and delivery of electricity',
  ),
  industry(
    'Utilities',
    'Gas Utilities',
    '4924',
    0.33,
    'Gas,Natural Gas,Utilities',
    'Gas Distribution,Storage,Water',
    'distribution of natural gas',
  ),
  industry(
    'Financials',
    'Banks',
    '6021',
    0,
    'Bancorp,Financial,Bancshares',
    'Securities,Mortgage,Leasing',
    'deposits, loans and payments',
  ),
  industry(
    'Financials',
    'Insurance',
    '6311',
    0,
    'Insurance,Assurance,Life',
    'Life,Casualty,Reinsurance',
    'life, property and casualty insurance',
  ),
  industry(
    'Financials',
    'Consumer Finance',
    '6141',
    0,
    'Credit,Finance,Lending',
    'Receivables,Servicing,Cards',
    'instalment loans and cards',
  ),
]

const starts =
  'Brel,Cand,Dorv,Elb,Farn,Gryn,Halv,Ilm,Jarv,Kelm,Lorv,Mard,Nolb,Orsk,Pelv,Quorn,Rusk,Selk,Tarv,Umb,Velk,Wisk,Yarv,Zell,Ambr,Brunt,Cresk,Drav,Esk,Fjor,Gosk,Hust,Istr,Jost,Krev,Lusk,Morv,Nesk,Ostr,Prax,Rhov,Skel,Thrav,Ulv,Vorn,Wolv,Zorn,Dask,Felk,Harn'
const ends =
  'ania,ova,ister,enby,undra,ic,amere,ent,owan,elle,igan,ora,umbe,esta,yne,arrow,ovia,inge,adel,eron,alis,omar,ique,urst,ander,ixa,olane,uvan,ebrook,ithe'

/** Invented first words of company names, in random order, without repeats. */
export function stems(random: Random): string[] {
  const all = starts.split(',').flatMap(start => ends.split(',').map(end => start + end))
  return random.shuffled(all)
}

/** An unused ticker of five letters from a name. */
export function tickerOf(stem: string, taken: ReadonlySet<string>): string {
  const letters = stem.toUpperCase()
  const first = firstOf(letters)
  const consonants = first + letters.slice(1).replace(/[AEIOU]/g, '')
  const last = letters.at(-1)!
  const candidates = [consonants.slice(0, 5), letters.slice(0, 4) + last, letters.slice(0, 5)].filter(
    t => t.length === 5,
  )
  for (const letter of 'KVZJQBGD')
    candidates.push(letters.slice(0, 4) + letter, letters.slice(0, 3) + letter + last)
  // Without the fifth letters that exchanges use for funds, warrants, foreign shares and bankruptcies.
  const free = candidates.find(t => !taken.has(t) && !/[FQWXY]$/.test(t))
  if (!free) throw new Error(`no ticker is left for ${stem}`)
  return free
}

export const legalForms = [
  'Corp.',
  'Inc.',
  'Holdings, Inc.',
  'Group, Inc.',
  'Corporation',
  'Company',
  'plc',
] as const

/** A name without its legal form, as texts refer to the company. */
export const shortName = (name: string): string =>
  name.replace(/,? (Corp\.|Inc\.|Holdings, Inc\.|Group, Inc\.|Corporation|Company|plc)$/, '')

export const domesticPlaces = [
  'Delaware',
  'Delaware',
  'Delaware',
  'Delaware',
  'Nevada',
  'Texas',
  'New York',
  'Ohio',
  'Maryland',
] as const
export const foreignPlaces = [
  ['Netherlands', 'B.V.'],
  ['Luxembourg', 'S.à r.l.'],
  ['United Kingdom', 'Limited'],
  ['Germany', 'GmbH'],
  ['Canada', 'ULC'],
  ['Cayman Islands', 'Ltd.'],
  ['Ireland', 'DAC'],
  ['Mexico', 'S. de R.L. de C.V.'],
  ['Singapore', 'Pte. Ltd.'],
] as const
export const regions = [
  'East',
  'West',
  'North',
  'South',
  'Gulf',
  'Lakes',
  'Prairie',
  'Coast',
  'Valley',
  'Mountain',
  'Harbor',
  'Plains',
] as const
