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
import { NoPreview, useBodyType, usePreview } from './Preview.tsx'
import { CONTRAST_LOOK, DARK_LOOK, darken, PAPER, readDocument } from './measuredDocument.ts'
import * as css from './LargePreview.module.css'

/** The width of a message in each place. */
const WIDTHS_PX = { pane: 320, desktop: 680, phone: 375 } as const
type Width = keyof typeof WIDTHS_PX

const THEME_TEXTS = {
  light: 'largePreview.light',
  dark: 'largePreview.dark',
  highContrast: 'largePreview.highContrast',
} as const
const WIDTH_TEXTS = {
  pane: 'largePreview.pane',
  desktop: 'largePreview.desktop',
  phone: 'largePreview.phone',
} as const
const MEANING_TEXTS = {
  light: 'largePreview.lightMeaning',
  dark: 'largePreview.darkMeaning',
  highContrast: 'largePreview.highContrastMeaning',
} as const satisfies Record<PreviewTheme, TextKey>

/** A signature before it is inserted: why it would be, how readers see it, and what is hard to read. */
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
  /** The buttons; `mayInsert` is false for a signature that cannot be inserted. */
  actOn: (mayInsert: boolean) => ReactNode
  onClose: () => void
}) {
  const t = useTexts()
  const bodyType = useBodyType()
  const drawn = usePreview(planned, bodyType)
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
            <Choice name={t('largePreview.theme')} texts={THEME_TEXTS} chosen={theme} onChoose={setTheme} />
            <Choice name={t('largePreview.width')} texts={WIDTH_TEXTS} chosen={width} onChoose={setWidth} />
          </div>
        )
      }
      act={actOn(isDrawable)}
    >
      <p>
        <span className={css['term']}>{t('largePreview.why')}</span> {whyText(why, t)}
      </p>
      {drawn === 'failed' && <p>{t('preview.unavailable')}</p>}
      {document && !isDrawable && <NoPreview why={document} />}
      {isDrawable && (
        <Reading
          // Each width is laid out and measured again.
          key={`${width} ${document.srcdoc}`}
          body={document.body}
          plan={document.plan}
          title={t('preview.title', { name })}
          theme={theme}
          width={WIDTHS_PX[width]}
        />
      )}
      {isDrawable && bodyType === 'text' && <p className={css['quiet']}>{t('preview.asText')}</p>}
    </Dialog>
  )
}

/** A group of radio buttons. */
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

/** What was read from a drawn document; `dark` is its body with inverted colours. */
type Measured = Readonly<{ seen: Seen; height: number; dark: string }>

/** The height until the document is measured. */
const DEFAULT_HEIGHT_PX = 200

function Reading({
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
  const [measured, setMeasured] = useState<Measured | null>(null)
  const scale = available > 0 ? Math.min(1, available / width) : 1
  // A signature that is too wide is scaled down within the frame, as mail programs do: it is still laid out for this
  // width.
  const shrinking = Math.min(1, width / (measured?.seen.width ?? width))
  const smaller =
    shrinking < 1 ? `body{width:${width}px;transform:scale(${shrinking});transform-origin:0 0}` : ''
  const height = Math.ceil((measured?.height ?? DEFAULT_HEIGHT_PX) * shrinking)
  const srcdoc = {
    light: frameDocument(body, imageOrigins, smaller),
    dark: frameDocument(measured?.dark ?? body, imageOrigins, DARK_LOOK + smaller),
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
          {measured === null && (
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
                setMeasured({
                  seen: readDocument(contentDocument, plan),
                  height: contentDocument.documentElement.scrollHeight,
                  dark: darken(contentDocument),
                })
              }}
            />
          )}
        </div>
      </div>
      <p className={css['quiet']}>{t(MEANING_TEXTS[theme])}</p>
      <section className={css['findings']} aria-busy={measured === null}>
        <h3>{t('largePreview.readability')}</h3>
        {measured === null ? (
          <p className={css['quiet']}>{t('largePreview.measuring')}</p>
        ) : (
          <Difficulties difficulties={readabilityIssues(measured.seen, theme)} />
        )}
      </section>
    </>
  )
}

function Difficulties({ difficulties }: { difficulties: readonly ReadabilityIssue[] }) {
  const t = useTexts()
  if (difficulties.length === 0) return <p className={css['quiet']}>{t('largePreview.noIssues')}</p>
  return (
    <>
      <ul className={css['difficulties']}>
        {difficulties.map((difficulty, index) => (
          <li key={index}>{difficultyText(difficulty, t)}</li>
        ))}
      </ul>
      <p className={css['quiet']}>{t('largePreview.help')}</p>
    </>
  )
}

function difficultyText(difficulty: ReadabilityIssue, t: Translate): string {
  switch (difficulty.kind) {
    case 'wide':
      return t('largePreview.tooWide', { width: difficulty.width })
    case 'contrast': {
      const { text, ratio, needed } = difficulty
      // Rounded down: a contrast just below the minimum must not read as the minimum.
      return t('largePreview.lowContrast', { text, ratio: Math.floor(ratio * 10) / 10, needed })
    }
    case 'small':
      return t('largePreview.smallText', {
        text: difficulty.text,
        size: Math.floor(difficulty.size * 10) / 10,
      })
    case 'noAlternative':
      return difficulty.image === ''
        ? t('largePreview.noAlternativeUnnamed')
        : t('largePreview.noAlternative', { image: difficulty.image })
    case 'notLoaded':
      return t('largePreview.notLoaded', { image: difficulty.image })
    case 'foreign':
      return t('largePreview.externalImage', { image: difficulty.image })
  }
}
