import type { AnswerOf } from '../../../v1/client.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Panel, Part } from '../../parts/part.tsx'
import { Scroll } from '../../parts/scroll.tsx'
import { Empty } from '../../parts/state.tsx'
import { spanText } from '../../show/days.ts'
import { fixed, money } from '../../show/figures.ts'
import { wordsOf } from '../../show/words.ts'

type Recovery = AnswerOf<'recovery.company'>['data']

/** Claims in the order they are paid, drawn to scale, with their issuers, guarantors and leverage through each. */
export function Structure({ ticker }: { ticker: string }) {
  const answer = useAnswer('recovery.company', { ticker })
  return (
    <Panel
      title="Structure to scale"
      className="w6"
      tools={<span className="quiet small">in the order of payment, with debt / EBITDA through each</span>}
    >
      <Part answer={answer} what="claims">
        {({ data }) => <Layers {...data} />}
      </Part>
    </Panel>
  )
}

/** Of which balance dates the claims are. */
const balancesOf = (claims: Recovery['claims']): string | null =>
  spanText(claims.flatMap(({ balance_date }) => balance_date ?? []))

/** Thinner layers could not be seen. */
const THINNEST_PERCENT = 1.5

function Layers({ classes, claims, claims_amount, ebitda, currency, notes }: Recovery) {
  if (classes.length === 0)
    return (
      <Empty>
        <p>No claims known: load its bonds, or filings with XBRL.</p>
      </Empty>
    )
  let above = 0
  return (
    <Scroll label="Structure to scale" className="layers">
      {classes.map(layer => {
        above += layer.amount
        const turns = ebitda !== null && ebitda > 0 ? `${fixed(above / ebitda, 1)}x` : null
        const own = claims.filter(claim => claim.level === layer.level && claim.class === layer.class)
        const share = claims_amount > 0 ? (layer.amount / claims_amount) * 100 : 0
        return (
          <details key={layer.level + layer.class}>
            <summary>
              <span className="row">
                <strong>{wordsOf(layer.class)}</strong>
                <span className="quiet">{wordsOf(layer.level)}</span>
                <span className="spread" />
                <span>{money(layer.amount, currency)}</span>
                {turns && <span className="turns">{turns}</span>}
              </span>
              <span className="bar-of" data-class={layer.class} aria-hidden="true">
                <span style={{ width: `${Math.max(share, THINNEST_PERCENT)}%` }} />
              </span>
              <span className="quiet small">
                {layer.entities.join(', ') || 'issuer not known'}
                {layer.is_rank_assumed && ', rank assumed'}
              </span>
            </summary>
            <ul>
              {own.map(claim => (
                <li key={claim.id} className="row">
                  <span>{claim.name}</span>
                  <span className="quiet small">
                    {[
                      claim.issuer_name,
                      claim.guarantors > 0 &&
                        `${claim.guarantors} ${claim.guarantors === 1 ? 'guarantor' : 'guarantors'}`,
                    ]
                      .filter(Boolean)
                      .join(', ')}
                  </span>
                  <span className="spread" />
                  <span>{money(claim.amount, currency)}</span>
                </li>
              ))}
            </ul>
          </details>
        )
      })}
      <p className="row">
        <span className="quiet">All claims{balancesOf(claims) && `, balances of ${balancesOf(claims)}`}</span>
        <span className="spread" />
        <span>{money(claims_amount, currency)}</span>
      </p>
      <details className="quiet small">
        <summary>What is assumed, and what is not known</summary>
        <ul>
          {notes.map(note => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </details>
    </Scroll>
  )
}
