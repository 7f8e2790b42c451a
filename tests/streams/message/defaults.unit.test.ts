import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AppEvent, LoggedEvent } from '../../../streams/pane/events.ts'
import { type AppState, evolveApp } from '../../../streams/pane/state.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import { type DefaultUse, Defaults } from '../../../streams/message/defaults/events.ts'
import {
  changedDefaults,
  defaultSignatureOf,
  choicesWithMaster,
} from '../../../streams/message/defaults/rules.ts'
import {
  defaultChooserOf,
  selectAdminDefinedId,
  selectChosenIds,
  selectDefaultChange,
  selectDefaultIds,
  selectOrganisationChange,
  selectRefusedChanges,
} from '../../../streams/pane/defaults/selectors.ts'
import { wasBegunBy } from '../../../streams/kernel/load.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import type { ChosenDefaults } from '../../../streams/wire/user.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import { noSenders } from '../../../streams/message/senders/senders.ts'
import {
  cachedSignature as anySignature,
  chosenDefaults,
  failure as anyFailure,
  logOfTypes,
} from '../../support/arbitraries.ts'
import {
  cachedSignature,
  freshState,
  profile,
  recorded,
  replyVersion,
  session,
  verification,
  stateAfter,
} from '../../support/state.ts'

const verified = Auth.verified(verification())
const loaded = Defaults.loaded({ value: cachedSignature({ name: 'Answer' }) })
const restored = Defaults.restored({ signature: cachedSignature({ name: 'Stored' }), senders: noSenders })
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
        const others = events.filter((event) => event.type !== 'auth/verified' || !event.data.signature)
        const { defaults } = replayLog(before, evolveApp, others)
        expect(defaultSignatureOf(defaults)).toBe(defaultSignatureOf(before.defaults))
      }),
    )
  })

  test('that comes with a sign-in is there at once, and is not asked for', () => {
    const log = logOfTypes([
      'app/retryRequested',
      'auth/signedOut',
      'auth/verified',
      'defaults/loaded',
      'defaults/loadFailed',
      'signatures/reloadDue',
    ])
    fc.assert(
      fc.property(log, anySignature, (events, signature) => {
        const asking = recorded(Auth.verified({ session: session(), signature }), 40)
        const { load } = evolveApp(replayLog(freshState(), evolveApp, events), asking).defaults
        expect(load).toEqual({ status: 'success', value: signature })
        expect(wasBegunBy(load, asking)).toBe(false)
      }),
    )
  })

  test.each<LoggedEvent>([
    Signatures.reloadDue(),
    Signatures.refreshRequested(),
    Defaults.changed({ id: 0, defaults: { master: 'c', reply: null } }),
    Defaults.changeFailed({ id: 0, failure: { kind: 'network' } }),
  ])('loads again on $type', (event) => {
    const asking = recorded(event, 7)
    const withDefault = Auth.verified({ session: session(), signature: cachedSignature() })
    for (const before of [stateAfter(verified), stateAfter(verified, loaded), stateAfter(withDefault)])
      expect(wasBegunBy(evolveApp(before, asking).defaults.load, asking)).toBe(true)
  })
})

const anyUse = fc.constantFrom<DefaultUse>('master', 'reply')
const anyId = fc.constantFrom('c-1', 'c-2', 'c-3')

