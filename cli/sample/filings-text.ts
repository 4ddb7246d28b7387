import { elementAt } from '../../engine/base/elements.ts'
import { addBusinessDays, formatDay, packedCivil, toDay } from '../../engine/credit/calendar.ts'
import type { documents } from '../../engine/schema/datasets/documents.ts'
import type { Covenant } from './covenants.ts'
import type { Group } from './entities.ts'
import { accessionOf } from './identifiers.ts'
import { type Instrument, outstandingOn } from './instrument.ts'
import type { Issuer } from './issuers.ts'
import { lastDay } from './market.ts'
import type { Random } from './random.ts'
import { type Filing, type Statement, urlOf } from './statements.ts'
import type { Row } from './tables.ts'

export type Document = Row<typeof documents>

/** The facts from which an issuer's texts are made. */
export interface IssuerFacts {
  readonly issuer: Issuer
  readonly group: Group
  readonly instruments: readonly Instrument[]
  readonly covenants: readonly Covenant[]
  readonly statements: readonly Statement[]
  readonly filed: readonly Filing[]
}

const millions = (cents: number) =>
  `$${(Math.round(cents / 1e7) / 10).toLocaleString('en-US', { minimumFractionDigits: 1 })} million`
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const longDay = (iso: string) =>
  `${months[Number(iso.slice(5, 7)) - 1]} ${Number(iso.slice(8))}, ${iso.slice(0, 4)}`
