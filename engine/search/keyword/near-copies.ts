/** Parts of a signature: each is the minimum hash of the shingles assigned to it. */
const PARTS = 64
/** Words per shingle. */
const SHINGLE = 3
/** Share of equal parts in near-copies: about the share of common shingles. */
const ALIKE = 0.9
/** Parts per candidate key: of copies equal in nine of ten parts, all but one in 10^8 share a key. */
const LOOKED_UP = 8
/** Maximum number of sections with one key to compare: a key shared by more says little. */
const MOST_COMPARED = 64
const EMPTY = 0xffffffff
/** Shorter sections are copies only if all parts are equal. */
const FEW_WORDS = 64

/** A 32-bit hash of a term (FNV-1a). */
export function hashOfTerm(term: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/**
 * The signature of a text (one-permutation MinHash of its three-word shingles).
 * @param hashes of its terms, in order
 */
export function signatureOf(count: number, hashAt: (word: number) => number): Uint32Array {
  const parts = new Uint32Array(PARTS).fill(EMPTY)
  let [before, last] = [0, 0]
  for (let word = 0; word < count; word++) {
    const own = hashAt(word)
    let hash = Math.imul(before, 0x9e3779b1) ^ Math.imul((last << 13) | (last >>> 19), 0x85ebca77)
    hash ^= Math.imul((own << 7) | (own >>> 25), 0xc2b2ae3d)
    before = last
    last = own
    if (word + 1 < SHINGLE && count >= SHINGLE) continue
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    hash = (hash ^ (hash >>> 12)) >>> 0
    const part = hash & (PARTS - 1)
    if (hash < parts[part]!) parts[part] = hash
  }
  return parts
}

interface Seen {
  readonly section: number
  readonly words: number
  readonly signature: Uint32Array
}

/** What near-copies share beside words: filer, form and type. */
type Group = string

/**
 * Finds near-copies. Sections are added oldest first, and each is a copy of the first similar one, so later filings
 * never change earlier groups.
 */
export class NearCopies {
  private readonly byKey = new Map<string, Seen[]>()

  /** The section of which this is a near-copy; itself if there is none. */
  add(group: Group, section: number, words: number, signature: Uint32Array): number {
    const keys = keysOf(group, words, signature)
    for (const key of keys)
      for (const seen of this.byKey.get(key) ?? []) if (isCopy(seen, words, signature)) return seen.section
    const own = { section, words, signature }
    for (const key of keys) {
      const those = this.byKey.get(key)
      if (!those) this.byKey.set(key, [own])
      else if (those.length < MOST_COMPARED) those.push(own)
    }
    return section
  }
}

/** Keys of which near-copies share at least one. */
function keysOf(group: Group, words: number, signature: Uint32Array): string[] {
  if (words < FEW_WORDS) return [`${group} ${signature.join(' ')}`]
  const keys: string[] = []
  for (let part = 0; part < PARTS; part += PARTS / LOOKED_UP)
    if (signature[part] !== EMPTY) keys.push(`${group} ${part} ${signature[part]}`)
  return keys
}

function isCopy(seen: Seen, words: number, signature: Uint32Array): boolean {
  if (words < FEW_WORDS !== seen.words < FEW_WORDS) return false
  if (Math.min(words, seen.words) < 0.9 * Math.max(words, seen.words)) return false
  let same = 0
  let used = 0
  for (let part = 0; part < PARTS; part++) {
    const [a, b] = [signature[part]!, seen.signature[part]!]
    if (a === EMPTY && b === EMPTY) continue
    used++
    if (a === b) same++
  }
  return words < FEW_WORDS ? same === used : same >= ALIKE * used
}
