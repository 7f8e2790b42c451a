import { readDemonstration } from '../../src/service/demonstration/northwind.ts'
import type { ServiceContext } from '../../src/service/serviceContext.ts'
import { releaseIdOf } from '../../src/service/plans.ts'

/** Brings the people and the release of the demonstration organisation into an empty service. */
export async function publishDemonstration({ store, people, releases }: ServiceContext): Promise<void> {
  const { document, pictures, people: rows } = await readDemonstration()
  for (const [hash, picture] of pictures) await store.keepPicture(hash, picture)
  await people.importRows(rows, 'test', false)
  const release = releaseIdOf(document)
  await store.keepRelease(release, document)
  await releases.write({ type: 'publish', release, base: null, note: '' }, 'test')
}
