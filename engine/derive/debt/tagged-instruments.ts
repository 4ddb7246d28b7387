import { elementAt } from '../../base/elements.ts'
import { type Day, formatDay } from '../../credit/calendar.ts'
import { isAmount, preference, type Role } from './amounts.ts'
import { type DebtDimensions, indexOf, isShared, type Member } from './debt-axes.ts'
import { lineAndLoan } from './line-and-loan.ts'
import { type NamedTerms, namedTerms, tenorOf, wordsOf } from './member-name.ts'

/** A figure tagged with a debt axis. */
export interface DebtFact {
  readonly concept: string
  readonly role: Role
  readonly value: number
  readonly unit: string
  readonly end: Day
  readonly of: DebtDimensions
  readonly dimensions: string
  readonly accession: string | null
  readonly source: string | null
  readonly known: Day
}

/** How a row stands in the sum of a company's debt. */
export type Standing = 'counted' | 'total' | 'part'

/** An instrument, or a line of several, as one filing tags it. */
export interface TaggedInstrument {
  /** Members of the filer if it has any, else those of the shared taxonomy. */
  readonly members: readonly string[]
  readonly entity: string | null
  readonly named: NamedTerms
  readonly standing: Standing
  /** A line of the filing that names it holds its balance. */
  readonly isHeld: boolean
  readonly isGroup: boolean
  /** The figure of each role: amounts of the balance date, else of the day before it that says them last. */
  readonly facts: ReadonlyMap<Role, DebtFact>
  readonly index: string | null
  /** The balance date. */
  readonly day: Day
  /** Its discounts and issuance costs at the balance date. */
  readonly discounts: readonly DebtFact[]
  /** Concept and axes of its amount: alike for the rows of one table. */
  readonly shape: string
  /** Every commitment that is tagged as its own, also those of other days. */
  readonly commitments: readonly number[]
}

interface Node {
  readonly key: string
  members: string[]
  shared: Set<string>
  entity: string | null
  facts: DebtFact[]
  standing: Standing
  /** A class with a balance of its own holds it. */
  isHeld: boolean
  /** It holds instruments of which the filing states some. */
  isClass: boolean
  /** It is the line of credit that a filer tags under the member of a loan. */
  readonly isLine: boolean
}

/** Members that are no debt of their own: corrections and totals of the table. */
const TOTAL =
  /^less\b|\b(?:total|current (?:portion|maturities)|excluding|long term debt (?:net|noncurrent|current)?$|noncurrent)\b|^(?:long term debt|debt)$/i
const CORRECTION =
  /unamortized|discount|premium|issuance cost|hedg|fair value|debt adjustment|step up|purchase accounting/i
const LEASE = /\bleases?\b|lease obligation/i

/** Parts of a facility's commitment, and what may be added to it: no facility of their own. */
const SUBLIMIT =
  /sub ?limit|sub ?facilit|swing ?line|letters? of credit|accordion|alternative currenc|and ?or term loans?|\bincrease|\bexpansion|uncommitted/i

/** The instruments of one filing at a balance date, each once, whatever axes it appears under. */
export function taggedInstruments(facts: readonly DebtFact[], day: Day, year: number): TaggedInstrument[] {
  const nodes = mergeEntities(
    nodesOf(facts.filter(fact => !isCorrection(fact.of.debt) && !isOfLettersOfCredit(fact))),
    day,
  )
  for (const node of nodes) {
    if (isTotalByName(node)) node.standing = 'total'
    else if (isSublimit(node, day) || isOfRepaid(node, day)) node.standing = 'part'
  }
  markClasses(nodes, day)
  return mergeSame(nodes.map(node => instrumentOf(node, day, year)))
}

const labelOf = (member: string): string => wordsOf(member).join(' ')
const isCorrection = (debt: readonly Member[]): boolean =>
  debt.some(({ member }) => CORRECTION.test(labelOf(member)) || LEASE.test(labelOf(member)))

