import { catchError, concatMap, EMPTY, filter, map, merge, of, scan, switchMap, take } from 'rxjs'
import { Auth } from '../../streams/message/auth/events.ts'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import {
  broughtDefault,
  changedDefaults,
  type WantedDefault,
  withMaster,
} from '../../streams/message/defaults/rules.ts'
import { selectUnnamedReply } from '../../streams/message/defaults/selectors.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { defaultDueIn } from '../../streams/message/insertion/rules.ts'
import { type EventOf, ofType } from '../../streams/kernel/event.ts'
import { Failed, toFailure } from '../../streams/kernel/failure.ts'
import { valueOf } from '../../streams/kernel/load.ts'
import { settle } from '../../streams/kernel/settle.ts'
import { debounceBy } from '../../streams/kernel/time.ts'
import { Launch } from '../../streams/launch/events.ts'
import { Mailbox } from '../../streams/message/mailbox/events.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import type { ChosenDefaults } from '../../streams/wire/user.ts'
import { selectProfile } from '../../streams/message/profile/selectors.ts'
import { SendersRead } from '../../streams/message/senders/events.ts'
import { Settings } from '../../streams/message/settings/events.ts'
import { Signatures } from '../../streams/message/signatures/events.ts'
import { type AppEffect, type MessageEffect, whileSignedIn } from './app.ts'
import { createLoad } from './load.ts'

/** Loads the default signature with its images. */
export const loadDefault = createLoad(
  ({ defaults }) => defaults.load,
  Defaults,
  ({ api }) => api.signature({}),
)

/**
 * Reads which signature the reply version belongs to, where the service did not name it. If that fails, the signature
 * has no name.
 */
export const nameReply: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Auth.verified, Defaults.loaded, Profile.loaded),
    filter(broughtDefault),
    map(() => selectUnnamedReply(state$.value)),
    filter((reply) => reply !== null),
    switchMap(({ combinedIds, name }) =>
      (name === null ? api.signature({ combinedIds }).pipe(map((found) => found.name)) : of(name)).pipe(
        settle(
          (known) => Defaults.replyNamed({ of: { combinedIds, name: known } }),
          ({ failure }) => Defaults.replyNameFailed({ combinedIds, failure }),
        ),
        whileSignedIn(event$),
      ),
    ),
  )

/** The recipients count as final this long after the last change. */
export const RECIPIENTS_PAUSE_MS = 800

/**
 * Inserts the signature that the open message is due as soon as it is known, and inserts again when a change of the
 * sender or of the recipients makes another signature due. Inserts nothing if the user chose for this message.
 */
export const pushDefault: MessageEffect = (event$, state$, { time }) => {
  const changed$ = event$.pipe(ofType(Mailbox.recipientsChanged))
  const known$ = event$.pipe(
    ofType(
      Mailbox.messageRead,
      Mailbox.senderChanged,
      Defaults.restored,
      Launch.factsRead,
      Launch.refreshed,
      Defaults.loaded,
      Defaults.changed,
      Defaults.replyNamed,
      Defaults.replyNameFailed,
      Profile.loaded,
      Profile.loadFailed,
      Insertion.succeeded,
      Insertion.failed,
      Insertion.superseded,
      SendersRead.loaded,
      Signatures.pageLoaded,
      Signatures.refreshed,
      Settings.loaded,
      Settings.loadFailed,
      Settings.updated,
    ),
  )
  return merge(
    known$.pipe(map(() => null)),
    changed$.pipe(map(() => true)),
    changed$.pipe(
      debounceBy(RECIPIENTS_PAUSE_MS, time),
      map(() => false),
    ),
  ).pipe(
    scan((last, now) => ({ isChanging: now ?? last.isChanging, asks: now !== true }), {
      isChanging: false,
      asks: false,
    }),
    // The first signature does not wait for the recipients.
    filter(({ isChanging, asks }) => asks && (!isChanging || state$.value.insertion.inMessage === null)),
    concatMap(() => {
      const due = defaultDueIn(state$.value)
      return due === null ? EMPTY : of(Insertion.defaultDue(due))
    }),
  )
}

type Asked = EventOf<
  Pick<typeof Defaults, 'changeRequested' | 'senderChoiceRequested' | 'organisationRequested'>
>

const wantedBy = (event: Asked): WantedDefault => {
  switch (event.type) {
    case 'defaults/changeRequested':
      return event.data
    case 'defaults/senderChoiceRequested':
      return { use: 'sender', ...event.data }
    case 'defaults/organisationRequested':
      return { use: 'organisation', combinedIds: null }
  }
}

/**
 * Makes a signature the default, in the user's metadata and then at the service (specification, section 4), or the
 * choice for a sender, in the metadata alone. One change is made after the other, because each builds on the service's
 * data after the one before. If a service refuses choices for senders without a default, the current default is sent
 * with them.
 */
export const changeDefault: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Defaults.changeRequested, Defaults.senderChoiceRequested, Defaults.organisationRequested),
    concatMap((event) => {
      const { seq: id } = event.meta
      const wanted = wantedBy(event)
      // A change that was queued when the session ended is dropped.
      if (!isSignedIn(state$.value.auth)) return EMPTY
      return state$.pipe(
        // After each change, whether it succeeded or failed, the profile is read again.
        filter(({ defaults, profile }) => defaults.pending[0]?.id === id && profile.status !== 'pending'),
        take(1),
        switchMap((state) => {
          const profile = selectProfile(state)
          const { defaultSignature = null } = profile?.metadata ?? {}
          const standard = valueOf(state.defaults.load)
          const changed = changedDefaults(defaultSignature, standard, wanted)
          if (!profile || changed === undefined) throw new Failed({ kind: 'entryGone' })
          const save = (defaults: ChosenDefaults | null) => {
            const metadata = { ...profile.metadata, defaultSignature: defaults }
            const base = { values: {}, metadata: profile.metadata }
            return api
              .saveVariables({ values: {}, resetFields: [], metadata, base })
              .pipe(map(() => defaults))
          }
          return save(changed).pipe(
            catchError((error: unknown) => {
              const failure = toFailure(error)
              // Only a choice for a sender is completed. A completed change to the organisation's default would make
              // that default the user's own.
              const complete = wanted.use === 'sender' ? withMaster(changed, standard) : null
              if (failure.kind !== 'http' || failure.status !== 400 || !complete) throw error
              return save(complete)
            }),
            concatMap((saved) =>
              wanted.use === 'master'
                ? api.saveDefaultSignature(wanted.combinedIds).pipe(map(() => saved))
                : of(saved),
            ),
          )
        }),
        settle(
          (changed) => Defaults.changed({ id, defaults: changed }),
          ({ failure }) => Defaults.changeFailed({ id, failure }),
        ),
        whileSignedIn(event$),
      )
    }),
  )
