import t from 'tap'
import type { CompanyRow, DirectoryRow, Mention } from '../../engine/derive/issuers/known-companies.ts'
import { type DecisionRow, linkIssuers } from '../../engine/derive/issuers/link.ts'
import { Registry } from '../../engine/derive/issuers/registry.ts'
import { suggester } from '../../engine/derive/issuers/suggest-issuer.ts'
import { issuerName, namesAgree } from '../../engine/names/issuer-name.ts'

const mention = (values: Partial<Mention>): Mention => ({
  ticker: null,
  cik: null,
  lei: null,
  name: null,
  ...values,
})
const named = (...names: string[]) => names.map(name => mention({ name }))
const sec = (position: number, ticker: string, cik: string, name: string): DirectoryRow => ({
  registry: 'sec',
  position,
  ticker,
  cik,
  name,
})

const directory: DirectoryRow[] = [
  sec(1, 'AAPL', '0000320193', 'Apple Inc.'),
  sec(2, 'GOOGL', '0001652044', 'Alphabet Inc.'),
  sec(3, 'GOOG', '0001652044', 'Alphabet Inc.'),
  sec(4, 'F', '0000037996', 'FORD MOTOR CO'),
  sec(5, 'EE', '0001888447', 'Excelerate Energy, Inc.'),
  sec(6, 'MDT', '0001613103', 'Medtronic plc'),
  sec(7, 'PLD', '0001045609', 'Prologis, Inc.'),
  sec(8, 'ARE', '0001035443', 'ALEXANDRIA REAL ESTATE EQUITIES, INC.'),
  sec(9, 'AEP', '0000004904', 'AMERICAN ELECTRIC POWER CO INC'),
  sec(10, 'GS', '0000886982', 'GOLDMAN SACHS GROUP INC'),
  sec(11, 'GSBD', '0001572694', 'Goldman Sachs BDC, Inc.'),
  sec(12, 'ICE', '0001571949', 'Intercontinental Exchange, Inc.'),
  sec(13, 'BRK-B', '0001067983', 'BERKSHIRE HATHAWAY INC'),
  sec(14, 'BRK-A', '0001067983', 'BERKSHIRE HATHAWAY INC'),
  sec(15, 'LDOS', '0001336920', 'Leidos Holdings, Inc.'),
]

const link = (
  mentions: Mention[],
  more: { companies?: CompanyRow[]; directory?: DirectoryRow[]; decisions?: DecisionRow[] } = {},
) => {
  const registry = new Registry(more.companies ?? [], more.directory ?? directory)
  return linkIssuers({ mentions, registry, decisions: more.decisions ?? [] })
}

const said = (mentions: Mention[], more = {}) =>
  link(mentions, more).links.map(l => `${l.method} ${l.company_id}`)

t.test('one registry serves days of different mentions and decisions', async t => {
  const registry = new Registry([], directory)
  const days: { mentions: Mention[]; decisions: DecisionRow[] }[] = [
    // The name teaches the LEI of Apple, and a decision names a ticker that no list has.
    {
      mentions: [
        mention({ name: 'Apple Inc', lei: 'HWUPKR0MPOU8FGXBT394' }),
        mention({ name: 'APPLE OPERATIONS', lei: 'HWUPKR0MPOU8FGXBT394' }),
        mention({ name: 'Zeta Shipping Ltd' }),
        mention({ ticker: 'ZETA' }),
      ],
      decisions: [{ name: 'Zeta Shipping Ltd', ticker: 'ZETA' }],
    },
    {
      mentions: [
        mention({ name: 'APPLE OPERATIONS', lei: 'HWUPKR0MPOU8FGXBT394' }),
        mention({ name: 'Zeta Shipping Ltd' }),
        mention({ ticker: 'ZETA' }),
        mention({ cik: '0000320193' }),
      ],
      decisions: [],
    },
  ]
  for (const day of [...days, ...days])
    t.strictSame(
      linkIssuers({ registry, ...day }),
      linkIssuers({ registry: new Registry([], directory), ...day }),
    )
  const [first, second] = days.map(day => linkIssuers({ registry, ...day }))
  t.equal(first!.links[1]!.company_id, 'AAPL')
  t.not(second!.links[0]!.company_id, 'AAPL', 'what one day taught is not known on another')
  t.equal(second!.companies.find(({ ticker }) => ticker === 'AAPL')!.lei, null)
})