const isSublimit = (node: Node, day: Day): boolean =>
  node.members.some(member => SUBLIMIT.test(labelOf(member))) && !hasAmount(node, day)

/** Face amounts under a name that says that the debt is gone. */
const REPAID =
  /\b(?:defeasance|defeased|extinguish(?:ed|ment)|redeemed|redemptions?|repurchased?|tender offers?|repaid|retired)\b/i
const isOfRepaid = (node: Node, day: Day): boolean =>
  node.members.some(member => REPAID.test(labelOf(member))) && !hasBalance(node, day)

/** What may be drawn of a facility as letters of credit is not what may be borrowed. */
const isOfLettersOfCredit = ({ role, of }: DebtFact): boolean =>
  (role === 'commitment' || role === 'undrawn') &&
  of.debt.length > 1 &&
  of.debt.some(({ member }) => isShared(member) && /Letters?OfCredit/.test(member))

const isTotalByName = ({ members }: Node): boolean => members.some(member => TOTAL.test(labelOf(member)))

function nodesOf(facts: readonly DebtFact[]): Node[] {
  const nodes = new Map<string, Node>()
  for (const fact of facts) {
    const names = [...new Set(fact.of.debt.map(({ member }) => member))]
    const own = names.filter(name => !isShared(name))
    const members = own.length > 0 ? own : names
    const key = `${[...members].sort().join(' ')}|${fact.of.entity ?? ''}`
    const node = nodes.get(key) ?? {
      key,
      members,
      shared: new Set(),
      entity: fact.of.entity,
      facts: [],
      standing: 'counted',
      isHeld: false,
      isClass: false,
      isLine: false,
    }
    nodes.set(key, node)
    for (const name of names) if (isShared(name)) node.shared.add(name)
    node.facts.push(fact)
  }
  return [...nodes.values()].flatMap(withoutLine)
}

/** A line of credit and a loan that the filer tags under one member, each by itself. */
function withoutLine(node: Node): Node[] {
  const parts = lineAndLoan(node.facts)
  if (parts === null) return [node]
  const [line, loan] = parts
  const members = [LINE, ...node.members]
  return [
    { ...node, key: `${LINE} ${node.key}`, members, shared: new Set(), facts: line, isLine: true },
    { ...node, facts: loan },
  ]
}
const LINE = 'us-gaap:LineOfCreditMember'

const hasAmount = (node: Node, day: Day): boolean =>
  node.facts.some(({ role, end }) => end === day && isAmount(role))

/** One entity names the issuer of an instrument; the shares of several entities, or of one in a part of it, are parts of its balance. */
function mergeEntities(nodes: readonly Node[], day: Day): Node[] {
  const byMembers = new Map<string, Node[]>()
  for (const node of nodes) {
    const key = node.key.slice(0, node.key.indexOf('|'))
    byMembers.set(key, [...(byMembers.get(key) ?? []), node])
  }
  return [...byMembers.values()].flatMap(alike => {
    const whole = alike.find(({ entity }) => entity === null)
    const parts = alike.filter(({ entity }) => entity !== null)
    if (!whole || parts.length === 0) return alike
    if (parts.length === 1 && !owesPart(elementAt(parts, 0), whole, day)) {
      const part = elementAt(parts, 0)
      return [{ ...whole, entity: part.entity, facts: [...whole.facts, ...part.facts] }]
    }
    for (const part of parts) part.standing = 'part'
    return alike
  })
}

/** Whether one entity owes less of an instrument than all together. */
function owesPart(part: Node, whole: Node, day: Day): boolean {
  const [own, all] = [balanceOf(part, day), balanceOf(whole, day)]
  return own !== null && all !== null && own < NEARLY_ALL * all && !balancesOf(whole, day).includes(own)
}

/** A class is at least this share of the instruments in it. */
const NEARLY_ALL = 0.9

