import { catchError, concatMap, EMPTY, filter, map, merge, of, scan, switchMap, take } from 'rxjs'
import { Auth } from '../../streams/message/auth/events.ts'
import { isSignedIn } from '../../streams/message/auth/rules.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import {
  bringsDefault,
  changedDefaults,
  type RequestedDefault,
  choicesWithMaster,
} from '../../streams/message/defaults/rules.ts'
import { selectUnnamedReply } from '../../streams/message/defaults/selectors.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import { dueInsertionIn } from '../../streams/message/insertion/rules.ts'
import { type EventOf, ofType } from '../../streams/kernel/event.ts'
import { Failed, toFailure } from '../../streams/kernel/failure.ts'
import { loadedValue } from '../../streams/kernel/load.ts'
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
import { createLoadEffect } from './load.ts'

/** Loads the default signature with its images. */
export const loadDefault = createLoadEffect(
  ({ defaults }) => defaults.load,
  Defaults,
  ({ api }) => api.signature({}),
)

/**
 * Reads the name of the signature behind the reply version if the service did not send it. If reading fails, the
 * signature stays unnamed.
 */
export const nameReplyDefault: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Auth.verified, Defaults.loaded, Profile.loaded),
    filter(bringsDefault),
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

/** How long the recipients must stay unchanged to count as final. */
export const RECIPIENTS_PAUSE_MS = 800

/**
 * Creates an effect that requests the signature that is due in the open message. It requests again when a new sender or
 * recipient makes another signature due. It does nothing if the user made a choice for this message.
 *
 * @param loaded events with data from the service or the settings
 */
export const createDefaultPush =
  (...loaded: readonly Readonly<{ type: AppEvent['type'] }>[]): MessageEffect =>
  (event$, state$, { time }) => {
    const changed$ = event$.pipe(ofType(Mailbox.recipientsChanged))
    const known$ = event$.pipe(
      ofType(
        Mailbox.messageRead,
        Mailbox.senderChanged,
        Mailbox.threadRead,
        Mailbox.turnRead,
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
      // The first signature is inserted at once, even while the recipients are changing.
      filter(({ isChanging, asks }) => asks && (!isChanging || state$.value.insertion.inMessage === null)),
      map(() => dueInsertionIn(state$.value)),
      filter((due) => due !== null),
      map(Insertion.defaultDue),
    )
  }

/** Inserts the default in the pane. Launch events use `pushDefault` from `effects/launch/launch.ts`. */
export const pushDefault: MessageEffect = createDefaultPush(
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

const wantedBy = (event: Asked): RequestedDefault => {
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
 * Changes a default or a sender's choice in the user's metadata. Also sends a default for new messages to the service
 * (specification, section 4). Changes run one after the other, because each builds on the service's data from the
 * previous change. If a service rejects choices for senders without a default, sends the current default with them.
 */
export const changeDefault: AppEffect = (event$, state$, { api }) =>
  event$.pipe(
    ofType(Defaults.changeRequested, Defaults.senderChoiceRequested, Defaults.organisationRequested),
    concatMap((event) => {
      const { seq: id } = event.meta
      const wanted = wantedBy(event)
      // Drops a change that was still queued when the session ended.
      if (!isSignedIn(state$.value.auth)) return EMPTY
      return state$.pipe(
        // Waits until the profile has been reread, which follows every change, even a failed one.
        filter(({ defaults, profile }) => defaults.pending[0]?.id === id && profile.status !== 'pending'),
        take(1),
        switchMap((state) => {
          const profile = selectProfile(state)
          const { defaultSignature = null } = profile?.metadata ?? {}
          const standard = loadedValue(state.defaults.load)
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
              // Only a sender's choice may be sent together with the current default. With a return to the
              // organisation's default, this would keep the user's own choice as the default.
              const complete = wanted.use === 'sender' ? choicesWithMaster(changed, standard) : null
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
