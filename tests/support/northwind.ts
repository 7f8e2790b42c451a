/** The demonstration organisation without a service: its compiled release, and its people as stored rows. */
import type { PersonFact } from '../../streams/organisation/facts/events.ts'
import { decidePerson } from '../../streams/organisation/decide.ts'
import { withFacts } from '../../streams/organisation/facts/reducer.ts'
import { portraitAddress, renderSignature } from '../../streams/organisation/rendering/render.ts'
import { compileRelease } from '../../streams/organisation/release/release.ts'
import {
  assignedSignatures,
  recipientAudiences,
  combinedIds,
} from '../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { releaseWithDecodedReferences } from '../../src/service/people/characters.ts'
import { readDemonstration, DEMONSTRATION_FACTS } from '../../src/service/demonstration/northwind.ts'

const content = await readDemonstration()

export const northwind = compileRelease('demonstration', content.document)

const rowOf = (id: string, record: (typeof content.people)[number]['record']): PersonState => {
  const imported = decidePerson(null, { type: 'importRecord', record }, northwind)
  if ('refused' in imported) throw new Error(imported.message)
  const facts: readonly PersonFact[] = [...imported, ...(DEMONSTRATION_FACTS[id] ?? [])]
  const row = withFacts(null, facts, id, { actor: 'tests', at: 0 })
  if (row === null) throw new Error(`The demonstration has no row for ${id}`)
  return row
}

export const northwindPeople: readonly PersonState[] = content.people.map(({ id, record }) =>
  rowOf(id ?? '', record),
)

export function personOf(address: string): PersonState {
  const found = northwindPeople.find(({ addresses }) => addresses.includes(address))
  if (found === undefined) throw new Error(`The demonstration has no ${address}`)
  return found
}

export const pictureUrlOf = ({ picture }: PersonState, imagesUrl: string): string =>
  portraitAddress(imagesUrl, picture)

/** A person's signatures as the service renders them; `imagesUrl` is the URL of their pictures. */
export const signaturesOf = (owner: PersonState, imagesUrl: string) =>
  assignedSignatures(northwind, owner, 0).map((signature) => {
    const render = (version: 'signature' | 'reply' | 'mobile') =>
      renderSignature(
        releaseWithDecodedReferences(northwind),
        signature,
        version,
        owner,
        { pictures: imagesUrl, pictureUrl: pictureUrlOf(owner, imagesUrl) },
        0,
      )
    return {
      name: signature.name,
      combinedIds: combinedIds(signature.id, owner.id),
      html: render('signature') ?? '',
      audiences: recipientAudiences(northwind, signature),
      order: northwind.document.signatures.indexOf(signature),
      collection: signature.collection,
      variants: (['reply', 'mobile'] as const).flatMap((code) => {
        const html = render(code)
        return html === null ? [] : [{ code, html }]
      }),
    }
  })