const balanceOf = (node: Node, day: Day): number | null => balancesOf(node, day)[0] ?? null

/** Its amounts at the balance date, those first that say the balance best. */
const balancesOf = (node: Node, day: Day): number[] =>
  node.facts
    .filter(({ role, end }) => end === day && isAmount(role))
    .sort((a, b) => ROLE_ORDER.indexOf(a.role) - ROLE_ORDER.indexOf(b.role))
    .map(({ value }) => value)
const ROLE_ORDER: readonly Role[] = ['whole', 'stated', 'noncurrent', 'current', 'principal']

/** A class with the instruments in it counts once: as its instruments if they are nearly all of it. */
function markClasses(nodes: readonly Node[], day: Day): void {
  for (const node of nodes) {
    if (node.standing !== 'counted') continue
    const inIt = nodes.filter(other => other !== node && isWithin(other, node) && hasAmount(other, day))
    if (inIt.length === 0) continue
    const own = balanceOf(node, day)
    const sum = inIt.reduce((total, other) => total + (balanceOf(other, day) ?? 0), 0)
    if (own === null || sum >= NEARLY_ALL * own || isOfIssues(node, inIt, day))
      node.standing = own === null && !isBare(node) ? 'counted' : 'total'
    else {
      node.isClass = true
      for (const other of inIt) {
        other.standing = 'part'
        other.isHeld = true
      }
    }
  }
  markSums(nodes, day)
  markRepeatedTotals(nodes, day)
}

/** Totals under a second name, without terms: with the amount of a total in the same concept, or of all others of their axis. */
function markRepeatedTotals(nodes: readonly Node[], day: Day): void {
  const totals = nodes.filter(({ standing }) => standing === 'total')
  for (const node of nodes) {
    if (node.standing !== 'counted' || node.facts.some(({ role }) => role === 'coupon' || role === 'margin'))
      continue
    const balances = node.facts.filter(
      ({ role, end, value }) => end === day && value > 0 && isAmount(role) && role !== 'principal',
    )
    const isTotal = balances.some(
      fact =>
        (isBare(node) && totals.some(total => !isWithin(node, total) && repeatsFact(total, fact))) ||
        isSumOfOthers(fact, node, nodes),
    )
    if (isTotal) node.standing = 'total'
  }
}

const repeatsFact = ({ facts }: Node, { concept, end, value }: DebtFact): boolean =>
  facts.some(fact => fact.concept === concept && fact.end === end && fact.value === value)

/** Whether a figure is the sum of the figures of two or more other instruments that its concept and axes state. */
function isSumOfOthers(fact: DebtFact, node: Node, nodes: readonly Node[]): boolean {
  const axes = axesOf(fact)
  const others = nodes
    .filter(other => other !== node && other.standing === 'counted')
    .flatMap(other => other.facts.filter(each => isAlike(each, fact) && axesOf(each) === axes).slice(0, 1))
    .filter(({ value }) => value !== 0)
  return others.length > 1 && others.reduce((sum, { value }) => sum + value, 0) === fact.value
}

const axesOf = ({ of }: DebtFact): string => of.debt.map(({ axis }) => axis).join(' ')
const isAlike = (a: DebtFact, b: DebtFact): boolean => a.concept === b.concept && a.end === b.end

/** Whether a class states the face amount of what was issued, and the instruments in it their balances. */
const isOfIssues = (node: Node, inIt: readonly Node[], day: Day): boolean =>
  !hasBalance(node, day) && inIt.some(other => hasBalance(other, day))

const hasBalance = (node: Node, day: Day): boolean =>
  node.facts.some(({ role, end }) => end === day && isAmount(role) && role !== 'principal')

const isBare = ({ members }: Node): boolean => members.every(isShared)

