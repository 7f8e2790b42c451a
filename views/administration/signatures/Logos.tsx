import { useState } from 'react'
import { brandOf } from '../../../streams/administration/plan/brand.ts'
import { listedPictures } from '../../../streams/administration/plan/draftPictures.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { useAdministrationState } from '../parts/administration.tsx'
import { Section } from '../parts/Section.tsx'
import { PicturePicker } from '../pictures/PicturePicker.tsx'
import { Thumbnail } from '../pictures/Thumbnail.tsx'
import { useTexts } from '../text/texts.ts'
import { type OfBrandForm, RemoveButton } from './BrandForm.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Brand.module.css'

/** The logos of the brand, chosen from the draft's pictures. */
export function Logos({ document, change, changeFollowed }: OfBrandForm & { document: ReleaseDocument }) {
  const t = useTexts()
  /** The logo to replace, or `new`; null while no dialog is open. */
  const [open, setOpen] = useState<Readonly<{ path: string }> | 'new' | null>(null)
  const { logos } = brandOf(document)
  const draft = useAdministrationState(({ plan }) => plan.draft)
  const pictures = draft ? listedPictures(draft) : []
  const choose = (chosen: string) => {
    setOpen(null)
    if (logos.includes(chosen)) return
    if (open === 'new')
      change({ kind: 'logoAdded', path: chosen }, t('signatures.brand.done.added', { name: chosen }))
    else if (open !== null)
      changeFollowed({
        part: { picture: open.path },
        name: chosen,
        change: (isFollowed) => ({ kind: 'logoReplaced', path: open.path, by: chosen, isFollowed }),
      })
  }
  return (
    <Section title={t('signatures.brand.logos.title')}>
      {logos.length === 0 ? (
        <p className={textCss['quiet']}>{t('signatures.brand.logos.none')}</p>
      ) : (
        <ul className={`${sectionCss['list']} ${css['rows']}`}>
          {logos.map((path) => (
            <li key={path} className={css['row']}>
              {pictures.flatMap((picture) =>
                picture.path === path ? [<Thumbnail key={path} picture={picture} />] : [],
              )}
              <p className={css['name']}>{path}</p>
              <div className={stack['buttons']} data-replace>
                <Button
                  look="secondary"
                  small
                  label={t('signatures.brand.logos.replaceOne', { name: path })}
                  onPress={() => setOpen({ path })}
                >
                  {t('signatures.brand.logos.replace')}
                </Button>
                <RemoveButton
                  name={path}
                  onRemove={(result) => change({ kind: 'logoRemoved', path }, result)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <div data-add-logo>
        <Button look="secondary" goesOn onPress={() => setOpen('new')}>
          {t('signatures.brand.logos.add')}
        </Button>
      </div>
      {open !== null && (
        <Dialog
          title={
            open === 'new'
              ? t('signatures.brand.logos.add')
              : t('signatures.brand.logos.replaceOne', { name: open.path })
          }
          onClose={() => setOpen(null)}
        >
          <PicturePicker selected={open === 'new' ? null : open.path} onChoose={choose} />
        </Dialog>
      )}
    </Section>
  )
}
