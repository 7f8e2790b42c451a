import { defer, map, of } from 'rxjs'
import type { AdministratorIdentity } from '../../effects/administration/ports.ts'
import {
  type UserStorage,
  STANDALONE_USER_KEY,
  type StandaloneIdentity,
} from '../engine/signIn/standaloneIdentity.ts'

/**
 * Gives access to the stored user in `storage`. `clear` removes only this entry, because a failed sign-in must not
 * clear a pane's data.
 */
export const userStorageOf = (storage: globalThis.Storage): UserStorage => ({
  getItem: (key) => storage.getItem(key),
  setItem: (key, value) => {
    storage.setItem(key, value)
  },
  removeItem: (key) => {
    storage.removeItem(key)
  },
  clear: () => {
    storage.removeItem(STANDALONE_USER_KEY)
  },
})

/** Creates the administrator's identity from the pane's sign-in for plain browsers. */
export const createAdministratorIdentity = (
  identity: Pick<StandaloneIdentity, 'known' | 'accessToken' | 'signOut'>,
  area: UserStorage,
): AdministratorIdentity => ({
  known: () => defer(() => of(identity.known())),
  signIn: () => identity.accessToken({ allowConsentPrompt: true }).pipe(map(() => undefined)),
  signOut: () => identity.signOut(),
  forget: () =>
    defer(() => {
      area.removeItem(STANDALONE_USER_KEY)
      return of(undefined)
    }),
})