t.test('names are compared without security marks, legal forms, accents and punctuation', async t => {
  const same = [
    ['3M CO MTN', '3M Company'],
    ['BANK OF NOVA SCOTIA (FXD-FRN) MTN', 'Bank of Nova Scotia'],
    ['HSBC HOLDINGS PLC FXD-TO-FLT', 'HSBC HOLDINGS PLC'],
    ['BROADCOM INC 144A', 'Broadcom Inc.'],
    ["LOWE'S COS INC", 'LOWES COMPANIES INC'],
    ['J M SMUCKER CO', 'J.M. Smucker Company (The)'],
    ['CIGNA GROUP/THE', 'The Cigna Group'],
    ['WHIRLPOOL CORP /DE/', 'Whirlpool Corporation'],
    ['PACIFIC GAS & ELECTRIC CO', 'Pacific Gas and Electric Company'],
    ['AMAZON.COM INC', 'AMAZON COM INC'],
    ['INTERCONTINENTALEXCHANGE', 'Intercontinental Exchange'],
    ['Estée Lauder Companies', 'ESTEE LAUDER COMPANIES INC'],
    ['COMMONWEALTH BANK OF AUSTRALIA (NE MTN', 'Commonwealth Bank of Australia'],
    ['PROGRESSIVE CORPORATION (THE)', 'PROGRESSIVE CORP/OH/'],
  ]
  for (const [one, other] of same)
    t.equal(issuerName(one!).base, issuerName(other!).base, `${one} = ${other}`)
  t.equal(issuerName('AMERICAN ELECTRIC POWER COMPANY IN').cut?.base, 'AMERICANELECTRICPOWER')
  t.equal(issuerName('THE').full, '')
})

t.test('an issuer that only a list of holdings names has no marks of its securities in its name', async t => {
  const { companies } = linkIssuers({
    registry: new Registry([], []),
    mentions: [mention({ name: 'CITIC LTD MTN RegS' }), mention({ name: 'JBS B.V.' })],
    decisions: [],
  })
  t.strictSame(
    companies.map(({ company_id, name }) => [company_id, name]),
    [
      ['NAME:CITIC LTD', 'CITIC LTD'],
      ['NAME:JBS BV', 'JBS B.V.'],
    ],
  )
})

t.test('names agree if they may be the same company with that ticker', async t => {
  const agree = (one: string, other: string) => namesAgree(issuerName(one), issuerName(other))
  t.ok(agree('Exxon Mobil Corporation', 'ExxonMobil'))
  t.ok(agree('Laboratory Corporation of America Holdings', 'LABORATORY CORP OF AMERICA'))
  t.notOk(agree('El Paso Electric Company', 'Excelerate Energy, Inc.'))
  t.notOk(agree('American Apparel Inc', 'American Axle & Manufacturing'))
})

t.test('identifiers take precedence over names', async t => {
  t.strictSame(
    said([
      mention({ cik: '320193', name: 'Something Else' }),
      mention({ ticker: 'AAPL' }),
      mention({ ticker: 'AAPL', name: 'APPLE INC' }),
      mention({ name: 'APPLE INC' }),
    ]),
    ['cik AAPL', 'ticker AAPL', 'ticker AAPL', 'name AAPL'],
  )
})

