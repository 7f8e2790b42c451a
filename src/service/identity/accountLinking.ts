/** Finds the person of a verified account. */
import { delegatedAddresses } from '../../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { DomainError } from '../operations/domainError.ts'
import { normaliseAddress } from '../../values/mailAddress.ts'
import type { Store } from '../sql/store.ts'
import type { People, Releases } from '../context/serviceContext.ts'
import { invalidToken, type VerifiedUser } from './tokens.ts'

export type AccountLinking = ReturnType<typeof createAccountLinking>

type AccountLinkingOptions = Readonly<{
  store: Pick<Store, 'personByAccount' | 'personByAddress'>
  people: Pick<People, 'write'>
  releases: Pick<Releases, 'current'>
}>

/** The actor in the audit when a sign-in binds an account to a person. */
const ACTOR = 'sign-in'

export function createAccountLinking({ store, people, releases }: AccountLinkingOptions) {
  /**
   * The person to bind the account to, or null. Guests are never bound, because their sign-in name belongs to another
   * organisation.
   */
  const bindable = async ({ signInName, isGuest }: VerifiedUser): Promise<PersonState | null> => {
    if (isGuest || signInName === '') return null
    const person = await store.personByAddress(signInName)
    return person?.account === null ? person : null
  }

  const mayUse = (person: PersonState, address: string): boolean => {
    const release = releases.current()
    return (
      person.addresses.some((each) => normaliseAddress(each) === address) ||
      (release !== null &&
        delegatedAddresses(release, person).some((each) => normaliseAddress(each) === address))
    )
  }

  return {
    /**
     * Signs a user in for the mailbox with this address, and resolves with the person. If no person has the account,
     * binds it to the person whose address is the verified sign-in name, unless that person has another account.
     *
     * @throws DomainError `unknown_user` when no person has or gets the account; `invalid_token` for an inactive
     *   person, and for a mailbox that is neither the user's own nor delegated to the user
     */
    signIn: async (user: VerifiedUser, email: string): Promise<PersonState> => {
      const { account } = user
      const bound = await store.personByAccount(account.tenant, account.oid)
      const person = bound ?? (await bindable(user))
      if (person === null)
        throw new DomainError('unknown_user', 'The organisation does not know this account.')
      if (!person.active) throw invalidToken('The person has left the organisation.')
      if (!mayUse(person, normaliseAddress(email)))
        throw invalidToken('The access token belongs to another mailbox.')
      return bound ?? people.write(person.id, { type: 'bindAccount', account }, ACTOR)
    },
  }
}
