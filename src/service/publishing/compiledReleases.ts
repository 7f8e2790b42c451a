import type { Steps } from '../../../streams/kernel/steps.ts'
import {
  compiling,
  type Release,
  type ReleaseDocument,
} from '../../../streams/organisation/release/release.ts'
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import { inTurns } from '../../server/timeSlices.ts'
import type { Store } from '../sql/store.ts'
import { linking } from './countedLinks.ts'

/** How many compiled releases are cached. */
const RELEASES_KEPT = 8
/** What one byte of a document takes once it is compiled: 6.0 to 6.1 were measured. */
const BYTES_FOR_EACH = 8

type Kept = Readonly<{ release: Release; bytes: number }>

/** Compiles a release, and reads its links, which requests then have at once. */
function* compilingLinked(id: string, document: ReleaseDocument, formats: Formats): Steps<Release> {
  const release = yield* compiling(id, document, formats)
  yield* linking(release)
  return release
}

/** The stored releases, compiled. The last eight are cached. */
export function createCompiledReleases(store: Pick<Store, 'release'>, formats: Formats) {
  const kept = new Map<string, Kept>()
  return {
    /** The stored release with this id; null when there is none. */
    of: async (id: string): Promise<Release | null> => {
      const known = kept.get(id)
      if (known !== undefined) return known.release
      const document = await store.release(id)
      if (document === null) return null
      const release = await inTurns(compilingLinked(id, document, formats))
      kept.set(id, { release, bytes: BYTES_FOR_EACH * Buffer.byteLength(JSON.stringify(document)) })
      const [oldest] = kept.keys()
      if (kept.size > RELEASES_KEPT && oldest !== undefined) kept.delete(oldest)
      return release
    },
    /** About how many bytes all cached releases take. */
    bytes: (): number => {
      let sum = 0
      for (const { bytes } of kept.values()) sum += bytes
      return sum
    },
  }
}
