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
import { Mailbox } from '../../streams/message/mailbox/events.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import type { AppEvent } from '../../streams/pane/events.ts'
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
 * Reads the name of the signature that the reply version belongs to, if the service did not send the name. If the
 * reading fails, that signature stays without a name.
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

/** How long after their last change the recipients count as final. */
export const RECIPIENTS_PAUSE_MS = 800

/**
 * Makes an effect that asks for the insertion of the signature that is due in the open message as soon as that signature
 * is known, and again when a changed sender or recipient makes another signature due. It does nothing if the user made a
 * choice for this message.
 *
 * @param loaded events with data of the service or the settings
 */
export const pushingAfter =
  (...loaded: readonly Readonly<{ type: AppEvent['type'] }>[]): MessageEffect =>
  (event$, state$, { time }) => {
    const changed$ = event$.pipe(ofType(Mailbox.recipientsChanged))
    const known$ = event$.pipe(
      ofType(
        Mailbox.messageRead,
        Mailbox.senderChanged,
        Defaults.restored,
        Insertion.succeeded,
        Insertion.failed,
        Insertion.superseded,
        ...loaded,
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
      // The message's first signature does not wait until the recipients are final.
      filter(({ isChanging, asks }) => asks && (!isChanging || state$.value.insertion.inMessage === null)),
      map(() => defaultDueIn(state$.value)),
      filter((due) => due !== null),
      map(Insertion.defaultDue),
    )
  }

/** Pushes the default in the pane; launch events have `pushDefault` of `effects/launch/launch.ts`. */
export const pushDefault: MessageEffect = pushingAfter(
  Defaults.loaded,
  Defaults.changed,
  Defaults.replyNamed,
  Defaults.replyNameFailed,
  Profile.loaded,
  Profile.loadFailed,
  SendersRead.loaded,
  Signatures.pageLoaded,
  Signatures.refreshed,
  Settings.loaded,
  Settings.loadFailed,
  Settings.updated,
)

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
 * Changes a default or the choice for a sender in the user's metadata; a default for new messages is then also set at
 * the service (specification, section 4). Changes are made one after the other, because each change builds on the data
 * that the service has after the previous one. If a service refuses choices for senders without a default, the current
 * default is sent with them.
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
        // Waits until the profile has been read again. The profile is read after each change, even after a failed one.
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
              // Only a choice for a sender may be completed with the current default. If a change back to the
              // organisation's default were completed, that default would become the user's own choice.
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
