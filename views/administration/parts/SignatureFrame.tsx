import { useMemo, useState } from 'react'
import type { Piece } from '../../../streams/administration/plan/wordPlaces.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import { useWidth } from '../../shared/element.ts'
import { useSanitizer } from '../../shared/sanitizer.ts'
import { useSeen } from '../../shared/seen.ts'
import { useTools } from '../../shared/tools.tsx'
import { MeasuringFrame, SealedFrame } from '../../shared/Frames.tsx'
import { DARK_LOOK, darken, PAPER } from '../../shared/measuredDocument.ts'
import { frameDocument, previewDocument } from '../../shared/previewDocument.ts'
import { useValues } from './values.ts'
import { useTexts } from '../text/texts.ts'
import { FrameWords, type SourceOfWords } from './FrameWords.tsx'
import { type FrameWord, markedPieces, wordsDrawn } from './frameWords.ts'
import * as css from './SignatureFrame.module.css'

/** The picture of a QR code that was written here: the service draws only what it has sealed. */
const OF_CODE = /\/qr\.[\w-]+\/qr\.png/
const NO_IMAGES: readonly SignatureImage[] = []
const NO_PIECES: readonly Piece[] = []
/** The height of the frame until the document is measured. */
const DEFAULT_HEIGHT_PX = 160
/** About the width of a message on a desktop. */
const MAX_WIDTH_PX = 680
/** A picture is laid out at this width, and is at most as high as the frame before it is measured. */
const PICTURE_WIDTH_PX = 440

/**
 * The size of a document that was laid out at one width. `dark` is its body with inverted colours; `words` are its words
 * where they lead somewhere.
 */
type Measured = Readonly<{
  key: string
  width: number
  height: number
  dark: string
  words: readonly FrameWord[]
}>

type Given = Readonly<{
  html: string
  images?: readonly SignatureImage[]
  isDark?: boolean
  fits?: boolean
  width?: number | null
  title: string
  source?: SourceOfWords | null
}>

/**
 * A sanitised signature in a frame without permissions, as recipients see it. It is drawn as soon as it is near the
 * visible part of the page. A signature that changes keeps its old height until the new height is known.
 *
 * @param fits whether the frame is made small enough for the height and width of its place, where it is a picture
 * @param width the width at which the signature is laid out, in pixels: it is made smaller where its place is narrower.
 *   Without one, it is laid out as wide as its place
 * @param images the contents of pictures that the frame cannot load, by their addresses in the html
 * @param source where the words of the signature come from; without it they lead nowhere
 */
export function SignatureFrame(given: Given) {
  const [place, isSeen] = useSeen<HTMLDivElement>()
  return (
    <div
      ref={place}
      className={css[given.fits ? 'picture' : 'place']}
      style={{ background: PAPER[given.isDark ? 'dark' : 'light'] }}
    >
      {isSeen ? <Drawn {...given} /> : <div style={{ height: DEFAULT_HEIGHT_PX }} />}
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
  const values = useValues(OF_CODE.test(html))
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
  const marked = useMemo(
    () =>
      typeof sanitize === 'function' && markedHtml !== null ? markedPieces(markedHtml, sanitize) : NO_PIECES,
    [markedHtml, sanitize],
  )
  if (drawn === 'failed') return <p>{t('plan.frame.notLoaded')}</p>
  if (drawn !== null && drawn.kind !== 'document') return <p>{t('plan.frame.tooLong')}</p>
  const room = fits ? PICTURE_WIDTH_PX : (wanted ?? Math.min(available, MAX_WIDTH_PX))
  const body = drawn?.body ?? ''
  const key = `${String(room)} ${body} ${markedHtml ?? ''}`
  const width = Math.max(room, latest?.width ?? room)
  const height = latest?.height ?? DEFAULT_HEIGHT_PX
  const scale = fits
    ? Math.min(1, available / width, DEFAULT_HEIGHT_PX / height)
    : wanted === null || available === 0
      ? 1
      : Math.min(1, available / width)
  const srcdoc =
    isDark && latest?.key === key
      ? frameDocument(latest.dark, imageOrigins, DARK_LOOK)
      : frameDocument(body, imageOrigins, isDark ? DARK_LOOK : '')
  return (
    <div
      ref={ref}
      role="region"
      aria-label={title}
      // A region that can take the focus can be scrolled with the arrow keys.
      tabIndex={!fits && wanted === null && available > 0 && width > available ? 0 : undefined}
      className={css['scroll']}
    >
      <div className={css['sheet']} style={{ width: width * scale, height: height * scale }}>
        {drawn && <SealedFrame srcdoc={srcdoc} title={title} width={width} height={height} scale={scale} />}
        {source && latest?.key === key && latest.words.length > 0 && (
          <FrameWords words={latest.words} source={source} />
        )}
      </div>
      {drawn && room > 0 && latest?.key !== key && (
        <MeasuringFrame
          key={key}
          srcdoc={frameDocument(body, imageOrigins)}
          width={room}
          onLoad={(frame) => {
            const { contentDocument: read } = frame
            if (!read) return
            const { documentElement } = read
            const { scrollWidth } = documentElement
            // The shown frame is as wide as its content: its height and the places of its words are those of this width.
            frame.style.width = `${String(scrollWidth)}px`
            const { scrollHeight } = documentElement
            const words = wordsDrawn(read, marked)
            setMeasured({ key, width: scrollWidth, height: scrollHeight, dark: darken(read), words })
          }}
        />
      )}
    </div>
  )
}
