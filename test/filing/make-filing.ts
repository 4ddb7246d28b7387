/** A paragraph long enough not to look like a line of a contents page. */
export const prose = (about: string, sentences = 30): string =>
  `<p>${Array.from({ length: sentences }, (_, i) => `The company says of ${about} that matter ${i + 1} is of note to holders of its debt.`).join(' ')}</p>`

const items = [
  ['1', 'Business', 'i1'],
  ['1A', 'Risk Factors', 'i1a'],
  ['7', 'Management’s Discussion and Analysis of Financial Condition and Results of Operations', 'i7'],
  ['8', 'Financial Statements and Supplementary Data', 'i8'],
  ['9A', 'Controls and Procedures', 'i9a'],
  ['15', 'Exhibits and Financial Statement Schedules', 'i15'],
] as const

const contents = items
  .map(
    ([number, title, id], i) =>
      `<tr><td><a href="#${id}">Item ${number}.</a></td><td><a href="#${id}">${title}</a></td><td>${i + 3}</td></tr>`,
  )
  .join('')

const bold = (text: string) => `<div><span style="font-weight:700">${text}</span></div>`
const heading = (key: string) => {
  const [number, title, id] = items.find(([each]) => each === key)!
  return `<div id="${id}"></div>${bold(`Item ${number}. ${title}`)}`
}
const turn = (page: number) =>
  `<div style="text-align:center">${page}</div><hr style="page-break-after:always"/><div><a href="#toc">Table of Contents</a></div>`

/** An annual report as filed today: hidden facts, linked contents, notes tagged one by one. */
export const annualReport = `<?xml version='1.0' encoding='ASCII'?>
<html xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"><head><title>acme-20241231</title><style>p { color: red }</style></head><body>
<div style="display:none"><ix:header><ix:hidden>
<ix:nonNumeric name="dei:EntityCentralIndexKey" contextRef="c">0000012345</ix:nonNumeric>
<ix:nonNumeric name="dei:AmendmentFlag" contextRef="c">false</ix:nonNumeric></ix:hidden></ix:header></div>
<div>FORM <ix:nonNumeric name="dei:DocumentType" contextRef="c">10-K</ix:nonNumeric></div>
<div>For the fiscal year ended <ix:nonNumeric name="dei:DocumentPeriodEndDate" contextRef="c">December&#160;31, 2024</ix:nonNumeric></div>
<div><ix:nonNumeric name="dei:EntityRegistrantName" contextRef="c">Acme Pipelines Inc.</ix:nonNumeric></div>
<div>(Exact name of registrant as specified in its charter)</div>
${turn(1)}<div id="toc">TABLE OF CONTENTS</div><table>${contents}</table>${turn(2)}
<div>PART I</div>${heading('1')}${prose('pipelines')}${turn(3)}
${heading('1A')}<p>See Item 7 of this report.</p>${prose('risks')}${turn(4)}
<div>PART II</div>${heading('7')}${prose('results')}
${bold('Liquidity and Capital Resources')}${prose('cash')}
${bold('Critical Accounting Estimates')}${prose('estimates')}${turn(5)}
${heading('8')}
<table><tr><td></td><td>2024</td></tr><tr><td>Long-term debt</td><td>$</td><td>1,234</td><td></td></tr><tr><td>Loss</td><td>$</td><td>(56</td><td>)</td></tr></table>
<ix:nonNumeric name="us-gaap:SignificantAccountingPoliciesTextBlock" contextRef="c" id="n1">${bold('Note 1 – Accounting Policies')}${prose('policies')}</ix:nonNumeric>
<ix:nonNumeric name="us-gaap:DebtDisclosureTextBlock" contextRef="c" id="n2" continuedAt="n2b">${bold('Note 2 – Long-Term Obligations')}${prose('notes due 2030')}</ix:nonNumeric>
${turn(6)}<ix:continuation id="n2b">${prose('the revolver')}</ix:continuation>
<ix:nonNumeric name="us-gaap:IncomeTaxDisclosureTextBlock" contextRef="c" id="n3">${bold('Note 3 – Income Taxes')}${prose('taxes')}</ix:nonNumeric>
${turn(7)}${heading('9A')}${prose('controls', 5)}
<div>PART IV</div>${heading('15')}${prose('exhibits', 8)}<script>alert('x')</script></body></html>`
