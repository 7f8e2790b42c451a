import { type ReactNode, useId, useMemo, useState } from 'react'
import { blockOfTemplate, blockPreview } from '../../../streams/administration/plan/blockPreview.ts'
import { blocksOf } from '../../../streams/administration/plan/blocks.ts'
import {
  draftPreviewOf,
  type PreviewLook,
  type PreviewUse,
  type PreviewWidth,
} from '../../../streams/administration/plan/preview.ts'
import { isCalendarDay } from '../../../streams/administration/people/rules.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import {
  isPreviewPersonAwaited,
  selectShownSelection,
} from '../../../streams/administration/plan/selectors.ts'
import {
  type MarkedDocument,
  type SourcePlace,
  withSourceMarks,
} from '../../../streams/administration/plan/wordPlaces.ts'
import { asClassicOutlook } from '../../../streams/html/classicOutlook.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { Icon } from '../../shared/Icon.tsx'
import { Segments } from '../../shared/Segments.tsx'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { useDayText } from '../parts/formats.ts'
import { usePreviewContext } from '../parts/shown.ts'
import { Field } from '../parts/Field.tsx'
import { Section } from '../parts/Section.tsx'
import { FrameWords } from '../parts/FrameWords.tsx'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { SupposedRecipients } from '../parts/SupposedRecipients.tsx'
import { blockStandingText } from '../text/rules.ts'
import { useTexts } from '../text/texts.ts'
import { PreviewPerson, PreviewPersonFailure, usePreviewPersonName } from './PreviewPerson.tsx'
import * as css from './Plan.module.css'

/** Previews the open template for a person, with controls for what is shown. */
export function DraftPreview() {
  const t = useTexts()
  const document = useAdministrationState(({ plan }) => plan.debounced)
  const isDraft = useAdministrationState(({ plan }) => plan.draft !== null)
  const isAwaited = useAdministrationState(({ plan }) => isPreviewPersonAwaited(plan))
  if (!document || !isDraft) return null
  return (
    <Section title={t('plan.preview.title')} heading="h3">
      <PreviewControls />
      {!isAwaited && <Shown document={document} />}
    </Section>
  )
}

/**
 * Says in one line what a preview shows. Its button unfolds the controls: the person, the kind of message, the look, the
 * width, the day and the recipients.
 *
 * @param children further controls
 */
export function PreviewControls({ children }: { children?: ReactNode }) {
  const t = useTexts()
  const dayText = useDayText()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { use, look, width, day, recipients } = useAdministrationState(({ plan }) => plan)
  const person = usePreviewPersonName()
  return (
    <div className={css['controls']}>
      <div className={css['shown']}>
        <p role="status">
          {[
            t(`plan.use.${use}`),
            person,
            t(`plan.preview.${look}`),
            t(`plan.preview.${width}`),
            ...(day === null ? [] : [dayText(day)]),
            ...(recipients === null ? [] : [t(`signatures.blocks.preview.${recipients}`)]),
          ].join(' · ')}
        </p>
        <button
          type="button"
          data-controls
          aria-label={t('plan.preview.controls')}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setOpen(!isOpen)}
        >
          {t('plan.preview.open')}
          <Icon name="unfold" />
        </button>
      </div>
      {isOpen ? (
        <div id={id} className={css['unfolded']}>
          <PreviewPerson />
          <How />
          {children}
        </div>
      ) : (
        <PreviewPersonFailure />
      )}
    </div>
  )
}

