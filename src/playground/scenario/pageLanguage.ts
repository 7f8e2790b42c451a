import { distinctUntilChanged, EMPTY, filter, map, merge, type Observable, switchMap } from 'rxjs'
import { type Language, toLanguage } from '../../../streams/wire/languages.ts'
import type { MailboxState } from '../mailbox/model.ts'
import type { PaneSession } from '../timeline/session.ts'

/** The mail client's display language for its user. */
export const displayLanguageOf = ({ accounts, person }: MailboxState): Language =>
  toLanguage(accounts.find(({ address }) => address === person)?.displayLanguage ?? '')

/** The mail client's language or the pane's, whichever changed last. */
export const pageLanguage = (
  state$: Observable<MailboxState>,
  session$: Observable<PaneSession | null>,
): Observable<Language> =>
  merge(
    state$.pipe(
      map((state) => [state.person, displayLanguageOf(state)] as const),
      distinctUntilChanged((one, other) => one.join() === other.join()),
      map(([, language]) => language),
    ),
    session$.pipe(
      switchMap((session) => session?.language$ ?? EMPTY),
      filter((language) => language !== null),
    ),
  ).pipe(distinctUntilChanged())
