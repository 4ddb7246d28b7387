import { statementItems } from '../../schema/datasets/statements.ts'
import type { Item } from './concepts.ts'
import type { Draft } from './drafts.ts'
import { type ExplainedFigure, explainedFigure, itemJson } from './explain.ts'
import { marginOf, margins } from './margins.ts'
import { amountUnit, minorUnits } from './minor-units.ts'
import { figureNames } from './statement-row.ts'

/** The items of trailing statements that figures of companies quote from `_explain`, in order. */
export const quotedItems = [
  'total_debt',
  'debt_excluding_finance',
  'secured_debt',
  'cash_and_equivalents',
  'ebitda',
  'operating_income',
  'depreciation_amortization',
  'interest_expense',
] as const satisfies readonly Item[]
export type QuotedItem = (typeof quotedItems)[number]

/** What `_explain` says of the quoted items of a row. */
export function* quotedFieldsOf(draft: Draft): Generator<[string, ExplainedFigure]> {
  if (draft.basis === 'ttm') yield* itemsOf(draft, quotedItems)
}

/** What `_explain` says of each figure of a row. */
export function* fieldsOf(draft: Draft): Generator<[string, ExplainedFigure]> {
  yield* itemsOf(draft, figureNames)
  yield* ratiosOf(draft)
}

const places = new Map<string, number>(figureNames.map((name, i) => [name, i]))

const amountOf =
  (amounts: Draft['amounts']) =>
  (name: string): number | null =>
    amounts[places.get(name) ?? -1] ?? null

function* itemsOf(
  { figures, amounts, currency, ...row }: Draft,
  names: readonly Item[],
): Generator<[string, ExplainedFigure]> {
  const unit = amountUnit(currency)
  const at = amountOf(amounts)
  const { items } = row.ebitda
  const itemsHere =
    items.length > 0 && items.every(item => at(item) !== null)
      ? items.map(item => itemJson(item, at(item), unit, 1))
      : undefined
  for (const name of names) {
    const value = at(name)
    if (!(name in statementItems) && value === null) continue
    yield [
      name,
      explainedFigure(figures.get(name)!, {
        value,
        unit,
        currency,
        ...(name === 'ebitda' && row.ebitda.source !== null && { formula: row.ebitda.source }),
        ...(name === 'ebitda' && row.estimated && { flags: ['ebitda_estimated'] }),
        ...(name === 'ebitda' && itemsHere && { items: itemsHere }),
      }),
    ]
  }
}

function* ratiosOf({
  amounts,
  currency,
  trailingEbitda,
  ...row
}: Draft): Generator<[string, ExplainedFigure]> {
  const unit = amountUnit(currency)
  const at = amountOf(amounts)
  const [cash, capex] = [at('operating_cash_flow'), at('capex')]
  yield [
    'free_cash_flow',
    {
      value: cash === null || capex === null ? null : cash - capex,
      unit,
      formula: 'operating_cash_flow - capex',
      inputs: [itemJson('operating_cash_flow', cash, unit, 1), itemJson('capex', capex, unit, -1)],
      flags: [],
      because: cash === null ? 'no operating_cash_flow' : capex === null ? 'no capex' : null,
    },
  ]
  for (const { name, of } of margins) {
    const [part, revenue] = [at(of), at('revenue')]
    const { value, because } = marginOf(part, revenue, of)
    yield [
      name,
      {
        value,
        unit: 'percent',
        formula: `100 * ${of} / revenue`,
        inputs: [itemJson(of, part, unit, 1), itemJson('revenue', revenue, unit, 1)],
        flags: [
          ...(row.annualized && row.basis === 'ttm' ? ['annualized'] : []),
          ...(row.estimated && of === 'ebitda' ? ['ebitda_estimated'] : []),
        ],
        because,
      },
    ]
  }
  const minor = minorUnits(currency)
  const ebitda = trailingEbitda.value === null ? null : Math.round(trailingEbitda.value * minor)
  yield [
    'leverage_ratio',
    {
      value: row.leverage,
      unit: 'ratio',
      formula: 'total_debt / EBITDA of the trailing twelve months',
      inputs: [itemJson('total_debt', at('total_debt'), unit, 1), itemJson('ebitda_ttm', ebitda, unit, 1)],
      flags: row.annualized ? ['annualized'] : [],
      because: row.leverageReason,
    },
  ]
}
