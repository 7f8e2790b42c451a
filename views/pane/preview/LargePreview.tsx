import { type CSSProperties, type ReactNode, type RefObject, useState } from 'react'
import {
  readabilityIssues,
  type DrawnSignature,
  type PreviewTheme,
} from '../../../streams/html/readability.ts'
import type { PlanInput } from '../../../streams/html/plan.ts'
import type { WithBlocks } from '../../../streams/message/signatures/blocks.ts'
import type { SignatureReason } from '../../../streams/pane/signatures/why.ts'
import { useBlocks } from '../blocks.ts'
import { useTools } from '../../shared/tools.tsx'
import { useWidth } from '../../shared/element.ts'
import { useTexts } from '../text/texts.ts'
import { blockText } from '../text/blocks.ts'
import { whyText } from '../text/why.ts'
import { Dialog } from '../../shared/Dialog.tsx'
import { Findings } from './Findings.tsx'
import { MeasuringFrame, SealedFrame } from '../../shared/Frames.tsx'
import { frameDocument, type PreviewDocument } from '../../shared/previewDocument.ts'
import { BlankPreview, NoPreview, useBodyType, usePreview } from './Preview.tsx'
import {
  HIGH_CONTRAST_CSS,
  DARK_MODE_CSS,
  darkenDocument,
  PAPER_COLOURS,
  readDrawnSignature,
} from '../../shared/measuredDocument.ts'
import { Segments } from '../../shared/Segments.tsx'
import * as css from './LargePreview.module.css'
import * as textCss from '../../shared/Text.module.css'

/** The width of a message in each place, in CSS pixels; null for a message as wide as the pane. */
const WIDTHS_PX = { pane: null, desktop: 680, phone: 375 } as const
type Width = keyof typeof WIDTHS_PX

/** The widest place that fits into `available` CSS pixels without scrolling. */
const fittingWidth = (available: number): Width => (available < WIDTHS_PX.desktop ? 'pane' : 'desktop')

/**
 * Shows a signature before it is inserted, as large as its readers see it: in three themes and at three widths. Opens
 * at the width that fits. Below are the folded readability issues, and the reason for inserting the signature.
 */
export function LargePreview({
  name,
  planned,
  why,
  actOn,
  onClose,
}: {
  name: string
  planned: PlanInput & WithBlocks
  why: SignatureReason
  /** The buttons below. `mayInsert` is false for a signature that cannot be inserted. */
  actOn: (mayInsert: boolean) => ReactNode
  onClose: () => void
}) {
  const t = useTexts()
  const bodyType = useBodyType()
  const blocks = useBlocks(planned)
  const drawn = usePreview(planned, bodyType)
  const [theme, setTheme] = useState<PreviewTheme>('light')
  const [room, available] = useWidth<HTMLDivElement>()
  const [chosen, setWidth] = useState<Width | null>(null)
  const width = chosen ?? fittingWidth(available)
  const document = drawn === null || drawn === 'failed' ? null : drawn.document
  const isDrawable = document?.kind === 'document'
  const isReadable = isDrawable && !document.isBlank
  const themes = {
    light: t('largePreview.light'),
    dark: t('largePreview.dark'),
    highContrast: t('largePreview.highContrast'),
  }
  const widths = {
    pane: t('largePreview.pane'),
    desktop: t('largePreview.desktop'),
    phone: t('largePreview.phone'),
  }
  return (
    <Dialog
      title={name}
      fills
      onClose={onClose}
      controls={
        isReadable && (
          <div className={css['controls']}>
            <Segments name={t('largePreview.theme')} texts={themes} chosen={theme} onChoose={setTheme} />
            <Segments name={t('largePreview.width')} texts={widths} chosen={width} onChoose={setWidth} />
          </div>
        )
      }
      act={actOn(isDrawable)}
    >
      {drawn === 'failed' && <p>{t('preview.unavailable')}</p>}
      {document && !isDrawable && <NoPreview why={document} />}
      {isDrawable && document.isBlank && <BlankPreview />}
      {isReadable && (
        <Reading
          name={name}
          document={document}
          theme={theme}
          place={width}
          region={room}
          available={available}
          shown={t('largePreview.place', { theme: themes[theme], width: widths[width] })}
        />
      )}
      {isReadable && bodyType === 'text' && <p className={textCss['small']}>{t('preview.asText')}</p>}
      <p className={textCss['small']}>
        <span className={css['term']}>{t('largePreview.why')}</span> {whyText(why, t)}
      </p>
      {blocks.map((block) => (
        <p key={block.id} className={textCss['small']}>
          {blockText(block, t)}
        </p>
      ))}
      {isReadable && <p className={textCss['small']}>{t(`largePreview.${theme}Meaning`)}</p>}
    </Dialog>
  )
}

