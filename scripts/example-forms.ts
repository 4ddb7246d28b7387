import type { Operation } from '../engine/operations/operation.ts'
import { exampleInput } from '../engine/schema/examples.ts'
import type { Param } from '../engine/schema/params.ts'
import { exampleQuery } from '../server/openapi/example-query.ts'
import { pythonMethod, pythonName } from './python-client.ts'

/** An example of an operation in one form, as a block of code. */
export interface ExampleForm {
  readonly language: 'sh' | 'http' | 'ts' | 'python'
  readonly text: string
}

const numbers: ReadonlySet<string> = new Set([
  ...['integer', 'number', 'ratio', 'percent', 'bps', 'cents', 'years'],
])

/** The text of a command line as the value that a program writes; a body has lists even of one. */
function typedValue({ column, many }: Param, text: unknown, isBody: boolean): unknown {
  if (typeof text !== 'string') return text
  const one = (part: string): unknown =>
    column.kind === 'boolean'
      ? part === 'true'
      : numbers.has(column.kind) && part !== '' && Number.isFinite(Number(part))
        ? Number(part)
        : part
  if (!many || text.startsWith('[')) return one(text)
  const parts = text.split(',').map(one)
  return parts.length === 1 && !isBody ? parts[0] : parts
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

function literal(value: unknown, words: { readonly yes: string; readonly no: string }): string {
  if (Array.isArray(value)) return `[${value.map(one => literal(one, words)).join(', ')}]`
  if (typeof value === 'boolean') return value ? words.yes : words.no
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value)
}

const typescript = { yes: 'true', no: 'false' }
const python = { yes: 'True', no: 'False' }

/** Examples of an operation on the command line, over HTTP, in TypeScript and in Python. */
export function exampleForms(operation: Operation): readonly ExampleForm[] {
  const { name, command, examples, params, method, path } = operation
  if (examples.length === 0) return []
  const inputs = examples.flatMap(example => {
    const input = exampleInput(operation, example)
    if (!input) return []
    const typed = Object.entries(input).map(
      ([key, text]) => [key, typedValue(params[key] as Param, text, method !== 'GET')] as const,
    )
    return [{ example, typed }]
  })
  const http = inputs.map(({ example, typed }) =>
    method === 'GET'
      ? `GET ${exampleQuery(operation, example)}`
      : `${method} ${path}\nContent-Type: application/json\n\n${JSON.stringify(Object.fromEntries(typed))}`,
  )
  // The types of `call` lack the filters of the list that another parameter names: `ask` takes any, and checks it.
  const isTyped = (key: string) =>
    operation.listParams === undefined || !Object.hasOwn(operation.listParams, key)
  const calls = inputs.map(
    ({ typed }) =>
      `await engine.${typed.every(([key]) => isTyped(key)) ? 'call' : 'ask'}('${name}', { ${typed.map(([key, value]) => `${key}: ${literal(value, typescript)}`).join(', ')} })`,
  )
  const asked = inputs.map(
    ({ typed }) =>
      `t.${pythonMethod(name)}(${typed.map(([key, value]) => `${pythonName(key)}=${literal(value, python)}`).join(', ')})`,
  )
  const forms: ExampleForm[] = [
    { language: 'sh', text: examples.map(example => `tranche ${command} ${example}`).join('\n') },
    { language: 'http', text: http.join(method === 'GET' ? '\n' : '\n\n') },
    { language: 'ts', text: calls.join('\n') },
    { language: 'python', text: asked.join('\n') },
  ]
  return forms.filter(({ text }) => text !== '')
}

/** The examples of every operation in their forms, by the name of the operation. */
export const formsByName = (operations: readonly Operation[]): ReadonlyMap<string, readonly ExampleForm[]> =>
  new Map(operations.map(operation => [operation.name, exampleForms(operation)]))
