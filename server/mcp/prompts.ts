import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js'
import { QueryError } from '../../engine/base/errors.ts'

type Given = Readonly<Record<string, string>>

interface Asked extends Prompt {
  readonly text: (given: Given) => string
}

const asOf = {
  name: 'as_of',
  description: 'Answer as of the close of this day, YYYY-MM-DD.',
}

const onDay = ({ as_of }: Given): string => (as_of ? ` Give as_of: "${as_of}" in every call.` : '')

const company = { name: 'ticker', description: 'Ticker or id of the company.', required: true }

const QUOTE = 'Quote the sentence with its filing.'

const prompts: readonly Asked[] = [
  {
    name: 'screen',
    title: 'Screen',
    description: 'Find the companies or bonds that fit a description.',
    arguments: [
      {
        name: 'looking_for',
        description: 'In words: "B-rated energy issuers above 5 times leverage".',
        required: true,
      },
      asOf,
    ],
    text: given => `Screen the corporate debt universe for: ${given['looking_for']}

1. Say in one line how you read the request as filters of search_companies or search_bonds, and in which units.
2. Call the tool with those filters, sorted by what matters most, and with \`fields\` for what is to be shown.
3. Tell how many match in all (meta.total). Where more than a page matches, narrow, or follow meta.next.
4. Show a table with units: amounts in millions, ratios to one decimal. Write "n/a" for what is null.
5. Name what could mislead: null leverage, stale prices, annualised or estimated EBITDA.${onDay(given)}`,
  },
  {
    name: 'compare_covenants',
    title: 'Compare covenants',
    description: 'Compare the covenants of two to ten companies.',
    arguments: [
      { name: 'tickers', description: 'Tickers, separated by commas.', required: true },
      { name: 'about', description: 'What to look at: "leverage tests", "change of control".' },
      asOf,
    ],
    text: given => `Compare the covenants of ${given['tickers']}${given['about'] ? `, in particular: ${given['about']}` : ''}.

1. Call compare_covenants with these tickers; then search_covenants for each to read descriptions, steps and cures.
2. Where a level or an exception matters, find its wording with search_documents (section_type covenants, indenture or
   credit_agreement) and quote it with its filing.
3. Show one row a covenant and one column a company: level, how it is tested, steps ahead, and who is tightest.
4. Beside every maintenance level put the ratio and headroom of search_headroom, or why it has none.
5. Mark facts of low extraction_confidence, and say where a company has no such covenant on record: that is not the
   same as having none.${onDay(given)}`,
  },
  {
    name: 'explain_number',
    title: 'Explain a number',
    description: 'Where a figure comes from: formula, inputs, filings, and caveats.',
    arguments: [
      {
        name: 'figure',
        description: 'Which: leverage_ratio, total_debt, ytm, spread, rating_bucket.',
        required: true,
      },
      { name: 'of', description: 'Ticker of the company, or CUSIP of the bond.', required: true },
      asOf,
    ],
    text: given => `Explain the ${given['figure']} of ${given['of']}.

1. Ask the list that has it (search_companies for figures of companies, search_bonds for those of bonds) for this one
   with explain: true, and \`fields\` that hold the figure; for companies also include_metadata: true.
2. From \`_explain\` write the formula, then every input with its value, unit, period, and the filing or trade it is of.
3. Recompute the figure from these inputs and say whether it agrees.
4. Say what speaks against it: flags, warnings, estimates, stale prices; where it is null, the reason given.
5. For conventions behind it read the resource tranche://conventions.${onDay(given)}`,
  },
  {
    name: 'liquidity',
    title: 'Liquidity',
    description: 'Whether a company can pay what falls due, and from what.',
    arguments: [company, asOf],
    text: given => `Can ${given['ticker']} pay what falls due?

1. Call search_liquidity for it with explain: true, and search_maturities with explain: true.
2. Show sources (cash, undrawn_committed, free_cash_flow) against due_12m and due_24m, each with the filing and the day of the
   balance sheet from \`_explain\`. Say what due_source, cover_excludes and undrawn_null_because mean for the cover.
3. Show the wall by period: filed_due beside bonds_due, and why they differ. Name commercial paper and bonds without a year.
4. Look for what tags do not say with search_documents (section_type mda_liquidity, debt_footnote): undrawn facilities, minimum
   liquidity, waivers. ${QUOTE}
5. Conclude in two sentences, with what would change the answer.${onDay(given)}`,
  },
  {
    name: 'structure',
    title: 'Capital structure',
    description: 'What a company owes, by whom, in which rank, and how it adds up.',
    arguments: [company, asOf],
    text: given => `Lay out the capital structure of ${given['ticker']}.

1. Call search_instruments with explain: true, and search_reconciliations. Where the instruments do not make up the tagged
   debt, say what is missing (difference, likely_causes).
2. Call traverse_entities with start "company:${given['ticker']}" and relationships "subsidiaries,guarantees" for issuers and
   guarantors.
3. Show one row an instrument, first paid first: issuer, rank, security, amount, commitment and what is undrawn, rate, maturity,
   guarantors. Write "n/a" for what is null, and mark ranks that a name alone gives.
4. Under it: total debt, cash, EBITDA and leverage of search_companies with include_metadata: true, and which debt sits at
   subsidiaries that guarantee nothing.
5. Cite the filing (form, day, accession) of each figure; for terms quote the words in \`_explain\`.${onDay(given)}`,
  },
  {
    name: 'covenants',
    title: 'Covenants',
    description: 'What documents require and allow, and how close a company is to a breach.',
    arguments: [company, asOf],
    text: given => `What do the covenants of ${given['ticker']} require, and how close is it to a breach?

1. Call search_headroom for it with explain: true; search_covenants with in_force: true for restrictions and protections.
2. For each test: level, ratio, headroom in turns, percent and EBITDA, the next step, and the balance date. Say whose EBITDA it is
   (ebitda_basis) and what the agreement adds back that is not in it (add_backs_unknown).
3. Where a test has no ratio, say why (null_because), and look with search_documents for a ratio that the company states.
4. Call search_headroom again with ebitda_shock: -20 and rate_shock: 100, and show which tests then fail.
5. Quote level and definition with their filing from \`_explain\`. Mark low extraction_confidence, and say that a covenant that
   is not on record may still exist.${onDay(given)}`,
  },
  {
    name: 'recovery',
    title: 'Recovery',
    description: 'What each class of debt would recover, and how that depends on the value.',
    arguments: [
      company,
      { name: 'value', description: 'Enterprise value or multiple: "4,000 million", "5 times".' },
      asOf,
    ],
    text: given => `What would creditors of ${given['ticker']} recover${given['value'] ? ` at ${given['value']}` : ''}?

1. Call recovery_company with explain: true${given['value'] ? ' and the value (enterprise_value in cents, or multiple)' : ''}, cost_percent: 5 and draw_percent: 85.
2. Show the classes in order: level, amount, recovery and percent, what collateral pays; under it the sensitivity.
3. Say what was assumed: every line of \`notes\`, ranks and levels that are not known, what is in left_out.
4. Where the value at subsidiaries that guarantee nothing is known or asked, repeat with non_guarantor_percent. Where EBITDA is after
   impairments, repeat with \`ebitda\` before them.
5. Cite the filing of EBITDA, of total debt and of each instrument from \`_explain\`.${onDay(given)}`,
  },
  {
    name: 'what_changed',
    title: 'What changed',
    description: 'New and repaid debt, ratings, covenants, spreads and figures of a company since a day.',
    arguments: [
      company,
      { name: 'since', description: 'First day of the period, YYYY-MM-DD.', required: true },
      { name: 'until', description: 'Last day; default the as-of day of the data.' },
    ],
    text: given => `What changed at ${given['ticker']} since ${given['since']}?

1. Call changes_company with ticker "${given['ticker']}", since "${given['since']}"${given['until'] ? ` and until "${given['until']}"` : ''}.
2. Order what it lists by what matters to a creditor: defaults and ratings, new and repaid debt, covenants begun and ended,
   leverage and liquidity, spreads. Tell new debt from debt that only became known.
3. For each change of a figure show both values, with the filing of each (ask search_financials for the two periods).
4. Read the newest 8-K and debt notes with search_documents (filed_after "${given['since']}") for the reason. ${QUOTE}
5. Say what the data cannot show: how old the newest statements and prices are.`,
  },
]

export const listedPrompts: readonly Prompt[] = prompts.map(({ text: _, ...prompt }) => prompt)

export function promptNamed(name: string, given: Given): GetPromptResult {
  const found = prompts.find(prompt => prompt.name === name)
  if (!found) throw new QueryError('NOT_FOUND', `no prompt ${name.slice(0, 120)}`)
  const missing = found.arguments?.find(argument => argument.required && !given[argument.name]?.trim())
  if (missing)
    throw new QueryError('MISSING_PARAMETER', `${missing.name} is required: ${missing.description}`, {
      parameter: missing.name,
    })
  return {
    ...(found.description && { description: found.description }),
    messages: [{ role: 'user', content: { type: 'text', text: found.text(given) } }],
  }
}
