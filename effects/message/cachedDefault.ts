import {
  concatAll,
  defer,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  type Observable,
  of,
  switchMap,
} from 'rxjs'
import { App } from '../../streams/message/lifecycle.ts'
import { Auth } from '../../streams/message/auth/events.ts'
import { forgetsCachedDefaults } from '../../streams/message/auth/rules.ts'
import { Defaults } from '../../streams/message/defaults/events.ts'
import { bringsDefault } from '../../streams/message/defaults/rules.ts'
import { ofType } from '../../streams/kernel/event.ts'
import { loadedValue } from '../../streams/kernel/load.ts'
import { now } from '../../streams/kernel/time.ts'
import { LAUNCH_FACTS_KEY, parseLaunchFacts } from '../../streams/launch/facts.ts'
import {
  fitCopyToLimit,
  isCopyUsable,
  type CachedDefault,
  parseCachedDefault,
} from '../../streams/launch/cachedDefault.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import type { SignatureContent } from '../../streams/html/content.ts'
import { selectKnownSignatures } from '../../streams/message/senders/selectors.ts'
import type { SignatureInMessage } from '../../streams/message/signatures/signature.ts'
import { SendersRead } from '../../streams/message/senders/events.ts'
import { noSenders } from '../../streams/message/senders/senders.ts'
import { type AppEffect, whileSignedIn } from './app.ts'
import { readMailboxAddress } from './mailbox.ts'
import type { KeyValueStore, MessageHost, Ports } from '../ports.ts'

/** The version of the stored `CachedDefault`. Copies with another version are ignored. */
const VERSION = 1

/** The storage of cached default signatures. */
export type CachedDefaultStorage = Readonly<{ kept: Pick<KeyValueStore, 'get' | 'set' | 'remove'> }>

type CachedDefaultPorts = Readonly<{ storage: CachedDefaultStorage; host: MessageHost }> &
  Pick<Ports, 'time' | 'log'>

/** Reads the mailbox's cached default; null if there is no usable copy, or if the mailbox is unknown. */
export const readCachedDefault = ({
  storage,
  host,
  time,
}: CachedDefaultPorts): Observable<CachedDefault | null> =>
  readMailboxAddress({ host }, null).pipe(
    switchMap((mailbox) => {
      if (mailbox === null) return of(null)
      return storage.kept.get(mailbox).pipe(
        map((stored) => {
          const { version, value } = (stored ?? {}) as Partial<Record<'version' | 'value', unknown>>
          const kept = version === VERSION ? parseCachedDefault(value) : null
          const facts = parseLaunchFacts(host.roaming[LAUNCH_FACTS_KEY])
          return kept && isCopyUsable(kept, { mailbox, facts, now: now(time) }) ? kept : null
        }),
      )
    }),
  )

/** Replaces a mailbox's cached default. If the new copy is too large, only removes the old one. */
export const writeCachedDefault = (
  kept: CachedDefault,
  { storage, log }: CachedDefaultPorts,
): Observable<never> => {
  const value = fitCopyToLimit(kept)
  if (value === null) log.warn('kept_copy_too_large', {})
  const written$: Observable<unknown> =
    value === null
      ? storage.kept.remove(kept.email)
      : storage.kept.set(kept.email, { version: VERSION, value })
  return written$.pipe(ignoreElements())
}

/** At the start, restores this mailbox's cached default. It applies until the service responds. */
export const restoreDefault: AppEffect = (event$, _state$, ports) =>
  event$.pipe(
    ofType(App.started),
    switchMap(() =>
      readCachedDefault(ports).pipe(
        filter((kept) => kept !== null),
        map(({ signature, senders }) => Defaults.restored({ signature, senders })),
        whileSignedIn(event$),
      ),
    ),
  )

/**
 * Caches the default for the next pane and for launch events. If the user chose a signature with slots, caches that one
 * too, so that its blocks follow the recipients even when the pane is closed. Writes run one after the other.
 */
export const cacheDefault: AppEffect = (event$, state$, ports) => {
  const keep = (): Observable<never> => {
    const { auth, defaults, senders } = state$.value
    const signature = loadedValue(defaults.load)
    if (auth.status !== 'success' || !signature) return EMPTY
    return readMailboxAddress(ports, auth.session).pipe(
      filter((email) => email !== null),
      switchMap((email) =>
        writeCachedDefault(
          { email, at: now(ports.time), signature, senders: senders.known ?? noSenders },
          ports,
        ),
      ),
    )
  }
  const add = ({ combinedIds }: SignatureInMessage, { images }: SignatureContent): Observable<never> => {
    const chosen = selectKnownSignatures(state$.value).senders.others.findLast(
      (each) => each.combinedIds === combinedIds && (each.slots ?? each.replySlots),
    )
    if (!chosen) return EMPTY
    return readCachedDefault(ports).pipe(
      filter((kept) => kept !== null),
      switchMap(({ senders, ...kept }) => {
        const others = senders.others.filter((each) => each.combinedIds !== combinedIds)
        return writeCachedDefault(
          { ...kept, senders: { ...senders, others: [{ ...chosen, images }, ...others] } },
          ports,
        )
      }),
    )
  }
  return merge(
    event$.pipe(
      ofType(
        Auth.verified,
        Defaults.loaded,
        Defaults.replyNamed,
        Defaults.replyNameFailed,
        SendersRead.loaded,
      ),
      filter(bringsDefault),
      map(() => defer(keep)),
    ),
    event$.pipe(
      ofType(Insertion.succeeded),
      filter(({ data: { target } }) => target.kind === 'entry'),
      map(({ data: { inMessage, content } }) => defer(() => add(inMessage, content))),
    ),
  ).pipe(concatAll())
}

/** Deletes this browser's cached defaults when the user signs out or may no longer use Signet. */
export const forgetCachedDefaults: AppEffect = (event$, _state$, { storage }) =>
  event$.pipe(
    ofType(Auth.signedOut),
    filter(({ data: { reason } }) => forgetsCachedDefaults(reason)),
    switchMap(() => storage.kept.clear()),
    ignoreElements(),
  )
