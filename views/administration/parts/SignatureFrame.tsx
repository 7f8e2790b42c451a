import { type ReactNode, useMemo, useState } from 'react'
import type { MarkedDocument } from '../../../streams/administration/plan/wordPlaces.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import { useWidth } from '../../shared/element.ts'
import { useSanitizer } from '../../shared/sanitizer.ts'
import { useElementSeen } from '../../shared/seen.ts'
import { useTools } from '../../shared/tools.tsx'
import { MeasuringFrame, SealedFrame } from '../../shared/Frames.tsx'
import { DARK_MODE_CSS, darkenDocument, PAPER_COLOURS } from '../../shared/measuredDocument.ts'
import { frameDocument, previewDocument } from '../../shared/previewDocument.ts'
import { useValueTools } from './values.ts'
import { useTexts } from '../text/texts.ts'
import { type FrameContent, markedPieces, readFrame } from './frameContent.ts'
import * as css from './SignatureFrame.module.css'

/**
 * Matches the address of a QR code that this page draws. The service cannot draw a draft's codes, because it draws only
 * codes that it sealed.
 */
const OF_CODE = /\/qr\.[\w-]+\/qr\.png/
const NO_IMAGES: readonly SignatureImage[] = []
/** The height of the frame until the document is measured. */
const DEFAULT_HEIGHT_PX = 160
/** Roughly the width of a message on a desktop. */
const MAX_WIDTH_PX = 680
/** The layout width of a signature that is shown as a picture (`fits`). */
const PICTURE_WIDTH_PX = 440
/** Below this scale, nobody could read the picture. So its place cuts off a signature that is wider or higher. */
const MIN_PICTURE_SCALE = 0.6

/**
 * A document's size at one layout width, the measurement numbered by `count`. `dark` is its body with inverted colours, if they are shown; `drawn` has its
 * words and elements if they link to the source.
 */
type Measured = Readonly<{
  key: string
  count: number
  width: number
  height: number
  dark: string | null
  drawn: (FrameContent & Readonly<{ marked: MarkedDocument }>) | null
}>

/** A signature's words and elements. Their numbers are indexes of the places in `marked`. */
export type DrawnContent = FrameContent &
  Readonly<{
    marked: MarkedDocument
    /** Whether this is the content of the shown document. If not, it is the content of the document before. */
    isCurrent: boolean
  }>

/** Links a signature's words and elements to their source. */
export type FrameSource = Readonly<{
  /** The same signature, rendered with marks. */
  html: string
  marked: MarkedDocument
  /** Draws over the signature, in the coordinates of its frame. */
  draw: (content: DrawnContent) => ReactNode
  /** Receives the content after each measurement, for what is drawn elsewhere. */
  onDrawn?: (content: DrawnContent) => void
}>

type Given = Readonly<{
  html: string
  images?: readonly SignatureImage[]
  isDark?: boolean
  fits?: boolean
  width?: number | null
  title: string
  source?: FrameSource | null
}>

/**
 * Shows a sanitised signature as recipients see it, in a frame without permissions. Draws it when it comes near the
 * visible part of the page. A changed signature keeps its old height until the new height is known; before the first
 * height is known, it has `data-unmeasured`.
 *
 * @param fits whether to shrink the signature, like a picture, to the width of its place, which cuts off the rest
 * @param width the layout width in pixels; a narrower place shrinks the signature. By default, the width of the place,
 * at most `MAX_BANNER_WIDTH_PX`
 * @param images the contents of pictures that the frame cannot load, by their addresses in the HTML
 * @param source what is drawn over the signature; without it, nothing in the signature can be selected
 */
export function SignatureFrame(given: Given) {
  const [place, isSeen] = useElementSeen<HTMLDivElement>()
  return (
    <div
      ref={place}
      className={css[given.fits ? 'picture' : 'place']}
      style={{ background: PAPER_COLOURS[given.isDark ? 'dark' : 'light'] }}
    >
      {isSeen ? <Drawn {...given} /> : <div data-unmeasured style={{ height: DEFAULT_HEIGHT_PX }} />}
    </div>
  )
}

