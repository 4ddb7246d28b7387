import { invalid } from '../base/errors.ts'
import { nearest } from '../names/nearest.ts'
import { operations } from './api.ts'
import type { Operation } from './operation.ts'

const operationsByName = new Map(operations.map(operation => [operation.name, operation as Operation]))

export function findOperation(name: string): Operation {
  const found = operationsByName.get(name)
  if (found) return found
  const allowed = operations.map(o => o.name)
  const suggestion = nearest(name, allowed)
  throw invalid(
    'name',
    name,
    `there is no operation ${name}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    {
      allowed,
      ...(suggestion && { suggestion }),
    },
  )
}
