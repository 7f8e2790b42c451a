import { readDemonstration } from '../../src/service/demonstration/northwind.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { ServiceContext } from '../../src/service/context/serviceContext.ts'
import { releaseIdOf } from '../../src/service/publishing/plans.ts'

/** Loads the demonstration organisation's people and release into an empty service. */
export async function publishDemonstration({ store, people, releases }: ServiceContext): Promise<void> {
  const { document, pictures, people: rows } = await readDemonstration()
  for (const [hash, picture] of pictures) await store.keepPicture(hash, picture)
  await people.importRows(rows, 'test', false)
  await publishDocument({ store, releases }, document)
}

/** Publishes a document over the current release. Resolves with the new release's id. */
export async function publishDocument(
  { store, releases }: Pick<ServiceContext, 'store' | 'releases'>,
  document: ReleaseDocument,
  actor = 'test',
  note = '',
): Promise<string> {
  const release = releaseIdOf(document)
  await store.keepRelease(release, document)
  const base = releases.current()?.id ?? null
  await releases.write({ type: 'publish', release, base, note }, actor)
  return release
}