describe('a change of the default', () => {
  test('has the outcome of the service, and the ids that the user chose', () => {
    fc.assert(
      fc.property(anyFailure, anyUse, (failure, use) => {
        const wanted = { combinedIds: 'c-2', use }
        const change = { id: -1, ...wanted }
        const asked = stateAfter(verified, loaded, Defaults.changeRequested(wanted))
        expect(asked.defaults).toMatchObject({ pending: [change], made: null, refused: [] })
        const changed = Defaults.changed({ id: -1, defaults: { master: 'c-2', reply: 'c-1' } })
        const made = evolveApp(asked, recorded(changed)).defaults
        expect(made).toMatchObject({ pending: [], made: change, refused: [] })
        const failed = Defaults.changeFailed({ id: -1, failure })
        const refused = evolveApp(asked, recorded(failed)).defaults
        expect(refused).toMatchObject({ pending: [], made: null, refused: [{ change, failure }] })
      }),
    )
  })

  test('waits until its own answer; each default shows a failure of its last change, and of no earlier one', () => {
    // A default for new messages, for replies, or for the messages of one sender.
    const uses = ['master', 'reply', 'sales@own.example', 'press@own.example'] as const
    const answer = fc.record({
      use: fc.constantFrom(...uses),
      combinedIds: anyId,
      fails: fc.boolean(),
      upper: fc.boolean(),
    })
    const asking = ({
      use,
      combinedIds,
      upper,
    }: Readonly<{ use: (typeof uses)[number]; combinedIds: string; upper: boolean }>) => {
      if (use === 'master' || use === 'reply') return Defaults.changeRequested({ use, combinedIds })
      return Defaults.senderChoiceRequested({ address: upper ? use.toUpperCase() : use, combinedIds })
    }
    fc.assert(
      fc.property(fc.array(answer, { maxLength: 6 }), (changes) => {
        const asked = changes.reduce(
          (state, change, id) => evolveApp(state, recorded<LoggedEvent>(asking(change), id)),
          stateAfter(verified, loaded),
        )
        const pendingOf = ({ defaults }: AppState) => defaults.pending.map(({ id }) => id)
        const after = changes.reduce((state, { fails }, id) => {
          expect(pendingOf(state)).toEqual(changes.map((_, at) => at).slice(id))
          const failed = Defaults.changeFailed({ id, failure: { kind: 'network' } })
          const changed = Defaults.changed({ id, defaults: { master: 'c-1', reply: null } })
          const next = evolveApp(state, recorded(fails ? failed : changed, 40 + id))
          const shown = uses.flatMap((use) => {
            const last = changes.findLastIndex((change) => change.use === use)
            return last <= id && changes[last]?.fails ? [last] : []
          })
          expect(next.defaults.refused.map(({ change }) => change.id).sort()).toEqual(shown.sort())
          return next
        }, asked)
        expect(pendingOf(after)).toEqual([])
      }),
    )
  })

  test('[SIG-7] never changes the signature of the other use, with or without defaults of the organisation', () => {
    const anyChoice = fc.option(fc.record({ master: anyId, reply: fc.option(anyId) }))
    type Choice = Readonly<{ master: string; reply: string | null }>
    const goesIn = ({ master, reply }: Choice) => ({ master, reply: reply ?? master })
    /** What the service answers for these defaults; `names` also which signature goes into replies. */
    const answered = (standing: Choice | null, hasVersion: boolean, names: boolean) =>
      cachedSignature({
        combinedIds: standing?.master ?? '',
        reply:
          standing && (hasVersion || goesIn(standing).reply !== standing.master)
            ? { html: '<p>R</p>', of: names ? { name: 'R', combinedIds: goesIn(standing).reply } : null }
            : null,
      })
    fc.assert(
      fc.property(
        anyChoice,
        anyChoice,
        anyUse,
        anyId,
        fc.boolean(),
        fc.boolean(),
        (organisation, own, use, combinedIds, hasVersion, names) => {
          const standing = own ?? organisation
          // A service that does not name the organisation's reply signature has the one for new messages.
          fc.pre(names || own !== null || !organisation?.reply)
          const changed = changedDefaults(own, answered(standing, hasVersion, names), { combinedIds, use })
          if (standing === null) {
            expect(changed).toEqual(use === 'master' ? { master: combinedIds, reply: null } : undefined)
            return
          }
          expect(changed?.master && goesIn(changed)).toEqual({
            ...goesIn(standing),
            [use]: combinedIds,
          })
        },
      ),
    )
  })

  test('[SIG-7] [CHOOSE-2] for a sender leaves both defaults alone, those of the organisation and of the user', () => {
    const anyAddress = fc.constantFrom('sales@own.example', 'Press@own.example')
    fc.assert(
      fc.property(
        fc.option(chosenDefaults),
        fc.option(anyId, { nil: undefined }),
        anyAddress,
        fc.option(anyId),
        (own, standing, address, combinedIds) => {
          const standard = standing === undefined ? undefined : cachedSignature({ combinedIds: standing })
          const changed = changedDefaults(own, standard, { use: 'sender', address, combinedIds })
          const { [address.toLowerCase()]: _, ...others } = own?.bySender ?? {}
          const bySender = {
            ...others,
            ...(combinedIds === null ? {} : { [address.toLowerCase()]: combinedIds }),
          }
          expect(changed?.bySender ?? {}).toEqual(bySender)
          expect([changed?.master ?? null, changed?.reply ?? null]).toEqual([
            own?.master ?? null,
            own?.reply ?? null,
          ])
          // A choice of nothing is none.
          if (!own?.master) expect(changed === null).toBe(Object.keys(bySender).length === 0)
        },
      ),
    )
  })

  test('[SIG-7] of the organisation takes back both of the user, and leaves those for senders', () => {
    fc.assert(
      fc.property(fc.option(chosenDefaults), (own) => {
        const { bySender = {} } = own ?? {}
        const expected = Object.keys(bySender).length === 0 ? null : { master: null, reply: null, bySender }
        const wanted = { use: 'organisation', combinedIds: null } as const
        expect(changedDefaults(own, undefined, wanted)).toEqual(expected)
      }),
    )
  })

  test('[SIG-7] leaves those for senders, also when there was no default', () => {
    const bySender = { 'sales@own.example': 'c-2' }
    const alone = { master: null, reply: null, bySender } as const
    const without = cachedSignature({ combinedIds: '', reply: null })
    for (const standard of [cachedSignature(), without])
      expect(changedDefaults(alone, standard, { use: 'master', combinedIds: 'c' })?.bySender).toEqual(
        bySender,
      )
  })

  test('for senders alone has the default beside it where a service wants one, and no other change has', () => {
    const bySender = { 'sales@own.example': 'c-2' }
    const standard = cachedSignature()
    expect(choicesWithMaster({ master: null, reply: null, bySender }, standard)).toEqual({
      master: 'c-standard',
      reply: 'c-standard',
      bySender,
    })
    expect(choicesWithMaster({ master: null, reply: null, bySender }, undefined)).toBeNull()
    expect(choicesWithMaster({ master: 'c-1', reply: null, bySender }, standard)).toBeNull()
    expect(choicesWithMaster(null, standard)).toBeNull()
  })

  test('[CHOOSE-2] of the organisation is offered beside what the user chose, and nowhere else', () => {
    const offersOf = (defaultSignature: ChosenDefaults | null, ...events: readonly AppEvent[]) => {
      const known = Profile.loaded({ value: profile({ metadata: { defaultSignature, others: {} } }) })
      const state = stateAfter(verified, loaded, known, ...events)
      return ['c-1', 'c-2', 'c-3'].map((ids) => selectOrganisationChange(ids)(state))
    }
    const asked = Defaults.organisationRequested()
    expect(offersOf(null)).toEqual([null, null, null])
    expect(offersOf({ master: 'c-1', reply: null })).toEqual(['offered', null, null])
    expect(offersOf({ master: 'c-1', reply: 'c-2' })).toEqual(['offered', 'offered', null])
    expect(offersOf({ master: 'c-1', reply: 'c-2' }, asked)).toEqual(['pending', 'pending', null])
    const bySender = { 'sales@own.example': 'c-3' }
    expect(offersOf({ master: null, reply: null, bySender })).toEqual([null, null, null])
  })

  test('is not offered until the service answered what stands', () => {
    expect(changedDefaults(null, undefined, { combinedIds: 'c', use: 'master' })).toBeUndefined()
    const offered = (state: AppState) => selectDefaultChange('c-2', 'reply')(state)
    expect(offered(stateAfter(verified, loaded))).toBeNull()
    expect(offered(stateAfter(verified, Profile.loaded({ value: profile() })))).toBeNull()
    expect(offered(stateAfter(verified, loaded, Profile.loaded({ value: profile() })))).toBe('offered')
  })

  test('is shown as pending until its answer; the signature before is offered meanwhile', () => {
    const profileLoaded = Profile.loaded({ value: profile() })
    const offers = (state: AppState) =>
      ['c-2', 'c-standard'].map((ids) => selectDefaultChange(ids, 'reply')(state))
    const before = stateAfter(verified, loaded, profileLoaded)
    expect(offers(before)).toEqual(['offered', null])
    const asked = Defaults.changeRequested({ combinedIds: 'c-2', use: 'reply' })
    const failed = Defaults.changeFailed({ id: 7, failure: { kind: 'network' } })
    const meanwhile = evolveApp(before, recorded(asked, 7))
    expect(offers(meanwhile)).toEqual(['pending', 'offered'])
    const after = [failed, loaded, profileLoaded].reduce(
      (state, event) => evolveApp(state, recorded(event, 8)),
      meanwhile,
    )
    expect(offers(after)).toEqual(['offered', null])
  })

  test.each([
    ['master', 'new', [] as readonly string[]],
    ['master', 'former', ['master']],
    ['reply', 'former', []],
    ['reply', 'new', ['reply']],
  ] as const)('a refused change of %s is no longer told when the service has it: %s', (use, master, told) => {
    const { reply } = cachedSignature({
      combinedIds: 'former',
      reply: replyVersion('a reply', { name: 'New', combinedIds: 'new' }),
    })
    const asked = Defaults.changeRequested({ combinedIds: 'new', use })
    const failed = Defaults.changeFailed({ id: 7, failure: { kind: 'network' } })
    const served = Defaults.loaded({
      value: cachedSignature({ combinedIds: master, reply: master === 'former' ? reply : null }),
    })
    const state = [failed, served].reduce(
      (before, event) => evolveApp(before, recorded(event, 8)),
      evolveApp(stateAfter(verified, loaded), recorded(asked, 7)),
    )
    expect(selectRefusedChanges(state).map(({ change }) => change.use)).toEqual(told)
  })

  test('is pending for its own use only', () => {
    const profileLoaded = Profile.loaded({ value: profile() })
    const asked = Defaults.changeRequested({ combinedIds: 'c-2', use: 'master' })
    const state = evolveApp(stateAfter(verified, loaded, profileLoaded), recorded(asked, 7))
    expect(selectDefaultChange('c-2', 'master')(state)).toBe('pending')
    expect(selectDefaultChange('c-2', 'reply')(state)).toBe('offered')
  })
})

