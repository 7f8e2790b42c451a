/// <reference types="office-js" />
import {
  catchError,
  defer,
  from,
  ignoreElements,
  map,
  type Observable,
  of,
  race,
  switchMap,
  throwError,
} from 'rxjs'
import type { LaunchPorts } from '../../effects/launch/launch.ts'
import type { Identity } from '../../effects/ports.ts'
import type { LaunchAppState } from '../../streams/launch/state.ts'
import { Failed, toFailure, waitOf } from '../../streams/kernel/failure.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { after, now, type Time } from '../../streams/kernel/time.ts'
import { Launch, type LaunchId, type LaunchKind } from '../../streams/launch/events.ts'
import type { LaunchRuntime } from '../../streams/launch/record.ts'
import { LAUNCH_LIMIT_MS, needsSignIn, SEND_LIMIT_MS } from '../../streams/launch/rules.ts'
import { toLanguage } from '../../streams/wire/languages.ts'
import { createHttp } from '../engine/adapters/http.ts'
import { createLog } from '../engine/adapters/log.ts'
import type { Config } from '../engine/config.ts'
import type { MailClient } from '../engine/hosts/mailClient.ts'
import { createMessageHost } from '../engine/hosts/mailHost.ts'
import { createOfficeClient, type OfficeLibrary } from '../engine/hosts/officeClient.ts'
import { createRuntimeId } from '../engine/runtimeId.ts'
import { createFallbackChain } from '../engine/signIn/fallbackChain.ts'
import { createSignatureApi } from '../engine/adapters/signatureApi.ts'
import { READ_USER_AT_LAUNCH } from '../../streams/wire/signatures.ts'
import { createLaunchStore, type LaunchStore } from './createLaunchStore.ts'
import { launchText } from './launchText.ts'
import type { Look } from './lookBeforeSending.ts'
import type { LaunchGlobal, OfficeEvent, PageParts, SendAnswer } from './launchGlobal.ts'
import {
  createOfficeStorage,
  createCachedDefaultStorage,
  type OfficeRuntimeLibrary,
} from './officeStorage.ts'
import { createLaunchSanitizer } from './sanitizer.ts'

/** How long an event waits for the script of the page. After that, it continues without the script. */
const PARTS_LIMIT_MS = 2_000
/** How long after `LAUNCH_LIMIT_MS` an event that the store has not completed is completed without the store. */
const WATCHDOG_MS = 12_000

type LaunchOptions = Readonly<{
  office: OfficeLibrary
  officeRuntime: OfficeRuntimeLibrary | null
  runtime: LaunchRuntime
  /** Null in the file that never asks: a message then leaves at once. */
  look: Look | null
  global: LaunchGlobal
  config: Pick<Config, 'apiUrl' | 'fallbackLocale' | 'stage' | 'version'>
  time: Time
}>

export type EventHandler = Readonly<{
  /** Handles one event of Outlook: it is completed exactly once, whatever happens. */
  handle: (kind: LaunchKind, event: OfficeEvent) => void
  /** The recorded events of the running store, or of the latest one. */
  log: () => readonly unknown[]
}>

/** The client, which asks Outlook's JavaScript runtime for the access token where that runtime can give one. */
const withRuntimeToken = (client: MailClient, runtime: OfficeRuntimeLibrary | null): MailClient => {
  const auth = runtime?.auth
  if (!auth) return client
  return {
    ...client,
    call: (name, args, done) => {
      if (name !== 'auth.getAccessToken') return client.call(name, args, done)
      auth.getAccessToken({ allowConsentPrompt: false, allowSignInPrompt: false }).then(
        (value) => done({ ok: true, value }),
        (error: unknown) => {
          const { code } = (error ?? {}) as Readonly<{ code?: unknown }>
          done({
            ok: false,
            error: { code: typeof code === 'number' ? code : 0, name: 'Error', message: '' },
          })
        },
      )
    },
  }
}

/** A store, and its open events. */
type Running = Readonly<{ store: LaunchStore; ids: Set<LaunchId> }>