/** The controls of a preview, except for the person. */
function How() {
  const t = useTexts()
  const recording = useRecording()
  const day = useAdministrationState(({ plan }) => plan.day)
  const use = useAdministrationState(({ plan }) => plan.use)
  const recipients = useAdministrationState(({ plan }) => plan.recipients)
  const look = useAdministrationState(({ plan }) => plan.look)
  const width = useAdministrationState(({ plan }) => plan.width)
  /** Whether what is shown depends on the recipients. */
  const dependsOnRecipients = useAdministrationState(
    ({ plan }) =>
      plan.recipients !== null ||
      plan.debounced?.blocks?.some((block) => block.recipients !== 'everyone') === true,
  )
  return (
    <div className={`${css['row']} ${css['how']}`}>
      <Segments<PreviewUse>
        name={t('plan.preview.use')}
        texts={{
          signature: t('plan.use.signature'),
          reply: t('plan.use.reply'),
          meeting: t('plan.use.meeting'),
        }}
        chosen={use}
        onChoose={recording((chosen) => Planning.kindChosen({ use: chosen }))}
      />
      <Segments<PreviewLook>
        name={t('plan.preview.look')}
        texts={{
          light: t('plan.preview.light'),
          dark: t('plan.preview.dark'),
          classicOutlook: t('plan.preview.classicOutlook'),
        }}
        chosen={look}
        onChoose={recording((chosen) => Planning.lookChosen({ look: chosen }))}
      />
      <Segments<PreviewWidth>
        name={t('plan.preview.width')}
        texts={{ computer: t('plan.preview.computer'), phone: t('plan.preview.phone') }}
        chosen={width}
        onChoose={recording((chosen) => Planning.widthChosen({ width: chosen }))}
      />
      <Field
        label={t('plan.preview.day')}
        type="date"
        value={day ?? ''}
        onChange={recording(({ currentTarget: { value } }) =>
          Planning.dayChosen({ day: isCalendarDay(value) ? value : null }),
        )}
      />
      {dependsOnRecipients && (
        <SupposedRecipients
          chosen={recipients}
          onChoose={recording((chosen) => Planning.recipientsChosen({ recipients: chosen }))}
        />
      )}
      {look === 'classicOutlook' && (
        <p role="status" className={css['approximate']}>
          {t('plan.preview.approximate')}
        </p>
      )}
    </div>
  )
}

/** The layout width of a message on a phone, in CSS pixels. */
const PHONE_WIDTH_PX = 360

/**
 * A signature in the chosen look, and its layout width in CSS pixels; null for the width of its place.
 *
 * @param markedHtml the same signature, rendered from the marked document
 */
export function usePreviewLook(html: string, markedHtml: string | null) {
  const look = useAdministrationState(({ plan }) => plan.look)
  const isPhone = useAdministrationState(({ plan }) => plan.width === 'phone')
  const [drawn, drawnMarked] = useMemo(() => {
    if (look !== 'classicOutlook') return [html, markedHtml]
    return [asClassicOutlook(html), markedHtml === null ? null : asClassicOutlook(markedHtml)]
  }, [html, markedHtml, look])
  return { drawn, drawnMarked, isDark: look === 'dark', width: isPhone ? PHONE_WIDTH_PX : null }
}

/**
 * A preview in the chosen look and width, with words that link to their places in the source.
 *
 * @param markedHtml the same preview, rendered from the marked document
 */
function PreviewFrame({
  html,
  markedHtml,
  marked,
  images,
  title,
}: {
  html: string
  markedHtml: string | null
  marked: MarkedDocument
  images: readonly SignatureImage[]
  title: string
}) {
  const recording = useRecording()
  const { drawn, drawnMarked, isDark, width } = usePreviewLook(html, markedHtml)
  const selection = useAdministrationState(({ plan }) => selectShownSelection(plan))
  const onChoose = recording((place: SourcePlace) => Planning.wordChosen(place))
  return (
    <div className={width === null ? undefined : css['phone']}>
      <SignatureFrame
        html={drawn}
        images={images}
        isDark={isDark}
        width={width}
        title={title}
        source={
          drawnMarked === null
            ? null
            : {
                html: drawnMarked,
                marked,
                draw: ({ words, isCurrent, marked: { places } }) =>
                  isCurrent &&
                  words.length > 0 && <FrameWords words={words} source={{ places, selection, onChoose }} />,
              }
        }
      />
    </div>
  )
}

