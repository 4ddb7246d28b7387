import { createHash } from 'node:crypto'
import { damaged } from '../base/errors.ts'

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

/** JSON text with the SHA-256 of its own content in `seal`, so that a flipped bit is detected. */
export const sealed = (content: object): string =>
  `${JSON.stringify({ ...content, seal: digest(JSON.stringify(content)) }, null, 1)}\n`

/** The content of a sealed text; throws DATA_DAMAGED if it was changed or truncated. */
export function unsealed<T extends object>(text: string, file: string): T {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw damaged(file, 'is not valid JSON: it was truncated or changed')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw damaged(file, 'is not a JSON object')
  const { seal, ...content } = parsed as Record<string, unknown>
  if (seal !== digest(JSON.stringify(content)))
    throw damaged(file, 'was changed since it was written: its seal does not match')
  return content as T
}
