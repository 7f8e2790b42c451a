import { defer, map, of } from 'rxjs'
import type { AdministratorIdentity } from '../../effects/administration/ports.ts'
import {
  type KeptUser,
  STANDALONE_USER_KEY,
  type StandaloneIdentity,
} from '../engine/signIn/standaloneIdentity.ts'

/** The kept user alone: a failed sign-in clears nothing that a pane of this browser stores. */
export const keptUserOf = (storage: globalThis.Storage): KeptUser => ({
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

/** The pane's own sign-in in a plain browser, for the administration page. */
export const createAdministratorIdentity = (
  identity: Pick<StandaloneIdentity, 'known' | 'accessToken' | 'signOut'>,
  area: KeptUser,
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
