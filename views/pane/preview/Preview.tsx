import type { SignatureImage } from '../../../streams/html/content.ts'
import { useMemo, useState } from 'react'
import { contentHash } from '../../../streams/html/hash.ts'
import type { BodyType } from '../../../streams/html/message.ts'
import type { PlanInput, Sanitize } from '../../../streams/html/plan.ts'
import { useAppState } from '../app.tsx'
import { useWidth } from '../../shared/element.ts'
import { useSanitizer } from '../../shared/sanitizer.ts'
import { useTools } from '../../shared/tools.tsx'
import { explainFailure } from '../text/failure.ts'
import { useTexts } from '../text/texts.ts'
import { MeasuringFrame } from '../../shared/Frames.tsx'
import { LAYOUT_WIDTH_PX, type PreviewDocument, previewDocument } from '../../shared/previewDocument.ts'
import * as css from './Preview.module.css'

type Size = Readonly<{ width: number; height: number }>

/** Each preview is created once and kept as long as its images, so that scrolling back is cheap. */
type CachedPreview = Readonly<{ document: PreviewDocument }>
const cache = new WeakMap<readonly SignatureImage[], Map<string, CachedPreview>>()

/** The size of each drawn content by its hash, so that the next drawing can be scaled at once. */
const sizes = new Map<string, Size>()

function cachedPreview(
  planned: PlanInput,
  bodyType: BodyType,
  imageOrigins: readonly string[],
  sanitize: Sanitize,
): CachedPreview {
  const { html, images, combinedIds } = planned
  const ofImages = cache.get(images) ?? new Map<string, CachedPreview>()
  cache.set(images, ofImages)
  const key = `${bodyType} ${combinedIds} ${html}`
  const known = ofImages.get(key) ?? {
    document: previewDocument(planned, bodyType, imageOrigins, sanitize),
  }
  ofImages.set(key, known)
  return known
}

/** The preview of a signature: null while the sanitiser loads, `failed` when it could not be loaded. */
export function usePreview(planned: PlanInput, bodyType: BodyType): CachedPreview | 'failed' | null {
  const { imageOrigins } = useTools()
  const sanitize = useSanitizer()
  const { html, images, combinedIds } = planned
  return useMemo(
    () =>
      typeof sanitize === 'function'
        ? cachedPreview({ html, images, combinedIds }, bodyType, imageOrigins, sanitize)
        : sanitize,
    [html, images, combinedIds, bodyType, imageOrigins, sanitize],
  )
}

/** The body type of the open message; html when none is open. */
export const useBodyType = (): BodyType => useAppState(({ mailbox }) => mailbox.message?.bodyType ?? 'html')

/** Detects a layout that fills the available width, and so has no width of its own. */
const FILLS_WIDTH =
  /(?:^|[\s;"'{])width\s*[:=]\s*(?:["']\s*)?\d{1,4}%|align\s*[:=]\s*(?:["']\s*)?(?:right|center)/i

/** The size of a frame's content. The frame has the pane's origin, so its content can be read, but runs no script. */
export function measureFrame(frame: HTMLIFrameElement, srcdoc: string): Size | null {
  const content = frame.contentDocument
  if (!content) return null
  if (!FILLS_WIDTH.test(srcdoc)) content.body.style.width = 'fit-content'
  const { scrollWidth, scrollHeight } = content.documentElement
  const own = Math.ceil(content.body.getBoundingClientRect().width)
  return { width: scrollWidth > LAYOUT_WIDTH_PX ? scrollWidth : Math.max(1, own), height: scrollHeight }
}

/**
 * A signature as it would be in a message of this type: on white, scaled to the available width, and cut at `maxHeight`
 * CSS pixels. The preview always has this height, and the signature appears once its scale is known. Reacts to neither
 * pointer nor keyboard. If `title` is null, screen readers do not read it either.
 */
