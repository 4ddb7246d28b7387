import t from 'tap'
import type { GroupEvidence } from '../../engine/derive/issuers/groups.ts'
import type { CompanyRow, DirectoryRow, Mention } from '../../engine/derive/issuers/known-companies.ts'
import { type DecisionRow, linkIssuers } from '../../engine/derive/issuers/link.ts'
import { Registry } from '../../engine/derive/issuers/registry.ts'
import { open } from '../../engine/engine.ts'
import { build } from '../../engine/snapshot/build.ts'
import { makeLake, twoIssuers } from '../make-lake.ts'

const sec = (
  position: number,
  ticker: string,
  cik: string,
  name: string,
  sic: string | null = null,
): DirectoryRow => ({
  registry: 'sec',
  position,
  ticker,
  cik: cik.padStart(10, '0'),
  name,
  sic,
})

const filed = (cik: string, name: string, jurisdiction: string | null = null): DirectoryRow => ({
  registry: 'sec_filers',
  position: 1,
  ticker: null,
  cik: cik.padStart(10, '0'),
  name,
  jurisdiction,
})

const directory: DirectoryRow[] = [
  sec(1, 'TMUS', '1283699', 'T-Mobile US, Inc.', '4812'),
  sec(2, 'CHTR', '1091667', 'CHARTER COMMUNICATIONS, INC. /MO/', '4841'),
  sec(3, 'HCA', '860730', 'HCA Healthcare, Inc.', '8062'),
  sec(4, 'EPD', '1061219', 'ENTERPRISE PRODUCTS PARTNERS L.P.', '4922'),
  sec(5, 'GM', '1467858', 'General Motors Co', '3711'),
  sec(6, 'CVS', '64803', 'CVS HEALTH Corp', '5912'),
  sec(7, 'RTX', '101829', 'RTX Corp', '3724'),
  sec(8, 'BTI', '1303523', 'British American Tobacco p.l.c.', '2111'),
  sec(9, 'LNT', '352541', 'ALLIANT ENERGY CORP', '4931'),
  sec(10, 'OWL', '1823945', 'BLUE OWL CAPITAL INC.', '6282'),
  sec(11, 'OBDC', '1655888', 'Blue Owl Capital Corp', '6726'),
  sec(12, 'REYN', '1786431', 'Reynolds Consumer Products Inc.', '3350'),
  sec(13, 'MDT', '1613103', 'Medtronic plc', '3845'),
  sec(14, 'BERY', '1378992', 'BERRY GLOBAL GROUP, INC.', '3089'),
  sec(15, 'BRY', '1705873', 'Berry Corp (bry)', '1311'),
  sec(16, 'TEF', '814052', 'TELEFONICA S A', '4813'),
  sec(17, 'VIV', '1066119', 'TELEFONICA BRASIL S.A.', '4813'),
  sec(18, 'BAC', '70858', 'BANK OF AMERICA CORP /DE/', '6021'),
  sec(19, 'CCO', '1334978', 'Clear Channel Outdoor Holdings, Inc.', '7310'),
  sec(6000, 'CNTB', '1835268', 'Connect Biopharma Holdings Ltd', '2834'),
  sec(21, 'LYB', '1489393', 'LyondellBasell Industries N.V.', '2860'),
  sec(22, 'EG', '1095073', 'EVEREST GROUP, LTD.', '6331'),
  sec(23, 'NEE', '753308', 'NEXTERA ENERGY INC', '4911'),
  sec(24, 'NEP', '1603145', 'NEXTERA ENERGY PARTNERS, LP', '4911'),
  sec(25, 'FIZZ', '25', 'Fizz-Pop Company', '2086'),
  sec(26, 'STDY', '26', 'STEADFAST, INC.', '5051'),
  sec(6001, 'ALPH', '6001', 'Alphabeta Investment Inc.', '6500'),
]

interface Bonds {
  readonly name: string
  readonly sector?: string
  readonly lei?: string
  readonly cusip6s?: readonly string[]
}

/** The company of each issuer with its evidence, or its candidates. */
function grouped(
  issuers: readonly Bonds[],
  more: {
    directory?: readonly DirectoryRow[]
    companies?: readonly CompanyRow[]
    decisions?: readonly DecisionRow[]
    evidence?: Partial<GroupEvidence>
    mentions?: readonly Mention[]
  } = {},
) {
  const mentions: Mention[] = [
    ...issuers.map(({ name, lei }) => ({ ticker: null, cik: null, lei: lei ?? null, name })),
    ...(more.mentions ?? []),
  ]
  const { links, groups, suggestions, companies } = linkIssuers({
    mentions,
    registry: new Registry(more.companies ?? [], [...directory, ...(more.directory ?? [])]),
    decisions: more.decisions ?? [],
    evidence: {
      asOf: '2026-11-27',
      bonds: issuers.map(({ sector, cusip6s }, mention) => ({
        mention,
        sector: sector ?? null,
        cusip6s: cusip6s ?? [],
      })),
      entities: [],
      parents: new Map(),
      codes: new Map(),
      ...more.evidence,
    },
  })
  const said = issuers.map((_, i) => {
    const id = links[i]!.company_id!
    const group = groups.get(id)
    return group ? `${group.group_by} ${group.group_id}` : `${links[i]!.method} ${id}`
  })
  return { said, groups, suggestions, links, companies }
}

