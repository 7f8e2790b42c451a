/** Pictures that are uploaded before they are published. Until then, they have no address and can expire. */
import { DAY_MS } from '../../../streams/organisation/release/names.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { ServiceContext } from '../context/serviceContext.ts'
import { DomainError } from '../operations/domainError.ts'
import type { TrackedWork } from '../operations/work.ts'
import type { Picture } from '../sql/pictures.ts'

/**
 * Publishing moves a picture, so each read checks the planned pictures first. Otherwise it could miss a picture that is
 * being moved.
 */
export function createPlannedPictures({ store, now }: Pick<ServiceContext, 'store' | 'now'>) {
  /** The hashes of pictures that are neither in `planned` nor published. */
  async function missingOf(hashes: readonly string[], planned: ReadonlySet<string>) {
    const others = [...new Set(hashes)].filter((hash) => !planned.has(hash))
    const published = await store.hasPictures(others)
    return others.filter((hash) => !published.has(hash))
  }

  return {
    /** The picture in a plan, a release or a person's data; null when none is stored. */
    find: async (hash: string): Promise<Picture | null> =>
      (await store.plannedPicture(hash, now())) ?? store.picture(hash),

    /** Stores a picture for later plans, for one day. */
    keep: (hash: string, picture: Picture) => store.keepPlannedPicture(hash, picture, now() + DAY_MS),

    /** The hashes of pictures that are stored for neither a plan nor a release. */
    missing: async (hashes: readonly string[]): Promise<readonly string[]> =>
      missingOf(hashes, await store.hasPlannedPictures(hashes, now())),

    /**
     * Keeps the pictures of a document until the time `until`. Resolves with the hashes of the pictures to publish.
     *
     * @throws DomainError `picture_invalid` when a picture is missing
     */
    async extend({ pictures }: ReleaseDocument, until: number): Promise<readonly string[]> {
      const hashes = Object.values(pictures)
      const planned = await store.extendPlannedPictures(hashes, now(), until)
      const [missing] = await missingOf(hashes, planned)
      if (missing !== undefined)
        throw new DomainError('picture_invalid', `The picture ${missing} is missing: send it first.`)
      return [...planned]
    },

    /**
     * Publishes these pictures of a document. `work` counts them.
     *
     * @throws DomainError `picture_invalid` when a picture of the document has disappeared meanwhile
     */
    async publish(
      hashes: readonly string[],
      { pictures }: ReleaseDocument,
      work: TrackedWork | null,
    ): Promise<void> {
      for (const [index, hash] of hashes.entries()) {
        await work?.tell(index, hashes.length)
        await store.publishPicture(hash)
      }
      await work?.tell(hashes.length, hashes.length)
      const wanted = Object.values(pictures)
      const stored = await store.hasPictures(wanted)
      const missing = wanted.find((hash) => !stored.has(hash))
      if (missing !== undefined)
        throw new DomainError('picture_invalid', `The picture ${missing} is missing: plan once more.`)
    },
  }
}
