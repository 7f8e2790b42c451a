import { useObservable, useSubscription } from 'observable-hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { asyncScheduler, map, startWith, Subject, switchMap } from 'rxjs'
import { useMailbox } from './mailClient/mailboxContext.ts'
import { IconButton } from './design/IconButton.tsx'
import * as css from './playground.module.css'
import { useControls } from './scenario/controlsContext.ts'
import { type TriedPaneWindow, type TryName, performTry, TRY_NAMES } from './scenario/tries.ts'

const DISMISSED_KEY = 'signet-playground-tries-dismissed'

/**
 * Suggestions to try out, until the user dismisses them in this browser. A click performs a suggestion, and the page
 * explains the result. `pane` is null if the page cannot access the pane; this hides the suggestions that need the
 * pane's list.
 */
export function Tries({ pane }: { pane: (() => TriedPaneWindow | null) | null }) {
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(DISMISSED_KEY) !== null)
  if (isDismissed) return null
  return (
    <Chips
      pane={pane}
      onDismiss={() => {
        localStorage.setItem(DISMISSED_KEY, 'yes')
        setDismissed(true)
      }}
    />
  )
}

type Said = Readonly<{ tried: TryName; outcome: 'waiting' | 'done' | 'nothing' }>

function Chips({ pane, onDismiss }: { pane: (() => TriedPaneWindow | null) | null; onDismiss: () => void }) {
  const { t } = useTranslation()
  const mailbox = useMailbox()
  const { showPane } = useControls()
  const [tried$] = useState(() => new Subject<TryName>())
  const [said, setSaid] = useState<Said | null>(null)
  const said$ = useObservable(() =>
    tried$.pipe(
      switchMap((tried) =>
        performTry(tried, {
          mailbox,
          showPane,
          pane: pane ?? (() => null),
          time: { scheduler: asyncScheduler },
        }).pipe(
          map((isDone): Said => ({ tried, outcome: isDone ? 'done' : 'nothing' })),
          startWith<Said>({ tried, outcome: 'waiting' }),
        ),
      ),
    ),
  )
  useSubscription(said$, setSaid)
  const shown = pane ? TRY_NAMES : (['answer', 'outside'] as const)
  return (
    <section className={css.tries} aria-label={t('tries.label')}>
      <span className={css.triesTitle}>{t('tries.label')}</span>
      <span className={css.triesChips}>
        {shown.map((each) => (
          <button key={each} type="button" className={css.try} onClick={() => tried$.next(each)}>
            {t(`tries.${each}`)}
          </button>
        ))}
      </span>
      <p role="status" className={css.triesSaid}>
        {said === null
          ? t('tries.hint')
          : said.outcome === 'waiting'
            ? t('tries.waiting')
            : t(`tries.${said.tried}${said.outcome === 'done' ? 'Done' : 'Nothing'}`)}
      </p>
      <IconButton icon="dismiss" label={t('tries.dismiss')} title={t('tries.dismiss')} onClick={onDismiss} />
    </section>
  )
}
