import { distinctUntilChanged, EMPTY, filter, map, merge, type Observable, switchMap } from 'rxjs'
import { type Language, toLanguage } from '../../../streams/wire/languages.ts'
import type { MailboxState } from '../mailbox/model.ts'
import type { PaneSession } from '../timeline/session.ts'

/** The language in which the mail client shows itself to its user. */
export const displayLanguageOf = ({ accounts, person }: MailboxState): Language =>
  toLanguage(accounts.find(({ address }) => address === person)?.displayLanguage ?? '')

/** The language of the mail client or of the pane's texts, depending on which changed last. */
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
