import { type ReactNode, useId, useState } from 'react'
import {
  type ReadabilityIssue,
  readabilityIssues,
  type Seen,
  type PreviewTheme,
} from '../../streams/html/readability.ts'
import type { Planned, ReadyPlan } from '../../streams/html/plan.ts'
import type { Why } from '../../streams/signatures/why.ts'
import { useApp } from '../hooks/app.tsx'
import { useWidth } from '../hooks/element.ts'
import { type TextKey, type Translate, useTexts } from '../text/texts.ts'
import { whyText } from '../text/why.ts'
import { Dialog } from './Dialog.tsx'
import { frameDocument } from './previewDocument.ts'
import { NoDrawing, useBodyType, usePlanned } from './Preview.tsx'
import { CONTRAST_LOOK, DARK_LOOK, darken, PAPER, readDocument } from './measuredDocument.ts'
import * as css from './LargePreview.module.css'

/** In CSS pixels, the room that a message has there. */
const WIDTHS = { pane: 320, desktop: 680, phone: 375 } as const
type Width = keyof typeof WIDTHS

const themes = { light: 'look.light', dark: 'look.dark', highContrast: 'look.highContrast' } as const
const widths = { pane: 'look.pane', desktop: 'look.desktop', phone: 'look.phone' } as const
const meanings = {
  light: 'look.lightMeaning',
  dark: 'look.darkMeaning',
  highContrast: 'look.highContrastMeaning',
} as const satisfies Record<PreviewTheme, TextKey>

/**
 * A signature looked at before it is put in: why it would stand in the message, how its readers may see it, and what
 * of it would be hard for them.
 */
export function LargePreview({
  name,
  planned,
  why,
  actOn,
  onClose,
}: {
  name: string
  planned: Planned
  why: Why
  /** What can be done with it; `mayInsert` unless it cannot be inserted at all. */
  actOn: (mayInsert: boolean) => ReactNode
  onClose: () => void
}) {
  const t = useTexts()
  const bodyType = useBodyType()
  const drawn = usePlanned(planned, bodyType)
  const [theme, setTheme] = useState<PreviewTheme>('light')
  const [width, setWidth] = useState<Width>('desktop')
  const document = drawn === null || drawn === 'failed' ? null : drawn.document
  const isDrawable = document?.kind === 'document'
  return (
    <Dialog
      title={name}
      onClose={onClose}
      controls={
        isDrawable && (
          <div className={css['controls']}>
            <Choice name={t('look.theme')} texts={themes} chosen={theme} onChoose={setTheme} />
            <Choice name={t('look.width')} texts={widths} chosen={width} onChoose={setWidth} />
          </div>
        )
      }
      act={actOn(isDrawable)}
    >
      <p>
        <span className={css['term']}>{t('look.why')}</span> {whyText(why, t)}
      </p>
      {drawn === 'failed' && <p>{t('preview.unavailable')}</p>}
      {document && !isDrawable && <NoDrawing why={document} />}
      {isDrawable && (
        <Drawn
          // Each width is another document: what depends on it is laid out and read anew.
          key={`${width} ${document.srcdoc}`}
          body={document.body}
          plan={document.plan}
          title={t('preview.title', { name })}
          theme={theme}
          width={WIDTHS[width]}
        />
      )}
      {isDrawable && bodyType === 'text' && <p className={css['quiet']}>{t('preview.asText')}</p>}
    </Dialog>
  )
}

/** One of a few, as a group of radio buttons. */
function Choice<Name extends string>({
  name,
  texts,
  chosen,
  onChoose,
}: {
  name: string
  texts: Readonly<Record<Name, TextKey>>
  chosen: Name
  onChoose: (name: Name) => void
}) {
  const t = useTexts()
  const group = useId()
  return (
    <fieldset className={css['choice']}>
      <legend>{name}</legend>
      {(Object.keys(texts) as Name[]).map((each) => (
        <label key={each}>
          <input
            type="radio"
            name={group}
            checked={each === chosen}
            onChange={() => {
              onChoose(each)
            }}
          />
          {t(texts[each])}
        </label>
      ))}
    </fieldset>
  )
}

/** What was found out about a document once it was drawn; `dark` is its body with the colours turned round. */
type Found = Readonly<{ seen: Seen; height: number; dark: string }>