const paragraphs = (...parts: (string | null | undefined | false)[]) => parts.filter(Boolean).join('\n\n')
const listed = (items: readonly string[]) =>
  items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`

const ranking = {
  senior_secured: 'senior secured',
  senior_unsecured: 'senior unsecured',
  subordinated: 'subordinated',
} as const

function rateOf(i: Instrument): string {
  if (i.coupon === null)
    return `a floating rate of Term SOFR plus ${((i.row.spread_bps ?? 0) / 100).toFixed(2)}%${i.row.floor_bps != null ? `, with a SOFR floor of ${(i.row.floor_bps / 100).toFixed(2)}%` : ''}`
  if (i.row.rate_structure === 'fixed_to_float')
    return `a fixed rate of ${i.coupon.toFixed(3)}% a year until ${longDay(i.row.last_fixed_date!)} and a floating rate of Term SOFR plus ${((i.row.spread_bps ?? 0) / 100).toFixed(2)}% from then on`
  if (i.coupon === 0) return 'no periodic interest, having been issued at a discount'
  return `a fixed rate of ${i.coupon.toFixed(3)}% a year`
}

function debtFootnote({ issuer, instruments, group }: IssuerFacts, end: string): string {
  const day = toDay(Number(end.slice(0, 4)), Number(end.slice(5, 7)), Number(end.slice(8)))
  const alive = instruments.filter(i => i.issued <= day && day < (i.retired ?? i.matures))
  const lines = alive.map(
    i => `${i.name} (${i.entity.name}) | ${ranking[i.seniority]} | ${millions(i.row.outstanding ?? 0)}`,
  )
  const total = outstandingOn(issuer, alive, day)
  const years = [0, 1, 2, 3, 4].map(n => {
    const year = Math.floor(packedCivil(day) / 10_000) + 1 + n
    const due = alive
      .filter(i => Math.floor(packedCivil(i.matures) / 10_000) === year)
      .reduce((sum, i) => sum + (i.row.outstanding ?? 0), 0)
    return `${year}: ${due ? millions(due) : 'none'}`
  })
  const secured = alive.filter(i => i.seniority === 'senior_secured')
  const redeemed = instruments.find(i => i.retired !== null && i.retired < day)
  const notable = alive.filter(i => i.row.instrument_type !== 'commercial_paper').slice(-3)
  return paragraphs(
    `Note 8. Long-Term Debt. The long-term debt of ${issuer.name} and its subsidiaries at ${longDay(end)} consisted of the following:`,
    lines.join('\n'),
    `Total principal amount of debt was ${millions(total)}, before unamortized discount and debt issuance costs.`,
    ...notable.map(
      i =>
        `${i.name}. ${i.row.principal === null ? 'The facility was entered into' : 'They were issued'} by ${i.entity.name} on ${longDay(i.row.issue_date!)} and bear interest at ${rateOf(i)}. They are ${ranking[i.seniority]} obligations, mature on ${longDay(i.row.maturity_date!)}${i.guarantors.length ? ` and are guaranteed by ${i.guarantors.length} ${i.guarantors.length === 1 ? 'affiliate' : 'subsidiaries'}` : ' and have no guarantors'}.${(i.row.call_schedule as unknown[] | null | undefined)?.length === 3 ? ' They may be redeemed before maturity at a premium that declines to par.' : ''}`,
    ),
    secured.length > 0 &&
      `Obligations of ${millions(secured.reduce((s, i) => s + (i.row.outstanding ?? 0), 0))} are secured by liens on assets of ${group.opco.name} and of the guarantors.`,
    redeemed &&
      `The ${redeemed.name} were redeemed in full before maturity and a loss on extinguishment was recorded.`,
    `Scheduled maturities of principal are as follows. ${years.join('; ')}.`,
  )
}

function liquidity({ issuer, instruments, statements }: IssuerFacts, end: string, random: Random): string {
  const known = statements.filter(s => s.period_end_date! <= end && s.cash_and_equivalents != null)
  const last = known.at(-1)
  const facility = instruments.find(i => i.row.instrument_type === 'revolver')
  const drawn = facility?.row.outstanding ?? 0
  const next = instruments
    .filter(i => i.row.maturity_date! > end && i.retired === null)
    .sort((a, b) => a.matures - b.matures)[0]
  return paragraphs(
    `Liquidity and Capital Resources. Our main sources of liquidity are cash generated by operations, cash on hand${facility ? ' and borrowings under our revolving credit facility' : ''}.`,
    last &&
      `At ${longDay(end)} we had cash and cash equivalents of ${millions(last.cash_and_equivalents!)} and total debt of ${millions(last.total_debt ?? 0)}.`,
    facility &&
      `Our revolving credit facility provides commitments of ${millions(facility.row.commitment ?? 0)} and matures on ${longDay(facility.row.maturity_date!)}. ${drawn ? `We had drawn ${millions(drawn)} of it.` : 'Nothing was drawn at the balance sheet date.'}`,
    next &&
      `Our next maturity is the ${next.name}, of which ${millions(next.row.outstanding ?? 0)} was outstanding. ${random.pick(['We intend to refinance it in the capital markets before it falls due.', 'We expect to repay it from cash flow and available commitments.', 'We regularly review opportunities to refinance or repurchase debt ahead of maturity.'])}`,
    random.pick([
      'Net cash provided by operating activities rose on higher earnings, partly offset by working capital and higher cash interest.',
      'Net cash provided by operating activities fell because inventories and receivables were built up and interest payments grew with market rates.',
      'Cash flow was little changed: better margins were offset by the timing of payments to suppliers.',
    ]),
    random.pick([
      'We plan capital expenditure mainly for maintenance of existing assets and selected growth projects.',
      'Capital expenditure will be reduced in the coming year, which we expect to increase free cash flow available for debt reduction.',
      'The board has suspended repurchases of shares until leverage is within our target range.',
    ]),
    issuer.rank > 13
      ? 'A downturn could leave us unable to comply with the covenants of our credit agreement or to refinance our debt on acceptable terms, which would raise doubt about our liquidity.'
      : 'We believe that these sources will meet our needs for at least the next twelve months.',
    issuer.is('defaulted') &&
      'We did not pay interest due on our senior notes and have begun talks with holders about a restructuring of our capital.',
  )
}

function covenantText({ issuer, covenants }: IssuerFacts): string {
  return paragraphs(
    `Covenants. The credit agreement and the indentures of ${issuer.short} contain the following covenants, with which the company was ${issuer.is('defaulted') ? 'not in compliance' : 'in compliance'} at the end of the period.`,
    ...covenants.map(
      c =>
        `${c.covenant_name} (${c.instrument_name}). ${c.description}${c.has_step_down ? ` The level steps down to ${listed((c.step_down_schedule as { date: string; threshold_value: number }[]).map(s => `${s.threshold_value.toFixed(2)} to 1.00 on ${longDay(s.date)}`))}.` : ''}${c.cure_period_days ? ` A breach may be cured by an equity contribution within ${c.cure_period_days} days.` : ''}`,
    ),
    covenants.length === 0 &&
      'The notes contain no financial maintenance covenants; they limit liens and mergers and require reports.',
  )
}

function creditAgreement(
  { issuer, group, covenants, instruments }: IssuerFacts,
  facility: Instrument,
): string {
  const financial = covenants.filter(c => c.covenant_type === 'financial')
  const loans = instruments.filter(i => /term_loan/.test(i.row.instrument_type ?? ''))
  const isSecured = facility.seniority === 'senior_secured'
  return paragraphs(
    `CREDIT AGREEMENT dated as of ${longDay(facility.row.issue_date!)} among ${group.holdco.name}, as ${facility.entity === group.holdco ? 'Borrower' : 'Holdings'}, ${facility.entity === group.holdco ? '' : `${facility.entity.name}, as Borrower, `}the lenders party hereto and the administrative agent.`,
    `Section 2.01 Commitments. The lenders severally agree to make revolving loans in an aggregate amount not exceeding ${millions(facility.row.commitment ?? 0)}${loans.length ? `, and term loans as follows: ${listed(loans.map(l => `${l.name} of ${millions(l.amount)}`))}` : ''}.`,
    `Section 2.08 Interest. Loans bear interest at ${rateOf(facility)}. A commitment fee of ${(commitmentFee(issuer.n) / 100).toFixed(3)}% a year is paid on undrawn commitments.`,
    isSecured
      ? `Section 6.01 Security. The obligations are secured by a first priority lien on substantially all assets of the Borrower and the Guarantors, subject to permitted liens. The Guarantors are ${group.all.filter(e => e.isGuarantor).length} wholly owned domestic subsidiaries.`
      : 'Section 6.01 Ranking. The obligations are senior unsecured obligations of the Borrower.',
    ...financial.map((c, i) => `Section 7.${String(11 + i)} ${c.covenant_name}. ${c.description}`),
    'Section 8.01 Events of Default. Each of the following is an event of default: failure to pay principal when due, or interest within five business days; breach of a covenant; cross default to other material indebtedness; bankruptcy; a change of control.',
    `Section 10.02 Maturity. The revolving commitments end on ${longDay(facility.row.maturity_date!)}.`,
  )
}

/** Basis points. */
const commitmentFee = (n: number) => elementAt([12.5, 17.5, 25, 37.5, 50], n % 5)

function indenture({ issuer, covenants }: IssuerFacts, note: Instrument): string {
  const own = covenants.filter(c => c.cusip !== null && c.cusip === note.row.cusip)
  return paragraphs(
    `INDENTURE dated as of ${longDay(note.row.issue_date!)} between ${note.entity.name}, as Issuer, ${note.guarantors.length ? 'the Guarantors party hereto ' : ''}and the trustee, providing for the issuance of ${millions(note.amount)} aggregate principal amount of ${note.name}.`,
    `Section 2.01 Terms. The Notes bear interest at ${rateOf(note)}, payable semiannually in arrears, and mature on ${longDay(note.row.maturity_date!)}.${note.row.cusip ? ` CUSIP ${note.row.cusip}; ISIN ${note.row.isin}.` : ''}`,
    `Section 2.09 Ranking. The Notes are ${ranking[note.seniority]} obligations of the Issuer${note.seniority === 'senior_unsecured' ? ', equal in right of payment with its other senior debt and effectively junior to secured debt to the value of the collateral' : ''}.${note.guarantors.length === 0 ? ' They are structurally subordinated to all liabilities of its subsidiaries.' : ''}`,
    note.row.call_schedule
      ? `Section 3.07 Optional Redemption. The Issuer may redeem the Notes at the following prices: ${(note.row.call_schedule as { date: string; price: number }[]).map(c => `${c.price.toFixed(3)}% from ${longDay(c.date)}`).join('; ')}.`
      : 'Section 3.07 Optional Redemption. The Issuer may redeem the Notes at any time at a make-whole price, and at par within three months of maturity.',
    ...own.map((c, i) => `Section 4.${String(7 + i).padStart(2, '0')} ${c.covenant_name}. ${c.description}`),
    `Section 6.01 Events of Default. Default in payment of interest for 30 days, default in payment of principal, and acceleration of other debt of ${issuer.short} above $100 million are events of default. Holders of 25% of the Notes may accelerate them.`,
  )
}

function exhibit21({ issuer, group }: IssuerFacts, end: string): string {
  const on = group.all.filter(
    e => formatDay(e.listed) <= end && (e.removed === null || formatDay(e.removed) > end),
  )
  return paragraphs(
    `Exhibit 21. Subsidiaries of ${issuer.name}`,
    [
      'Name | Jurisdiction | Ownership',
      ...on
        .filter(e => e.parent)
        .map(
          e => `${e.name} | ${e.jurisdiction} | ${e.type === 'vie' ? 'primary beneficiary' : `${e.share}%`}`,
        ),
    ].join('\n'),
  )
}

function guarantorList({ issuer, group, instruments }: IssuerFacts): string {
  const guarantors = group.all.filter(e => e.isGuarantor)
  const guaranteed = instruments.filter(
    i => i.guarantors.length > 0 && i.retired === null && i.matures > lastDay,
  )
  return paragraphs(
    `Exhibit 22. List of Guarantor Subsidiaries. The following subsidiaries of ${issuer.name} fully and unconditionally, jointly and severally guarantee the ${listed(guaranteed.map(i => i.name))}:`,
    guarantors.map(g => `${g.name} (${g.jurisdiction})`).join('\n'),
    `Subsidiaries organized outside the United States, joint ventures and variable interest entities do not guarantee this debt.`,
  )
}

function business({ issuer, group }: IssuerFacts, random: Random): string {
  const { industry, short } = issuer
  const places = [...new Set(group.all.map(e => e.jurisdiction))]
  return paragraphs(
    `Business. ${short} is a ${industry.name.toLowerCase()} company. It provides ${industry.products}, and works through ${group.all.length} legal entities in ${places.length} jurisdictions, of which ${group.opco.name} is the largest.`,
    `${random.pick(['Demand follows industrial production and household income.', 'Demand is seasonal and strongest in the second and third quarters.', 'Most revenue comes from contracts of three to five years.'])} ${random.pick(['No customer accounts for more than a tenth of revenue.', 'The five largest customers account for about a quarter of revenue.', 'Prices are set by competition, and our costs pass through to customers with a delay.'])}`,
    `Segments. We report the segments ${listed(industry.units)}. ${industry.units.map(unit => `${unit} ${random.pick(['serves customers under multi-year contracts', 'sells through distributors and online', 'works mostly for industrial customers', 'is the oldest of our businesses'])}`).join('; ')}.`,
    `Competition. ${random.pick(['We compete on price, service and reliability with a few large groups and many regional firms.', 'Our largest competitors have more capital and lower costs of debt than we do.', 'Permits, sites and long relationships protect our position.'])} ${random.pick(['Raw materials and energy are our largest costs.', 'Wages are our largest cost.', 'Interest is among our largest costs.'])}`,
    `People. We had about ${(random.whole(4, 240) * 100).toLocaleString('en-US')} employees at the end of the year. ${random.pick(['A third of them are covered by collective agreements.', 'None is covered by a collective agreement.'])}`,
    issuer.formerName && `Until 2023 the company was called ${issuer.formerName}`,
  )
}

function riskFactors({ issuer, instruments }: IssuerFacts, random: Random): string {
  const own = [
    'Our substantial indebtedness could limit our cash flow available for operations and expose us to rising interest rates. A large part of cash flow goes to interest and principal, which leaves less for investment, and our leverage may put us at a disadvantage to competitors with less debt.',
    'Restrictive covenants in our debt agreements may limit our flexibility, and a breach could accelerate our debt. The agreements limit liens, further debt, dividends, investments and sales of assets. If lenders did not grant a waiver, they could end their commitments and foreclose on collateral.',
    'We may be unable to refinance debt that matures in the coming years on acceptable terms or at all. Access to the bond and loan markets depends on our results, on our ratings and on conditions that we do not control, and past notes carried lower coupons than we would pay today.',
    'A downgrade of our credit ratings would raise our cost of borrowing. Margins under the credit facility follow our ratings, some notes have coupons that step up, and counterparties could ask for letters of credit or cash collateral.',
    `The markets for ${issuer.industry.products} are cyclical and competitive. Prices have moved widely in the past, new capacity is being built, and customers may delay orders or turn to substitutes when the economy slows.`,
    'A failure or breach of our information systems could disrupt our business. We rely on systems of our own and of suppliers, which have been attacked before, and our insurance may not cover every loss.',
    'Changes in trade policy and tariffs could raise the cost of what we buy. We may be unable to pass higher costs to customers in time, and retaliation by other countries could reduce our exports.',
    'We depend on a small number of suppliers for key inputs. Shortages, strikes, storms or the failure of a supplier could interrupt production, and qualifying another one takes many months.',
    'Environmental laws may require expenditure that we cannot foresee. We may be liable for the cleaning of sites that we or our predecessors operated, whether or not we were at fault.',
    'The holding company depends on distributions of its subsidiaries to service its debt, and its notes are structurally subordinated to their liabilities. In an insolvency of a subsidiary its creditors would be paid from its assets before holders of our notes.',
    'Pension obligations are funded in part only. Lower discount rates or poor returns on plan assets would require larger contributions.',
    'The loss of key people, or our failure to attract and train others, could harm our results; part of our staff is covered by collective agreements that expire in the next two years.',
  ]
  const floating = instruments.filter(i => i.coupon === null && (i.row.outstanding ?? 0) > 0)
  return paragraphs(
    'Risk Factors. An investment in our securities involves risks, of which the following are the main ones.',
    ...random.shuffled(own).slice(0, 8),
    floating.length > 0 &&
      `Debt of ${millions(floating.reduce((s, i) => s + (i.row.outstanding ?? 0), 0))} bears interest at floating rates: a rise in SOFR of one percentage point would raise yearly interest by about one percent of it.`,
  )
}

function mda({ issuer, statements }: IssuerFacts, random: Random): string {
  const [last, before] = statements
    .filter(s => s.filing_type === '10-K')
    .slice(-2)
    .reverse()
  const change =
    last && before && last.revenue != null && before.revenue
      ? (last.revenue / before.revenue - 1) * 100
      : null
  return paragraphs(
    `Management's Discussion and Analysis. The following should be read with the consolidated financial statements of ${issuer.short}.`,
    last?.revenue != null &&
      `Revenue was ${millions(last.revenue)} in fiscal ${last.fiscal_year}${change === null ? '' : `, ${change >= 0 ? 'an increase' : 'a decrease'} of ${Math.abs(change).toFixed(1)}% from the year before`}. ${random.pick(['Volumes drove most of the change.', 'Prices drove most of the change, volumes being flat.', 'Acquisitions contributed about a third of the change.'])}`,
    last?.operating_income != null &&
      `Operating income was ${millions(last.operating_income)}. ${random.pick(['Labor and freight costs rose faster than prices.', 'Cost savings from the restructuring programme supported margins.', 'Start-up costs of new sites weighed on margins.'])}`,
    last?.interest_expense != null &&
      `Interest expense was ${millions(last.interest_expense)}, reflecting ${random.pick(['higher rates on floating debt', 'notes issued at higher coupons than those they replaced', 'lower average borrowings'])}.`,
    `Outlook. ${random.pick(['We expect revenue to grow in the low single digits and margins to hold.', 'We expect lower volumes in the first half and a recovery later in the year.', 'We give no guidance while demand is hard to foresee.'])} ${random.pick(['Free cash flow will go first to the reduction of debt.', 'We aim to keep leverage within the range that our ratings allow.', 'We intend to call notes with high coupons when markets permit.'])}`,
    `Segment results. ${issuer.industry.units.map(unit => `${unit}: ${random.pick(['revenue rose on price', 'revenue fell on lower volumes', 'revenue was flat', 'revenue rose on new contracts'])}, and the segment margin ${random.pick(['widened', 'narrowed', 'was unchanged'])}`).join('. ')}.`,
    'Critical accounting estimates. The carrying amount of goodwill, the useful lives of assets, the provision for claims and the value of tax losses rest on estimates that could change.',
    issuer.is('restated') &&
      'We restated earlier figures to correct the timing of revenue; the amended report explains the effect on each period.',
  )
}

