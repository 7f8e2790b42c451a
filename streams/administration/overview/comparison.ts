/** Compares two releases: which signatures changed, and how each looks to one person before and after. */
import { PLAIN_FORMATS } from '../../organisation/template/formats.ts'
import { runSteps } from '../../kernel/steps.ts'
import { comparingReleases } from '../../organisation/plan/plan.ts'
import {
  canonicalText,
  type Release,
  type ReleaseDocument,
  type Signature,
} from '../../organisation/release/release.ts'
import {
  renderingAddresses,
  renderFrame,
  SIGNATURE_USES,
  type SignatureKind,
} from '../../organisation/rendering/render.ts'
import type { PersonState } from '../../organisation/facts/state.ts'
import { releaseWithFormats, compiledReleaseOf, samplePerson } from '../plan/preview.ts'

/**
 * Two releases to compare, and the person to render them for. `before` is null for the first release. `person` is the
 * administrator's own record; null if there is none.
 */
export type ComparedReleases = Readonly<{
  before: ReleaseDocument | null
  after: ReleaseDocument
  person: PersonState | null
}>

/** A signature that was added, removed or changed, shown in a use where it looks different. */
export type ComparedSignature = Readonly<{
  id: string
  name: string
  kind: 'added' | 'removed' | 'changed'
  use: SignatureKind
  /** The signature's HTML for the person; null if the signature does not exist. */
  before: string | null
  after: string | null
}>

/** The rules of a signature, without the paths of its templates, as a text to compare. */
const rulesOf = ({ name, selection, during, recipients, collection, thread }: Signature): string =>
  canonicalText({ name, selection, during, recipients, collection, thread: thread ?? null })

/** A sample person with a value for every variable of the two releases. */
const sampleOf = ({ before, after }: ComparedReleases): PersonState => {
  const sample = samplePerson(after)
  return { ...sample, directory: { ...(before && samplePerson(before).directory), ...sample.directory } }
}

/** Whether a template in either release needs `formats`. */
export const needFormats = ({ before, after }: ComparedReleases): boolean =>
  [before, after].some((document) => document !== null && compiledReleaseOf(document).isFormatted)

/**
 * The changed signatures in the order of the new release, then the removed signatures.
 *
 * @param pictures the base address of all pictures, without a slash at the end
 * @param formats if omitted, values are shown unformatted
 */
export function compareSignatures(
  compared: ComparedReleases,
  pictures: string,
  formats = PLAIN_FORMATS,
): readonly ComparedSignature[] {
  const before = compared.before && releaseWithFormats(compared.before, formats)
  const after = releaseWithFormats(compared.after, formats)
  const person = compared.person ?? sampleOf(compared)
  const addresses = renderingAddresses(pictures, person)
  const { suspects } = runSteps(comparingReleases(before, after, pictures))
  const render = (release: Release | null, signature: Signature | null, use: SignatureKind) =>
    release && signature && renderFrame(release, signature, use, person, addresses)

  const changeOf = (kind: ComparedSignature['kind'], old: Signature | null, signature: Signature | null) => {
    const looks = SIGNATURE_USES.map((use) => ({
      use,
      before: render(before, old, use),
      after: render(after, signature, use),
    }))
    const [first] = looks
    const look = looks.find((each) => each.before !== each.after) ?? first
    const { id = '', name = '' } = signature ?? old ?? {}
    return look ? [{ id, name, kind, ...look }] : []
  }

  const kept = after.document.signatures.flatMap((signature) => {
    const old = before?.signatureOf(signature.id) ?? null
    if (old === null) return changeOf('added', null, signature)
    return suspects.has(signature.id) || rulesOf(old) !== rulesOf(signature)
      ? changeOf('changed', old, signature)
      : []
  })
  const removed = (before?.document.signatures ?? []).flatMap((old) =>
    after.signatureOf(old.id) === null ? changeOf('removed', old, null) : [],
  )
  return [...kept, ...removed]
}
