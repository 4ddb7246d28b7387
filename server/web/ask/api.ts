import { type Client, client } from '../../v1/client.ts'
import { prefix } from '../app/server.ts'
import { withCsrf } from './session.ts'

/** The public client, on behalf of the session: no key is in the browser. */
export const api: Client = client({
  url: location.origin + prefix,
  key: '',
  retries: 1,
  patience: 5_000,
  fetch: (input, init = {}) => {
    const { 'X-API-Key': _none, ...headers } = init.headers as Record<string, string>
    return fetch(input, { ...init, headers: { ...headers, ...withCsrf(init.method ?? 'GET') } })
  },
})
