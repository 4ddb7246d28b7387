import { groupOf } from '../base/elements.ts'
import { jurisdictionNamed, LEGAL_FORM } from '../names/jurisdiction.ts'
import { nationalityNamed } from '../names/nationality.ts'

/** A company as one line of a list writes it. */
export interface WrittenName {
  readonly name: string
  readonly place: string | null
  readonly share: number | null
  /** Who holds the share, as written: `100% owned by Acme B.V.`. */
  readonly owner: string | null
  /** What other lines call it: `Acme Gaming, Inc. ("AGI")`. */
  readonly alias: string | null
}

/** What kind of entity a place is followed by: `Nevada partnership`. */
const KIND =
  /(?: (?:limited|general|unlimited|statutory|business|liability|joint|stock|exempted|private|public|national|state|domestic|foreign)){0,4} (?:corporation|company|partnership|llc|trust|association|venture|bank)\.?$/i

/** The usual name of the place in `Nevada`, `a Nevada limited partnership`, `a German corporation`, `incorporated in Japan`. */
export function placeIn(written: string): string | null {
  const bare = written
    .replace(
      /^(?:an? |incorporated in |organi[sz]ed in |formed in |established in )?(?:the )?(?:state of )?/i,
      '',
    )
    .trim()
  const place = bare.replace(KIND, '')
  if (jurisdictionNamed(place) !== null) return place
  return place === bare ? null : nationalityNamed(place)
}

/** Name, place, share and owner in one line: `Acme Finance LLC (Delaware)`, `Acme B.V., a Netherlands company (60%)`. */
export function writtenName(text: string): WrittenName {
  let [name, alias] = withoutAlias(text)
  let share: number | null = null
  let owner: string | null = null
  const percent =
    /[\s,(]\(?(\d{1,3}(?:\.\d{1,6})?)\s?%(?:[- ]owned)?(?: (?:owned |held )?by ([^()%]{2,120}?))?\)?$/i.exec(
      name,
    )
  if (percent && Number(percent[1]) <= 100) {
    share = Number(percent[1])
    owner = percent[2]?.trim() ?? null
    ;[name, alias] = withoutAlias(name.slice(0, percent.index).replace(/[,\s(]{1,9}$/, ''), alias)
  }
  let place: string | null = null
  const traded = /^(.{4,150}?) ?\(([^()]{2,60})\) ?(?:\([^()]{2,120}\)|d\/?b\/?a\b.{0,300})$/i.exec(name)
  if (traded && LEGAL_FORM.test(groupOf(traded, 1)) && placeIn(groupOf(traded, 2)) !== null)
    return { name: groupOf(traded, 1), place: placeIn(groupOf(traded, 2)), share, owner, alias }
  const described =
    /,? (?:an?|organi[sz]ed (?:in|under the laws of)|incorporated in) (?:the )?([A-Z][\w. ]{1,80})$/.exec(
      name,
    )
  const bracketed =
    /(?<!\s)\s*[([]([^()[\]]+)[)\]]$/.exec(name) ?? /(?<!\s)\s+[–—-]\s+([^\s–—-][^–—-]*)$/.exec(name)
  for (const match of [bracketed, described])
    if (match && place === null && placeIn(groupOf(match, 1)) !== null && match.index > 3) {
      place = placeIn(groupOf(match, 1))
      name = name.slice(0, match.index)
    }
  return { name: name.replace(/(?<![,\s])[,\s]+$/, ''), place, share, owner, alias }
}

/** A short name that the list gives a company, `("AGI")`, `(the “Bank”)`, and references to notes, taken off its end. */
function withoutAlias(text: string, before: string | null = null): [name: string, alias: string | null] {
  const name = text.replace(/ ?\(see notes? [\w, ]{1,20}\)$/i, '')
  const match = / ?\((?:the )?["“]([^"“”()]{1,60})[,.]?["”]\)$/i.exec(name)
  return match ? [name.slice(0, match.index), groupOf(match, 1)] : [name, before]
}
