import { useObservableEagerState } from 'observable-hooks'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { MailClient } from './mailClient/MailClient.tsx'
import { useMailbox, useMailboxState } from './mailClient/mailboxContext.ts'
import type { RuntimeHost } from './runtimeHost.ts'
import type { Mailbox } from './mailbox/mailbox.ts'
import { PlaygroundBar } from './PlaygroundBar.tsx'
import * as css from './playground.module.css'
import { useControls } from './scenario/controlsContext.ts'
import { TaskPane } from './TaskPane.tsx'
import { Tries } from './Tries.tsx'

export type PaneFrame = Readonly<{
  address: string
  /** Returns the name of the pane's frame for this display language. The name is set before the frame's address. */
  name?: (displayLanguage: string) => string
  /** Whether the pane sends its events to the page. */
  isWatched: boolean
  /** Serves the mailbox to the pane in this window. Returns a function that stops serving. */
  serve: (mailbox: Mailbox, pane: Window) => () => void
}>

const Timeline = lazy(() => import('./timeline/Timeline.tsx').then((chunk) => ({ default: chunk.Timeline })))

const Faults = lazy(() => import('./scenario/Faults.tsx').then((chunk) => ({ default: chunk.Faults })))

/** The whole page: the bar, a mail client with the pane beside it, and the faults and timeline panels. */
export function PlaygroundPage({
  paneFrame,
  runtimeHost,
}: {
  paneFrame: PaneFrame
  runtimeHost: RuntimeHost
}) {
  const mailbox = useMailbox()
  const { reloads$, session$, isPaneOpen$, showPane } = useControls()
  const { person, accounts } = useMailboxState()
  const displayLanguage = accounts.find(({ address }) => address === person)?.displayLanguage ?? 'en-US'
  const reloads = useObservableEagerState(reloads$)
  const session = useObservableEagerState(session$)
  const isPaneOpen = useObservableEagerState(isPaneOpen$)
  const [showsTimeline, setShowsTimeline] = useState(false)
  const [showsFaults, setShowsFaults] = useState(false)
  const [showsOptions, setShowsOptions] = useState(false)
  const frame = useRef<HTMLIFrameElement | null>(null)
  const paneWindow = useCallback(() => frame.current?.contentWindow ?? null, [])
  const serve = useCallback(
    (element: HTMLIFrameElement | null) => {
      frame.current = element
      const pane = element?.contentWindow
      return pane ? paneFrame.serve(mailbox, pane) : undefined
    },
    [mailbox, paneFrame],
  )

  return (
    <div
      className={[
        css.page,
        !showsOptions && css.folded,
        showsFaults && css.withFaults,
        showsTimeline && css.withTimeline,
      ]
        .filter(Boolean)
        .join(' ')}
    >
      <PlaygroundBar
        options={{ isOpen: showsOptions, onToggle: () => setShowsOptions(!showsOptions) }}
        faults={{ isOpen: showsFaults, onToggle: () => setShowsFaults(!showsFaults) }}
        timeline={
          paneFrame.isWatched
            ? { isOpen: showsTimeline, onToggle: () => setShowsTimeline(!showsTimeline) }
            : null
        }
      />
      <Tries pane={paneFrame.isWatched ? paneWindow : null} />
      {showsFaults && (
        <div className={css.faults}>
          <Suspense>
            <Faults isWatched={paneFrame.isWatched} onClose={() => setShowsFaults(false)} />
          </Suspense>
        </div>
      )}
      <MailClient />
      {showsTimeline && (
        <div className={css.dock}>
          <Suspense>
            <Timeline session={session} runtimeHost={runtimeHost} onClose={() => setShowsTimeline(false)} />
          </Suspense>
        </div>
      )}
      {isPaneOpen && (
        <TaskPane
          address={paneFrame.address}
          name={paneFrame.name?.(displayLanguage)}
          reloads={reloads}
          onReload={() => reloads$.next(reloads + 1)}
          onClose={() => showPane(false)}
          onFrame={serve}
        />
      )}
    </div>
  )
}
