import { exactJson } from '../../engine/base/exact-number.ts'
import type { StoredResponse } from '../state/state.ts'
import { joinPooled } from './buffers.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** JSON in which whole numbers beyond 2^53 and long decimals keep all their digits. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return exactJson(value)
  }
}

/** An answer in bytes, to be sent, and stored if the request may be repeated. */
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

/** Completes JSON that was left open in its `meta` with the request id. */
export const completeJson = (
  open: readonly Buffer[],
  requestId: string,
  headers: Readonly<Record<string, string>>,
): StoredResponse => ({
  status: 200,
  headers: { 'Content-Type': JSON_TYPE, ...headers },
  body: joinPooled([...open, Buffer.from(`,"request_id":${JSON.stringify(requestId)}}}`)]),
})