/** The measurements of a document at one width. `dark` is the document's body with inverted colours. */
type Measured = Readonly<{ key: string; seen: DrawnSignature; height: number; dark: string }>

/** The height until the document is measured, in CSS pixels. */
const DEFAULT_HEIGHT_PX = 200
/** The width of the drawn phone's edge, in CSS pixels. */
const BEZEL_PX = 8

/**
 * The signature and its readability. It is laid out for the width of its place, then scaled down until the place and
 * any overflow fit the dialog.
 */
function Reading({
  name,
  document: { body, plan },
  theme,
  place,
  region,
  available,
  shown,
}: {
  name: string
  document: Extract<PreviewDocument, { kind: 'document' }>
  theme: PreviewTheme
  place: Width
  region: RefObject<HTMLDivElement | null>
  /** The width of the region, in CSS pixels. */
  available: number
  /** The names of the shown theme and place. */
  shown: string
}) {
  const t = useTexts()
  const { imageOrigins } = useTools()
  const [latest, setMeasured] = useState<Measured | null>(null)
  const room = WIDTHS_PX[place] ?? available
  const key = `${String(room)} ${body}`
  const measured = latest?.key === key ? latest : null
  // The last findings stay until the next width is measured, so that little moves. In the pane, a signature that is too
  // wide is not a finding, because the user decides how wide the pane is.
  const issues =
    latest && readabilityIssues(latest.seen, theme).filter(({ kind }) => kind !== 'wide' || place !== 'pane')
  const width = Math.max(room, measured?.seen.width ?? room)
  const height = Math.ceil(latest?.height ?? DEFAULT_HEIGHT_PX)
  const edge = place === 'phone' ? BEZEL_PX : 0
  const whole = Math.max(edge + room + edge, edge + width)
  const scale = available > 0 ? Math.min(1, available / whole) : 1
  // A signature that is too wide is laid out for the width of the place anyway.
  const layout = width > room ? `body{width:${String(room)}px}` : ''
  const srcdoc = {
    light: frameDocument(body, imageOrigins, layout),
    dark: frameDocument(latest?.dark ?? body, imageOrigins, DARK_MODE_CSS + layout),
    highContrast: frameDocument(body, imageOrigins, HIGH_CONTRAST_CSS + layout),
  }[theme]
  return (
    <>
      <div className={css['paper']} style={{ background: PAPER_COLOURS[theme] }}>
        <div
          ref={region}
          role="region"
          aria-label={t(scale < 1 ? 'largePreview.scaled' : 'largePreview.signature')}
          className={css['place']}
        >
          <div
            className={[
              css['room'],
              ...(place === 'phone' ? [css['phone']] : []),
              ...(width > room ? [css['wide']] : []),
            ].join(' ')}
            style={{ '--scale': scale, width: room * scale, height: height * scale } as CSSProperties}
          >
            <SealedFrame
              key={theme}
              srcdoc={srcdoc}
              title={t('preview.title', { name })}
              width={width}
              height={height}
              scale={scale}
            />
            {room > 0 && measured === null && (
              <MeasuringFrame
                key={key}
                srcdoc={frameDocument(body, imageOrigins)}
                width={room}
                onLoad={({ contentDocument: read }) => {
                  if (!read) return
                  setMeasured({
                    key,
                    seen: readDrawnSignature(read, plan),
                    height: read.documentElement.scrollHeight,
                    dark: darkenDocument(read),
                  })
                }}
              />
            )}
          </div>
        </div>
      </div>
      {/* The line is always there, so that nothing moves when the width changes. */}
      <p className={`${textCss['small']} ${css['scale']}`}>
        {scale < 1 ? t('largePreview.shrunk', { scale }) : '\u00a0'}
      </p>
      <Findings name={name} issues={issues} isChecked={measured !== null} place={shown} />
    </>
  )
}
