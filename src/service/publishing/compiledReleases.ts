import type { Steps } from '../../../streams/kernel/steps.ts'
import {
  compilingRelease,
  type Release,
  type ReleaseDocument,
} from '../../../streams/organisation/release/release.ts'
import type { Formats } from '../../../streams/organisation/template/formats.ts'
import { runInSlices } from '../../server/timeSlices.ts'
import type { Store } from '../sql/store.ts'
import { findingLinksOfRelease } from './countedLinks.ts'

/** The number of cached compiled releases. */
const RELEASES_KEPT = 8
/** The assumed memory of a compiled release, in bytes for each byte of its document. Measurements gave 6.0 to 6.1. */
const BYTES_FOR_EACH = 8

type Kept = Readonly<{ release: Release; bytes: number }>

/** Compiles a release and reads its links, so that requests get the links immediately. */
function* compilingLinked(id: string, document: ReleaseDocument, formats: Formats): Steps<Release> {
  const release = yield* compilingRelease(id, document, formats)
  yield* findingLinksOfRelease(release)
  return release
}

/** Compiles stored releases, and caches the last eight. */
export function createCompiledReleases(store: Pick<Store, 'release'>, formats: Formats) {
  const kept = new Map<string, Kept>()
  return {
    /** The stored release with this id; null when there is none. */
    of: async (id: string): Promise<Release | null> => {
      const known = kept.get(id)
      if (known !== undefined) return known.release
      const document = await store.release(id)
      if (document === null) return null
      const release = await runInSlices(compilingLinked(id, document, formats))
      kept.set(id, { release, bytes: BYTES_FOR_EACH * Buffer.byteLength(JSON.stringify(document)) })
      const [oldest] = kept.keys()
      if (kept.size > RELEASES_KEPT && oldest !== undefined) kept.delete(oldest)
      return release
    },
    /** The approximate size of all cached releases, in bytes. */
    bytes: (): number => {
      let sum = 0
      for (const { bytes } of kept.values()) sum += bytes
      return sum
    },
  }
}
