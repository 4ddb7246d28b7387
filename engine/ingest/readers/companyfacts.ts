import { type Output, type Reader, Refused } from './reader.ts'

interface Fact {
  readonly start?: string
  readonly end: string
  readonly val: number
  readonly accn?: string | null
  readonly fy?: number | null
  readonly fp?: string | null
  readonly form?: string | null
  readonly filed?: string | null
}

interface Concept {
  readonly units?: Record<string, readonly Fact[]>
}

/** Of all concepts (`companyfacts`), or of one (`companyconcept`). */
interface CompanyFacts extends Concept {
  readonly cik: number | string
  readonly entityName?: string
  readonly facts?: Readonly<Record<string, Readonly<Record<string, Concept>>>>
  readonly taxonomy?: string
  readonly tag?: string
}

const isOfOneConcept = (head: string) =>
  /"taxonomy"\s*:\s*"/.test(head) && /"tag"\s*:\s*"/.test(head) && /"units"\s*:\s*\{/.test(head)

/** The parsed body, or a refusal of a truncated or damaged one. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch (error) {
    throw new Refused(`not valid JSON (${(error as Error).message}): fetch the file again`)
  }
}

/** A CIK in 10 digits; null if the value is not one. */
export function cikOf(value: unknown): string | null {
  const digits = String(value ?? '').trim()
  return /^\d{1,10}$/.test(digits) && Number(digits) > 0 ? digits.padStart(10, '0') : null
}

export const companyfacts: Reader = {
  kind: 'companyfacts',
  doc: 'SEC companyfacts JSON: every figure a company tagged in its filings; or companyconcept JSON, those of one concept.',
  recognises: ({ head }) =>
    /^\s*\ufeff?\{/.test(head) &&
    /"cik"\s*:/.test(head) &&
    (/"facts"\s*:\s*\{/.test(head) || isOfOneConcept(head)),

  async read(file, sink) {
    const body = parseJson(await file.text()) as CompanyFacts
    const cik = cikOf(body.cik)
    if (cik === null) throw new Refused(`cik ${JSON.stringify(body.cik)} is not a central index key`)
    let count = 0
    const { facts = { [body.taxonomy ?? '']: { [body.tag ?? '']: body } } } = body
    for (const [taxonomy, concepts] of Object.entries(facts))
      for (const [name, { units }] of Object.entries(concepts))
        for (const [unit, facts] of Object.entries(units ?? {}))
          for (const [i, fact] of facts.entries()) {
            const concept = `${taxonomy}:${name}`
            const at = `${concept} ${unit} ${i + 1}`
            if (typeof fact.val !== 'number')
              await sink.refuse(at, JSON.stringify(fact), `val ${JSON.stringify(fact.val)} is not a number`)
            else await sink.take(at, [factRow(cik, body.entityName, concept, unit, fact)])
            if (++count % 10_000 === 0) await sink.drain()
          }
    if (count === 0) sink.note('the file has no facts')
  },
}

const factRow = (
  cik: string,
  name: string | undefined,
  concept: string,
  unit: string,
  fact: Fact,
): Output => ({
  dataset: 'facts',
  values: {
    cik,
    company_name: name || null,
    ticker: null,
    concept,
    unit,
    period_start: fact.start ?? null,
    period_end: fact.end,
    value: fact.val,
    decimals: null,
    accession: fact.accn ?? null,
    form: fact.form ?? null,
    fiscal_year: fact.fy ?? null,
    fiscal_period: fact.fp ?? null,
    report_date: null,
    filed_date: fact.filed ?? null,
    dates_rounded: null,
    dimensions: null,
  },
})
