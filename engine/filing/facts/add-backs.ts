import { elementAt } from '../../base/elements.ts'
import { oneLine } from './flat-text.ts'

const sign =
  /\b(?:(?<plus>plus|increased\s+by|adding\s+back)|minus|decreased\s+by|reduced\s+by|subtracting|less(?!\s+than))\b/gi
const marker =
  /(?:^|(?<!\b(?:clauses?|sections?|paragraphs?))\s)\((?:[a-z]{1,3}|[A-W]{1,2}|\d{1,2})\)(?=\s|[A-Za-z])/gi
const lead =
  /^(?:[\s,;:.]|\b(?:and|or|plus|the\s+sum\s+of|an\s+amount\s+equal\s+to|the\s+following(?:\s+amounts?)?|any|all|amounts?\s+of)\b|without\s+duplication\b|in\s+each\s+case\b|\(\w{1,3}\)|to\s+the\s+extent\s[^:;()]{0,200}?(?:[:,]|$))/i
const MOST_ADD_BACKS = 40

/** What a definition of EBITDA adds back to income, item by item: `interest expense`, `restructuring charges`. */
export function addBacksIn(definition: string): string[] {
  const signs = [...definition.matchAll(sign)]
  const added = signs.flatMap((each, i) =>
    each.groups!['plus'] === undefined
      ? []
      : definition.slice(each.index + each[0].length, signs[i + 1]?.index ?? definition.length),
  )
  const items = added.flatMap(text => {
    const marks = [...text.matchAll(marker)]
    if (marks.length === 0) return text.split(/[,;]\s/)
    return marks.map((mark, i) => text.slice(mark.index + mark[0].length, marks[i + 1]?.index ?? text.length))
  })
  const named = items.map(addBack).filter(item => item !== '')
  return [...new Set(named)].slice(0, MOST_ADD_BACKS)
}

// at most 600 characters: LONGEST_ITEM
const CONDITION =
  /[;.]\s|,?\s(?:provided|to\sthe\sextent|so\slong\sas|in\san\saggregate|not\sto\sexceed|which|determined|whether|in\seach\scase|as\sdetermined)\b/i
const CAP =
  /\b(?:not\s(?:to\s)?exceed(?:ing)?|(?:shall|does|do)\snot\sexceed|up\sto\s(?:an\s(?:aggregate\s)?amount|\$|\d)|limited\sto|capped\sat)\b/i
/** What follows an add-back that the agreement limits. */
export const CAPPED = ', up to a limit'
/** Longest item that is read. */
const LONGEST_ITEM = 600

/** Without separators at the end. */
function withoutTail(text: string): string {
  let end = text.length
  while (end > 0 && ' ,;:.('.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** One add-back without what leads to it and its conditions. */
function addBack(item: string): string {
  let text = item.slice(0, LONGEST_ITEM).replace(/\s+/g, ' ').trim()
  for (let i = 0; i < 12 && lead.test(text); i++) text = text.replace(lead, '').trim()
  const own = elementAt(text.split(CONDITION), 0)
  const stated = oneLine(withoutTail(own).replace(/(?:,?\s(?:and|or))$/i, ''), 160)
  // An add-back up to an amount is not the whole charge.
  const name = CAP.test(text.slice(own.length)) ? `${stated}${CAPPED}` : stated
  return /[a-z]{3}/i.test(name) && name.length >= 6 && !/^(?:if|only|when|unless|for)\b|\bshall\b/i.test(name)
    ? name
    : ''
}
