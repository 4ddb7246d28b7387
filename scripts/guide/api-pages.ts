import { escapeHtml } from './html.ts'
import { anchorOf, codeTabs, renderMarkdown, type Section } from './markdown.ts'
import {
  descriptionOf,
  kindOf,
  membersOf,
  type OpenapiDocument,
  type Operation,
  type Parameter,
  parameterOf,
  type Schema,
} from './openapi-document.ts'
import type { GuidePage, NavGroup } from './page.ts'

interface Route {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The forms of each operation's first example, by its name. */
export type Forms = ReadonlyMap<string, readonly { readonly language: string; readonly text: string }[]>

const addressOf = (name: string): string => `/docs/${name}`

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`
const prose = (text: string): string =>
  renderMarkdown(text, { link: to => to, image: from => from }).html.trim()
const inline = (text: string): string => prose(text).replace(/^<p>([\s\S]*)<\/p>$/, '$1')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  `<div class="scroll" tabindex="0"><table><thead><tr>${head.map(cell => `<th>${cell}</th>`).join('')}</tr></thead><tbody>
${rows.map(row => `<tr>${row.map(cell => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}
</tbody></table></div>`

const boundsOf = ({ minimum, maximum, default: usual, enum: values }: Schema): string =>
  [
    values ? `one of ${values.map(value => code(String(value))).join(', ')}` : '',
    minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : `at least ${minimum}`,
    maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : `at most ${maximum}`,
    usual === undefined ? '' : `default ${code(String(usual))}`,
  ]
    .filter(Boolean)
    .join('; ')

const heading = (title: string): string =>
  `<h2 id="${anchorOf(title)}">${title}<a class="anchor" href="#${anchorOf(title)}" aria-label="Link to ${title}">#</a></h2>`

function parametersTable(document: OpenapiDocument, parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) => [
    code(name),
    place,
    kindOf(document, schema),
    inline(description) + (boundsOf(schema) ? ` <span class="quiet">${boundsOf(schema)}</span>` : ''),
    required ? 'yes' : '',
  ])
  return table(['Name', 'In', 'Kind', 'Meaning', 'Required'], rows)
}

const membersTable = (document: OpenapiDocument, schema: Schema): string =>
  table(
    ['Member', 'Kind', 'Meaning'],
    membersOf(document, schema).map(({ path, kind, schema: { description = '', enum: values } }) => [
      code(path),
      kind,
      inline(description) + (values ? ` <span class="quiet">${boundsOf({ enum: values })}</span>` : ''),
    ]),
  )

/** Fields to send the request from this page; the script of the site makes it work. */
function tryForm(
  { method, path, operation }: Route,
  parameters: readonly Parameter[],
  body: string | null,
): string {
  const fields = parameters
    .filter(({ in: place }) => place !== 'header')
    .map(({ name, in: place, required, schema }) => {
      const values = schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : null)
      const id = `try-${name}`
      const attributes = `id="${id}" name="${escapeHtml(name)}" data-in="${place}"${required ? ' required' : ''}`
      const field = values
        ? `<select ${attributes}><option value=""></option>${values.map(value => `<option>${escapeHtml(String(value))}</option>`).join('')}</select>`
        : `<input ${attributes} autocomplete="off" spellcheck="false">`
      return `<label for="${id}">${escapeHtml(name)}</label>${field}`
    })
  const text =
    body === null
      ? ''
      : `<label for="try-body">Body</label><textarea id="try-body" data-in="body" rows="8" spellcheck="false">${escapeHtml(body)}</textarea>`
  return `<form class="try" data-method="${method}" data-path="${escapeHtml(path)}" hidden>
<p class="quiet">Sends the request to this server. Without a key it is sent for the account signed in to the explorer.</p>
<div class="fields"><label for="try-key">X-API-Key</label><input id="try-key" type="password" autocomplete="off" data-in="key">${fields.join('')}${text}</div>
<button class="primary">Send ${escapeHtml(operation.operationId)}</button>
<div class="answer" aria-live="polite"></div>
</form>
<noscript><p>Requests can be sent from this page with JavaScript.</p></noscript>`
}

const bodyExample = (forms: Forms, name: string): string =>
  forms
    .get(name)
    ?.find(({ language }) => language === 'http')
    ?.text.split('\n\n')[1] ?? '{}'

