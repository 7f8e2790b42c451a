import { useState } from 'react'
import type { Draft } from '../../../streams/administration/plan/draft.ts'
import {
  listedPictures,
  type ListedPicture,
  NOTHING_ADDED,
  pictureUses,
  type PictureUse,
} from '../../../streams/administration/plan/draftPictures.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { ConfirmFirstButton } from '../../shared/Confirm.tsx'
import { useDropArea } from '../../shared/dom/dropping.ts'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { CheckField } from '../parts/Field.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import { AddedPictures, AddPictures, useAddPictures } from './AddPictures.tsx'
import { Thumbnail, usePictureText } from './Thumbnail.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as css from './Pictures.module.css'

const NO_USES: readonly PictureUse[] = []

/**
 * The draft's pictures: those that nothing uses, which can be removed, then the others with what uses them. The uses are
 * those at the last pause in typing.
 */
export function DraftPictures({ draft }: { draft: Draft }) {
  const t = useTexts()
  const add = useAddPictures()
  const { isOver, dropping } = useDropArea(({ files }) => add(files))
  const uses = useAdministrationState(({ plan }) => plan.debounced && pictureUses(plan.debounced))
  const pictures = listedPictures(draft).map((picture) => ({
    picture,
    usedBy: uses?.get(picture.path) ?? NO_USES,
  }))
  const used = pictures.filter(({ usedBy }) => usedBy.length > 0)
  const unused = pictures.flatMap(({ picture, usedBy }) => (usedBy.length === 0 ? [picture] : []))
  return (
    <Section title={t('plan.pictures.title')}>
      <div className={css['picker']} data-over={isOver} {...dropping}>
        <AddPictures hint="plan.pictures.addHint" />
        <AddedPictures before={NOTHING_ADDED} />
        {pictures.length === 0 ? <p>{t('plan.pictures.none')}</p> : <Unused pictures={unused} />}
        {used.length > 0 && (
          <Section title={t('plan.pictures.used')} heading="h3">
            <ul className={css['list']}>
              {used.map(({ picture, usedBy }) => (
                <Used key={picture.path} picture={picture} usedBy={usedBy} />
              ))}
            </ul>
          </Section>
        )}
      </div>
    </Section>
  )
}

function Used({ picture, usedBy }: { picture: ListedPicture; usedBy: readonly PictureUse[] }) {
  const t = useTexts()
  const pictureText = usePictureText()
  return (
    <li className={css['item']}>
      <Thumbnail picture={picture} />
      <div className={css['words']}>
        <p>{picture.path}</p>
        <p className={css['about']}>{pictureText(picture)}</p>
        <p className={css['about']}>
          {t('plan.pictures.usedBy', {
            names: usedBy.map((use) => (use.kind === 'template' ? use.path : t('plan.pictures.logos'))),
          })}
        </p>
      </div>
    </li>
  )
}

/** The unused pictures with a checkbox each. All are ticked at first, and one act removes the ticked ones. */
function Unused({ pictures }: { pictures: readonly ListedPicture[] }) {
  const t = useTexts()
  const record = useGesture()
  const pictureText = usePictureText()
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const [removed, setRemoved] = useState(0)
  const ticked = pictures.map(({ path }) => path).filter((path) => !kept.has(path))
  return (
    <Section title={t('plan.pictures.unused')} heading="h3">
      <p role="status">
        {removed > 0
          ? t('plan.pictures.removed', { count: removed })
          : pictures.length === 0 && t('plan.pictures.allUsed')}
      </p>
      {pictures.length > 0 && (
        <>
          <p>{t('plan.pictures.unusedHint')}</p>
          <ul className={css['list']}>
            {pictures.map((picture) => (
              <li key={picture.path} className={css['item']}>
                <Thumbnail picture={picture} />
                <CheckField
                  label={picture.path}
                  hint={pictureText(picture)}
                  isOn={!kept.has(picture.path)}
                  onSwitch={(isOn) => {
                    const others = [...kept].filter((path) => path !== picture.path)
                    setKept(new Set(isOn ? others : [...others, picture.path]))
                  }}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      {ticked.length > 0 && (
        <div className={stack['buttons']} data-remove-pictures>
          <ConfirmFirstButton
            look="danger"
            title={t('plan.pictures.removeTitle')}
            meaning={t('plan.pictures.removeMeaning', { names: ticked })}
            confirm={t('plan.pictures.remove', { count: ticked.length })}
            cancel={t('signatures.new.cancel')}
            onConfirm={() => {
              setRemoved(ticked.length)
              record(Planning.picturesRemoved({ paths: ticked }))
            }}
          />
        </div>
      )}
    </Section>
  )
}
