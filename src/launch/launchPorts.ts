/// <reference types="office-js" />
import { catchError, defer, from, map, type Observable, of, race, switchMap, throwError } from 'rxjs'
import type { LaunchPorts } from '../../effects/launch/launch.ts'
import type { Identity, Log } from '../../effects/ports.ts'
import { Failed, toFailure, retryWaitOf } from '../../streams/kernel/failure.ts'
import { createSecret } from '../../streams/kernel/secret.ts'
import { emitAfter, now, type Time } from '../../streams/kernel/time.ts'
import type { LaunchId } from '../../streams/launch/events.ts'
import type { LaunchRuntime } from '../../streams/launch/record.ts'
import { needsSignIn } from '../../streams/launch/rules.ts'
import type { LaunchAppState } from '../../streams/launch/state.ts'
import { toLanguage } from '../../streams/wire/languages.ts'
import { READ_USER_AT_LAUNCH } from '../../streams/wire/signatures.ts'
import { createHttp } from '../engine/adapters/http.ts'
import { createSignatureApi } from '../engine/adapters/signatureApi.ts'
import type { Config } from '../engine/config.ts'
import type { MailClient } from '../engine/hosts/mailClient.ts'
import { createMessageHost } from '../engine/hosts/mailHost.ts'
import type { OfficeLibrary } from '../engine/hosts/officeCalls.ts'
import { createOfficeClient } from '../engine/hosts/officeClient.ts'
import { createRuntimeId } from '../engine/runtimeId.ts'
import { createFallbackChain } from '../engine/signIn/fallbackChain.ts'
import type { LaunchGlobal, PageParts, SendAnswer } from './launchGlobal.ts'
import { launchText } from './launchText.ts'
import type { SendCheck } from './lookBeforeSending.ts'
import {
  createCachedDefaultStorage,
  createOfficeStorage,
  type OfficeRuntimeLibrary,
} from './officeStorage.ts'
import { createLaunchSanitizer } from './sanitizer.ts'

/** How long an event waits for the page's script before it continues without the script. */
const PARTS_LIMIT_MS = 2_000

export type LaunchOptions = Readonly<{
  office: OfficeLibrary
  officeRuntime: OfficeRuntimeLibrary | null
  runtime: LaunchRuntime
  /** Null in launch.js, which never asks before a message is sent. */
  look: SendCheck | null
  global: LaunchGlobal
  config: Pick<Config, 'apiUrl' | 'fallbackLocale' | 'stage' | 'version'>
  time: Time
}>

/** Makes the client get access tokens from Outlook's JavaScript runtime, if that runtime provides tokens. */
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

/** The parts that the page provides; null without a page, or when its script is late. */
const partsOf = ({ runtime, global, time }: LaunchOptions): Observable<PageParts | null> =>
  defer(() => {
    if (runtime !== 'page' || global.parts) return of(global.parts)
    return race(
      new Promise<null>((resolve) => {
        global.onParts.push(() => {
          resolve(null)
        })
      }),
      emitAfter(PARTS_LIMIT_MS, time),
    ).pipe(map(() => global.parts))
  })

/**
 * Returns a function that creates the ports of each store of launch events. All stores share the parts of the page, the
 * storage, and the memory of a refused sign-in.
 * @param complete ends an event of Outlook; without an answer, a message may be sent
 */
export function createLaunchPorts(
  options: LaunchOptions,
  log: Log,
  complete: (id: LaunchId, answer?: SendAnswer) => void,
): (state: () => LaunchAppState) => LaunchPorts {
  const { office, officeRuntime, runtime, look, config, time } = options
  /**
   * After this failure, no sign-in is tried before `until` (milliseconds since the epoch). `until` is `Infinity` if
   * signing in needs the user; if the service is busy, the service sets the time.
   */
  let refusal: Readonly<{ failed: Failed; until: number }> | null = null
  /** Throws the error again. If a retry would fail too, stores the failure; later launch events make no requests. */
  const refused = (error: unknown): never => {
    const failure = toFailure(error)
    const wait = failure.kind !== 'http' && needsSignIn(failure) ? Infinity : retryWaitOf(failure)
    if (wait) refusal = { failed: new Failed(failure), until: now(time) + wait }
    throw error
  }

  const parts$ = partsOf(options)
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
                // After a refused account, the failure is not stored, so the next event may sign in again.
                .pipe(
                  catchError((error: unknown) => {
                    if (asked.refused) throw error
                    return refused(error)
                  }),
                )
        }),
    }
  }

  return (state) => {
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
      // Requests need not be shared, because no two equal requests run at the same time.
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
        complete(id, look && missing.length > 0 ? look.question(missing, language) : undefined)
      },
      time,
      log,
    }
  }
}
