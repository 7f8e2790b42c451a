/** Adopts a signature in this thread, and renders its template for its person. */
import { renderAdopted } from '../../src/cli/adoptCommand.ts'
import { adoptSamples, type AdoptionResult } from '../../src/adopt/adopt.ts'
import { addToFolder } from '../../src/adopt/intoFolder.ts'
import type { SampleReading } from '../../src/adopt/readingApart.ts'
import { answerReadingTask } from '../../src/adopt/readingTasks.ts'
import { NotAdopted, type SampleFile } from '../../src/adopt/sample.ts'
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { RealSignature } from './realSignatures.ts'

/** Reads as `withReadingThread` does. `pictures` are the fetched pictures. */
export const readingHere = (pictures: readonly SampleFile[] = []): SampleReading => ({
  async read(files, from, { fetched = [], encoding = null, isDrawn = false } = {}) {
    const answer = await answerReadingTask({
      kind: 'read',
      files,
      from,
      encoding,
      isDrawn,
      fetched: [...pictures, ...fetched],
    })
    if (answer.kind === 'read') return answer.sample
    throw answer.kind === 'refused' ? new NotAdopted(answer.code, answer.message) : new Error(answer.kind)
  },
  async find(samples, variables) {
    const answer = await answerReadingTask({ kind: 'find', samples, variables })
    if (answer.kind === 'found') return answer.template
    throw answer.kind === 'refused' ? new NotAdopted(answer.code, answer.message) : new Error(answer.kind)
  },
})

const AT = Date.parse('2026-10-15T12:00:00Z')

/** The signature before cleaning, and its person's rendering of the template, both with their pictures. */
export async function adoptedAndRendered({ html, pictures, person }: RealSignature): Promise<
  Readonly<{
    original: string
    template: string
    here: AdoptionResult
    /** The document with the adopted signature, whose template is at `path`. */
    document: ReleaseDocument
    path: string
  }>
> {
  const files = [{ path: 'signature.html', bytes: new TextEncoder().encode(html) }]
  const [address = ''] = person.addresses
  const here = await adoptSamples(
    { samples: [{ files, person: address }], from: null, variables: [], isDrawn: true },
    {
      reading: readingHere([...pictures].map(([path, bytes]) => ({ path, bytes }))),
      personOf: () => Promise.resolve(person),
      people: () => [[person]],
    },
  )
  const { document, signature } = await addToFolder(null, here.adopted, person)
  return {
    original: here.asItWas ?? '',
    template: renderAdopted(document, signature, person, here.adopted.pictures, AT),
    here,
    document,
    path: signature.template,
  }
}