/** Runs a store while launch events are open. The next event starts another store, which reads everything again. */
export function createEventHandler(
  options: LaunchOptions,
  createStore: typeof createLaunchStore = createLaunchStore,
): EventHandler {
  const { office, officeRuntime, runtime, look, global, config, time } = options
  const log = createLog(() => (config.stage.production ? 'error' : 'trace'))
  const open = new Map<LaunchId, (answer?: SendAnswer) => void>()
  const running = new Set<Running>()
  /** The store of all open events but those before a message leaves, which have stores of their own. */
  let inserting: Running | null = null
  let lastLog: readonly unknown[] = []
  let lastId = 0
  /**
   * After this failure, no sign-in is tried before `until` (milliseconds since the epoch). `until` is `Infinity` if
   * signing in needs the user; if the service is busy, the service sets the time.
   */
  let refusal: Readonly<{ failed: Failed; until: number }> | null = null
  /** Throws the error again. If a retry would fail too, stores the failure; later launch events make no requests. */
  const refused = (error: unknown): never => {
    const failure = toFailure(error)
    const wait = failure.kind !== 'http' && needsSignIn(failure) ? Infinity : waitOf(failure)
    if (wait) refusal = { failed: new Failed(failure), until: now(time) + wait }
    throw error
  }

  /** The parts that the page provides; null without a page, or when its script is late. */
  const parts$ = defer((): Observable<PageParts | null> => {
    if (runtime !== 'page' || global.parts) return of(global.parts)
    return race(
      new Promise<null>((resolve) => {
        global.onParts.push(() => {
          resolve(null)
        })
      }),
      after(PARTS_LIMIT_MS, time),
    ).pipe(map(() => global.parts))
  })
  const officeStorage = createOfficeStorage(officeRuntime?.storage, time, log)
  const storage$ = parts$.pipe(
    map((parts) => (parts ? createCachedDefaultStorage(parts.kept, time, log) : officeStorage)),
  )

  const identityOver = (mail: Identity): LaunchPorts['identity'] => {
    const chain = createFallbackChain(
      [
        {
          name: 'nested',
          isOffered: () => runtime === 'page',
          opensWindow: false,
          signIn: ({ loginHint }) =>
            parts$.pipe(
              switchMap((parts) => {
                if (!parts) throw new Failed({ kind: 'network' })
                return from(parts.accessToken(loginHint))
              }),
              map((token) => ({ token: createSecret(token), account: null })),
            ),
        },
        {
          name: 'mailClient',
          isOffered: () => true,
          opensWindow: false,
          signIn: (asked) =>
            mail.accessToken(asked).pipe(map((token) => ({ token, account: mail.account() }))),
        },
      ],
      log,
    )
    return {
      ...chain,
      accessToken: (asked) =>
        defer(() => {
          const known = refusal
          return known && now(time) < known.until
            ? throwError(() => known.failed)
            : chain
                .accessToken(asked)
                // After a refused account, the service's refusal counts, and the next event may try again.
                .pipe(
                  catchError((error: unknown) => {
                    if (asked.refused) throw error
                    return refused(error)
                  }),
                )
        }),
    }
  }

  const createPorts = (state: () => LaunchAppState): LaunchPorts => {
    const client = createOfficeClient(office, log)
    const hosted = createMessageHost(withRuntimeToken(client, officeRuntime), { name: 'outlook', time, log })
    const language = toLanguage(hosted.host.displayLanguage, config.fallbackLocale)
    const http = createHttp({
      baseUrl: config.apiUrl,
      version: config.version,
      token: () => of(state().launch.session?.token ?? null),
      renewToken: null,
      language: () => language,
      time,
      // Requests need not be shared, because no request is made twice at the same time.
      sharing: null,
    })
    return {
      host: hosted.host,
      identity: identityOver(hosted.identity),
      api: createSignatureApi(
        (request, read) => http(request, read).pipe(catchError(refused)),
        READ_USER_AT_LAUNCH,
      ),
      storage: {
        kept: {
          get: (key) => storage$.pipe(switchMap((kept) => kept.get(key))),
          set: (key, value) => storage$.pipe(switchMap((kept) => kept.set(key, value))),
          remove: (key) => storage$.pipe(switchMap((kept) => kept.remove(key))),
        },
      },
      sanitizer: () =>
        parts$.pipe(switchMap((parts) => createLaunchSanitizer(parts?.sanitizer ?? null, time)())),
      runtimeId: createRuntimeId(time),
      runtime,
      launchText: (notice) => launchText(notice, language, hosted.host.about.platform),
      complete: (id, missing) => {
        open.get(id)?.(look && missing.length > 0 ? look.question(missing, language) : undefined)
      },
      time,
      log,
    }
  }

  /** Completes the events of a store that has ended or could not start. */
  const giveUp = (one: Running) => {
    stop(one)
    for (const id of [...one.ids]) open.get(id)?.()
  }

  const stop = (one: Running) => {
    if (!running.delete(one)) return
    if (inserting === one) inserting = null
    lastLog = one.store.log
    one.store.stop()
  }

  const start = (effects?: Look['effects']): Running => {
    const one: Running = { store: createStore(createPorts, effects), ids: new Set() }
    running.add(one)
    one.store.state$.pipe(ignoreElements()).subscribe({ error: () => giveUp(one) })
    return one
  }

  return {
    handle: (kind, event) => {
      lastId += 1
      const id = lastId
      const isSend = kind === 'send'
      let one: Running | null = null
      const end = () => open.get(id)?.()
      const watchdog = after(isSend ? SEND_LIMIT_MS : LAUNCH_LIMIT_MS + WATCHDOG_MS, time).subscribe(end)
      open.set(id, (answer = { allowEvent: true }) => {
        if (!open.delete(id)) return
        watchdog.unsubscribe()
        one?.ids.delete(id)
        // Stops the store later, so that it can still record the end of the event.
        after(0, time).subscribe(() => one?.ids.size === 0 && stop(one))
        try {
          event.completed(answer)
        } catch {
          // Outlook has ended the event by itself.
          log.warn('event_not_completed', { kind })
        }
      })
      try {
        if (isSend && !look) return end()
        one = isSend ? start(look?.effects) : (inserting ??= start())
        one.ids.add(id)
        one.store.record(Launch.raised({ id, kind }), 'app')
      } catch (error) {
        log.error('launch_failed', { error: error instanceof Error ? error.message : 'unknown' })
        if (one) giveUp(one)
        else end()
      }
    },
    log: () => [...running].pop()?.store.log ?? lastLog,
  }
}
