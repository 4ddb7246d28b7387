import type { Request, Response } from 'express'
import { etagOf, matches } from './etag.ts'
import { send } from './respond.ts'

/** A file served unchanged. */
export interface File {
  readonly type: string
  readonly body: Buffer
}

const headers = ({ type }: File, policy: string, cache: string): Record<string, string> => ({
  'Content-Type': type,
  'Cache-Control': cache,
  'Content-Security-Policy': policy,
})

/** Sends a file with a permanent name, or 304. */
export function sendTagged(request: Request, response: Response, file: File, policy: string): void {
  const tag = etagOf(file.body.toString())
  const all = { ...headers(file, policy, 'public, max-age=0, must-revalidate'), ETag: tag }
  const known = request.headers['if-none-match']
  if (known !== undefined && matches(known, tag)) send(response, { status: 304, headers: all })
  else send(response, { status: 200, headers: all, body: file.body })
}

/** Sends a file whose name contains a hash of its content. */
export const sendImmutable = (response: Response, file: File, policy: string): void =>
  send(response, {
    status: 200,
    headers: headers(file, policy, 'public, max-age=31536000, immutable'),
    body: file.body,
  })
