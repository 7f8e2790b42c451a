import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './Icon.tsx'
import * as css from './playground.module.css'

/** Widths in CSS pixels; Outlook on the web opens a pane at 320 and a person may drag it wider. */
const WIDTH = { least: 300, first: 340, most: 640 }
/** How far an arrow key moves the edge, in CSS pixels. */
const STEP = 20

/** The add-in's frame beside the message, with the edge that makes it wider. */
export function TaskPane(props: {
  address: string
  name?: string | undefined
  /** Another value loads the pane anew. */
  loading: number
  onReload: () => void
  onFrame: (frame: HTMLIFrameElement | null) => void
}) {
  const { address, name, loading, onReload, onFrame } = props
  const { t } = useTranslation()
  const [width, setWidth] = useState(WIDTH.first)
  const resize = (wanted: number) => setWidth(Math.round(Math.min(WIDTH.most, Math.max(WIDTH.least, wanted))))

  const drag = (event: PointerEvent<HTMLElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(window.innerWidth - event.clientX)
  }
  const move = (event: KeyboardEvent) => {
    const wanted = {
      ArrowLeft: width + STEP,
      ArrowRight: width - STEP,
      Home: WIDTH.least,
      End: WIDTH.most,
    }[event.key]
    if (wanted === undefined) return
    event.preventDefault()
    resize(wanted)
  }

  return (
    <aside className={css.side} aria-label={t('pane.label')}>
      <div
        role="separator"
        tabIndex={0}
        className={css.edge}
        aria-label={t('pane.resize')}
        aria-orientation="vertical"
        aria-valuemin={WIDTH.least}
        aria-valuenow={width}
        aria-valuemax={WIDTH.most}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={move}
      />
      <div id="pane" tabIndex={-1} className={css.pane} style={{ width }}>
        <header className={css.paneHead}>
          <span className={css.mark} aria-hidden="true" />
          <h2>Signet</h2>
          <button type="button" className={css.quiet} aria-label={t('bar.reloadPane')} onClick={onReload}>
            <Icon name="reload" />
          </button>
        </header>
        <iframe
          key={loading}
          ref={onFrame}
          className={css.paneFrame}
          title="Signet"
          name={name}
          src={address}
        />
      </div>
    </aside>
  )
}

/** The theme that a page shows: as the system does, unless the person chose. */
export function showTheme(page: Document | null, theme: 'system' | 'light' | 'dark'): void {
  if (!page) return
  if (theme === 'system') delete page.documentElement.dataset['theme']
  else page.documentElement.dataset['theme'] = theme
}
