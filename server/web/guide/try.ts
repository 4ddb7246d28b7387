/** Characters of an answer shown. */
const SHOWN = 50_000

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Makes the form of a request send it to this server. */
export function startTry(prefix: string): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form.try')) {
    form.hidden = false
    form.addEventListener('submit', event => {
      event.preventDefault()
      void send(form, prefix)
    })
  }
}

interface Asked {
  readonly url: string
  readonly key: string
  readonly body: string | null
}

/** What the fields of the form ask: names in braces in the path, the others in the query. */
function askedBy(form: HTMLFormElement, prefix: string): Asked {
  let path = form.dataset['path'] ?? ''
  const query = new URLSearchParams()
  let key = ''
  let body: string | null = null
  for (const field of form.querySelectorAll<Field>('[data-in]')) {
    const value = field.value.trim()
    const place = field.dataset['in']
    if (place === 'body') body = value
    else if (place === 'key') key = value
    else if (place === 'path') path = path.replace(`{${field.name}}`, encodeURIComponent(value))
    else if (value !== '') query.set(field.name, value)
  }
  const text = query.toString().replaceAll('%2C', ',')
  return { url: `${prefix}${path}${text ? `?${text}` : ''}`, key, body }
}

/** The header that proves a request of the session to come from our own pages. */
async function sessionHeader(prefix: string): Promise<Record<string, string>> {
  const response = await fetch(`${prefix}/session`)
  return response.ok ? { 'X-CSRF-Token': ((await response.json()) as { csrf: string }).csrf } : {}
}

async function send(form: HTMLFormElement, prefix: string): Promise<void> {
  const answer = form.querySelector('.answer')
  const { url, key, body } = askedBy(form, prefix)
  const method = form.dataset['method'] ?? 'GET'
  const started = performance.now()
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(key ? { 'X-API-Key': key } : method === 'GET' ? {} : await sessionHeader(prefix)),
        ...(body !== null && { 'Content-Type': 'application/json' }),
      },
      ...(body !== null && { body }),
    })
    const text = readable(await response.text(), response.headers.get('content-type') ?? '')
    const took = Math.round(performance.now() - started)
    answer?.replaceChildren(
      paragraph(`${method} ${url}`),
      paragraph(`${response.status} ${response.statusText} in ${took} ms`),
      block(text),
    )
  } catch (error) {
    answer?.replaceChildren(paragraph(`The server did not answer: ${(error as Error).message}`))
  }
}

function readable(text: string, type: string): string {
  const whole = type.startsWith('application/json') && text ? JSON.stringify(JSON.parse(text), null, 2) : text
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}\n… ${whole.length - SHOWN} more characters` : whole
}

function paragraph(text: string): HTMLElement {
  const made = document.createElement('p')
  made.textContent = text
  return made
}

function block(text: string): HTMLElement {
  const made = document.createElement('pre')
  made.tabIndex = 0
  made.textContent = text
  return made
}