describe('the ids of the defaults', () => {
  const withProfile = (defaultSignature: ChosenDefaults | null) =>
    Profile.loaded({ value: profile({ metadata: { defaultSignature, others: {} } }) })

  test("are the service's, and until it answers those that the user chose", () => {
    const chosen = withProfile({ master: 'c-mine', reply: 'c-reply' })
    expect(selectDefaultIds(freshState())).toEqual({ master: null, reply: null })
    expect(selectDefaultIds(stateAfter(chosen))).toEqual({ master: 'c-mine', reply: 'c-reply' })
    expect(selectDefaultIds(stateAfter(chosen, loaded))).toEqual({ master: 'c-standard', reply: 'c-reply' })
  })

  test('are one for new messages and replies, unless the signature has no reply version', () => {
    expect(selectDefaultIds(stateAfter(loaded))).toEqual({ master: 'c-standard', reply: 'c-standard' })
    const another = cachedSignature({ reply: replyVersion('<p>B</p>', { name: 'B', combinedIds: 'c-b' }) })
    expect(selectDefaultIds(stateAfter(Defaults.loaded({ value: another })))).toEqual({
      master: 'c-standard',
      reply: 'c-b',
    })
    const withoutReply = Defaults.loaded({ value: cachedSignature({ reply: null }) })
    expect(selectDefaultIds(stateAfter(withoutReply))).toEqual({ master: 'c-standard', reply: null })
  })

  test('are those that were just chosen while the service is asked again', () => {
    const chosen = [loaded, withProfile({ master: 'c-standard', reply: 'c-reply' })]
    const changed = Defaults.changed({ id: 0, defaults: { master: 'c-new', reply: 'c-reply' } })
    expect(selectDefaultIds(stateAfter(...chosen, changed))).toEqual({ master: 'c-new', reply: 'c-reply' })
  })

  test("are the organisation's exactly while the user has chosen none", () => {
    const byOrganisation = stateAfter(loaded, withProfile(null))
    const byUser = stateAfter(loaded, withProfile({ master: 'c-standard', reply: null }))
    expect(selectAdminDefinedId(stateAfter(loaded))).toBeNull()
    expect(selectAdminDefinedId(byOrganisation)).toBe('c-standard')
    expect(selectAdminDefinedId(byUser)).toBeNull()
    const by = (state: typeof byUser) =>
      defaultChooserOf('c-standard', selectAdminDefinedId(state), selectChosenIds(state))
    expect([by(stateAfter(loaded)), by(byOrganisation), by(byUser)]).toEqual([null, 'organisation', 'person'])
    // A choice for a sender is none of the default, and one that is gone hides nothing.
    const bySender = { 'sales@own.example': 'c-standard' }
    for (const chosen of [
      { master: null, reply: null, bySender },
      { master: 'c-gone', reply: null },
    ])
      expect(by(stateAfter(loaded, withProfile(chosen)))).toBe('organisation')
  })
})
