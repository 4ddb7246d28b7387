import type { Workbench } from './recomputation.ts'
import { grouped, RowBuffer, records } from './workbench.ts'

const bases: Readonly<Record<string, number>> = {
  AAA: 1,
  AA: 3,
  A: 6,
  BBB: 9,
  BAA: 9,
  BB: 12,
  BA: 12,
  B: 15,
  CCC: 18,
  CAA: 18,
  CC: 20,
  CA: 20,
  C: 21,
  D: 22,
  SD: 22,
  RD: 22,
  DD: 22,
  DDD: 22,
}

/** The rank of a letter by arithmetic: where its class begins, a notch up for `+` or 1, a notch down for `-` or 3. */
export function rankOf(letter: string): number | null {
  const bare = letter
    .trim()
    .replace(/^\(P\)/i, '')
    .replace(/(?<!\s)\s*\((?:P|EXP|SF|PI|HYB|CRE)\)/gi, '')
    .replace(/(?<!\s)\s*(?:\/\s*)?\*\s*[+-]?$/, '')
    .replace(/(?<!\s)\s+(?:WATCH|\/).*$/is, '')
    .replace(/[–−]/g, '-')
    .replace(/([A-D0-9+-])(?:u|e|pi?)$/, '$1')
  const parts = /^([A-D]+|SD|RD)([+\-123])?$/.exec(bare.toUpperCase())
  const base = parts && bases[parts[1]!]
  if (!parts || base === undefined || base === null) return null
  const notch = parts[2]
  if (notch && (base === 1 || base > 18)) return null
  return base + (notch === '+' || notch === '1' ? -1 : notch === '-' || notch === '3' ? 1 : 0)
}

export const bucketOf = (rank: number | null): string =>
  rank === null ? 'NR' : rank < 11 ? 'IG' : rank < 14 ? 'HY-BB' : rank < 17 ? 'HY-B' : 'HY-CCC'

interface Action {
  readonly id: string
  readonly company_id: string | null
  readonly cusip: string | null
  readonly agency: string
  readonly rating: string
  readonly rating_type: string
  readonly effective_date: string | null
  readonly known_from: string | null
}

/** Later in force: by the day, then by when it was known; a family rating before an issuer's own of the same day. */
function later(a: Action, b: Action): number {
  const by = (x: string | null, y: string | null) => (x === y ? 0 : (x ?? '') < (y ?? '') ? -1 : 1)
  return (
    by(a.effective_date ?? a.known_from, b.effective_date ?? b.known_from) ||
    by(a.known_from, b.known_from) ||
    by(a.rating_type, b.rating_type) ||
    by(b.id, a.id)
  )
}

/** `made_ratings(id, rating_rank, rating_bucket)` and `made_company_ratings`: letters in force and their composite. */
export async function makeRatings({ db }: Workbench): Promise<void> {
  const ranks = await RowBuffer.table<{ id: string; rating_rank: number | null; rating_bucket: string }>(
    db,
    'made_ratings',
    { id: 'VARCHAR', rating_rank: 'INTEGER', rating_bucket: 'VARCHAR' },
  )
  const companies = await RowBuffer.table<{
    company_id: string
    sp_rating: string | null
    moodys_rating: string | null
    fitch_rating: string | null
    rating_bucket: string
    rating_date: string | null
  }>(db, 'made_company_ratings', {
    company_id: 'VARCHAR',
    sp_rating: 'VARCHAR',
    moodys_rating: 'VARCHAR',
    fitch_rating: 'VARCHAR',
    rating_bucket: 'VARCHAR',
    rating_date: 'VARCHAR',
  })
  // What an action says is carried from its source, which another recomputation looks at.
  const actions = records<Action>(
    db,
    'SELECT id, company_id, cusip, agency, rating, rating_type, effective_date, known_from FROM kept_ratings ORDER BY company_id NULLS LAST',
  )
  for await (const those of grouped(actions, a => a.company_id)) {
    const letters = new Map<string, Action>()
    for (const action of those) {
      const rank = rankOf(action.rating)
      await ranks.add({ id: action.id, rating_rank: rank, rating_bucket: bucketOf(rank) })
      if (action.cusip !== null || !/^(issuer|corporate_family)$/.test(action.rating_type)) continue
      const held = letters.get(action.agency)
      if (!held || later(action, held) > 0) letters.set(action.agency, action)
    }
    const { company_id } = those[0]!
    if (company_id === null || letters.size === 0) continue
    const known = [...letters.values()].filter(a => rankOf(a.rating) !== null)
    const sorted = known.map(a => rankOf(a.rating)!).sort((a, b) => a - b)
    const composite = sorted.length === 3 ? sorted[1]! : (sorted.at(-1) ?? null)
    const letter = (agency: string) => letters.get(agency)?.rating ?? null
    await companies.add({
      company_id,
      sp_rating: letter('sp'),
      moodys_rating: letter('moodys'),
      fitch_rating: letter('fitch'),
      rating_bucket: bucketOf(composite),
      rating_date: known.reduce<string | null>((most, a) => {
        const day = a.effective_date ?? a.known_from
        return day !== null && (most === null || day > most) ? day : most
      }, null),
    })
  }
  await ranks.flush()
  await companies.flush()
}
