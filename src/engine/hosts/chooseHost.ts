import {
  type Observable,
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  filter,
  of,
  take,
  tap,
  throwIfEmpty,
} from 'rxjs'
import type { Identity, Log, MailHost } from '../../../effects/ports.ts'
import { Failed, toFailure } from '../../../streams/kernel/failure.ts'
import { type Time, timeLimit } from '../../../streams/kernel/time.ts'

/** The mail client around the pane, and the user's identity in that mail client. */
export type HostWithIdentity = Readonly<{ host: MailHost; identity: Identity }>

/** Provides one kind of host. `resolve` returns null when this kind of host is absent. */
export type HostProvider = Readonly<{ name: string; resolve(): Observable<HostWithIdentity | null> }>

/** How long a provider may take to resolve. */
export const PROVIDER_LIMIT_MS = 10_000

/**
 * Finds the first host that resolves. The providers are tried one at a time (specification, section 1). A provider that
 * fails, or takes longer than `PROVIDER_LIMIT_MS`, is logged and skipped. When no host resolves, this fails with an
 * `Error` whose message is `no host resolved`.
 */
export function chooseHost(
  providers: readonly HostProvider[],
  options: Readonly<{ time: Time; log: Log }>,
): Observable<HostWithIdentity> {
  const { time, log } = options
  const attempts = providers.map((provider) =>
    defer(() => provider.resolve()).pipe(
      take(1),
      timeLimit(PROVIDER_LIMIT_MS, time, () => new Failed({ kind: 'timeout' })),
      defaultIfEmpty(null),
      tap((hosted) => {
        if (!hosted) log.warn('host_absent', { provider: provider.name })
      }),
      catchError((error: unknown) => {
        log.error('host_failed', { provider: provider.name, failure: toFailure(error).kind })
        return of(null)
      }),
    ),
  )
  return concat(...attempts).pipe(
    filter((hosted): hosted is HostWithIdentity => hosted !== null),
    take(1),
    throwIfEmpty(() => new Error('no host resolved')),
  )
}
