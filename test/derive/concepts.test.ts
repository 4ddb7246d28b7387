import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { borrowings, dueOf, isCompanyLine, type Line } from '../../engine/derive/statements/borrowings.ts'
import {
  balances,
  type Derivation,
  type Formula,
  flows,
  mappedConcepts,
} from '../../engine/derive/statements/concepts.ts'
import { root } from '../root.ts'

const code = (concept: string) => `\`${concept}\``

function text(formula: Formula): string {
  if (typeof formula === 'string') return code(formula)
  if ('first' in formula) return formula.first.map(text).join(', ')
  if ('largest' in formula) return `the largest of ${formula.largest.map(text).join(', ')}`
  if ('any' in formula) return `those there of ${formula.any.map(text).join(' + ')}`
  if ('less' in formula || 'lessCost' in formula)
    return ('less' in formula ? formula.less : formula.lessCost).map(part => `(${text(part)})`).join(' − ')
  if ('wholeOrBoth' in formula) {
    const [whole, part] = formula.wholeOrBoth.map(each => `(${text(each)})`)
    return `${whole}, beside a smaller ${part}, or both added`
  }
  const more = (formula.with ?? []).map(part => ` [+ ${text(part)}]`).join('')
  const alike = (formula.withAlike ?? []).map(part => ` [+ ${text(part)}, if of the same sign]`).join('')
  return `${formula.sum.map(part => (typeof part === 'string' ? text(part) : `(${text(part)})`)).join(' + ')}${more}${alike}`
}

/** A line with the lines below it. */
const lineText = ({ names, holds }: Line): string =>
  `${names.map(name => code(name.replace('us-gaap:', ''))).join(' or ')}${holds.length ? ` (${holds.map(lineText).join(', ')})` : ''}`

const tiers = (ways: readonly Derivation[]): string =>
  [...new Set(ways.map(way => way.tier))]
    .map(tier => ways.filter(way => way.tier === tier).map(way => text(way.formula)))
    .map(those => those.join(', '))
    .join('; *else* ')

const table = (head: string, rows: readonly (readonly [string, string])[]): string =>
  [`| ${head} | tagged as |`, '|---|---|', ...rows.map(([name, as]) => `| ${code(name)} | ${as} |`)].join(
    '\n',
  )

t.test('docs/xbrl.md lists the concepts of every item as in the code', async t => {
  const doc = await readFile(join(root, 'docs', 'xbrl.md'), 'utf8')
  // Debt due within more years adds the years that follow, tagged alike.
  const items = [...Object.entries(flows), ...Object.entries(balances)]
    .filter(([item]) => !/^debt_due_[2-5]/.test(item))
    .map(([item, ways]) => [item, tiers(ways)] as const)
  const parts = Object.entries(borrowings).map(([part, line]) => [part, lineText(line)] as const)
  for (const expected of [table('item', items), table('part of total debt', parts)])
    t.ok(doc.includes(expected), `docs/xbrl.md needs this table:\n\n${expected}\n`)
})

t.test('only concepts used by items are read from a filing', async t => {
  t.ok(mappedConcepts.includes('us-gaap:LongTermDebtNoncurrent'))
  t.ok(mappedConcepts.includes('ifrs-full:Borrowings'), 'other taxonomies are named')
  t.ok(mappedConcepts.every(concept => concept.includes(':')))
  t.equal(new Set(mappedConcepts).size, mappedConcepts.length)
})

t.test('each element of borrowed money belongs to one line', async t => {
  const concepts = (line: Line): string[] => [...line.names, ...line.holds.flatMap(concepts)]
  const { notesAndLoans, ...lines } = borrowings
  const all = Object.values(lines).flatMap(concepts)
  t.equal(new Set(all).size, all.length)
  t.ok(all.includes(notesAndLoans.names[0]!), 'a name that filers also use for short-term borrowings')
})

t.test("a filer's own element is debt only if its name says so", async t => {
  for (const name of [
    'custom:NonrecourseDebtNoncurrent',
    'custom:TotalBorrowedFunds',
    'aes:RecourseDebtCurrent',
    'acme:MortgageNotesPayable',
    'acme:SeniorSubordinatedNotesNoncurrent',
    'custom:CommercialPaperAndBankLoans',
    'custom:NotesPayableAndCurrentMaturitiesOfLongTermDebt',
    'custom:LongTermDebtCurrentExcludingCommercialPaper',
    'custom:LongTermDebtExcludingCurrentMaturities',
    'custom:NonrecourseDebtCollateralizedByCreditCardReceivablesLongTerm',
  ])
    t.ok(isCompanyLine(name), name)
  for (const name of [
    'us-gaap:LongTermDebt',
    'custom:DebtServiceReserves',
    'custom:LoansReceivableHeldForSale',
    'acme:DebtInstrumentUnamortizedDiscount',
    'acme:AvailableForSaleDebtSecurities',
    'acme:LongTermDebtAtFairValue',
    'acme:AccountsPayable',
    'acme:NoncurrentLiabilitiesExcludingDebt',
    'acme:LongTermDebtMaturitiesInYearTwo',
    'acme:ReceivablesSecuredByDebt',
  ])
    t.notOk(isCompanyLine(name), name)
  t.strictSame(
    [
      'NonrecourseDebtNoncurrent',
      'RecourseDebtCurrent',
      'LongtermDebtDueWithinOneYear',
      'SeniorNotes',
      'DebtExcludingCurrentPortion',
      'LongTermDebtIncludingCurrentMaturities',
      'ShortTermBorrowingsIncludingLongTermDebtCurrent',
    ].map(name => dueOf(`acme:${name}`)),
    ['noncurrent', 'current', 'current', null, 'noncurrent', null, 'current'],
  )
})
