import type { ComponentProps } from 'react'
import { useFormats } from '../parts/formats.ts'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Plan.module.css'

/** Describes a difference, with the number of affected people and the person for whom it is shown. */
export function AffectedPeople({
  says,
  group: { people, sample },
}: {
  says: string
  group: Readonly<{ people: number; sample: Readonly<{ address: string }> }>
}) {
  const t = useTexts()
  const { count } = useFormats()
  return (
    <p>
      <strong>{says}</strong>{' '}
      {t('plan.result.group', { count: people, people: count(people), address: sample.address })}
    </p>
  )
}

/** The version before or after the change, with a caption. `html: null` means that there is no such version. */
export function ComparisonSide({
  caption,
  html,
  ...frame
}: Pick<ComponentProps<typeof SignatureFrame>, 'title' | 'images'> & {
  caption: string
  html: string | null
}) {
  const t = useTexts()
  return (
    <figure>
      <figcaption>{caption}</figcaption>
      {html === null ? (
        <p className={css['quiet']}>{t('plan.result.absent')}</p>
      ) : (
        <SignatureFrame html={html} {...frame} />
      )}
    </figure>
  )
}
