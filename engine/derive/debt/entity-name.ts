import { wordsOf } from './member-name.ts'

/** Legal forms at the end of a company's name, as they are written. */
const FORMS: ReadonlyMap<string, string> = new Map(
  'Inc. Inc Corp. Corp LLC L.L.C. LP L.P. plc PLC P.L.C. Ltd. Ltd S.A. SA SCA S.C.A. SARL S.à.r.l. N.V. NV B.V. BV GmbH AG SE'
    .split(' ')
    .map(form => [form.toLowerCase(), form === 'PLC' ? 'plc' : form]),
)
const LONGEST_FIRST = [...FORMS.keys()].sort((a, b) => b.length - a.length)

/** The form at the beginning of a word that an abbreviation of the name runs into: `S.A.` of `S.A.TIFSA`. */
function formBefore(word: string, initial: string): string | null {
  const lower = word.toLowerCase()
  const form = LONGEST_FIRST.find(each => lower.startsWith(each))
  const rest = form === undefined ? '' : word.slice(form.length)
  return form !== undefined && isAbbreviation(rest, initial) ? (FORMS.get(form) ?? form) : null
}

/** Capitals that begin like the name they stand for. */
const isAbbreviation = (text: string, initial: string): boolean =>
  /^[A-Z]{2,8}$/.test(text) && text.startsWith(initial)

/**
 * The company that a member names, without the abbreviations that follow its legal form: `TycoInternationalFinanceS.A.TIFSAMember` is
 * `Tyco International Finance S.A.`.
 */
export function entityName(member: string): string {
  const name: string[] = []
  let initial = ''
  let isAfterForm = false
  for (const word of wordsOf(member)) {
    if (/^and$/i.test(word)) {
      name.push('and')
      initial = ''
      isAfterForm = false
      continue
    }
    if (initial === '') initial = word.charAt(0).toUpperCase()
    else if (isAfterForm && isAbbreviation(word, initial)) continue
    const form = name.length > 0 ? (FORMS.get(word.toLowerCase()) ?? formBefore(word, initial)) : null
    isAfterForm = form !== null
    name.push(form ?? word)
  }
  return name.join(' ')
}
