import { firstOf, groupOf } from '../../base/elements.ts'
import type { RowOf } from '../../schema/column.ts'
import type { collateral } from '../../schema/datasets/collateral.ts'
import type { liens } from '../../schema/vocabulary.ts'
import { agreementTerms } from './agreement.ts'
import { assetsIn } from './asset-types.ts'
import { withWholeWords } from './broken-words.ts'
import { clauseAt, clausesIn } from './clauses.ts'
import { withoutDeleted } from './deleted-text.ts'
import { endedNames, isEnded } from './ended-names.ts'
import { quoted } from './evidence.ts'
import { type FiledSection, isDiscussion, isOfAgreement, isOtherNote, voiceOf } from './filed-section.ts'
import { flatten, oneLine, words } from './flat-text.ts'
import { headAbove, toldByHead } from './instrument-heads.ts'
import {
  definedName,
  instrumentMentioned,
  instrumentName,
  isProspectus,
  lesserMentioned,
  shownName,
} from './instrument-name.ts'
import { statementsIn } from './pledge-statements.ts'
import { type Statement, sentenceEnd } from './pledge-words.ts'
import { recordId } from './record-id.ts'
import { isOfOwnDebt } from './told-in-passing.ts'

export type CollateralRow = Partial<RowOf<typeof collateral.columns>>

const MOST_QUOTED = 2000

// Most notes on other subjects have none of these words, and are not read further.
const ofPledges = /\b(?:pledg|collateral|secure[sd]?\b|security\s+interest|backed\s+by|mortgage)/i

/** Rows of the dataset `collateral` in a section, each with its words. */
export function collateralIn(section: FiledSection): CollateralRow[] {
  const voice = voiceOf(section)
  if (voice === null || section.section_type === 'covenants') return []
  if (isOtherNote(section) && !ofPledges.test(section.text)) return []
  const isContract = voice === 'agreement'
  const flat = withoutDeleted(withWholeWords(flatten(section.text)))
  const clauses = isContract ? clausesIn(section.text) : []
  const namer = isContract ? 'agreement' : 'announcement'
  const name = isOfAgreement(section) && !isProspectus(section) ? instrumentName(section.text, namer) : null
  const isInPassing = isOtherNote(section) || isDiscussion(section)
  const found = new Map<string, CollateralRow>()
  const ended = isContract ? new Set<string>() : endedNames(flat)
  const year = (section.period_end ?? section.filing_date)?.slice(0, 4) ?? null
  for (const { from, at, until, rule, property } of statementsIn(flat, isContract, year)) {
    const end = until ?? sentenceEnd(flat, at)
    const list = flat.slice(at, end)
    if (isForLettersOfCredit.test(list.slice(0, 200))) continue
    if (isInPassing) {
      const told = flat.slice(from, sentenceEnd(flat, at))
      if (!isOwedToLenders(told) || (isDiscussion(section) && !isOfOwnDebt(told, null))) continue
    }
    const stated = assetsIn(list)
    const pledged =
      stated.length === 0 && property !== undefined
        ? [{ type: 'real_estate' as const, assets: [property] }]
        : stated
    if (pledged.length === 0) continue
    const quote = quoted(
      section,
      from,
      Math.min(sentenceEnd(flat, at), from + MOST_QUOTED),
      clauseAt(clauses, at),
    )
    const subject = instrumentMentioned(flat.slice(from, at))
    const head = isContract ? null : toldByHead(section.text, from, definedName(flat, subject))
    const mentioned =
      (property === undefined ? null : loanDefined(flat.slice(end, end + MOST_DEFINED))) ??
      head ??
      subject ??
      (rule === 'pledged_as' ? instrumentMentioned(flat.slice(at, sentenceEnd(flat, at))) : null) ??
      (isContract ? null : lesserMentioned(flat.slice(from, at))) ??
      (rule === 'pledged_as' ? lesserMentioned(flat.slice(at, sentenceEnd(flat, at))) : null) ??
      (isContract ? null : headAbove(section.text, from))
    const instrument = name ?? definedName(flat, mentioned)
    if (isEnded(ended, instrument)) continue
    const priority = priorityOf(flat.slice(from, Math.min(end, at + 300)))
    for (const { type, assets } of pledged) {
      const key = `${instrument} ${type} ${priority}`.toLowerCase()
      if (found.has(key)) continue
      found.set(key, {
        id: recordId(section, instrument, type, priority),
        company_name: section.company_name,
        cik: section.cik,
        instrument_name: shownName(instrument),
        type,
        description: oneLine(quote.evidence, 400),
        assets: [...assets],
        priority,
        jurisdiction: jurisdictionOf(list),
        extraction_confidence: confidenceOf(rule, isContract),
        source_document_date: section.filing_date,
        accession: section.accession,
        rule,
        ...quote,
      })
    }
  }
  const terms = found.size > 0 && name !== null ? agreementTerms(section.text, namer) : null
  return [...found.values()].map(row => ({
    ...row,
    agreement_date: terms?.agreement_date ?? null,
    agreement_maturity_date: terms?.agreement_maturity_date ?? null,
    document_type: section.doc_type,
  }))
}

