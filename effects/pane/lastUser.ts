import { forkJoin, map, type Observable, take } from 'rxjs'
import type { Session } from '../../streams/message/auth/events.ts'
import type { Ports, WriteOutcome } from '../ports.ts'

/** The local storage key of this browser's last user: `{ email, userId }`. */
const LAST_USER = 'lastPerson'

/** The id of this browser's last user; null unless the mailbox belongs to that user. */
export const readLastUser = ({ storage, host }: Pick<Ports, 'storage' | 'host'>): Observable<string | null> =>
  forkJoin({ last: storage.local.get(LAST_USER), user: host.user().pipe(take(1)) }).pipe(
    map(({ last, user }) => {
      const { email, userId } = (last ?? {}) as Record<string, unknown>
      const isTheirs = user !== null && email === user.email.toLowerCase()
      return isTheirs && typeof userId === 'string' && userId !== '' ? userId : null
    }),
  )

export const writeLastUser = (
  { storage }: Pick<Ports, 'storage'>,
  { email, userId }: Session,
): Observable<WriteOutcome> => storage.local.set(LAST_USER, { email: email.toLowerCase(), userId })

export const forgetLastUser = ({ storage }: Pick<Ports, 'storage'>): Observable<void> =>
  storage.local.remove(LAST_USER)
