import { QueryError } from '../../base/errors.ts'
import type { Store } from './store.ts'

/** Opens a store; throws INVALID_PARAMETER for an address of another kind. */
export async function openStore(url: string): Promise<Store> {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed && (parsed.username || parsed.password || parsed.search || parsed.hash))
    throw new QueryError(
      'INVALID_PARAMETER',
      'the address of a store is only s3://BUCKET/NAME or file:///PATH: give credentials as to other AWS tools',
      { parameter: 'store' },
    )
  if (parsed?.protocol === 's3:' && parsed.hostname !== '') {
    const { S3Store } = await import('./s3-store.ts')
    return S3Store.open(url, parsed.hostname, decodeURIComponent(parsed.pathname).replace(/^\/|\/$/g, ''))
  }
  if (parsed?.protocol === 'file:' && parsed.hostname === '') {
    const { DiskStore } = await import('./disk-store.ts')
    return DiskStore.open(url, parsed)
  }
  throw new QueryError('INVALID_PARAMETER', `${url} is not a store: write s3://BUCKET/NAME or file:///PATH`, {
    parameter: 'store',
    value: url,
  })
}
