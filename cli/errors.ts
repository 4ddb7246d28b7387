import { type Kind, QueryError } from '../engine/base/errors.ts'
import { kebab } from './option-names.ts'
import { plainLines, plainText } from './print-table.ts'

/** Exit codes, for scripts. */
export const exits = {
  done: 0,
  bug: 1,
  usage: 2,
  missing: 3,
  damaged: 4,
  busy: 5,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const

const byKind: Record<Kind, number> = {
  invalid: exits.usage,
  unauthenticated: exits.usage,
  unpaid: exits.usage,
  forbidden: exits.usage,
  unsupported: exits.usage,
  missing: exits.missing,
  damaged: exits.damaged,
  throttled: exits.busy,
  busy: exits.busy,
  bug: exits.bug,
}

export const exitCode = (error: unknown): number => {
  if (!(error instanceof QueryError)) return exits.bug
  // Retrying produces neither a snapshot nor a model.
  const isMissing = error.code === 'NOT_READY' || error.code === 'EMBEDDER_UNAVAILABLE'
  return isMissing ? exits.missing : byKind[error.kind]
}

/** The text printed for a failure; parameters are named as options. */
export function failureText(error: unknown, word: string | undefined, params: Iterable<string>): string {
  const who = word ? `tranche ${word}` : 'tranche'
  const debug = process.env['TRANCHE_DEBUG']
  const stack = error instanceof Error && debug ? `\n${error.stack}` : ''
  if (error instanceof QueryError) {
    const { parameter, allowed, suggestion } = error.details as {
      parameter?: unknown
      allowed?: unknown
      suggestion?: unknown
    }
    const text = typeof parameter === 'string' ? optionNames(error.message, parameter, params) : error.message
    const hint =
      Array.isArray(allowed) &&
      suggestion === undefined &&
      !allowed.every(a => error.message.includes(String(a)))
        ? isUnknownOption(error)
          ? `; see "${who} --help"`
          : `\n  allowed: ${allowed.join(', ')}`
        : ''
    return plainLines(`${who}: ${text}${hint}${stack}\n`)
  }
  const message = error instanceof Error ? error.message : String(error)
  return (
    `${who}: ${plainText(message.split('\n')[0])}\n  This is a bug in Tranche: please report it with the command and what ` +
    `"tranche doctor" prints.${debug ? '' : ' TRANCHE_DEBUG=1 shows where it happened.'}${stack}\n`
  )
}

const isUnknownOption = (error: QueryError): boolean => error.message.startsWith('there is no parameter ')

/** `min_ytm must be a number` as `--min-ytm must be a number`. */
function optionNames(message: string, parameter: string, params: Iterable<string>): string {
  const unknown = /^there is no parameter (\S+?)(?:; did you mean (\S+)\?|(: .*))?$/.exec(message)
  if (unknown)
    return `there is no option --${kebab(unknown[1]!)}${unknown[2] ? `; did you mean --${kebab(unknown[2])}?` : (unknown[3] ?? '')}`
  // The name of a column, which an option may have too.
  if (/^\w+ has no (?:field|column) /.test(message)) return message
  const known = [...params]
  // A one-word name is also plain English: only at the start of a sentence is it the parameter.
  const options = message.replace(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, name =>
    known.includes(name) ? `--${kebab(name)}` : name,
  )
  const isFirst = known.includes(parameter) && options.split(/\W/, 1)[0] === parameter
  return isFirst ? `--${kebab(parameter)}${options.slice(parameter.length)}` : options
}
