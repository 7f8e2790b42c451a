import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  exhaustMap,
  filter,
  first,
  forkJoin,
  from,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type Observable,
  of,
  startWith,
  switchMap,
  take,
  takeUntil,
} from 'rxjs'
import type { VerifiedSession } from '../../streams/message/auth/events.ts'
import type { AppEvent } from '../../streams/pane/events.ts'
import { App } from '../../streams/message/lifecycle.ts'
import type { LaunchAppState } from '../../streams/launch/state.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import type { Effect } from '../../streams/kernel/effect.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { Failed, toFailure } from '../../streams/kernel/failure.ts'
import { emitAfter, debounceBy, growingIntervals, now, timeLimit } from '../../streams/kernel/time.ts'
import { Launch, type LaunchEnd, type LaunchId, type MissingContent } from '../../streams/launch/events.ts'
import { LAUNCH_FACTS_KEY, parseLaunchFacts } from '../../streams/launch/facts.ts'
import type { CachedDefault } from '../../streams/launch/cachedDefault.ts'
import {
  GUARD_RECORD_KEY,
  LAUNCH_RECORD_KEY,
  type LaunchNotice,
  type LaunchRecord,
  type LaunchRuntime,
  parseLaunchRecord,
  toGuardRecord,
} from '../../streams/launch/record.ts'
import { activeGuardIn, missingContentIn } from '../../streams/launch/guard.ts'
import {
  isMessageDataRead,
  LAUNCH_LIMIT_MS,
  mayRefreshDefault,
  launchNoticeFor,
  launchOutcomeOf,
  SEND_LIMIT_MS,
} from '../../streams/launch/rules.ts'
import { Mailbox, type Message } from '../../streams/message/mailbox/events.ts'
import { isReplyOrForward, knownRecipients, knownSender } from '../../streams/message/mailbox/rules.ts'
import type { UserProfile } from '../../streams/wire/user.ts'
import type { CachedSignature } from '../../streams/wire/signatures.ts'
import { DAY_MS as SENDERS_DAY_MS } from '../../streams/message/senders/reading.ts'
import { idsOfDefaults, areAudiencesKnown } from '../../streams/message/senders/rules.ts'
import { noSenders, type Senders } from '../../streams/message/senders/senders.ts'
import { bestEffort } from '../message/attempts.ts'
import { createDefaultPush, RECIPIENTS_PAUSE_MS } from '../message/defaults.ts'
import { REPAIR_DELAY_MS } from '../message/insertion.ts'
import { type CachedDefaultStorage, readCachedDefault, writeCachedDefault } from '../message/cachedDefault.ts'
import { INSERTED_SIGNATURE_KEY, readMailboxAddress } from '../message/mailbox.ts'
import { readSenders } from '../message/readSenders.ts'
import { signInWith } from '../message/signIn.ts'
import type { Api, Identity, MessageHost, Ports } from '../ports.ts'

/** The usual time that the calls of a repair take. */
const CALL_MS = 5_000

/** The parts of the profile that launch events use. */
type LaunchUser = Pick<UserProfile, 'delegations'> &
  Readonly<{ chosen: Readonly<{ reply: string | null; bySender?: Senders['bySender'] | null }> | null }>
/** A default. `user` is the user's profile if it was needed to find the reply version's signature; null otherwise. */
type Named = Readonly<{ signature: CachedSignature; user: LaunchUser | null }>

/** The ports for launch events. */
export type LaunchPorts = Readonly<{
  host: MessageHost
  identity: Pick<Identity, 'accessToken' | 'method' | 'account'>
  api: Pick<Api, 'verify' | 'signature' | 'signatures' | 'delegatedSignatures'> &
    Readonly<{ user: () => Observable<LaunchUser> }>
  storage: CachedDefaultStorage
  runtime: LaunchRuntime
  /** The text of a notice and its button, in the mail client's language. */
  launchText: (notice: LaunchNotice) => Readonly<{ text: string; button: string }>
  /**
   * Completes the event in Outlook; nothing runs for the event afterwards. `missing` lists what the user is asked
   * about.
   */
  complete: (id: LaunchId, missing: readonly MissingContent[]) => void
}> &
  Pick<Ports, 'sanitizer' | 'runtimeId' | 'time' | 'log'>

/** An effect of the launch runtime. */
export type LaunchEffect = Effect<AppEvent, LaunchAppState, LaunchPorts>

/** How often to look for the open item: the interval in milliseconds and the number of attempts. */
const LOOK_FOR_ITEM_MS = 150
const ITEM_LOOKS = 14
/** The time limit for getting an access token. */
const TOKEN_LIMIT_MS = 4_000