/** Whether a node's figures carry all members of another's. */
function isWithin(node: Node, other: Node): boolean {
  if (node.isLine) return false
  const names = new Set([...node.members, ...node.shared])
  return (
    [...other.members].every(name => names.has(name)) &&
    node.members.length + node.shared.size > other.members.length &&
    (other.entity === null || other.entity === node.entity) &&
    !(isBare(node) && !isBare(other))
  )
}

/** A member of the shared taxonomy that repeats the sum of the filer's own members of its axis. */
function markSums(nodes: readonly Node[], day: Day): void {
  const own = nodes.filter(node => !isBare(node) && node.standing === 'counted')
  const hasFacility = own.some(node => lastValue(node, 'commitment') !== null)
  for (const node of nodes) {
    if (!isBare(node) || node.standing !== 'counted') continue
    // What may be drawn under all lines together, beside the lines themselves.
    if (hasFacility && node.facts.every(({ role }) => role === 'undrawn')) node.standing = 'total'
    for (const role of ['whole', 'stated', 'noncurrent', 'principal', 'commitment'] as const) {
      // Facilities are often tagged as of the day on which they were agreed, their total as of the balance date.
      const valueIn = role === 'commitment' ? lastValue : valueAt
      const value = valueIn(node, role, day)
      const summed = role === 'commitment' ? own.filter(other => !hasFallenDue(other, day)) : own
      const those = summed.map(other => valueIn(other, role, day)).filter(each => each !== null)
      const sum = those.reduce((total, each) => total + each, 0)
      if (value !== null && those.length > 1 && sum > 0 && Math.abs(sum - value) <= 0.01 * value)
        node.standing = 'total'
      if (role === 'commitment' && value !== null && those.length > 1 && sum <= value * 1.01 && isLine(node))
        node.standing = 'total'
    }
  }
}

/** Whether the name of a facility says that it fell due before the balance date: the total is of those that are left. */
function hasFallenDue({ members }: Node, day: Day): boolean {
  const on = formatDay(day)
  return members.some(member => {
    const { maturity } = namedTerms(member, Number(on.slice(0, 4)))
    return maturity !== null && maturity < on.slice(0, maturity.length)
  })
}

const isLine = ({ members }: Node): boolean => members.some(member => /Revolving|LineOfCredit/.test(member))

/** The value of the last day that states one. */
const lastValue = ({ facts }: Node, role: Role): number | null =>
  facts
    .filter(fact => fact.role === role && fact.of.range === null)
    .reduce<DebtFact | null>((last, fact) => (last === null || fact.end > last.end ? fact : last), null)
    ?.value ?? null

const valueAt = ({ facts }: Node, role: Role, day: Day): number | null =>
  facts.find(fact => fact.role === role && fact.end === day)?.value ?? null

function instrumentOf(node: Node, day: Day, year: number): TaggedInstrument {
  const members = [...node.members, ...[...node.shared].filter(name => !node.members.includes(name)).sort()]
  const facts = newestFacts(node.facts, day)
  // `SeniorNotes` and `UnsecuredDebt` say what the filer's own name may leave out.
  const concepts = ROLE_ORDER.map(role => facts.get(role)?.concept).filter(concept => concept !== undefined)
  const readings = [...members, ...concepts].map(name => namedTerms(name, year))
  const first = elementAt(readings, 0)
  const named: NamedTerms = {
    words: joined(node.members.map((_, i) => elementAt(readings, i).words)),
    coupon: firstOf(readings.map(each => each.coupon)),
    maturity:
      firstOf(readings.map(each => each.maturity)) ?? maturityOfTenor(first, facts.get('principal'), day),
    type: firstOf([
      ...readings.map(each => (isVague(each.type) ? null : each.type)),
      ...readings.map(each => each.type),
    ]),
    seniority: firstOf(readings.map(each => each.seniority)),
    security: firstOf(readings.map(each => each.security)),
    isFloating: readings.some(each => each.isFloating),
    isRevolving: first.isRevolving,
    isGroup: first.isGroup,
    denomination: firstOf(readings.map(each => each.denomination)),
  }
  const isRange =
    !facts.has('coupon') && node.facts.some(({ role, of }) => role === 'coupon' && of.range !== null)
  const margin = facts.get('margin')
  return {
    members: node.members,
    entity: node.entity,
    named,
    standing: node.standing,
    isHeld: node.isHeld,
    isGroup: named.isGroup || isRange || node.isClass,
    facts,
    index: (margin?.of.index && indexOf(margin.of.index)) ?? null,
    day,
    discounts: discountsOf(node.facts, day),
    shape: shapeOf(facts, day),
    commitments: [
      ...new Set(node.facts.filter(({ role }) => role === 'commitment').map(({ value }) => value)),
    ],
  }
}