t.test('an issuer named after a listed company and a purpose belongs to it', async t => {
  t.strictSame(
    grouped([
      { name: 'T-MOBILE USA INC', sector: 'Communications' },
      { name: 'CHARTER COMMUNICATIONS OPERATING L', sector: 'Communications' },
      { name: 'CHARTER COMM OPT LLC/CAP' },
      { name: 'HCA INC', sector: 'Consumer Non-Cyclical' },
      { name: 'ENTERPRISE PRODUCTS OPERATING LLC', sector: 'Energy' },
      { name: 'GENERAL MOTORS FINANCIAL COMPANY I', sector: 'Consumer Cyclical' },
      { name: 'MEDTRONIC INC', sector: 'Consumer Non-Cyclical' },
      { name: 'BANK OF AMERICA NA', sector: 'Banking' },
      { name: 'TELEFONICA EUROPE BV', sector: 'Communications' },
      { name: 'NEXTERA ENERGY CAPITAL HOLDINGS IN', sector: 'Electric' },
      { name: 'EVEREST REINSURANCE HOLDINGS INC', sector: 'Insurance' },
    ]).said,
    ['TMUS', 'CHTR', 'CHTR', 'HCA', 'EPD', 'GM', 'MDT', 'BAC', 'TEF', 'NEE', 'EG'].map(
      ticker => `group_name ${ticker}`,
    ),
  )
})

t.test('a ticker or initials link only within one business', async t => {
  t.strictSame(
    grouped([
      { name: 'LYB INTERNATIONAL FINANCE BV', sector: 'Basic Industry' },
      { name: 'BAT CAPITAL CORP', sector: 'Consumer Non-Cyclical' },
    ]).said,
    ['group_name LYB', 'group_name BTI'],
  )
  t.match(grouped([{ name: 'BAT CAPITAL CORP', sector: 'Energy' }]).said, [/^own/], 'another business')
  t.match(
    grouped([{ name: 'CCO HOLDINGS CAPITAL CORP', sector: 'Communications' }]).said,
    [/^own/],
    "Charter's",
  )
})

t.test(
  'a class of many businesses confirms no group, nor do words shared with a small company, and a hyphenated name is one word',
  async t => {
    t.strictSame(
      grouped([
        { name: 'STEADFAST INDUSTRIES LTD RegS', sector: 'Industrial' },
        { name: 'STEADFAST RESOURCES PIPE LTD', sector: 'Capital Goods' },
        { name: 'STEADFAST FINANCE BV', sector: 'Industrial' },
        { name: 'ALPHABETA STAR HOLDING IX LTD RegS', sector: 'Financial Institutions' },
        { name: 'FIZZ-POP BOTTLER AS RegS', sector: 'Industrial' },
        { name: 'FIZZ-POP FINANCE BV', sector: 'Industrial' },
        { name: 'T-MOBILE USA INC', sector: 'Industrial' },
      ]).said,
      [
        'own NAME:STEADFAST INDUSTRIES LTD',
        'group_name STDY',
        'group_name STDY',
        'own NAME:ALPHABETA STAR HOLDING IX LTD',
        'own NAME:FIZZ POP BOTTLER AS',
        'group_name FIZZ',
        'group_name TMUS',
      ],
    )
  },
)

t.test('companies that only share words with an issuer are candidates, not links', async t => {
  const { said, suggestions } = grouped([
    { name: 'ALLIANT HOLDINGS INTERMEDIATE LLC' },
    { name: 'BLUE OWL CREDIT INCOME CORP', sector: 'Finance Companies' },
    { name: 'REYNOLDS AMERICAN INC', sector: 'Consumer Non-Cyclical' },
    { name: 'CONNECT FINCO SARL' },
    { name: 'PUBLIC SERVICE COMPANY OF COLORADO', sector: 'Electric' },
    { name: 'BERRY GLOBAL ESCROW CORP', sector: 'Capital Goods' },
    { name: 'UTAH ACQUISITION SUB INC', sector: 'Consumer Non-Cyclical' },
  ])
  t.match(said, [/^own/, /^own/, /^known_group BTI/, /^own/, /^own/, /^group_name BERY/, /^own/])
  t.match(suggestions.get('NAME:BLUE OWL CREDIT INCOME CORP'), [
    { ticker: 'OWL', reason: 'its name begins with BLUE OWL too' },
    { ticker: 'OBDC', reason: 'its name begins with BLUE OWL too' },
  ])
  t.match(suggestions.get('NAME:ALLIANT HOLDINGS INTERMEDIATE LLC'), [{ ticker: 'LNT' }])
})

