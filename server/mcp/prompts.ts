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
