import * as css from './Frames.module.css'

/** Shows a signature's document in a frame without permissions, which reacts to neither pointer nor keyboard. */
export function SealedFrame({
  srcdoc,
  title,
  width,
  height,
  scale = 1,
}: {
  srcdoc: string
  title: string
  /** The width of the frame before it is scaled, in CSS pixels. */
  width: number
  height: number
  scale?: number
}) {
  return (
    <iframe
      sandbox=""
      referrerPolicy="no-referrer"
      srcDoc={srcdoc}
      title={title}
      tabIndex={-1}
      className={css['sheet']}
      style={{ width, height, transform: scale === 1 ? undefined : `scale(${scale})` }}
    />
  )
}

/** Loads a signature's document in a hidden frame that runs no script. `onLoad` can then read the document. */
export function MeasuringFrame({
  srcdoc,
  width,
  onLoad,
}: {
  srcdoc: string
  width: number
  onLoad: (frame: HTMLIFrameElement) => void
}) {
  return (
    <iframe
      className={css['measure']}
      sandbox="allow-same-origin"
      referrerPolicy="no-referrer"
      srcDoc={srcdoc}
      aria-hidden
      inert
      tabIndex={-1}
      style={{ width, height: 1 }}
      onLoad={({ currentTarget }) => onLoad(currentTarget)}
    />
  )
}
