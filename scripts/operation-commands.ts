import type { Operation } from '../engine/operations/operation.ts'

const text = (value: string): string => (value.includes("'") ? JSON.stringify(value) : `'${value}'`)

/** The commands of the operations for general help, as a source file without the engine behind it. */
export const operationCommandsText = (operations: readonly Operation[]): string =>
  [
    '// Written by `npm run docs` from the declarations. Do not edit.',
    '/** Commands that call an operation. */',
    'export const operationCommands = [',
    ...operations.flatMap(({ name, command, doc }) => [
      '  {',
      `    operation: ${text(name)},`,
      `    word: ${text(command)},`,
      `    doc: ${text(doc)},`,
      '  },',
    ]),
    '] as const',
    '',
  ].join('\n')