/**
 * Reads whether automatic insertion is off, because the user switched it off or signed out. Waits while recipients
 * change, because an insertion may follow this read.
 */
export const loadLaunchFacts: LaunchEffect = (event$, state$, { host, time }) =>
  event$.pipe(
    ofType(Launch.raised),
    filter(() => state$.value.launch.raised.length === 1),
    exhaustMap(({ data: { kind } }) =>
      kind === 'recipientsChanged'
        ? event$.pipe(ofType(Launch.raised), startWith(null), debounceBy(RECIPIENTS_PAUSE_MS, time))
        : of(null),
    ),
    map(() => {
      const { off, isSignedOut } = parseLaunchFacts(host.roaming[LAUNCH_FACTS_KEY])
      return Launch.factsRead({ off: off || isSignedOut })
    }),
  )

/** Inserts the default as in the pane. Only `refreshDefault` asks the service. */
export const pushDefault: LaunchEffect = createDefaultPush(Launch.factsRead, Launch.refreshed)

/**
 * Follows only the launch event's own item. Outlook may report the item late, so the effect looks several times.
 * Without an item, nothing is inserted.
 */
export const followItem: LaunchEffect = (event$, _state$, { host, time }) => {
  const read$ = growingIntervals(LOOK_FOR_ITEM_MS, 0, time).pipe(
    take(ITEM_LOOKS),
    concatMap(() => host.item$.pipe(take(1))),
  )
  return event$.pipe(
    ofType(App.started),
    switchMap(() => read$.pipe(first((item) => item !== null, null))),
    switchMap((own) =>
      own === null ? of(null) : host.item$.pipe(map((item) => (item?.key === own.key ? item : null))),
    ),
    map((item) => Mailbox.itemChanged({ item })),
  )
}

/** Restores this mailbox's cached default. */
export const restoreCachedDefault: LaunchEffect = (event$, _state$, ports) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() => readCachedDefault(ports)),
    concatMap((kept) =>
      kept
        ? of(
            Defaults.restored({ signature: kept.signature, senders: kept.senders }),
            Launch.keptRead({ at: kept.at }),
          )
        : of(Launch.keptRead({ at: null })),
    ),
  )

/** Rereads the changed parts of a message. */
export const readChangedParts: LaunchEffect = (event$, state$, { host }) => {
  const changed$ = event$.pipe(ofType(Launch.raised))
  /** Waits until the whole message has been read, then reads a part of it. */
  const inMessage = (read: (itemKey: string) => Observable<AppEvent>) =>
    state$.pipe(
      filter(({ mailbox }) => mailbox.item === null || mailbox.message !== null),
      take(1),
      switchMap(({ mailbox: { item } }) => (item ? read(item.key) : EMPTY)),
    )
  return merge(
    changed$.pipe(
      // An unknown item will be read later, together with the new sender.
      filter(({ data: { kind } }) => kind === 'fromChanged' && state$.value.mailbox.item !== undefined),
      switchMap(() =>
        inMessage((itemKey) =>
          host
            .from(itemKey)
            .pipe(
              map((sender) =>
                Mailbox.senderChanged({ itemKey, from: knownSender(sender, state$.value.mailbox.message) }),
              ),
            ),
        ),
      ),
    ),
    changed$.pipe(
      filter(({ data: { kind } }) => kind === 'recipientsChanged'),
      switchMap(() =>
        inMessage((itemKey) =>
          host.recipients(itemKey).pipe(
            map((recipients) =>
              Mailbox.recipientsChanged({
                itemKey,
                ...knownRecipients(recipients, state$.value.mailbox.message),
              }),
            ),
          ),
        ),
      ),
    ),
  )
}

/**
 * Whether the default can be inserted before the senders are known: only in a new message without recipients, from the
 * user's own address. For other messages, another signature may be due.
 */
const isForDefault = (message: Message | null, email: string): boolean =>
  message !== null &&
  !isReplyOrForward(message.composeType) &&
  (message.from === null || message.from.address.toLowerCase() === email) &&
  message.to.length + message.cc.length === 0

/**
 * Refreshes the default when `mayRefreshDefault` allows it: signs in silently once and loads the default. At most daily, also
 * loads the signatures that may replace the default. A failure keeps the known data.
 */
