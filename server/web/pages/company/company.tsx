import type { Company as Row } from '../../../../engine/schema/resources/companies.ts'
import type { PageProps } from '../../app/pages.ts'
import { href, setParams } from '../../app/route.ts'
import { useAnyAge } from '../../ask/any-age.ts'
import { useFirstPrints } from '../../ask/first-prints.ts'
import { useAnswer } from '../../ask/use-answer.ts'
import { Part } from '../../parts/part.tsx'
import { Empty } from '../../parts/state.tsx'
import { NotePanel } from '../../saved/note.tsx'
import { WatchMenu } from '../../saved/watch-menu.tsx'
import { dayText } from '../../show/days.ts'
import { CapitalStructure } from './capital-structure.tsx'
import { Changes } from './changes.tsx'
import { Collateral } from './collateral.tsx'
import { CovenantEvidence } from './covenant-evidence.tsx'
import { Covenants } from './covenants.tsx'
import { Curve } from './curve.tsx'
import { EntityTree } from './entity-tree.tsx'
import { Filings } from './filings.tsx'
import { LeverageHistory } from './leverage-history.tsx'
import { Liquidity } from './liquidity.tsx'
import { Metrics } from './metrics.tsx'
import { Now } from './now.tsx'
import { Peers } from './peers.tsx'
import { Proof } from './proof.tsx'
import { Ratings } from './ratings.tsx'
import { Spreads } from './spreads.tsx'
import { Statements } from './statements.tsx'
import { Structure } from './structure.tsx'
import './company.css'

/** One company: its debt by rank and maturity, and its credit quality. */
export function Company({ path: [, ticker = ''] }: PageProps) {
  const isOfAnyAge = useAnyAge()
  const found = useAnswer('search.companies', { ticker, include_metadata: true })
  const isFirstPrint = useFirstPrints()
  return (
    <div className="page">
      <Part answer={found} what={ticker}>
        {({ data: [company], meta }) =>
          company ? (
            <>
              <header className="heading">
                <h1>{company.name}</h1>
                <p className="quiet">
                  {[company.ticker, company.sector, company.industry].filter(Boolean).join(' · ')}
                </p>
                <span className="spread" />
                <p className="quiet">
                  as of {dayText(String(meta['as_of']))}
                  {isFirstPrint && ', figures as first reported'}
                </p>
                <WatchMenu subject={`company:${ticker.toUpperCase()}`} />
                <a className="button" href={href(['compare'], { tickers: ticker })}>
                  Compare
                </a>
                <a className="button" href={href(['screen', 'bonds'], { ticker })}>
                  Bonds
                </a>
                <a className="button" href={href(['tear-sheet', ticker])}>
                  Tear sheet
                </a>
                <a className="button" href={href(['search'], { q: 'debt', ticker })}>
                  Filings
                </a>
              </header>
              {/^CIK \d+$/.test(company.name) && (
                <p className="warnings">
                  No source gives the name of this filer: only its number at the SEC is known. Its submissions
                  or company facts name it.
                </p>
              )}
              <Now ticker={ticker} asOf={String(meta['as_of'])} />
              <OldFigures company={company} isOfAnyAge={isOfAnyAge} />
              <Metrics company={company} />
              <Statements ticker={ticker} until={company.period_end_date ?? String(meta['as_of'])} />
              <div className="grid">
                <Structure ticker={ticker} />
                <Liquidity ticker={ticker} />
                <CapitalStructure ticker={ticker} />
                <Curve ticker={ticker} />
                <LeverageHistory
                  ticker={ticker}
                  until={company.period_end_date ?? String(meta['as_of'])}
                  hasCoverage={!isCaptive(company)}
                />
                <Ratings ticker={ticker} asOf={String(meta['as_of'])} />
                <Spreads ticker={ticker} />
                <Peers company={company} />
                <EntityTree ticker={ticker} />
                <Filings ticker={ticker} />
                <Changes ticker={ticker} asOf={String(meta['as_of'])} />
                <Covenants ticker={ticker} />
                <Collateral ticker={ticker} />
                <NotePanel subject={`company:${ticker.toUpperCase()}`} className="w6" />
              </div>
              <Proof ticker={company.company_id} />
              <CovenantEvidence ticker={company.company_id} />
            </>
          ) : (
            <Empty>
              <p>
                <strong>{ticker} was not known then.</strong> Choose a later as-of day.
              </p>
            </Empty>
          )
        }
      </Part>
    </div>
  )
}

/** Of a company with a finance arm, EBITDA over interest is no coverage. */
const isCaptive = ({ interest_coverage, _metadata }: Row): boolean =>
  interest_coverage === null && (_metadata?.warning_codes?.includes('captive_finance') ?? false)

interface OldFiguresProps {
  readonly company: Pick<Row, 'figures_null_because' | 'period_end_date'>
  readonly isOfAnyAge: boolean
}

/** Says of which day figures are that are too old to be shown, or that are shown nevertheless. */
function OldFigures({ company: { figures_null_because, period_end_date }, isOfAnyAge }: OldFiguresProps) {
  if (period_end_date === null || (figures_null_because !== 'stale' && !isOfAnyAge)) return null
  return (
    <p className="warnings stale-figures">
      {isOfAnyAge
        ? `Figures of any age are shown: these are of ${dayText(period_end_date)}.`
        : `The newest figures are of ${dayText(period_end_date)}, too old to stand for today.`}
      <button type="button" onClick={() => setParams({ max_age: isOfAnyAge ? null : 'none' })}>
        {isOfAnyAge ? 'Hide old ones' : 'Show them'}
      </button>
    </p>
  )
}
