import { invalid, QueryError } from '../../engine/base/errors.ts'

export const noKey = (id: string) =>
  new QueryError('NOT_FOUND', `no key ${id}: "tranche keys list" lists them`, { id })

export const revoked = (id: string) =>
  invalid('id', id, `key ${id} is revoked: create another with "tranche keys create"`)