/** Names of several axes as one; `Notes due 2026` says nothing beside `5.25% Notes due 2026`. */
function joined(names: readonly string[]): string {
  const isIn = (less: string, more: string) =>
    more.length > less.length && less.split(' ').every(word => more.split(' ').includes(word))
  return names.filter(name => !names.some(other => isIn(name, other))).join(', ')
}

/** The month in which notes named by their tenor fall due: `Three Year Notes`, whose face amount is tagged as of their issue. */
function maturityOfTenor(
  { words, isGroup }: NamedTerms,
  issued: DebtFact | undefined,
  day: Day,
): string | null {
  const years = tenorOf(words)
  if (isGroup || years === null || issued === undefined || issued.end === day) return null
  const on = formatDay(issued.end)
  return `${Number(on.slice(0, 4)) + years}${on.slice(4, 7)}`
}

function discountsOf(facts: readonly DebtFact[], day: Day): DebtFact[] {
  const found = new Map<string, DebtFact>()
  for (const fact of facts)
    if (fact.role === 'discount' && fact.end === day && !found.has(fact.concept))
      found.set(fact.concept, fact)
  return [...found.values()]
}

function shapeOf(facts: ReadonlyMap<Role, DebtFact>, day: Day): string {
  const amount = ROLE_ORDER.map(role => facts.get(role)).find(fact => fact?.end === day)
  return amount ? `${amount.role} ${amount.concept} ${amount.of.debt.map(({ axis }) => axis).join(' ')}` : ''
}

const isVague = (type: NamedTerms['type']): boolean => type === null || type === 'notes' || type === 'bond'
const firstOf = <T>(values: readonly (T | null)[]): T | null => values.find(value => value !== null) ?? null

const IN_FORCE: ReadonlySet<Role> = new Set<Role>([
  'principal',
  'commitment',
  'undrawn',
  'coupon',
  'effective_rate',
  'margin',
  'floor',
])

/** One figure a role: of the balance date, else terms of the last day before it. */
function newestFacts(facts: readonly DebtFact[], day: Day): Map<Role, DebtFact> {
  const found = new Map<Role, DebtFact>()
  // A coupon of an earlier day is no longer the one of a line that now has several.
  const isRange = facts.some(({ role, end, of }) => role === 'coupon' && end === day && of.range !== null)
  const isInForce = ({ role }: DebtFact) => IN_FORCE.has(role) && !(isRange && role === 'coupon')
  const inOrder = facts
    .filter(fact => fact.of.range === null && (fact.end === day || isInForce(fact)))
    .sort(
      (a, b) =>
        Number(b.end === day) - Number(a.end === day) ||
        b.end - a.end ||
        // Debt that became current has no more in the line of noncurrent debt.
        (isAmount(a.role) ? Number(a.value === 0) - Number(b.value === 0) : 0) ||
        preference(a.role, a.concept) - preference(b.role, b.concept) ||
        indexRank(a) - indexRank(b) ||
        a.dimensions.split(';').length - b.dimensions.split(';').length ||
        (a.dimensions < b.dimensions ? -1 : a.dimensions > b.dimensions ? 1 : 0) ||
        a.value - b.value,
    )
  for (const fact of inOrder) if (!found.has(fact.role)) found.set(fact.role, fact)
  return found
}