export const refreshDefault: LaunchEffect = (event$, state$, ports) => {
  const { host, identity, api, time, log } = ports
  const limited: LaunchPorts['identity'] = {
    ...identity,
    accessToken: (options) =>
      identity
        .accessToken(options)
        .pipe(
          timeLimit(
            TOKEN_LIMIT_MS,
            time,
            () => new Failed({ kind: 'hostSilent', call: 'auth.getAccessToken' }),
          ),
        ),
  }
  const signedIn = (email: string): Observable<VerifiedSession> =>
    signInWith(limited, { allowConsentPrompt: false, silent: true, loginHint: email }, (accessToken) =>
      api.verify({ accessToken, email }),
    )
  /**
   * Returns the data about senders. Reloads it if it is a day old or belongs to another default. If reloading fails,
   * returns the known data, so the default can still be inserted.
   */
  const sendersFor = ({ signature, user }: Named): Observable<Senders> => {
    const { known } = state$.value.senders
    const at = now(time)
    const defaults = idsOfDefaults(signature)
    if (known && at - known.at < SENDERS_DAY_MS && areAudiencesKnown(known, defaults)) return of(known)
    return (user ? of(user) : api.user()).pipe(
      switchMap(({ delegations, chosen }) => {
        const bySender = chosen?.bySender ?? {}
        return readSenders(api, { delegations, defaults, bySender, at })
      }),
      catchError((error: unknown) => {
        log.warn('senders_not_read', { kind: toFailure(error).kind })
        return of(known ?? noSenders)
      }),
    )
  }
  /**
   * Adds the name of the signature behind the default's reply version. If the service did not send it, finds it through
   * the user's profile.
   */
  const named = (signature: CachedSignature): Observable<Named> => {
    const { reply } = signature
    if (!reply || reply.of) return of({ signature, user: null })
    return api.user().pipe(
      switchMap((user) => {
        const combinedIds = user.chosen?.reply
        return (
          combinedIds && combinedIds !== signature.combinedIds
            ? api.signature({ combinedIds })
            : of(signature)
        ).pipe(
          map(({ name, combinedIds }): Named => ({
            signature: { ...signature, reply: { ...reply, of: { name, combinedIds } } },
            user,
          })),
        )
      }),
      catchError(() => of({ signature, user: null })),
    )
  }
  /** Caches the default: at once if no other signature can be due, and again when the senders are known. */
  const keep = (email: string, signature: CachedSignature): Observable<AppEvent> => {
    const { senders, mailbox } = state$.value
    const early: CachedDefault = { email, at: now(time), signature, senders: senders.known ?? noSenders }
    return concat(
      isForDefault(mailbox.message, email) ? of(Launch.refreshed({ kept: early })) : EMPTY,
      named(signature).pipe(
        switchMap((known) =>
          sendersFor(known).pipe(
            map((read): CachedDefault => ({ ...early, signature: known.signature, senders: read })),
          ),
        ),
        switchMap((kept) =>
          concat(of(Launch.refreshed({ kept })), writeCachedDefault(kept, ports), of(Launch.stored())),
        ),
      ),
    )
  }
  const load$: Observable<AppEvent> = readMailboxAddress({ host }, null).pipe(
    switchMap((email) => {
      if (email === null) throw new Failed({ kind: 'auth', code: 'email_missing' })
      return signedIn(email).pipe(
        switchMap(({ session, signature: brought }) =>
          concat(
            of(Launch.signedIn({ session })),
            defer(() => (brought ? of(brought) : api.signature({}))).pipe(
              switchMap((signature) => keep(email, signature)),
            ),
          ),
        ),
      )
    }),
  )
  return event$.pipe(
    filter(() => mayRefreshDefault(state$.value)),
    exhaustMap(() =>
      concat(
        of(Launch.refreshBegan()),
        load$.pipe(catchError((error: unknown) => of(Launch.refreshFailed({ failure: toFailure(error) })))),
      ),
    ),
  )
}

/** Reports that an event's time is over. */
export const limitLaunchTime: LaunchEffect = (event$, _state$, { time }) =>
  event$.pipe(
    ofType(Launch.raised),
    mergeMap(({ data: { id, kind } }) =>
      emitAfter(kind === 'send' ? SEND_LIMIT_MS : LAUNCH_LIMIT_MS, time).pipe(
        map(() => Launch.timeUp({ id })),
      ),
    ),
  )

/**
 * Checks once what is missing in a message that is being sent. The item records that the user is asked, so that Signet
 * asks only once. If recording or checking fails, Signet does not ask.
 */