function Shown({ document }: { document: ReleaseDocument }) {
  const path = useAdministrationState(({ plan }) => plan.open?.path ?? null)
  const page = useAdministrationState(({ plan }) => plan.block)
  const signature = useAdministrationState(({ plan }) => plan.signature)
  const block = blockOfTemplate(document, path, page)
  // A new block is not in the preview's document until the typing pauses.
  if (page !== null && !blocksOf(document).some(({ id }) => id === page)) return null
  if (signature !== null && !document.signatures.some(({ id }) => id === signature)) return null
  return block ? (
    <ShownBlock document={document} id={block.id} />
  ) : (
    <ShownSignature document={document} path={path} />
  )
}

/** Shows a block in the message. A block that the message leaves out is also shown by itself. */
function ShownBlock({ document, id }: { document: ReleaseDocument; id: string }) {
  const t = useTexts()
  const dayText = useDayText()
  const use = useAdministrationState(({ plan }) => plan.use)
  const recipients = useAdministrationState(({ plan }) => plan.recipients)
  const { person, writer, at, day, pictures, images, formats, haveFailed } = usePreviewContext(document)
  const marked = useMemo(() => withSourceMarks(document), [document])
  const [preview, withPlaces] = useMemo(() => {
    const previewIn = (shown: ReleaseDocument) =>
      blockPreview(shown, id, { person, writer, at, use, recipients }, pictures, formats)
    return [previewIn(document), previewIn(marked.document)]
  }, [document, marked, id, person, writer, at, use, recipients, pictures, formats])
  if (preview === null) return null
  const { standing, signature, html, alone } = preview
  return (
    <>
      <p role="status">
        {blockStandingText(
          standing,
          { signature: signature?.name ?? '', use: signature?.kind ?? 'signature', day: dayText(day) },
          t,
        )}
      </p>
      {haveFailed && <p role="status">{t('plan.preview.plain')}</p>}
      {standing.code !== 'stands' && alone !== null && (
        <>
          <h4>{t('signatures.blocks.preview.alone')}</h4>
          <PreviewFrame
            html={alone}
            markedHtml={withPlaces?.alone ?? null}
            marked={marked}
            images={images}
            title={t('signatures.blocks.preview.alone')}
          />
        </>
      )}
      {html !== null && (
        <>
          {standing.code !== 'stands' && <h4>{t('signatures.blocks.preview.message')}</h4>}
          <PreviewFrame
            html={html}
            markedHtml={withPlaces?.html ?? null}
            marked={marked}
            images={images}
            title={t('plan.preview.frame')}
          />
        </>
      )}
    </>
  )
}

const NONE = {
  signature: 'plan.preview.none',
  reply: 'plan.preview.none',
  meeting: 'people.look.noMeeting',
} as const

function ShownSignature({ document, path }: { document: ReleaseDocument; path: string | null }) {
  const t = useTexts()
  const dayText = useDayText()
  const page = useAdministrationState(({ plan }) => plan.signature)
  const use = useAdministrationState(({ plan }) => plan.use)
  const recipients = useAdministrationState(({ plan }) => plan.recipients)
  const { person, isSample, writer, at, day, pictures, images, formats, haveFailed } =
    usePreviewContext(document)
  const marked = useMemo(() => withSourceMarks(document), [document])
  const [{ html, signature, isAssigned }, withPlaces] = useMemo(() => {
    const previewIn = (shown: ReleaseDocument) =>
      draftPreviewOf(shown, { path, person, writer, at, use, recipients, signature: page }, pictures, formats)
    return [previewIn(document), previewIn(marked.document)]
  }, [document, marked, path, person, writer, at, use, recipients, page, pictures, formats])
  return (
    <>
      <p role="status" className={css['shownAs']}>
        {signature === null
          ? t(path === null ? NONE[use] : 'plan.preview.alone')
          : isAssigned || isSample
            ? t('plan.preview.as', { name: signature.name, use: t(`plan.use.${signature.kind}`) })
            : t('plan.preview.notAssigned', {
                name: signature.name,
                use: t(`plan.use.${signature.kind}`),
                day: dayText(day),
              })}
      </p>
      {haveFailed && <p role="status">{t('plan.preview.plain')}</p>}
      {html !== null && (
        <PreviewFrame
          html={html}
          markedHtml={withPlaces.html}
          marked={marked}
          images={images}
          title={t('plan.preview.frame')}
        />
      )}
    </>
  )
}