const INDEX_ORDER = ['SOFR', 'LIBOR', 'EURIBOR']
/** The margin in a base rate is none over the reference: it comes behind one without an index. */
const indexRank = ({ of }: DebtFact): number => {
  if (of.index === null) return INDEX_ORDER.length
  const at = INDEX_ORDER.indexOf(indexOf(of.index) ?? '')
  return at < 0 ? INDEX_ORDER.length + 1 : at
}

/** Percent: rates are tagged as fractions, by some filers as percentages. */
export const percentOf = (value: number): number =>
  Math.round((Math.abs(value) <= 0.4 ? value * 100 : value) * 1e6) / 1e6

export const couponOf = ({ facts, named }: TaggedInstrument): number | null => {
  const tagged = facts.get('coupon')
  return tagged ? percentOf(tagged.value) : named.coupon
}

const amountsOf = ({ facts }: TaggedInstrument): number[] =>
  ROLE_ORDER.map(role => facts.get(role)?.value).filter(value => value !== undefined)

/** Instruments under two names: same coupon and maturity, and amounts that agree or are stated under one name only. */
function mergeSame(instruments: readonly TaggedInstrument[]): TaggedInstrument[] {
  const kept: TaggedInstrument[] = []
  for (const one of instruments) {
    const same = kept.filter(other => isSame(one, other) || repeats(one, other) || repeats(other, one))
    const other = same.length === 1 ? elementAt(same, 0) : null
    if (other === null) kept.push(one)
    else kept[kept.indexOf(other)] = merged(other, one)
  }
  return kept
}

function isSame(one: TaggedInstrument, other: TaggedInstrument): boolean {
  const coupon = couponOf(one)
  if (coupon === null || coupon !== couponOf(other) || one.isGroup || other.isGroup) return false
  if (one.standing !== other.standing || (one.entity !== other.entity && one.entity && other.entity))
    return false
  const [a, b] = [one.named.maturity, other.named.maturity]
  if (a === null || b === null || !(a.startsWith(b) || b.startsWith(a))) return false
  const [mine, theirs] = [amountsOf(one), amountsOf(other)]
  return mine.length === 0 || theirs.length === 0 || mine.some(value => theirs.includes(value))
}

/** Whether a name without terms repeats another that says more, with its amount: `Convertible Senior Notes`. */
function repeats(less: TaggedInstrument, more: TaggedInstrument): boolean {
  if (couponOf(less) !== null || less.named.maturity !== null || less.isGroup || more.isGroup) return false
  if (couponOf(more) === null || less.standing !== more.standing || less.entity !== more.entity) return false
  if (less.named.isFloating || less.facts.has('margin') || less.facts.has('commitment')) return false
  if (less.members.every(isShared)) return false
  const words = (of: TaggedInstrument) => of.named.words.toLowerCase().replace(/s\b/g, '').split(/\W+/)
  const said = new Set(words(more))
  return (
    words(less).every(word => said.has(word)) &&
    amountsOf(less).some(value => value > 0 && amountsOf(more).includes(value))
  )
}

function merged(one: TaggedInstrument, other: TaggedInstrument): TaggedInstrument {
  const [more, less] = amountsOf(other).length > amountsOf(one).length ? [other, one] : [one, other]
  const maturity =
    (less.named.maturity?.length ?? 0) > (more.named.maturity?.length ?? 0)
      ? less.named.maturity
      : more.named.maturity
  return {
    ...more,
    entity: more.entity ?? less.entity,
    named: {
      ...more.named,
      maturity,
      seniority: more.named.seniority ?? less.named.seniority,
      security: more.named.security ?? less.named.security,
    },
    facts: new Map([...less.facts, ...more.facts]),
    discounts: [...more.discounts, ...less.discounts],
  }
}
