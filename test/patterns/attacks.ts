import { type AST, RegExpParser } from '@eslint-community/regexpp'

/** An input that may make a pattern slow: a beginning, a middle to repeat, an end. */
export interface Attack {
  readonly prefix: string
  readonly pump: string
  readonly suffix: string
}

/** The attack repeated up to about `length` characters. */
export const attackOf = ({ prefix, pump, suffix }: Attack, length: number): string =>
  prefix + pump.repeat(Math.max(1, Math.floor(length / pump.length))) + suffix

/** Up to this many times counts as no repetition: the work at one position stays bounded. */
const FEW = 5
/** A control character: hardly any pattern allows it, so a match that needs more text fails here. */
const MISMATCH = '\u0001'
const EVERYDAY = [...'aAeIx01 ,.()"\'-_:;<>&/|\n\t\r\u00a0\u2014é$%*+[]{}']

/**
 * Inputs on which a backtracking engine may take more than linear time: repetitions of every kind of character that
 * the pattern distinguishes and of pairs of them, of its words, and of what each quantifier repeats, after what leads
 * to it.
 */
export function attacksOn(source: string, flags: string, most: number): Attack[] {
  const unicode = flags.includes('u')
  const ast = new RegExpParser().parsePattern(source, 0, source.length, { unicode })
  const sampler = new Sampler(ast, flags)
  const attacks = new Map<string, Attack>()
  const add = (prefix: string, pump: string, ...suffixes: string[]) => {
    if (pump === '') return
    for (const suffix of ['', MISMATCH, ...suffixes])
      if (attacks.size < most) attacks.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix })
  }
  const { kinds } = sampler
  const words = wordsOf(ast).slice(0, 60)
  const prefixes = new Set<string>()
  for (const kind of kinds) add('', kind)
  for (const quantifier of quantifiersOf(ast)) {
    if (quantifier.max < FEW) continue
    for (const least of [true, false]) {
      const prefix = sampler.before(quantifier, least)
      if (prefixes.size < 12) prefixes.add(prefix)
      for (const pump of sampler.variants(quantifier.element).slice(0, 8)) {
        add(prefix, pump, '\n', ' ', `\n${MISMATCH}`, `a\na`)
        add('', prefix + pump)
      }
    }
  }
  add('', sampler.sample(ast, true))
  add('', sampler.sample(ast, false))
  for (const word of words) add('', `${word} `)
  for (const prefix of prefixes) for (const word of words.slice(0, 12)) add(prefix, `${word} `)
  for (const word of words) add('', word)
  if (kinds.length <= 14) for (const a of kinds) for (const b of kinds) if (a !== b) add('', a + b)
  for (const word of words) for (const kind of kinds.slice(0, 6)) add('', word + kind)
  return [...attacks.values()]
}

type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass

class Sampler {
  /** One character of every kind that the pattern distinguishes. */
  readonly kinds: readonly string[]
  private readonly tests = new Map<CharacterNode, RegExp>()
  private readonly candidates: readonly string[]
  private readonly flags: string

  constructor(ast: AST.Pattern, flags: string) {
    this.flags = flags.replace(/[gymd]/g, '')
    const nodes = [...descendants(ast)].filter(isCharacterNode)
    const literal = nodes.flatMap(node =>
      node.type === 'Character' ? [String.fromCodePoint(node.value)] : [],
    )
    const ends = nodes.flatMap(node =>
      node.type === 'CharacterClass'
        ? node.elements.flatMap(e =>
            e.type === 'Character'
              ? [String.fromCodePoint(e.value)]
              : e.type === 'CharacterClassRange'
                ? [String.fromCodePoint(e.min.value), String.fromCodePoint(e.max.value)]
                : [],
          )
        : [],
    )
    this.candidates = [...new Set([...EVERYDAY, ...literal, ...ends])]
    const classes = nodes.filter(node => node.type !== 'Character')
    const distinct = [...new Map(classes.map(node => [node.raw, node])).values()]
    const bySignature = new Map<string, string>()
    for (const character of this.candidates) {
      const signature = distinct.map(node => (this.matches(node, character) ? 1 : 0)).join('')
      // A literal character is a kind of its own if the pattern has few of them.
      const key =
        literal.includes(character) && new Set(literal).size <= 12 ? `${signature}${character}` : signature
      if (!bySignature.has(key)) bySignature.set(key, character)
    }
    this.kinds = [...bySignature.values()].slice(0, 40)
  }