t.test('a list of subsidiaries links the companies it names, unless two filers list them', async t => {
  const filer = { ticker: 'CVS', cik: null, lei: null, name: null }
  const other = { ticker: 'EG', cik: null, lei: null, name: null }
  const listed = (mention: number, document_type: string) => ({ name: 'Aetna Inc.', mention, document_type })
  const issuers = [{ name: 'AETNA INC', sector: 'Insurance' }]
  t.strictSame(grouped(issuers, { mentions: [filer], evidence: { entities: [listed(1, 'EX-21')] } }).said, [
    'subsidiary_list CVS',
  ])
  t.strictSame(grouped(issuers, { mentions: [filer], evidence: { entities: [listed(1, '10-K')] } }).said, [
    'guarantor_list CVS',
  ])
  const both = grouped(issuers, {
    mentions: [filer, other],
    evidence: { entities: [listed(1, 'EX-21'), listed(2, 'EX-21')] },
  })
  t.match(both.said, [/^own/])
  t.match([...both.suggestions.values()][0], [{ ticker: 'CVS' }, { ticker: 'EG' }])
})

t.test('a delisted registrant belongs to the company that lists it', async t => {
  const { said, links } = grouped([{ name: 'AETNA INC' }], {
    directory: [filed('1122304', 'AETNA INC /PA/', 'US-PA')],
    mentions: [{ ticker: 'CVS', cik: null, lei: null, name: null }],
    evidence: { entities: [{ name: 'Aetna Inc.', mention: 1, document_type: 'EX-21' }] },
  })
  t.strictSame(said, ['subsidiary_list CVS'])
  t.equal(links[0]!.company_id, 'CIK0001122304', 'and is still itself')
})

t.test('consolidation by LEI leads to the first listed company above', async t => {
  const [child, middle, top] = ['5493000CHILD0000CH01', '5493000MIDDLE000MI02', '5493000TOP00000TOP03']
  const parents = new Map([
    [child, [{ lei: middle, name: 'Middle Holdings LLC' }]],
    [middle, [{ lei: top, name: 'CVS HEALTH CORPORATION' }]],
  ])
  t.strictSame(grouped([{ name: 'OAK STREET LENDER LLC', lei: child }], { evidence: { parents } }).said, [
    'lei_parent CVS',
  ])
})

t.test('a CUSIP issuer code links only with further evidence', async t => {
  const rtx = { name: 'RTX CORP', sector: 'Capital Goods', cusip6s: ['75513E'] }
  const former = { name: 'UNITED ROCKETS CORPORATION', sector: 'Capital Goods', cusip6s: ['75513E'] }
  const codes = new Map([['75513E', ['0000101829']]])
  t.match(grouped([rtx, former]).said, ['name RTX', /^own/], 'bonds alone')
  t.match(grouped([former], { evidence: { codes } }).said, [/^own/], 'shares alone')
  t.strictSame(grouped([rtx, former], { evidence: { codes } }).said, ['name RTX', 'cusip_code RTX'])
  t.match(
    grouped([rtx, { ...former, sector: 'Banking' }], { evidence: { codes } }).said,
    ['name RTX', /^own/],
    'another business',
  )
  t.match([...grouped([former], { evidence: { codes } }).suggestions.values()][0], [
    { ticker: 'RTX', reason: 'its shares have the CUSIP issuer code 75513E too' },
  ])
})

t.test('an acquired issuer is of its known group from the day on which it was acquired', async t => {
  const directory = [sec(41, 'AVGO', '1730168', 'Broadcom Inc.', '3674')]
  const on = (asOf: string) =>
    grouped([{ name: 'VMWARE INC', sector: 'Technology' }], { directory, evidence: { asOf } }).said
  t.match(on('2023-11-21'), [/^own/])
  t.strictSame(on('2023-11-22'), ['known_group AVGO'])
})

t.test('a known group is used last, and only if the lake has that parent', async t => {
  const virginia = { name: 'VIRGINIA ELECTRIC AND POWER COMPAN', sector: 'Electric' }
  const dominion = sec(40, 'D', '715957', 'DOMINION ENERGY, INC', '4911')
  t.match(grouped([virginia]).said, [/^own/])
  t.strictSame(grouped([virginia], { directory: [dominion] }).said, ['known_group D'])
  t.match(grouped([virginia], { directory: [sec(40, 'D', '1', 'Data Storage Corp')] }).said, [/^own/])
  const lists = [{ name: 'Virginia Electric and Power Company', mention: 1, document_type: 'EX-21' }]
  t.strictSame(
    grouped([virginia], {
      directory: [dominion],
      mentions: [{ ticker: 'NEE', cik: null, lei: null, name: null }],
      evidence: { entities: lists },
    }).said,
    ['subsidiary_list NEE'],
    'what the lake says goes before it',
  )
})