// A note on another subject tells of what others owe to the company as well.
const owedToLenders = words(
  String.raw`\b(?:(?:credit|amended|new|revolving|abl|loan) (?:facilit(?:y|ies)|agreements?)|loan parties|lines? of credit|term loans?|notes payable|mortgages? payable|borrowings?|indebtedness|debt|revolver|bank loans?|loan agreements?|(?:capital |finance |master )?lease (?:agreements|obligations)|financings?|securitizations?|bonds|debentures|indentures?|(?:our|its|the company's) obligations|(?:margin|bank|mortgage|bridge|construction) loans?|financing agreements?|prepaid forward|VPF)\b`,
)
const owedByOthers = words(
  String.raw`\b(?:(?:notes?|loans?) receivable|receivables? from (?:customers|affiliates|tenants|related)|(?:loans?|advances?|sales?) to|borrowers?|customers?|tenants?|buyers?|purchasers?|(?:asset|mortgage)-backed securities|repurchase agreements?|investee|unconsolidated|(?<!\binterests? in (?:the|our|its|a|this) )joint ventures?|affiliates?)\b`,
)
const isOwedToLenders = (statement: string): boolean =>
  owedToLenders.test(statement) && !owedByOthers.test(statement)

// An account that covers letters of credit after a default secures nothing today.
const isForLettersOfCredit = words(
  String.raw`\bcash collateral|\bcollateral account|\b(?:letters? of credit|l/c|lc) (?:account|collateral|obligations|exposure)|\bsuch (?:cash|account|deposit)`,
)

function priorityOf(text: string): (typeof liens)[number] | null {
  const isFirst = /\bfirst[\s-]+(?:priority|lien|ranking|mortgage|perfected)/i.test(text)
  const isSecond = /\bsecond[\s-]+(?:priority|lien|ranking|mortgage)/i.test(text)
  return isFirst === isSecond ? null : isFirst ? 'first_lien' : 'second_lien'
}

/** `(the "Newport Note")`, right behind the property of a mortgage. */
const loanDefined = (after: string): string | null => defined.exec(after)?.groups?.['name'] ?? null
const defined = /^\s?\((?:the\s)?"(?<name>[^"]{3,60}?(?:Note|Loan|Mortgage|Notes|Loans|Debt))"\)/
const MOST_DEFINED = 90

const place =
  /\b(?:located|situated)\s+in\s+the\s+(?:State|Commonwealth|Province)\s+of\s+(?<place>[A-Z][a-z]+(?:\s+[A-Z][a-z]+)?)/g

/** The only state mentioned in an asset description. */
function jurisdictionOf(list: string): string | null {
  const places = new Set([...list.matchAll(place)].map(m => groupOf(m, 'place').replace(/\s+/g, ' ')))
  return places.size === 1 ? firstOf([...places]) : null
}

const confidenceOf = (rule: Statement['rule'], isContract: boolean): number => {
  if (rule === 'collateral_defined') return 0.8
  return rule === 'grant' ? (isContract ? 0.95 : 0.85) : isContract ? 0.9 : 0.8
}
