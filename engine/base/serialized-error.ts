import { type Code, QueryError } from './errors.ts'

/** An error in a form that can be sent to another process or thread. */
export interface SerializedError {
  readonly message: string
  readonly stack?: string | undefined
  readonly code?: string | undefined
  readonly details?: Readonly<Record<string, unknown>>
}

export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { message: String(error) }
  const { message, stack } = error
  const code = (error as { code?: string }).code
  return { message, stack, code, ...(error instanceof QueryError && { details: error.details }) }
}

export const deserializeError = ({ message, stack, code, details }: SerializedError): Error =>
  details
    ? new QueryError(code as Code, message, details)
    : Object.assign(new Error(message), { ...(stack && { stack }), ...(code && { code }) })
