import { type ReactNode, useId, useMemo, useState } from 'react'
import { type ContentChange, changeBetween } from '../../../streams/html/change.ts'
import type { PlanInput } from '../../../streams/html/plan.ts'
import { selectShownInMessage } from '../../../streams/pane/insertion/selectors.ts'
import type { SignatureContent } from '../../../streams/html/content.ts'
import type { WithBlocks } from '../../../streams/message/signatures/blocks.ts'
import { useAppState } from '../app.tsx'
import { useBlocks } from '../blocks.ts'
import { useWidth } from '../../shared/element.ts'
import { useSanitizer } from '../../shared/sanitizer.ts'
import { blockText } from '../text/blocks.ts'
import { changeText } from '../text/change.ts'
import { presentSignatureName } from '../text/signatureName.ts'
import { useTexts } from '../text/texts.ts'
import { MeasuringFrame, SealedFrame } from '../../shared/Frames.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { BlankPreview, measureFrame, NoPreview, useBodyType, usePreview } from './Preview.tsx'
import { LAYOUT_WIDTH_PX, type PreviewDocument } from '../../shared/previewDocument.ts'
import * as css from './WhatChanges.module.css'
import * as fold from '../frame/Fold.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../../shared/Text.module.css'

/**
 * Shows the changes if this signature replaces the message's: a picture of each signature, one sentence, and folded
 * details.
 */
export function WhatChanges({ name, planned }: { name: string; planned: PlanInput & WithBlocks }) {
  const t = useTexts()
  const blocks = useBlocks(planned)
  const shown = useAppState(selectShownInMessage)
  const sanitize = useSanitizer()
  const before = shown?.content ?? null
  const bodyType = useBodyType()
  const drawnNow = usePreview(before ? { ...before, combinedIds: '' } : NOTHING, bodyType)
  const drawnThen = usePreview(planned, bodyType)
  const change = useMemo(() => {
    if (typeof sanitize !== 'function') return null
    // Both signatures are sanitised before they are compared, because an insertion sanitises them too.
    const clean = ({ html, images }: SignatureContent): SignatureContent => ({
      html: sanitize(html, 'insert'),
      images,
    })
    return changeBetween(before && clean(before), clean(planned))
  }, [before, planned, sanitize])
  if (sanitize === 'failed' || drawnNow === 'failed' || drawnThen === 'failed')
    return <p>{t('preview.unavailable')}</p>
  if (change === null || drawnNow === null || drawnThen === null) return null
  const isUnknown = shown !== null && before === null
  const present = shown ? presentSignatureName(shown.inMessage, t) : t('list.none')
  const now = {
    title: present === '' ? t('change.nowUnnamed') : t('change.now', { name: present }),
    document: before && drawnNow.document,
  }
  const then = { title: t('change.then', { name }), document: drawnThen.document }
  return (
    <>
      <Pictures pictures={isUnknown ? [then] : change.isSame ? [now] : [now, then]} />
      <p>{isUnknown ? t('change.unknown') : changeText(change, t)}</p>
      {blocks.map((block) => (
        <p key={block.id}>{blockText(block, t)}</p>
      ))}
      {!isUnknown && !change.isSame && <Details change={change} />}
    </>
  )
}

const NOTHING: PlanInput = { html: '', images: [], combinedIds: '' }

/** One of the two pictures. `document` is null without a signature. */
type Picture = Readonly<{ title: string; document: PreviewDocument | null }>
type Size = Readonly<{ width: number; height: number }>

/** The height until the signatures are measured, in CSS pixels. */
const DEFAULT_HEIGHT_PX = 100

type DrawnDocument = Extract<PreviewDocument, { kind: 'document' }>

const isDrawn = (document: PreviewDocument | null): document is DrawnDocument =>
  document?.kind === 'document' && !document.isBlank

