import { createHash } from 'node:crypto'
import { readDemonstration } from '../../src/service/demonstration/northwind.ts'
import type { World } from '../../src/service/world.ts'
import { canonicalText } from '../../streams/organisation/release.ts'

/** Brings the people and the release of the demonstration organisation into an empty service. */
export async function publishDemonstration({ store, people, releases }: World): Promise<void> {
  const { document, pictures, people: rows } = await readDemonstration()
  for (const [hash, picture] of pictures) await store.keepPicture(hash, picture)
  await people.importRows(rows, 'test', false)
  const release = createHash('sha256').update(canonicalText(document)).digest('hex').slice(0, 32)
  await store.keepRelease(release, document)
  await releases.write({ type: 'publish', release, base: null, note: '' }, 'test')
}
