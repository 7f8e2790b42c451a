/** Finds people, releases, plans and pictures for the calls. */
import { headLine, LAST_LINE, pictureLine } from '../../../../streams/wire/administration/pictureLines.ts'
import { compileRelease, type Release } from '../../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { Refusal } from '../../../server/webServer.ts'
import { mailboxAsOwner } from '../../context/owners.ts'
import type { Plans } from '../../publishing/plans.ts'
import { normaliseAddress } from '../../../values/mailAddress.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'

export type AdministrationLookup = ReturnType<typeof createAdministrationLookup>

export function createAdministrationLookup({ store, releases, formats }: ServiceContext, plans: Plans) {
  const personOrNull = (idOrAddress: string): Promise<PersonState | null> =>
    idOrAddress.includes('@')
      ? store.personByAddress(normaliseAddress(idOrAddress))
      : store.person(idOrAddress)

  const orRefuse = (person: PersonState | null): PersonState => {
    if (!person) throw new Refusal(404, 'not_found', 'There is no such person.')
    return person
  }

  /** @throws Refusal 404 before the first publish */
  const published = (): Release => {
    const release = releases.current()
    if (!release) throw new Refusal(404, 'not_found', 'Nothing is published yet.')
    return release
  }

  /** The lines of an answer, with every requested picture that a person, a release or a plan has. */
  async function* withPictures(head: object, hashes: Iterable<string>): AsyncGenerator<string, void> {
    yield headLine(head)
    let isFirst = true
    for (const hash of new Set(hashes)) {
      const picture = await plans.pictures.find(hash)
      if (picture === null) continue
      const { mediaType, bytes } = picture
      yield pictureLine(hash, { mediaType, base64: Buffer.from(bytes).toString('base64') }, isFirst)
      isFirst = false
    }
    yield LAST_LINE
  }

  return {
    published,

    /**
     * Finds a person by id or by any address, including inactive people.
     *
     * @throws Refusal 404
     */
    person: async (idOrAddress: string) => orRefuse(await personOrNull(idOrAddress)),

    /**
     * Like `person`. Also finds a mailbox that is only in the release, by its address.
     *
     * @throws Refusal 404
     */
    owner: async (idOrAddress: string) => {
      const address = normaliseAddress(idOrAddress)
      const isMailbox = (releases.current()?.mailboxOf(address) ?? null) !== null
      return orRefuse((await personOrNull(idOrAddress)) ?? (isMailbox ? mailboxAsOwner(address) : null))
    },

    /**
     * Finds a stored release, or the release of a plan. Without an id, returns the published release.
     *
     * @throws Refusal 404
     */
    releaseOf: async (releaseOrPlan: string | undefined): Promise<Release> => {
      if (releaseOrPlan === undefined) return published()
      const release = await releases.of(releaseOrPlan)
      if (release) return release
      const { plan, document } = await plans.read(releaseOrPlan)
      return compileRelease(plan.release, document, formats)
    },

    withPictures,
  }
}