t.test("the user's decision to keep an issuer apart overrides every list", async t => {
  t.match(
    grouped([{ name: 'T-MOBILE USA INC', sector: 'Communications' }], {
      decisions: [{ name: 'T-MOBILE USA INC', ticker: null }],
    }).said,
    [/^decision NAME:T MOBILE USA INC/],
  )
})

t.test('an active registrant takes precedence over its predecessor of the same name and place', async t => {
  const live: DirectoryRow = { ...sec(30, 'DIS', '1744489', 'Walt Disney Co'), jurisdiction: 'US-DE' }
  const same = grouped([{ name: 'WALT DISNEY CO' }], {
    directory: [live, filed('1001039', 'WALT DISNEY CO/', 'US-DE')],
  })
  t.strictSame(same.said, ['name DIS'])
  const byCik = grouped([], {
    directory: [live, filed('1001039', 'WALT DISNEY CO/', 'US-DE')],
    mentions: [{ ticker: null, cik: '0001001039', lei: null, name: 'WALT DISNEY CO/' }],
  })
  t.equal(byCik.links[0]!.company_id, 'DIS', 'the former CIK is its own')
  const elsewhere = grouped([{ name: 'WALT DISNEY CO' }], {
    directory: [live, filed('1001039', 'WALT DISNEY CO/', 'US-CA')],
    mentions: [{ ticker: null, cik: '0001001039', lei: null, name: 'WALT DISNEY CO/' }],
  })
  t.strictSame(elsewhere.said, ['name DIS'], 'the name is that of the live one')
  t.equal(elsewhere.links[1]!.company_id, 'CIK0001001039', 'and two places are two companies')
})

t.test('text on a cover page that is not a name makes no company', async t => {
  const { links, companies } = grouped([], {
    mentions: [
      { ticker: null, cik: null, lei: null, name: 'New York 13-3513936', isRead: true },
      {
        ticker: null,
        cik: '0000703901',
        lei: null,
        name: 'Nevada Food Concepts, Inc. 13-3124057',
        isRead: true,
      },
    ],
  })
  t.equal(links[0]!.company_id, null)
  t.match(companies, [{ company_id: 'CIK0000703901', name: 'Food Concepts, Inc.' }])
})

t.test('bonds of a group are distinguished from those the company issued itself', async t => {
  const bond = (cusip: string, issuer_name: string) => ({
    cusip,
    issuer_name,
    coupon_rate: 4,
    maturity_date: '2031-03-15',
    currency: 'USD',
    known_from: '2024-01-02',
  })
  const lake = await makeLake(t.teardown, {
    companies: twoIssuers['companies']!,
    bonds: [bond('000000AA7', 'ALFA DRILLING CORP'), bond('000000AB5', 'ALFA DRILLING FINANCE LLC')],
  })
  await build(lake, {})
  const engine = await open(lake)
  t.teardown(() => engine.close())
  const asked = async (group?: 'issuer' | 'parent') => {
    const { data } = await engine.call('search.bonds', {
      ticker: 'ALFA',
      ...(group && { group }),
      fields: 'display_name,issuer.name,issued_by_company',
      sort: 'cusip',
    })
    return data
  }
  const own = {
    display_name: 'ALFA 4 03/15/31 A',
    issuer: { name: 'ALFA DRILLING CORP' },
    issued_by_company: true,
  }
  const other = {
    display_name: 'ALFA 4 03/15/31 B',
    issuer: { name: 'ALFA DRILLING FINANCE LLC' },
    issued_by_company: false,
  }
  t.strictSame(await asked(), [own, other])
  t.strictSame(await asked('parent'), [own, other])
  t.strictSame(await asked('issuer'), [own])
  const { data } = await engine.call('search.companies', {
    ticker: 'ALFA',
    fields: 'bond_count,bond_issuers',
  })
  t.match(data, [
    {
      bond_count: 2,
      bond_issuers: [
        { name: 'ALFA DRILLING FINANCE LLC', bonds: 1 },
        { name: 'Alfa Drilling Corp', bonds: 1 },
      ],
    },
  ])
  const named = await engine.call('resolve.bond', { q: 'alfa 4 03/15/31 b' })
  t.match(named.data, { exact_match: true, matches: [{ confidence: 1, bond: { cusip: '000000AB5' } }] })
})