export const checkBeforeSending: LaunchEffect = (event$, state$, { host }) =>
  event$.pipe(
    map(() => state$.value),
    filter(
      (state) => isMessageDataRead(state) && activeGuardIn(state) !== null && state.launch.missing === null,
    ),
    exhaustMap((state) => {
      const { item, message } = state.mailbox
      const type = message?.bodyType
      if (!item || !type) return of([])
      return forkJoin({ body: host.body(item.key, type), session: host.allSessionData(item.key) }).pipe(
        switchMap(({ body, session }): Observable<readonly MissingContent[]> => {
          if (body === null || session === null || session[GUARD_RECORD_KEY] !== undefined) return of([])
          const missing = missingContentIn(state, { body, type })
          return missing.length === 0
            ? of(missing)
            : host
                .setSessionData(
                  item.key,
                  GUARD_RECORD_KEY,
                  toGuardRecord(missing, session[INSERTED_SIGNATURE_KEY]),
                )
                .pipe(map(() => missing))
        }),
        catchError(() => of([])),
      )
    }),
    map((missing) => Launch.looked({ missing })),
  )

/** Whether the message can still be repaired after the mail client failed (`effects/message/insertion.ts`). */
const isRepaired = (outcome: LaunchEnd, { insertion }: LaunchAppState): boolean => {
  const attempt = insertion.latest?.attempt
  return (
    outcome === 'failed' &&
    attempt?.status === 'fail' &&
    (attempt.failure.kind === 'host' || attempt.failure.kind === 'hostSilent')
  )
}

/**
 * Completes each event once its outcome is known. Shows a notice if the user can help, records the outcome in the item,
 * then completes the event in Outlook.
 */
export const completeLaunchEvents: LaunchEffect = (event$, state$, ports) => {
  const { host, time, runtime, launchText } = ports
  const completing = new Set<LaunchId>()

  /** Writes the event's record into the item, and shows or removes the notice. */
  const leave = (id: LaunchId, outcome: LaunchEnd, state: LaunchAppState): Observable<never> => {
    const { mailbox, launch } = state
    const raised = launch.raised.find((each) => each.id === id)
    const itemKey = mailbox.item?.key
    if (itemKey === undefined || !raised || outcome === 'superseded' || outcome === 'itemGone') return EMPTY
    if (outcome === 'asked' || raised.kind === 'send') return EMPTY
    return host.sessionData(itemKey, LAUNCH_RECORD_KEY).pipe(
      switchMap((json) => {
        const told = parseLaunchRecord(json)?.told ?? []
        const notice = launchNoticeFor(state, outcome)
        const isNew = notice !== null && !told.includes(notice.kind)
        const isGone = outcome === 'inserted' && told.length > 0
        const record: LaunchRecord = {
          outcome,
          at: now(time),
          ms: now(time) - raised.at,
          runtime,
          age:
            launch.refresh.status === 'success' || launch.cachedAt === null
              ? null
              : raised.at - launch.cachedAt,
          told: isGone ? [] : isNew ? [...told, notice.kind] : told,
        }
        return forkJoin([
          host
            .setSessionData(itemKey, LAUNCH_RECORD_KEY, JSON.stringify(record))
            .pipe(catchError(() => of(null))),
          isNew ? host.showLaunchNotice(itemKey, launchText(notice)) : of(null),
          isGone ? host.dismissLaunchNotice(itemKey) : of(null),
        ])
      }),
      (work$) => bestEffort(work$, 'launch_not_recorded', ports),
    )
  }

  const end = (id: LaunchId): Observable<AppEvent> => {
    const outcome = launchOutcomeOf(state$.value, id) ?? 'failed'
    return concat(
      leave(id, outcome, state$.value),
      defer(() => {
        ports.complete(id, outcome === 'asked' ? (state$.value.launch.missing ?? []) : [])
        return of(Launch.completed({ id, outcome }))
      }),
    )
  }

  return event$.pipe(
    mergeMap(() => {
      const state = state$.value
      return from(state.launch.raised.map(({ id }) => id)).pipe(
        filter((id) => !completing.has(id)),
        mergeMap((id) => {
          const outcome = launchOutcomeOf(state, id)
          if (outcome === null) return EMPTY
          completing.add(id)
          const { awaitedUntil } = state.insertion
          const repairAt = isRepaired(outcome, state) ? now(time) + REPAIR_DELAY_MS : awaitedUntil
          const repaired$ = repairAt
            ? emitAfter(Math.max(0, repairAt - now(time)) + CALL_MS, time).pipe(
                ignoreElements(),
                takeUntil(event$.pipe(ofType(Launch.timeUp))),
              )
            : EMPTY
          return concat(
            repaired$,
            defer(() => end(id)),
          )
        }),
      )
    }),
  )
}
