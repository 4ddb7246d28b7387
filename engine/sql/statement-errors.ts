import { QueryError } from '../base/errors.ts'

/**
 * A message without this machine's folders. The line of the statement that DuckDB quotes may contain `/` as division.
 */
function withoutFolders(message: string): string {
  const at = message.indexOf('\nLINE ')
  const ownText = at < 0 ? message : message.slice(0, at)
  const line = message.slice(ownText.length)
  return (
    ownText.replace(/(?<![\w)/])\/[^\s'"]*\/(?=[^/\s'"]+)/g, '') +
    line.replace(/(?<=['"])\/[^\s'"]*\/(?=[^/\s'"]+)/g, '')
  )
}

/** DuckDB's own message for an error in the text, without paths of this machine. */
export function statementError(error: unknown): never {
  if (error instanceof QueryError) throw error
  const message = (error instanceof Error ? error.message : String(error)).replace(
    /^Failed to extract statements:\s*/,
    '',
  )
  if (
    /^(Parser|Binder|Catalog|Conversion|Invalid|Out of Range|Permission|Syntax|Not implemented)/i.test(
      message,
    )
  )
    throw new QueryError('INVALID_SQL', withoutFolders(message))
  throw error
}