function notesText({ issuer }: IssuerFacts, random: Random): string {
  return paragraphs(
    `Notes to the Condensed Consolidated Financial Statements of ${issuer.short}. Note 1. Basis of Presentation. The interim statements are unaudited and include all normal recurring adjustments.`,
    `Note 2. ${random.pick(['Leases. Operating lease liabilities are not included in debt; finance lease liabilities are.', 'Income Taxes. The effective rate differed from the statutory rate because of state taxes and interest that cannot be deducted.', 'Contingencies. The company is party to claims in the ordinary course, none of which is expected to be material.'])}`,
    'Note 3. Variable Interest Entities. Entities of which the company is the primary beneficiary are consolidated; their creditors have no recourse to its general credit.',
  )
}

/** The sections of an issuer's filings, each saying that the issuer is fictional. */
// Over 80 lines: one section after another; the order of the random draws must not change.
export function makeDocuments(facts: IssuerFacts, random: Random): Document[] {
  const { issuer, group, instruments, filed } = facts
  const annual = filed.filter(f => f.form === '10-K')
  const report = annual.at(-1) ?? filed.at(-1)!
  const interim = filed.filter(f => f.form === '10-Q').at(-1)!
  const out: Document[] = []
  let currentReports = 500

  function add(
    filing: Pick<Filing, 'form' | 'accession' | 'filed' | 'end'>,
    section_type: NonNullable<Document['section_type']>,
    section_title: string,
    text: string,
  ) {
    const content = paragraphs(
      text,
      `(Sample text. ${issuer.name} is a fictional issuer; this is not a real filing.)`,
    )
    out.push({
      id: `${filing.accession}-${section_type}`,
      ticker: issuer.ticker,
      cik: issuer.cik,
      company_name: issuer.name,
      doc_type: filing.form,
      accession: filing.accession,
      filing_date: formatDay(filing.filed),
      period_end_date: formatDay(filing.end),
      section_type,
      section_title,
      content,
      page_count: Math.max(1, Math.ceil(content.length / 3000)),
      source_url: urlOf(filing.accession),
    })
  }
  const announce = (i: Instrument) => {
    const day = Math.min(addBusinessDays(i.issued, 2), lastDay - 1)
    return {
      form: '8-K',
      accession: accessionOf(issuer.cik, Math.floor(packedCivil(day) / 10_000), currentReports++),
      filed: day,
      end: i.issued,
    }
  }

  if (random.chance(0.45)) add(report, 'business', 'Item 1. Business', business(facts, random))
  if (random.chance(0.55)) add(report, 'risk_factors', 'Item 1A. Risk Factors', riskFactors(facts, random))
  if (random.chance(0.45))
    add(report, 'mda', "Item 7. Management's Discussion and Analysis", mda(facts, random))
  add(report, 'debt_footnote', 'Note 8. Long-Term Debt', debtFootnote(facts, formatDay(report.end)))
  add(report, 'exhibit_21', 'Exhibit 21. Subsidiaries', exhibit21(facts, formatDay(report.filed)))
  const older = annual.at(-2)
  if (older && random.chance(0.25))
    add(older, 'exhibit_21', 'Exhibit 21. Subsidiaries', exhibit21(facts, formatDay(older.filed)))
  if (
    group.all.some(e => e.isGuarantor) &&
    instruments.some(i => i.guarantors.length > 0 && i.matures > lastDay)
  )
    add(report, 'guarantor_list', 'Exhibit 22. Guarantor Subsidiaries', guarantorList(facts))
  add(
    interim,
    'mda_liquidity',
    'Liquidity and Capital Resources',
    liquidity(facts, formatDay(interim.end), random),
  )
  add(random.chance(0.5) ? report : interim, 'covenants', 'Debt Covenants', covenantText(facts))
  if (random.chance(0.2))
    add(interim, 'notes', 'Notes to Condensed Consolidated Financial Statements', notesText(facts, random))
  const facility = instruments.find(i => i.row.instrument_type === 'revolver')
  if (facility && random.chance(0.7))
    add(
      announce(facility),
      'credit_agreement',
      'Exhibit 10.1. Credit Agreement',
      creditAgreement(facts, facility),
    )
  const notes = instruments
    .filter(i => /notes/.test(i.row.instrument_type ?? '') && i.retired === null && i.matures > lastDay)
    .sort((a, b) => b.issued - a.issued)
  for (const note of notes.slice(0, random.chance(0.25) ? 2 : 1))
    add(announce(note), 'indenture', `Exhibit 4.1. Indenture for the ${note.name}`, indenture(facts, note))
  return out
}