function Drawn({
  html,
  images = NO_IMAGES,
  isDark = false,
  fits = false,
  width: wanted = null,
  title,
  source = null,
}: Given) {
  const t = useTexts()
  const { imageOrigins } = useTools()
  const sanitize = useSanitizer()
  const values = useValueTools(OF_CODE.test(html))
  const [ref, available] = useWidth<HTMLDivElement>()
  const [latest, setMeasured] = useState<Measured | null>(null)
  const shown = useMemo(
    () => (values === null || values === 'failed' ? images : [...images, ...values.codesIn(html)]),
    [html, images, values],
  )
  const drawn = useMemo(
    () =>
      typeof sanitize === 'function'
        ? previewDocument({ html, images: shown, combinedIds: 'shown' }, 'html', imageOrigins, sanitize)
        : sanitize,
    [html, shown, imageOrigins, sanitize],
  )
  const markedHtml = source?.html ?? null
  if (drawn === 'failed') return <p>{t('plan.frame.notLoaded')}</p>
  if (drawn !== null && drawn.kind !== 'document') return <p>{t('plan.frame.tooLong')}</p>
  const room = fits ? PICTURE_WIDTH_PX : (wanted ?? Math.min(available, MAX_WIDTH_PX))
  const body = drawn?.body ?? ''
  const key = `${String(room)} ${isDark ? 'dark' : 'light'} ${body} ${markedHtml ?? ''}`
  // An edit of what is not drawn changes the places, but not the HTML.
  const isCurrent =
    latest?.key === key && (source === null || latest.drawn === null || latest.drawn.marked === source.marked)
  const width = Math.max(room, latest?.width ?? room)
  const height = latest?.height ?? DEFAULT_HEIGHT_PX
  const scale = fits
    ? Math.max(MIN_PICTURE_SCALE, Math.min(1, available / width))
    : wanted === null || available === 0
      ? 1
      : Math.min(1, available / width)
  const isWide = !fits && wanted === null && available > 0 && width > available
  const srcdoc =
    latest?.key === key && latest.dark !== null
      ? frameDocument(latest.dark, imageOrigins, DARK_MODE_CSS)
      : frameDocument(body, imageOrigins, isDark ? DARK_MODE_CSS : '')
  return (
    <div
      ref={ref}
      role="region"
      aria-label={title}
      data-wide={isWide || undefined}
      data-unmeasured={latest === null || undefined}
      // The arrow keys can scroll a region only if it can take the focus.
      tabIndex={isWide ? 0 : undefined}
      className={css['scroll']}
    >
      <div className={css['sheet']} style={{ width: width * scale, height: height * scale }}>
        {drawn && <SealedFrame srcdoc={srcdoc} title={title} width={width} height={height} scale={scale} />}
        {source && latest?.drawn && (
          <div className={css['words']} style={{ width, height, transform: `scale(${String(scale)})` }}>
            {source.draw({ ...latest.drawn, isCurrent })}
          </div>
        )}
      </div>
      {drawn && room > 0 && !isCurrent && (
        <MeasuringFrame
          key={`${String(latest?.count ?? 0)} ${key}`}
          srcdoc={frameDocument(body, imageOrigins)}
          width={room}
          onLoad={(frame) => {
            const { contentDocument: read } = frame
            if (!read) return
            const { documentElement } = read
            const { scrollWidth } = documentElement
            // The shown frame is as wide as its content, so its height and word positions must be measured at this
            // width.
            frame.style.width = `${String(scrollWidth)}px`
            const { scrollHeight } = documentElement
            // Finding the words takes long, and the signature is already shown.
            const content =
              source && typeof sanitize === 'function'
                ? { ...readFrame(read, markedPieces(source.html, sanitize)), marked: source.marked }
                : null
            if (content) source?.onDrawn?.({ ...content, isCurrent: true })
            setMeasured({
              key,
              count: (latest?.count ?? 0) + 1,
              width: scrollWidth,
              height: scrollHeight,
              drawn: content,
              dark: isDark ? darkenDocument(read) : null,
            })
          }}
        />
      )}
    </div>
  )
}