  private matches(node: CharacterNode, character: string): boolean {
    const test = this.tests.get(node) ?? new RegExp(`^(?:${node.raw})$`, this.flags)
    this.tests.set(node, test)
    return test.test(character)
  }

  /** Texts that an element matches, of different kinds if it is a class or has alternatives. */
  variants(node: AST.Node): string[] {
    if (isCharacterNode(node)) {
      const own = this.kinds.filter(kind => this.matches(node, kind))
      return own.length > 0 ? own : [this.sample(node, true)]
    }
    if (node.type === 'Group' || node.type === 'CapturingGroup')
      return [
        ...new Set(node.alternatives.flatMap(a => [this.sample(a, true), this.sample(a, false)])),
      ].filter(text => text !== '')
    return [this.sample(node, false)]
  }

  /** A text that the node matches, or almost: with optional parts omitted, or each taken once. */
  sample(node: AST.Node, least: boolean): string {
    if (isCharacterNode(node)) {
      if (node.type === 'Character') return String.fromCodePoint(node.value)
      return this.candidates.find(character => this.matches(node, character)) ?? ''
    }
    switch (node.type) {
      case 'Pattern':
      case 'Group':
      case 'CapturingGroup':
        return this.sample(node.alternatives[0]!, least)
      case 'Alternative':
        return node.elements.map(element => this.sample(element, least)).join('')
      case 'Quantifier':
        return this.sample(node.element, least).repeat(
          least ? Math.min(node.min, 200) : Math.max(1, Math.min(node.min, 200)),
        )
      case 'Assertion':
        return node.kind === 'lookbehind' && !node.negate ? this.sample(node.alternatives[0]!, least) : ''
      default:
        return ''
    }
  }

  /** A text that leads the pattern to a node. */
  before(node: AST.Node, least: boolean): string {
    const parent = node.parent as AST.Node | null
    if (!parent) return ''
    const own =
      parent.type === 'Alternative'
        ? parent.elements
            .slice(0, parent.elements.indexOf(node as AST.Element))
            .map(element => this.sample(element, least))
            .join('')
        : ''
    return this.before(parent, least) + own
  }
}

const isCharacterNode = (node: AST.Node): node is CharacterNode =>
  node.type === 'Character' ||
  node.type === 'CharacterSet' ||
  node.type === 'CharacterClass' ||
  node.type === 'ExpressionCharacterClass'

/** The nodes of a pattern; characters of a class are part of the class. */
function* descendants(node: AST.Node): Generator<AST.Node> {
  yield node
  if (isCharacterNode(node)) return
  if ('alternatives' in node) for (const child of node.alternatives) yield* descendants(child as AST.Node)
  if ('elements' in node) for (const child of node.elements) yield* descendants(child as AST.Node)
  if (node.type === 'Quantifier') yield* descendants(node.element)
}

const quantifiersOf = (ast: AST.Pattern): AST.Quantifier[] =>
  [...descendants(ast)].filter(node => node.type === 'Quantifier')

/** Runs of literal characters, longest first. */
function wordsOf(ast: AST.Pattern): string[] {
  const words = new Set<string>()
  for (const node of descendants(ast)) {
    if (node.type !== 'Alternative') continue
    let word = ''
    for (const element of [...node.elements, null]) {
      if (element?.type === 'Character') word += String.fromCodePoint(element.value)
      else {
        if (word.length > 1) words.add(word)
        word = ''
      }
    }
  }
  return [...words].sort((a, b) => b.length - a.length)
}

/** How a pattern repeats: without repetition its time is linear, without nested repetition not exponential. */
export function repetitionOf(source: string, flags: string): 'none' | 'simple' | 'nested' {
  const ast = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes('u') })
  const repeated = quantifiersOf(ast).filter(({ max }) => max >= FEW)
  if (repeated.length === 0) return 'none'
  const isNested = repeated.some(
    ({ element }) => element.type === 'Group' || element.type === 'CapturingGroup',
  )
  return isNested ? 'nested' : 'simple'
}
