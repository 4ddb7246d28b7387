import { QueryError } from '../base/errors.ts'
import { inLake, type Lake } from '../lake/lake.ts'
import { type Manifest, verifiedFile } from '../lake/snapshot.ts'
import { INDEX_VERSION, searchFiles } from './index-facts.ts'
import { SearchIndex } from './search-index.ts'

/**
 * Opens the search index of a snapshot, after verifying its files.
 * @param textMemory bytes that the texts of sections may take in memory
 */
export async function openIndex(lake: Lake, manifest: Manifest, textMemory: number): Promise<SearchIndex> {
  const files = searchFiles(manifest)
  if (files.length === 0) throw rebuild(manifest, 'was built without a search index')
  for (const file of files) await verifiedFile(lake, manifest, file)
  const index = new SearchIndex(inLake(lake, 'snapshots', manifest.id, 'search'), null, textMemory)
  if (index.facts.version === INDEX_VERSION) return index
  index.close()
  throw rebuild(manifest, 'has a search index of another version of Tranche')
}

const rebuild = ({ id }: Manifest, why: string) =>
  new QueryError('NOT_READY', `snapshot ${id} ${why}: run "tranche build"`, { snapshot: id })
