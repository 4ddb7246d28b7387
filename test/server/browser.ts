import { type Answer, ask } from './start.ts'

export const PASSWORD = 'correct horse battery staple'

/** The parts of a browser that sessions need: a cookie jar, and the session's CSRF token. */
export interface Browser {
  cookie: string
  csrf: string
  send(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>
}

export function browser(url: string): Browser {
  const own: Browser = {
    cookie: '',
    csrf: '',
    async send(method, path, body, headers = {}) {
      const answer = await ask(url, path, {
        method,
        ...(body && { body }),
        headers: {
          ...(own.cookie && { Cookie: own.cookie }),
          ...(own.csrf && method !== 'GET' && { 'X-CSRF-Token': own.csrf }),
          ...headers,
        },
      })
      const [set] = answer.headers['set-cookie'] ?? []
      if (set) own.cookie = set.split(';')[0]!
      if (answer.body?.csrf) own.csrf = answer.body.csrf
      return answer
    },
    get: (path, headers) => own.send('GET', path, undefined, headers),
  }
  return own
}

/** A person who has followed their link. */
export async function signedUp(url: string, token: string): Promise<Browser> {
  const own = browser(url)
  const { status, text } = await own.send('POST', '/session/accept', { token, password: PASSWORD })
  if (status !== 200) throw new Error(text)
  return own
}
