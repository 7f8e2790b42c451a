/** Loads what writes the values of a draft as the service does, as a chunk of its own. */
import type { ValueTools } from '../../../streams/administration/plan/preview.ts'
import type { LoadChunk } from '../../engine/adapters/chunks.ts'

/** The first call loads the chunk. Later calls share it, and load it again after a failure. */
export function createValuesLoader(loadChunk: LoadChunk): () => Promise<ValueTools> {
  const load = loadChunk(() => import('../valuesChunk.ts').then(({ VALUES }) => VALUES))
  let loading: Promise<ValueTools> | null = null
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    }))
}
