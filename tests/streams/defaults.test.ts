import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LoggedEvent } from '../../streams/app/events.ts'
import { evolveApp } from '../../streams/app/state.ts'
import { Auth } from '../../streams/auth/events.ts'
import { Defaults } from '../../streams/defaults/events.ts'
import {
  decidedBy,
  defaultSignatureOf,
  selectAdminDefinedId,
  selectChosenIds,
  selectDefaultIds,
} from '../../streams/defaults/selectors.ts'
import { began } from '../../streams/kernel/load.ts'
import { replay } from '../../streams/kernel/store.ts'
import { Profile } from '../../streams/profile/events.ts'
import { Signatures } from '../../streams/signatures/events.ts'
import { failure as anyFailure, logOfTypes } from '../support/arbitraries.ts'
import { cachedSignature, freshState, profile, recorded, session, stateAfter } from '../support/state.ts'

const verified = Auth.verified({ session: session() })
const loaded = Defaults.loaded({ value: cachedSignature({ name: 'Answer' }) })
const restored = Defaults.restored({ signature: cachedSignature({ name: 'Stored' }) })
const nameAfter = (...events: LoggedEvent[]) => defaultSignatureOf(stateAfter(...events).defaults)?.name

describe('the default signature', () => {
  test('from storage stands in until the service answers, and never replaces an answer', () => {
    expect(nameAfter(restored)).toBe('Stored')
    expect(nameAfter(restored, loaded)).toBe('Answer')
    expect(nameAfter(loaded, restored)).toBe('Answer')
  })

  test('stays while it loads again, and when that fails', () => {
    const log = logOfTypes([
      'app/retryRequested',
      'app/serviceReachable',
      'auth/verified',
      'defaults/changed',
      'defaults/changeFailed',
      'defaults/changeRequested',
      'defaults/loadFailed',
      'signatures/refreshRequested',
      'signatures/reloadDue',
    ])
    fc.assert(
      fc.property(log, fc.constantFrom(restored, loaded), (events, known) => {
        const before = stateAfter(verified, known)
        const { defaults } = replay(before, evolveApp, events)
        expect(defaultSignatureOf(defaults)).toBe(defaultSignatureOf(before.defaults))
      }),
    )
  })

  test.each<LoggedEvent>([
    Signatures.reloadDue(),
    Signatures.refreshRequested(),
    Defaults.changed({ combinedIds: 'c', use: 'master' }),
    Defaults.changeFailed({ combinedIds: 'c', use: 'master', failure: { kind: 'network' } }),
  ])('loads again on $type', (event) => {
    const asking = recorded(event, 7)
    for (const before of [stateAfter(verified), stateAfter(verified, loaded)])
      expect(began(evolveApp(before, asking).defaults.load, asking)).toBe(true)
  })
})

describe('a change of the default', () => {
  test('has the outcome of the service, and the ids that the user chose', () => {
    fc.assert(
      fc.property(anyFailure, fc.constantFrom('master' as const, 'reply' as const), (failure, use) => {
        const wanted = { combinedIds: 'c-2', use }
        const asked = stateAfter(verified, loaded, Defaults.changeRequested(wanted))
        expect(asked.defaults.change).toEqual({ ...wanted, attempt: { status: 'pending', asked: -1 } })
        const changed = evolveApp(asked, recorded(Defaults.changed(wanted)))
        expect(changed.defaults.change).toEqual({ ...wanted, attempt: { status: 'success' } })
        const failed = evolveApp(asked, recorded(Defaults.changeFailed({ ...wanted, failure })))
        expect(failed.defaults.change).toEqual({ ...wanted, attempt: { status: 'fail', failure } })
      }),
    )
  })
})

describe('the ids of the defaults', () => {
  const withProfile = (defaultSignature: Readonly<{ master: string; reply: string | null }> | null) =>
    Profile.loaded({ value: profile({ metadata: { defaultSignature, others: {} } }) })

  test("are the service's, and until it answers those that the user chose", () => {
    const chosen = withProfile({ master: 'c-mine', reply: 'c-reply' })
    expect(selectDefaultIds(freshState())).toEqual({ master: null, reply: null })
    expect(selectDefaultIds(stateAfter(chosen))).toEqual({ master: 'c-mine', reply: 'c-reply' })
    expect(selectDefaultIds(stateAfter(chosen, loaded))).toEqual({ master: 'c-standard', reply: 'c-reply' })
  })

  test('are one for new messages and replies, unless the signature has no reply version', () => {
    expect(selectDefaultIds(stateAfter(loaded))).toEqual({ master: 'c-standard', reply: 'c-standard' })
    const withoutReply = Defaults.loaded({ value: cachedSignature({ reply: null }) })
    expect(selectDefaultIds(stateAfter(withoutReply))).toEqual({ master: 'c-standard', reply: null })
  })

  test("are the organisation's exactly while the user has chosen none", () => {
    const byOrganisation = stateAfter(loaded, withProfile(null))
    const byUser = stateAfter(loaded, withProfile({ master: 'c-standard', reply: null }))
    expect(selectAdminDefinedId(stateAfter(loaded))).toBeNull()
    expect(selectAdminDefinedId(byOrganisation)).toBe('c-standard')
    expect(selectAdminDefinedId(byUser)).toBeNull()
    const by = (state: typeof byUser) =>
      decidedBy('c-standard', selectAdminDefinedId(state), selectChosenIds(state))
    expect([by(stateAfter(loaded)), by(byOrganisation), by(byUser)]).toEqual([null, 'organisation', 'person'])
  })
})
