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

/** Where the pane runs: the mail client around it, and who it says the person is. */
export type Hosted = Readonly<{ host: MailHost; identity: Identity }>

/** A host that may be there. `resolve` gives null when it is not. */
export type HostProvider = Readonly<{ name: string; resolve(): Observable<Hosted | null> }>

/** How long a provider may take to tell whether its host is there, in milliseconds. */
export const RESOLVE_LIMIT_MS = 10_000

/**
 * The first host that resolves, the providers being tried one after the other in their order (specification, section
 * 1). One that fails, or takes longer than `limitMs` milliseconds, is logged and passed over. When none resolves, an
 * `Error` with the message `no host resolved`.
 */
export function chooseHost(
  providers: readonly HostProvider[],
  options: Readonly<{ time: Time; log: Log; limitMs?: number }>,
): Observable<Hosted> {
  const { time, log, limitMs = RESOLVE_LIMIT_MS } = options
  const attempts = providers.map((provider) =>
    defer(() => provider.resolve()).pipe(
      take(1),
      timeLimit(limitMs, time, () => new Failed({ kind: 'timeout' })),
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
    filter((hosted): hosted is Hosted => hosted !== null),
    take(1),
    throwIfEmpty(() => new Error('no host resolved')),
  )
}
