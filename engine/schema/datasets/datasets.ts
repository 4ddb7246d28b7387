import type { Dataset } from '../dataset.ts'
import { agreementEndings } from './agreement-endings.ts'
import { bonds } from './bonds.ts'
import { calculations } from './calculations.ts'
import { collateral } from './collateral.ts'
import { companies } from './companies.ts'
import { corrections } from './corrections.ts'
import { covenants } from './covenants.ts'
import { directory } from './directory.ts'
import { documents } from './documents.ts'
import { entities } from './entities.ts'
import { facts } from './facts.ts'
import { filings } from './filings.ts'
import { guarantees } from './guarantees.ts'
import { indices } from './indices.ts'
import { instruments } from './instruments.ts'
import { issuerCodes } from './issuer-codes.ts'
import { links } from './links.ts'
import { ownership } from './ownership.ts'
import { prices } from './prices.ts'
import { ratings } from './ratings.ts'
import { namesIssuer } from './shared.ts'
import { spreads } from './spreads.ts'
import { statements } from './statements.ts'
import { trades } from './trades.ts'
import { treasuryYields } from './treasury-yields.ts'

export const datasets: readonly Dataset[] = [
  treasuryYields,
  companies,
  directory,
  issuerCodes,
  bonds,
  prices,
  trades,
  facts,
  calculations,
  filings,
  statements,
  covenants,
  agreementEndings,
  collateral,
  instruments,
  ratings,
  spreads,
  indices,
  entities,
  ownership,
  guarantees,
  documents,
  links,
  corrections,
]

/** Datasets whose rows name their company by ticker, CIK or name; bonds have an issuer of their own. */
export const issuerDatasets: readonly Dataset[] = datasets.filter(d => d !== bonds && namesIssuer(d))

export const datasetNamed = (name: string): Dataset | undefined => datasets.find(d => d.name === name)
