/** Loads the chunk that formats a draft's values as the service does. */
import type { ValueTools } from '../../../streams/administration/plan/preview.ts'
import type { LoadChunk } from '../../engine/adapters/chunks.ts'

/** Returns a function whose first call loads the chunk. Later calls share it, and retry after a failure. */
export function createValuesLoader(loadChunk: LoadChunk): () => Promise<ValueTools> {
  const load = loadChunk(() => import('../valuesChunk.ts').then(({ VALUE_TOOLS: VALUES }) => VALUES))
  let loading: Promise<ValueTools> | null = null
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    }))
}