/** The most of a signature that is looked at at once, in CSS pixels; below that the dialog scrolls. */
const UNREAD_HEIGHT = 200

function Drawn({
  body,
  plan,
  title,
  theme,
  width,
}: {
  body: string
  plan: ReadyPlan
  title: string
  theme: PreviewTheme
  width: number
}) {
  const t = useTexts()
  const { imageOrigins } = useApp()
  const [place, available] = useWidth<HTMLDivElement>()
  const [found, setFound] = useState<Found | null>(null)
  const scale = available > 0 ? Math.min(1, available / width) : 1
  // What is wider than its room is shown whole, as mail programs do that make it smaller: within the frame, so that
  // the signature is still laid out for this width.
  const shrinking = Math.min(1, width / (found?.seen.width ?? width))
  const smaller =
    shrinking < 1 ? `body{width:${width}px;transform:scale(${shrinking});transform-origin:0 0}` : ''
  const height = Math.ceil((found?.height ?? UNREAD_HEIGHT) * shrinking)
  const srcdoc = {
    light: frameDocument(body, imageOrigins, smaller),
    dark: frameDocument(found?.dark ?? body, imageOrigins, DARK_LOOK + smaller),
    highContrast: frameDocument(body, imageOrigins, CONTRAST_LOOK + smaller),
  }[theme]
  return (
    <>
      <div className={css['place']} style={{ background: PAPER[theme] }}>
        <div ref={place} className={css['room']} style={{ height: Math.ceil(height * scale) }}>
          <iframe
            key={theme}
            sandbox=""
            referrerPolicy="no-referrer"
            srcDoc={srcdoc}
            title={title}
            tabIndex={-1}
            className={css['sheet']}
            style={{ width, height, transform: `scale(${scale})` }}
          />
          {found === null && (
            <iframe
              className={css['measure']}
              sandbox="allow-same-origin"
              referrerPolicy="no-referrer"
              srcDoc={frameDocument(body, imageOrigins)}
              aria-hidden
              inert
              tabIndex={-1}
              style={{ width, height: 1 }}
              onLoad={({ currentTarget: { contentDocument } }) => {
                if (!contentDocument) return
                setFound({
                  seen: readDocument(contentDocument, plan, imageOrigins),
                  height: contentDocument.documentElement.scrollHeight,
                  dark: darken(contentDocument),
                })
              }}
            />
          )}
        </div>
      </div>
      <p className={css['quiet']}>{t(meanings[theme])}</p>
      <section className={css['findings']} aria-busy={found === null}>
        <h3>{t('look.readers')}</h3>
        {found === null ? (
          <p className={css['quiet']}>{t('look.reading')}</p>
        ) : (
          <Difficulties difficulties={readabilityIssues(found.seen, theme)} />
        )}
      </section>
    </>
  )
}

function Difficulties({ difficulties }: { difficulties: readonly ReadabilityIssue[] }) {
  const t = useTexts()
  if (difficulties.length === 0) return <p className={css['quiet']}>{t('look.fine')}</p>
  return (
    <>
      <ul className={css['difficulties']}>
        {difficulties.map((difficulty, index) => (
          <li key={index}>{difficultyText(difficulty, t)}</li>
        ))}
      </ul>
      <p className={css['quiet']}>{t('look.whoHelps')}</p>
    </>
  )
}

function difficultyText(difficulty: ReadabilityIssue, t: Translate): string {
  switch (difficulty.kind) {
    case 'wide':
      return t('look.wide', { width: difficulty.width })
    case 'contrast': {
      const { text, ratio, needed } = difficulty
      // Rounded down: what is just below the least contrast must not look as if it had it.
      return t('look.lowContrast', { text, ratio: Math.floor(ratio * 10) / 10, needed })
    }
    case 'small':
      return t('look.small', { text: difficulty.text, size: Math.floor(difficulty.size * 10) / 10 })
    case 'noAlternative':
      return difficulty.image === ''
        ? t('look.noAlternativeUnnamed')
        : t('look.noAlternative', { image: difficulty.image })
    case 'notLoaded':
      return t('look.notLoaded', { image: difficulty.image })
    case 'foreign':
      return t('look.foreign', { image: difficulty.image })
  }
}
