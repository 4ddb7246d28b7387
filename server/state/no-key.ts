import { invalid, QueryError } from '../../engine/base/errors.ts'

export const noKey = (id: string) =>
  new QueryError('NOT_FOUND', `there is no key ${id}: "tranche keys list" shows those there are`, { id })

export const revoked = (id: string) =>
  invalid('id', id, `key ${id} is revoked: create another with "tranche keys create"`)
