import { useMemo } from 'react'
import { previewOf, type PreviewUse } from '../../../streams/administration/plan/preview.ts'
import { isDay } from '../../../streams/administration/people/rules.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { isPersonAwaited } from '../../../streams/administration/plan/selectors.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release.ts'
import { Segments } from '../../parts/Segments.tsx'
import { useAdministrationState, useRecording } from '../hooks/administration.tsx'
import { useDayText } from '../hooks/formats.ts'
import { useShown } from '../hooks/shown.ts'
import { Field } from '../parts/Field.tsx'
import { Section } from '../parts/Section.tsx'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { useTexts } from '../text/texts.ts'
import { PreviewPerson } from './PreviewPerson.tsx'
import * as css from './Plan.module.css'

/** The open template as a person sees it, with controls for the person, the day, the kind of message and the theme. */
export function DraftPreview() {
  const t = useTexts()
  const document = useAdministrationState(({ plan }) => plan.debounced)
  const isDraft = useAdministrationState(({ plan }) => plan.draft !== null)
  const isAwaited = useAdministrationState(({ plan }) => isPersonAwaited(plan))
  if (!document || !isDraft) return null
  return (
    <Section title={t('plan.preview.title')} heading="h3">
      <PreviewPerson />
      <How />
      {!isAwaited && <Shown document={document} />}
    </Section>
  )
}

function How() {
  const t = useTexts()
  const recording = useRecording()
  const day = useAdministrationState(({ plan }) => plan.day)
  const use = useAdministrationState(({ plan }) => plan.use)
  const isDark = useAdministrationState(({ plan }) => plan.isDark)
  return (
    <div className={css['row']}>
      <Segments<PreviewUse>
        name={t('plan.preview.use')}
        texts={{ signature: t('plan.use.signature'), reply: t('plan.use.reply') }}
        chosen={use}
        onChoose={recording((chosen) => Planning.kindChosen({ use: chosen }))}
      />
      <Segments
        name={t('plan.preview.theme')}
        texts={{ light: t('plan.preview.light'), dark: t('plan.preview.dark') }}
        chosen={isDark ? 'dark' : 'light'}
        onChoose={recording((chosen) => Planning.darkChosen({ isDark: chosen === 'dark' }))}
      />
      <Field
        label={t('plan.preview.day')}
        type="date"
        value={day ?? ''}
        onChange={recording(({ currentTarget: { value } }) =>
          Planning.dayChosen({ day: isDay(value) ? value : null }),
        )}
      />
    </div>
  )
}

function Shown({ document }: { document: ReleaseDocument }) {
  const t = useTexts()
  const dayText = useDayText()
  const path = useAdministrationState(({ plan }) => plan.open?.path ?? null)
  const page = useAdministrationState(({ plan }) => plan.signature)
  const use = useAdministrationState(({ plan }) => plan.use)
  const isDark = useAdministrationState(({ plan }) => plan.isDark)
  const { person, isSample, at, day, pictures, images } = useShown(document)
  const preview = useMemo(
    () => previewOf(document, { path, person, at, use, signature: page }, pictures),
    [document, path, person, at, use, page, pictures],
  )
  const { html, signature, isAssigned } = preview
  return (
    <>
      <p role="status">
        {signature === null
          ? t(path === null ? 'plan.preview.none' : 'plan.preview.alone')
          : isAssigned || isSample
            ? t('plan.preview.as', { name: signature.name, use: t(`plan.use.${signature.kind}`) })
            : t('plan.preview.notAssigned', {
                name: signature.name,
                use: t(`plan.use.${signature.kind}`),
                day: dayText(day),
              })}
      </p>
      {html !== null && (
        <SignatureFrame html={html} images={images} isDark={isDark} title={t('plan.preview.frame')} />
      )}
    </>
  )
}