function operationPage(document: OpenapiDocument, route: Route, forms: Forms, beside: NavGroup): GuidePage {
  const { method, path, operation } = route
  const name = operation.operationId
  const parameters = (operation.parameters ?? []).map(one => parameterOf(document, one))
  const body = operation.requestBody?.content?.['application/json']?.schema
  const answer = operation.responses['200']?.content?.['application/json']?.schema
  const shown = forms.get(name)
  const isInReference = shown !== undefined
  const [, ...rest] = (operation.description ?? '').split('\n\n')
  const parts: [string, string][] = [
    ...(shown && shown.length > 0 ? ([['Example', codeTabs(shown)]] as [string, string][]) : []),
    ...(parameters.length > 0
      ? ([['Parameters', parametersTable(document, parameters)]] as [string, string][])
      : []),
    ...(body ? ([['Body', membersTable(document, body)]] as [string, string][]) : []),
    ['Try it', tryForm(route, parameters, body ? bodyExample(forms, name) : null)],
    ...(answer ? ([['Answer', membersTable(document, answer)]] as [string, string][]) : []),
    [
      'Statuses',
      table(
        ['Status', 'Meaning'],
        Object.entries(operation.responses).map(([status, response]) => [
          code(status),
          inline(descriptionOf(document, response)),
        ]),
      ),
    ],
  ]
  const also = isInReference
    ? `<p><a href="/guide/reference/${name}">${escapeHtml(name)} in the reference</a>: on the command line, in TypeScript and in Python. <a href="/guide/reference/errors">Errors</a>.</p>`
    : '<p><a href="/guide/reference/errors">Errors</a></p>'
  const html = `<h1>${escapeHtml(name)}</h1>
<p class="endpoint"><b>${method}</b> ${code(path)}</p>
<p>${inline(operation.summary)}</p>
${prose(rest.join('\n\n'))}
${also}
${parts.map(([title, content]) => heading(title) + content).join('\n')}
`
  const section = (level: number, title: string, text: string): Section => ({
    level,
    id: level === 1 ? '' : anchorOf(title),
    title,
    text,
  })
  return {
    address: addressOf(name),
    title: `${method} ${path}`,
    html,
    sections: [
      section(1, `${method} ${path}`, `${name} ${operation.summary}`),
      ...parts.map(([title]) => section(2, title, '')),
    ],
    beside,
    isSearched: false,
  }
}

/** The HTTP API as pages: one a request, and one that lists them. */
export function apiPages(document: OpenapiDocument, forms: Forms): GuidePage[] {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const beside: NavGroup = {
    title: 'HTTP API',
    links: [
      { title: 'Overview', address: '/docs' },
      ...routes.map(({ operation: { operationId } }) => ({
        title: operationId,
        address: addressOf(operationId),
      })),
    ],
  }
  const groups = document.tags
    .map(tag => ({ ...tag, own: routes.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter(({ own }) => own.length > 0)
  const html = `<h1>HTTP API</h1>
<p>${inline(document.info.description)} Every request carries a key in <code>X-API-Key</code>.
How answers, pages, errors and limits work: <a href="/guide/server">Running a server</a>. For generators of clients:
<a href="/v1/openapi.json">/v1/openapi.json</a>. Some requests, such as SQL, are answered only where the operator of the server turns them on.</p>
${groups
  .map(
    ({ name, description, own }) =>
      `${heading(name)}<p>${inline(description)}</p>${table(
        ['Request', 'Answers'],
        own.map(({ method, path, operation }) => [
          `<a href="${addressOf(operation.operationId)}"><b>${method}</b> ${code(path)}</a>`,
          inline(operation.summary),
        ]),
      )}`,
  )
  .join('\n')}
`
  const overview: GuidePage = {
    address: '/docs',
    title: 'HTTP API',
    html,
    sections: [
      { level: 1, id: '', title: 'HTTP API', text: document.info.description },
      ...groups.map(({ name, description }) => ({
        level: 2,
        id: anchorOf(name),
        title: name,
        text: description,
      })),
    ],
    beside,
    isSearched: true,
  }
  return [overview, ...routes.map(route => operationPage(document, route, forms, beside))]
}
