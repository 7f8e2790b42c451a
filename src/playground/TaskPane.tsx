import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './design/IconButton.tsx'
import * as design from './design/design.module.css'
import * as css from './playground.module.css'

/** Widths of the pane in CSS pixels. Outlook on the web opens a pane at 320, and the user may drag it wider. */
const WIDTH_PX = { min: 300, initial: 340, max: 640 }
const KEY_STEP_PX = 20

/** The add-in's frame beside the message. The user can resize it at its edge. */
export function TaskPane(props: {
  address: string
  name?: string | undefined
  /** When this number changes, the pane is reloaded. */
  reloads: number
  onReload: () => void
  onClose: () => void
  onFrame: (frame: HTMLIFrameElement | null) => void
}) {
  const { address, name, reloads, onReload, onClose, onFrame } = props
  const { t } = useTranslation()
  const [width, setWidth] = useState(WIDTH_PX.initial)
  const resize = (target: number) =>
    setWidth(Math.round(Math.min(WIDTH_PX.max, Math.max(WIDTH_PX.min, target))))

  const resizeByPointer = (event: PointerEvent<HTMLElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) resize(window.innerWidth - event.clientX)
  }
  const resizeByKey = (event: KeyboardEvent) => {
    const target = {
      ArrowLeft: width + KEY_STEP_PX,
      ArrowRight: width - KEY_STEP_PX,
      Home: WIDTH_PX.min,
      End: WIDTH_PX.max,
    }[event.key]
    if (target === undefined) return
    event.preventDefault()
    resize(target)
  }

  return (
    <aside className={css.side} aria-label={t('pane.label')}>
      <div
        role="separator"
        tabIndex={0}
        className={css.edge}
        aria-label={t('pane.resize')}
        aria-orientation="vertical"
        aria-valuemin={WIDTH_PX.min}
        aria-valuenow={width}
        aria-valuemax={WIDTH_PX.max}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={resizeByPointer}
        onKeyDown={resizeByKey}
      />
      <div id="pane" tabIndex={-1} className={`${css.pane} ${design.card}`} style={{ width }}>
        <header className={css.paneHead}>
          <span className={design.mark} aria-hidden="true" />
          <h2>Signet</h2>
          <IconButton icon="reload" label={t('bar.reloadPane')} onClick={onReload} />
          <IconButton icon="dismiss" label={t('pane.close')} onClick={onClose} />
        </header>
        <iframe
          key={reloads}
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
