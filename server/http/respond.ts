import { exactJson } from '../../engine/base/exact-number.ts'
import type { StoredResponse } from '../state/state.ts'
import { joinPooled } from './buffers.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** JSON, whole numbers beyond 2^53 and long decimals with all their digits. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return exactJson(value)
  }
}

/** An answer whose bytes are made once: they are sent, and kept where the caller may repeat the request. */
export function jsonResponse(
  status: number,
  body: Readonly<Record<string, unknown>>,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): StoredResponse {
  const meta = { ...(body['meta'] as object | undefined), request_id: requestId }
  return {
    status,
    headers: { 'Content-Type': JSON_TYPE, ...headers },
    body: Buffer.from(jsonText({ ...body, meta })),
  }
}

/** Pieces of JSON that was left open in its `meta`, with the id of the request as its last word. */
export const completeJson = (
  open: readonly Buffer[],
  requestId: string,
  headers: Readonly<Record<string, string>>,
): StoredResponse => ({
  status: 200,
  headers: { 'Content-Type': JSON_TYPE, ...headers },
  body: joinPooled([...open, Buffer.from(`,"request_id":${JSON.stringify(requestId)}}}`)]),
})
