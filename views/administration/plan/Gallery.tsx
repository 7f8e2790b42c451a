import { useMemo, useState } from 'react'
import type { Draft } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { renderAddedTemplate } from '../../../streams/administration/plan/preview.ts'
import { type AddedTemplate, withAddedTemplate } from '../../../streams/administration/plan/taken.ts'
import { GALLERY_NAMES, galleryTemplate } from '../../../streams/organisation/release/gallery.ts'
import { Button } from '../../shared/Button.tsx'
import { Segments } from '../../shared/Segments.tsx'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { useDisplayContext } from '../parts/shown.ts'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { useTexts } from '../text/texts.ts'
import * as stack from '../../shared/Stack.module.css'
import * as planCss from './Plan.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './Gallery.module.css'

/** The width of a phone, and roughly of a message on a desktop. */
type Width = '320' | '600'

/** The gallery's templates, each shown as a person would get it. */
export function Gallery({
  draft: { document, pictures },
  heading: Heading,
  onChoose,
}: {
  draft: Pick<Draft, 'document' | 'pictures'>
  heading: 'h2' | 'h4'
  onChoose: (taken: AddedTemplate) => void
}) {
  const t = useTexts()
  const recording = useRecording()
  const [width, setWidth] = useState<Width>('600')
  const isDark = useAdministrationState(({ plan }) => plan.look === 'dark')
  const { person, at, pictures: base, formats } = useDisplayContext(document)
  const shown = useMemo(
    () =>
      GALLERY_NAMES.map((name) => {
        const taken = { ...galleryTemplate(name, document), name }
        const made = withAddedTemplate({ document, pictures }, taken)
        return { name, taken, ...renderAddedTemplate(made, { person, at }, base, formats) }
      }),
    [document, pictures, person, at, base, formats],
  )
  return (
    <>
      <div className={planCss['row']} data-look>
        <Segments
          name={t('plan.preview.theme')}
          texts={{ light: t('plan.preview.light'), dark: t('plan.preview.dark') }}
          chosen={isDark ? 'dark' : 'light'}
          onChoose={recording((chosen) => Planning.lookChosen({ look: chosen }))}
        />
        <Segments<Width>
          name={t('signatures.gallery.width')}
          texts={{ '320': t('signatures.gallery.phone'), '600': t('signatures.gallery.desktop') }}
          chosen={width}
          onChoose={setWidth}
        />
      </div>
      <ul className={`${sectionCss['list']} ${css['gallery']}`} data-width={width}>
        {shown.map(({ name, taken, html, images }) => {
          const title = t(`signatures.gallery.name.${name}`)
          return (
            <li key={name} className={stack['gapS']}>
              <Heading>{title}</Heading>
              <p>{t(`signatures.gallery.means.${name}`)}</p>
              <SignatureFrame
                html={html}
                images={images}
                isDark={isDark}
                width={Number(width)}
                title={t('signatures.card.frame', { name: title })}
              />
              <div>
                <Button look="secondary" onPress={() => onChoose({ ...taken, name: title })}>
                  {t('signatures.gallery.use', { name: title })}
                </Button>
              </div>
            </li>
          )
        })}
      </ul>
    </>
  )
}