t.test('a reused ticker does not link an old name', async t => {
  const { links, companies } = link([mention({ ticker: 'EE', name: 'El Paso Electric Company' })])
  t.match(links, [{ method: 'own', company_id: 'NAME:EL PASO ELECTRIC CO' }])
  t.match(companies, [{ ticker: null, name: 'El Paso Electric Company' }])
})

t.test('a subsidiary with another legal form or name is not its parent', async t => {
  t.strictSame(
    link(named('FORD MOTOR CREDIT COMPANY LLC', 'MEDTRONIC INC', 'PROLOGIS LP', 'LEIDOS INC'), {
      companies: [{ ticker: 'LDOS', cik: '0001336920', name: 'Leidos' }],
    }).links.map(l => l.method),
    ['own', 'own', 'own', 'own'],
  )
  t.strictSame(said(named('FORD MOTOR COMPANY', 'MEDTRONIC PLC')), ['name F', 'name MDT'])
})

t.test('a truncated name links if only one company completes it', async t => {
  t.strictSame(
    said(
      named(
        'ALEXANDRIA REAL ESTATE EQUITIES IN',
        'ALEXANDRIA REAL ESTATE E',
        'AMERICAN ELECTRIC POWER COMPANY IN',
      ),
    ),
    ['prefix ARE', 'prefix ARE', 'prefix AEP'],
  )
  const [short] = link(named('GOLDMAN SACHS')).links
  t.equal(short!.method, 'own', 'a short name is whole')
})

t.test('an ambiguous name keeps its own company and lists candidates', async t => {
  const two = [sec(1, 'AMX', '1', 'Acme Incorporated'), sec(2, 'AMY', '2', 'Acme Corp')]
  t.strictSame(link(named('ACME'), { directory: two }).links, [
    { company_id: 'NAME:ACME', method: 'own', candidates: ['AMX', 'AMY'] },
  ])
  t.strictSame(said(named('ACME CORPORATION'), { directory: two }), ['name AMY'])
})

t.test('the first ticker of a CIK is canonical, others are aliases, both spellings resolve', async t => {
  const { links, companies } = link([mention({ ticker: 'GOOG' }), mention({ ticker: 'BRK.B' })], {
    companies: [{ ticker: 'BRK.B', cik: '0001067983', name: 'Berkshire Hathaway', aliases: ['BRK-B'] }],
  })
  t.strictSame(
    links.map(l => l.company_id),
    ['GOOGL', 'BRK.B'],
  )
  t.match(companies, [
    { company_id: 'BRK.B', aliases: ['BRK-B', 'BRK-A'], linked_by: 'companies' },
    { company_id: 'GOOGL', aliases: ['GOOG'], linked_by: 'ticker' },
  ])
})

t.test('a company may have had several CIKs', async t => {
  const rows = { companies: [{ ticker: 'BLK', cik: '0002012383', name: 'BlackRock' }] }
  const both = { ...rows, directory: [sec(1, 'BLK', '0001364742', 'BlackRock Inc.')] }
  t.strictSame(said([mention({ cik: '1364742' }), mention({ cik: '2012383' })], both), ['cik BLK', 'cik BLK'])
  t.strictSame(
    said([
      mention({ cik: '0000000009', name: 'Apple Inc.' }),
      mention({ cik: '8', name: 'Apple Hospitality' }),
    ]),
    ['name AAPL', 'own CIK0000000008'],
  )
})

t.test('two filers of one quarter are two companies, though one took the name of the other later', t => {
  const filer = (position: number, cik: string, name: string, quarter: string): DirectoryRow => ({
    registry: 'sec_filers',
    position,
    cik,
    name,
    jurisdiction: 'US-NJ',
    quarters: [quarter],
  })
  const now = sec(1, 'ACM', '0000000011', 'Acme & Co., Inc.')
  const filings = [mention({ cik: '11' }), mention({ cik: '12' }), mention({ name: 'ACME & CO INC' })]
  const beside = [
    filer(1, '0000000011', 'Plough Corp', '2009q3.zip'),
    filer(2, '0000000012', 'ACME & CO INC', '2009q3.zip'),
  ]
  t.strictSame(said(filings, { directory: [now, ...beside] }), ['cik ACM', 'cik CIK0000000012', 'name ACM'])
  const after = [
    filer(1, '0000000011', 'Acme & Co., Inc.', '2012q1.zip'),
    filer(2, '0000000012', 'ACME & CO INC', '2009q3.zip'),
  ]
  t.strictSame(said(filings, { directory: [now, ...after] }), ['cik ACM', 'cik ACM', 'name ACM'], 'a new CIK')
  t.end()
})