export function Preview({
  planned,
  bodyType,
  title,
  maxHeight,
}: {
  planned: PlanInput
  bodyType: BodyType
  title: string | null
  maxHeight: number
}) {
  const drawn = usePreview(planned, bodyType)
  const shown =
    drawn === null ? null : drawn === 'failed' ? (
      <Unavailable />
    ) : drawn.document.kind === 'tooLarge' ? (
      <NoPreview why={drawn.document} />
    ) : drawn.document.isBlank ? (
      <BlankPreview />
    ) : (
      <Paper
        key={`${bodyType} ${planned.combinedIds}`}
        srcdoc={drawn.document.srcdoc}
        title={title}
        maxHeight={maxHeight}
      />
    )
  return <div style={{ minHeight: maxHeight }}>{shown}</div>
}

function Unavailable() {
  const t = useTexts()
  return <p className={css['words']}>{t('preview.unavailable')}</p>
}

/** Replaces a box that would appear empty. */
export function BlankPreview() {
  const t = useTexts()
  return <p className={css['words']}>{t('preview.blank')}</p>
}

/** The reason why a signature has no preview. Such a signature cannot be inserted either. */
export function NoPreview({ why }: { why: Exclude<PreviewDocument, { kind: 'document' }> }) {
  const t = useTexts()
  const { what, values, largest } = explainFailure(why, 'insert')
  return (
    <p className={css['words']}>
      {t(what, values)}{' '}
      {t('part.largest', { parts: largest.map(({ part, characters }) => t(part, { characters })) })}
    </p>
  )
}

/**
 * The top of a signature for a row of the list. All excerpts have one scale and one height (Preview.module.css), so that
 * their text is readable: the signature wraps, and what has no room is cut. Hidden from screen readers.
 */
export function Excerpt({ planned, bodyType }: { planned: PlanInput; bodyType: BodyType }) {
  const drawn = usePreview(planned, bodyType)
  if (drawn === null) return null
  if (drawn === 'failed') return <Unavailable />
  if (drawn.document.kind === 'tooLarge') return <NoPreview why={drawn.document} />
  if (drawn.document.isBlank) return <BlankPreview />
  return (
    <div className={`${css['paper']} ${css['fade']} ${css['excerpt']}`}>
      <iframe
        key={`${bodyType} ${planned.combinedIds}`}
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={drawn.document.srcdoc}
        aria-hidden
        inert
        tabIndex={-1}
      />
    </div>
  )
}

/** A changed signature keeps its scale until its new size is known, so that typing does not make it jump. */
function Paper({ srcdoc, title, maxHeight }: { srcdoc: string; title: string | null; maxHeight: number }) {
  const [place, available] = useWidth<HTMLDivElement>()
  const hash = useMemo(() => contentHash(srcdoc), [srcdoc])
  const known = sizes.get(hash)
  const [last, setLast] = useState(known && { hash, size: known })
  if (known && last?.hash !== hash) setLast({ hash, size: known })

  const { width, height } = last?.size ?? { width: LAYOUT_WIDTH_PX, height: maxHeight }
  const fitsWidth = Math.min(1, available / width)
  // Scales down until the whole signature fits, but not below half the scale that fits the width. The rest is cut.
  const scale = Math.max(fitsWidth / 2, Math.min(fitsWidth, maxHeight / height))
  const isScaled = last !== undefined && available > 0
  const isCut = isScaled && height * scale > maxHeight
  return (
    <div ref={place} className={`${css['paper']} ${isCut ? css['fade'] : ''}`} style={{ height: maxHeight }}>
      <iframe
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={srcdoc}
        title={title ?? undefined}
        aria-hidden={title === null}
        inert={title === null}
        tabIndex={-1}
        className={isScaled ? undefined : css['unscaled']}
        style={{ width: Math.max(width, LAYOUT_WIDTH_PX), height, transform: `scale(${scale})` }}
      />
      {last?.hash !== hash && (
        <MeasuringFrame
          key={hash}
          srcdoc={srcdoc}
          width={LAYOUT_WIDTH_PX}
          onLoad={(frame) => {
            const size = measureFrame(frame, srcdoc) ?? { width: LAYOUT_WIDTH_PX, height: maxHeight }
            sizes.set(hash, size)
            setLast({ hash, size })
          }}
        />
      )}
    </div>
  )
}
