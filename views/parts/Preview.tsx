import { useMemo, useState } from 'react'
import type { BodyType } from '../../streams/mailbox/events.ts'
import type { SignatureImage } from '../../streams/signatures/events.ts'
import type { Planned, Sanitize } from '../../streams/html/plan.ts'
import { useApp, useAppState } from '../hooks/app.tsx'
import { useWidth } from '../hooks/element.ts'
import { useSanitizer } from '../hooks/sanitizer.ts'
import { explainFailure } from '../text/failure.ts'
import { useTexts } from '../text/texts.ts'
import { LAYOUT_WIDTH, type PreviewDocument, previewDocument } from './previewDocument.ts'
import * as css from './Preview.module.css'

type Size = Readonly<{ width: number; height: number }>

/** What was made of a signature, so that scrolling back costs nothing; it goes when its images do. */
type Made = { document: PreviewDocument; size: Size | null }
const made = new WeakMap<readonly SignatureImage[], Map<string, Made>>()

function makeOnce(
  planned: Planned,
  bodyType: BodyType,
  imageOrigins: readonly string[],
  sanitize: Sanitize,
): Made {
  const { html, images, combinedIds } = planned
  const ofImages = made.get(images) ?? new Map<string, Made>()
  made.set(images, ofImages)
  const key = `${bodyType} ${combinedIds} ${html}`
  const known = ofImages.get(key) ?? {
    document: previewDocument(planned, bodyType, imageOrigins, sanitize),
    size: null,
  }
  ofImages.set(key, known)
  return known
}

/** What would be drawn of a signature, planned once: null while the sanitiser loads, `failed` when it could not be. */
export function usePlanned(planned: Planned, bodyType: BodyType): Made | 'failed' | null {
  const { imageOrigins } = useApp()
  const sanitize = useSanitizer()
  const { html, images, combinedIds } = planned
  return useMemo(
    () =>
      typeof sanitize === 'function'
        ? makeOnce({ html, images, combinedIds }, bodyType, imageOrigins, sanitize)
        : sanitize,
    [html, images, combinedIds, bodyType, imageOrigins, sanitize],
  )
}

/** What an insertion into the open message would write: formatted, unless the message is plain text. */
export const useBodyType = (): BodyType => useAppState(({ mailbox }) => mailbox.message?.bodyType ?? 'html')

/** A layout that fills the width it is given has no width of its own. */
const fillsWidth = /(?:^|[\s;"'{])width\s*[:=]\s*["']?\s*\d+%|align\s*[:=]\s*["']?\s*(?:right|center)/i

/** How much room the content of a frame takes. The frame may be looked into, but runs no script. */
function measure(frame: HTMLIFrameElement, srcdoc: string): Size | null {
  const content = frame.contentDocument
  if (!content) return null
  if (!fillsWidth.test(srcdoc)) content.body.style.width = 'fit-content'
  const { scrollWidth, scrollHeight } = content.documentElement
  const own = Math.ceil(content.body.getBoundingClientRect().width)
  return { width: scrollWidth > LAYOUT_WIDTH ? scrollWidth : Math.max(1, own), height: scrollHeight }
}

/**
 * What would stand in a message of this type, on white paper, scaled to the room that there is and cut at `maxHeight`
 * CSS pixels. Nothing in it can be reached, by pointer or by keyboard; `title` null hides it from assistive
 * technology too.
 */
export function Preview({
  planned,
  bodyType,
  title,
  maxHeight,
}: {
  planned: Planned
  bodyType: BodyType
  title: string | null
  maxHeight: number
}) {
  const t = useTexts()
  const drawn = usePlanned(planned, bodyType)
  if (drawn === 'failed') return <p className={css['words']}>{t('preview.unavailable')}</p>
  if (drawn === null) return <div className={css['paper']} style={{ height: maxHeight }} />
  const { document } = drawn
  if (document.kind !== 'document') return <NoDrawing why={document} />
  return (
    <Paper
      key={document.srcdoc}
      srcdoc={document.srcdoc}
      known={drawn.size}
      title={title}
      maxHeight={maxHeight}
      onMeasured={(size) => {
        drawn.size = size
      }}
    />
  )
}

/** Why a signature is not drawn: nobody could insert it. */
export function NoDrawing({ why }: { why: Exclude<PreviewDocument, { kind: 'document' }> }) {
  const t = useTexts()
  if (why.kind === 'tooLong')
    return <p className={css['words']}>{t('preview.tooLong', { count: why.characters })}</p>
  const { what, values, largest } = explainFailure(why, 'insert')
  return (
    <p className={css['words']}>
      {t(what, values)}{' '}
      {t('part.largest', { parts: largest.map(({ part, characters }) => t(part, { characters })) })}
    </p>
  )
}

function Paper({
  srcdoc,
  known,
  title,
  maxHeight,
  onMeasured,
}: {
  srcdoc: string
  known: Size | null
  title: string | null
  maxHeight: number
  onMeasured: (size: Size | null) => void
}) {
  const [place, available] = useWidth<HTMLDivElement>()
  const [size, setSize] = useState(known)

  const { width, height } = size ?? { width: LAYOUT_WIDTH, height: maxHeight }
  const fitsWidth = available > 0 ? Math.min(1, available / width) : 1
  // Rather small and whole than large and cut, as long as it can still be told apart.
  const scale = Math.max(fitsWidth / 2, Math.min(fitsWidth, maxHeight / height))
  const isCut = size !== null && height * scale > maxHeight
  return (
    <div
      ref={place}
      className={`${css['paper']} ${isCut ? css['fade'] : ''}`}
      style={{ height: Math.min(maxHeight, Math.ceil(height * scale)) }}
    >
      <iframe
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={srcdoc}
        title={title ?? undefined}
        aria-hidden={title === null}
        inert={title === null}
        tabIndex={-1}
        style={{ width: Math.max(width, LAYOUT_WIDTH), height, transform: `scale(${scale})` }}
      />
      {size === null && (
        <iframe
          className={css['measure']}
          sandbox="allow-same-origin"
          referrerPolicy="no-referrer"
          srcDoc={srcdoc}
          aria-hidden
          inert
          tabIndex={-1}
          style={{ width: LAYOUT_WIDTH, height: 1 }}
          onLoad={({ currentTarget }) => {
            const found = measure(currentTarget, srcdoc)
            onMeasured(found)
            setSize(found)
          }}
        />
      )}
    </div>
  )
}