/** Pictures of signatures, all at one scale: stacked in a narrow pane, else side by side. */
function Pictures({ pictures }: { pictures: readonly Picture[] }) {
  const [ref, available] = useWidth<HTMLDivElement>()
  const [sizes, setSizes] = useState<Readonly<Record<string, Size>>>({})
  const known = pictures.flatMap(({ title }) => sizes[title] ?? [])
  const isMeasured = known.length === pictures.filter(({ document }) => isDrawn(document)).length
  const widest = Math.max(1, ...known.map(({ width }) => width))
  const scale = isMeasured && available > 0 ? Math.min(1, available / widest) : null
  return (
    <div className={css['pictures']}>
      {pictures.map(({ title, document }, index) => (
        <figure key={title} className={css['picture']}>
          <figcaption>{title}</figcaption>
          <div className={css['paper']}>
            <div ref={index === 0 ? ref : undefined} className={css['room']}>
              {document?.kind === 'tooLarge' && <NoPreview why={document} />}
              {document?.kind === 'document' && document.isBlank && <BlankPreview />}
              {isDrawn(document) && (
                <Drawn
                  title={title}
                  srcdoc={document.srcdoc}
                  size={sizes[title] ?? null}
                  scale={scale}
                  onMeasured={(size) => setSizes((before) => ({ ...before, [title]: size }))}
                />
              )}
            </div>
          </div>
        </figure>
      ))}
    </div>
  )
}

/** A signature as it is in a message. All pictures have the same `scale`; until it is known, nothing is drawn. */
function Drawn({
  title,
  srcdoc,
  size,
  scale,
  onMeasured,
}: {
  title: string
  srcdoc: string
  size: Size | null
  scale: number | null
  onMeasured: (size: Size) => void
}) {
  const { height, width } = size ?? { height: DEFAULT_HEIGHT_PX, width: LAYOUT_WIDTH_PX }
  return (
    <div style={{ height: Math.ceil(height * (scale ?? 1)) }}>
      {scale !== null && (
        <SealedFrame
          srcdoc={srcdoc}
          title={title}
          width={Math.max(width, LAYOUT_WIDTH_PX)}
          height={height}
          scale={scale}
        />
      )}
      {size === null && (
        <MeasuringFrame
          srcdoc={srcdoc}
          width={LAYOUT_WIDTH_PX}
          onLoad={(frame) => {
            const measured = measureFrame(frame, srcdoc)
            if (measured) onMeasured(measured)
          }}
        />
      )}
    </div>
  )
}

const MARKS = { added: '+', removed: '−', changed: '±', same: '' } as const

type Line = Readonly<{ kind: keyof typeof MARKS; text: string }>

function Details({ change }: { change: ContentChange }) {
  const t = useTexts()
  const { lines, imagesAdded, imagesRemoved, imagesChanged, bytesBefore, bytesAfter } = change
  const pictures = [
    ...imagesRemoved.map((text): Line => ({ kind: 'removed', text })),
    ...imagesAdded.map((text): Line => ({ kind: 'added', text })),
    ...imagesChanged.map((text): Line => ({ kind: 'changed', text })),
  ]
  return (
    <details className={fold['fold']}>
      {/* Microsoft's library handles the Tab key, and goes only to elements with a `tabindex`. */}
      <summary tabIndex={0} className={css['summary']}>
        {t('change.details')}
        <Icon name="unfold" />
      </summary>
      <div className={stack['gapM']}>
        <Part title={t('change.text')}>
          {lines.every(({ kind }) => kind === 'same') ? (
            <p className={css['quiet']}>{t('change.sameText')}</p>
          ) : (
            <Lines lines={lines} />
          )}
        </Part>
        <Part title={t('change.pictures')}>
          {pictures.length === 0 ? (
            <p className={css['quiet']}>{t('change.samePictures')}</p>
          ) : (
            <Lines lines={pictures} />
          )}
        </Part>
        <p>
          <span className={css['term']}>{t('change.size')}</span>{' '}
          {t('change.bytes', { before: bytesBefore / 1000, after: bytesAfter / 1000 })}
        </p>
      </div>
    </details>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={stack['gapXS']} aria-labelledby={id}>
      <h3 id={id} className={css['term']}>
        {title}
      </h3>
      {children}
    </section>
  )
}

/** The lines of a comparison. A sign marks differences; screen readers read words instead. */
function Lines({ lines }: { lines: readonly Line[] }) {
  const t = useTexts()
  return (
    <ul className={css['lines']}>
      {lines.map(({ kind, text }, index) => (
        <li key={index} className={css[kind]}>
          <span aria-hidden="true" className={css['mark']}>
            {MARKS[kind]}
          </span>
          <span className={css['text']}>
            {kind !== 'same' && <span className={textCss['unseen']}>{t(`change.${kind}`)}: </span>}
            {text}
          </span>
        </li>
      ))}
    </ul>
  )
}
