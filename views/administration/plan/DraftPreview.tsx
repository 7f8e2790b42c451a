import { useMemo } from 'react'
import {
  draftImages,
  previewOf,
  type PreviewUse,
  samplePerson,
} from '../../../streams/administration/plan/preview.ts'
import { dayAt, isDay, momentOf, zoneOf } from '../../../streams/administration/people/rules.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { isPersonAwaited } from '../../../streams/administration/plan/selectors.ts'
import { valueOf } from '../../../streams/kernel/load.ts'
import { now } from '../../../streams/kernel/time.ts'
import type { PersonState } from '../../../streams/organisation/state.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release.ts'
import { useTools } from '../../hooks/tools.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { useAdministrationState, useRecording } from '../hooks/administration.tsx'
import { useDayText } from '../hooks/formats.ts'
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

/** The base address of pictures, as in the service's responses. */
export const picturesOf = (imageOrigins: readonly string[]): string =>
  `${imageOrigins[0] ?? 'https://pictures.invalid'}/images`

function Shown({ document }: { document: ReleaseDocument }) {
  const t = useTexts()
  const dayText = useDayText()
  const { imageOrigins, time } = useTools()
  const path = useAdministrationState(({ plan }) => plan.open?.path ?? null)
  const chosen = useAdministrationState(({ plan }) => valueOf(plan.person.load) ?? null)
  const contents = useAdministrationState(({ plan }) => plan.draft?.pictures ?? NO_PICTURES)
  const day = useAdministrationState(({ plan }) => plan.day)
  const use = useAdministrationState(({ plan }) => plan.use)
  const isDark = useAdministrationState(({ plan }) => plan.isDark)
  const pictures = picturesOf(imageOrigins)
  const person: PersonState = useMemo(() => chosen ?? samplePerson(document), [chosen, document])
  const zone = zoneOf(document)
  const at = (day === null ? null : momentOf(day, zone)) ?? Math.floor(now(time) / HOUR_MS) * HOUR_MS
  const shownDay = day ?? dayAt(at, zone)
  const preview = useMemo(
    () => previewOf(document, { path, person, at, use }, pictures),
    [document, path, person, at, use, pictures],
  )
  const images = useMemo(() => draftImages(document, contents, pictures), [document, contents, pictures])
  const { html, signature, isAssigned } = preview
  return (
    <>
      <p role="status">
        {signature === null
          ? t(path === null ? 'plan.preview.none' : 'plan.preview.alone')
          : isAssigned || chosen === null
            ? t('plan.preview.as', { name: signature.name, use: t(`plan.use.${signature.kind}`) })
            : t('plan.preview.notAssigned', {
                name: signature.name,
                use: t(`plan.use.${signature.kind}`),
                day: dayText(shownDay),
              })}
      </p>
      {html !== null && (
        <SignatureFrame html={html} images={images} isDark={isDark} title={t('plan.preview.frame')} />
      )}
    </>
  )
}

/** The present moment is rounded down to hours, so that the preview is not drawn again all the time. */
const HOUR_MS = 3_600_000
const NO_PICTURES = {}