t.test('a company that lists know without a ticker has that of the rows that name it', t => {
  const lei = '5493006MHB84DD0ZWV18'
  const unlisted = [
    ...directory,
    { registry: 'sec_filers', position: 1, cik: '0000000021', name: 'Denham Resources Inc' },
  ]
  const rated = (ticker: string, name: string) => mention({ ticker, name })
  const byCik = mention({ cik: '21', name: 'Denham Resources Inc' })
  t.strictSame(said([byCik, rated('DNH', 'Denham Resources Inc.')], { directory: unlisted }), [
    'cik DNH',
    'name DNH',
  ])
  t.strictSame(said([byCik], { directory: unlisted }), ['cik CIK0000000021'], 'on a day without such rows')
  t.strictSame(
    said([byCik, rated('AAPL', 'Denham Resources Inc.')], { directory: unlisted }),
    ['cik CIK0000000021', 'name CIK0000000021'],
    'the ticker of another company is not taken',
  )
  t.strictSame(
    said([byCik, rated('DNH', 'Denham Resources Inc.'), rated('DNR', 'Denham Resources Inc.')], {
      directory: unlisted,
    }),
    ['cik CIK0000000021', 'name CIK0000000021', 'name CIK0000000021'],
    'nor one of several',
  )
  t.strictSame(
    said(
      [byCik, rated('DNH', 'Denham Resources Inc.'), mention({ ticker: 'DNH', lei, name: 'Dunhill Plc' })],
      {
        directory: unlisted,
      },
    )[0],
    'cik CIK0000000021',
    'nor one that names two companies',
  )
  t.end()
})

t.test('former names link, and an LEI learnt from a whole name links other spellings', async t => {
  const companies = [{ ticker: 'RTX', name: 'RTX Corporation', former_names: ['Raytheon Technologies Corp'] }]
  t.strictSame(said(named('RAYTHEON TECHNOLOGIES CORPORATION'), { companies }), ['former_name RTX'])
  const lei = 'HWUPKR0MPOU8FGXBT394'
  t.strictSame(said([mention({ lei, name: 'Apple Inc' }), mention({ lei, name: 'APPL COMPUTER' })]), [
    'name AAPL',
    'lei AAPL',
  ])
})

t.test("the LEI registry's name links to the SEC's company", async t => {
  const lei = 'HWUPKR0MPOU8FGXBT394'
  const both = [...directory, { registry: 'gleif', position: 1, lei, name: 'APPLE INC.' }]
  t.strictSame(said([mention({ lei, name: 'APPL' })], { directory: both }), ['lei AAPL'])
  const alone = [{ registry: 'gleif', position: 1, lei, name: 'Acme Finance B.V.', jurisdiction: 'NL' }]
  const { links, companies } = link([mention({ lei, name: 'ACME FIN' })], { directory: alone })
  t.match(links, [{ method: 'lei', company_id: lei }])
  t.match(companies, [{ company_id: lei, name: 'Acme Finance B.V.', country: 'NL', lei }])
})

