import { concatMap, forkJoin, map, type Observable, of, switchMap } from 'rxjs'
import type { Session } from '../../streams/message/auth/events.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import type { UserSettings } from '../../streams/message/settings/settings.ts'
import {
  persistentChoicesOf,
  parseMailboxChoices,
  type PersistentChoices,
  withUserChoices,
} from '../../streams/pane/settings/persistent.ts'
import { readLaunchFacts } from './launchFacts.ts'
import { readMailboxAddress } from '../message/mailbox.ts'
import type { Ports, WriteOutcome } from '../ports.ts'

type User = Pick<Session, 'userId' | 'email'>

/** This user's persistent choices for this mailbox; all users' choices if nobody is signed in. Fails with `storage`. */
export const readPersistentChoices = (
  { storage, host }: Pick<Ports, 'storage' | 'host'>,
  user: User | null,
): Observable<PersistentChoices> =>
  readMailboxAddress({ host }, user).pipe(
    switchMap((mailbox) =>
      forkJoin([
        mailbox === null ? of(null) : storage.persistent.get(mailbox),
        readLaunchFacts(mailbox, { storage, host }),
      ]),
    ),
    map(([stored, facts]) => {
      if (stored === undefined) throw new Failed({ kind: 'storage', action: 'read' })
      const choices = persistentChoicesOf(parseMailboxChoices(stored), user?.userId ?? null)
      // The facts also include choices from another device.
      const isTheirs = user === null || facts.userId === user.userId
      return facts.off && isTheirs ? { ...choices, enableSignaturePush: false } : choices
    }),
  )

/** Stores the switched-off settings, then runs `next`. If storage refuses `next`, restores the earlier choices. */
export const storePersistentChoices = (
  { storage, host }: Pick<Ports, 'storage' | 'host'>,
  user: User,
  settings: UserSettings,
  next: () => Observable<WriteOutcome>,
): Observable<WriteOutcome> =>
  readMailboxAddress({ host }, user).pipe(
    concatMap((owner) => {
      const mailbox = owner ?? user.email.toLowerCase()
      return storage.persistent.get(mailbox).pipe(
        concatMap((stored) => {
          if (stored === undefined) return of('refused' as const)
          const before = parseMailboxChoices(stored)
          return storage.persistent
            .set(mailbox, withUserChoices(before, user.userId, settings))
            .pipe(
              concatMap((written) =>
                written === 'refused'
                  ? of(written)
                  : next().pipe(
                      concatMap((after) =>
                        after === 'refused'
                          ? storage.persistent.set(mailbox, before).pipe(map(() => after))
                          : of(after === 'kept' ? written : after),
                      ),
                    ),
              ),
            )
        }),
      )
    }),
  )