t.test("the user's decision comes first, the last one wins, and it can keep an issuer apart", async t => {
  const decisions = [
    { name: 'T-MOBILE USA INC', ticker: 'F', decided_at: '2026-01-01T00:00:00' },
    { name: 'T-Mobile USA, Inc.', ticker: 'AAPL', decided_at: '2026-01-02T00:00:00' },
    { name: 'APPLE INC', ticker: null, decided_at: '2026-01-01T00:00:00' },
    { cik: '37996', ticker: 'ZZZ' },
  ]
  t.strictSame(
    said([...named('T-MOBILE USA INC', 'APPLE INC'), mention({ cik: '0000037996', name: 'Ford' })], {
      decisions,
    }),
    ['decision AAPL', 'decision NAME:APPLE INC', 'decision ZZZ'],
  )
})

t.test('only loaded or mentioned companies appear', async t => {
  const { companies } = link(named('APPLE INC'), { companies: [{ ticker: 'F', name: 'Ford Motor' }] })
  t.strictSame(
    companies.map(c => [c.company_id, c.linked_by]),
    [
      ['AAPL', 'name'],
      ['F', 'companies'],
    ],
  )
})

t.test('an issuer keeps one company of its own, with and without its LEI, in any row order', async t => {
  const mentions = [
    ...named('HCA INC', 'JBS USA LUX SA 144A', 'JBS USA LUX SA'),
    mention({ lei: 'L3CJ6J7LJ2DX62FTXD46', name: 'HCA Inc' }),
    mention({ ticker: 'DNR', name: 'Denbury Resources Inc.' }),
    mention({ ticker: 'DNR' }),
  ]
  const { links } = link(mentions)
  t.strictSame(
    links.map(l => l.company_id),
    [
      'L3CJ6J7LJ2DX62FTXD46',
      'NAME:JBS USA LUX SA',
      'NAME:JBS USA LUX SA',
      'L3CJ6J7LJ2DX62FTXD46',
      'DNR',
      'DNR',
    ],
  )
  const backwards = link([...mentions].reverse(), { directory: [...directory].reverse() })
  t.strictSame(backwards.links.reverse(), links)
})

t.test('similar names are suggested for unmatched ones', async t => {
  const suggest = suggester(directory)
  t.strictSame(
    suggest('Aple Inc', 1).map(s => s.company.ticker),
    ['AAPL'],
  )
  t.strictSame(
    suggest('FORD MOTOR CREDIT', 1).map(s => s.company.ticker),
    ['F'],
  )
  t.strictSame(suggest('zzzz'), [])
  t.strictSame(suggest('SAUDI MOTOR CO', 5, 0.1), [], 'a common word alone makes no candidate')
})

t.test(
  'a name that filings give with the ticker of a company, as they give its own, is a former one',
  async t => {
    const directory = [
      sec(1, 'XYZ', '0001512673', 'Harbor, Inc.'),
      sec(2, 'HB', '0001512673', 'Harbor, Inc.'),
    ]
    const read = (values: Partial<Mention>) => mention({ ...values, isInFilings: true })
    const pages = [
      read({ ticker: 'HB', name: 'HARBOR, INC.' }),
      read({ ticker: 'HB', name: 'QUAYSIDE, INC.' }),
    ]
    const { links, companies } = link([...pages, ...named('Quayside Inc')], { directory })
    t.strictSame(
      links.map(l => `${l.method} ${l.company_id}`),
      ['ticker XYZ', 'former_name XYZ', 'former_name XYZ'],
    )
    t.strictSame(
      companies.map(c => [c.company_id, c.former_names]),
      [['XYZ', ['QUAYSIDE, INC.']]],
    )
    t.strictSame(
      said([...pages.slice(1), ...named('Quayside Inc')], { directory }),
      ['own NAME:QUAYSIDE INC', 'own NAME:QUAYSIDE INC'],
      'the ticker alone may be reused',
    )
    const elsewhere = [...pages, read({ ticker: 'QUA', name: 'QUAYSIDE, INC.' }), ...named('Quayside Inc')]
    t.notMatch(said(elsewhere, { directory }).join(), /former_name/, 'a name with two tickers tells nothing')
  },
)
