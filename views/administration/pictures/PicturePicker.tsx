import { type KeyboardEvent, useId, useRef, useState } from 'react'
import {
  type ListedPicture,
  listedPictures,
  type PictureSize,
  scaledDownSize,
} from '../../../streams/administration/plan/draftPictures.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { Button } from '../../shared/Button.tsx'
import { useDropArea } from '../../shared/dom/dropping.ts'
import { useCheckedInSight } from '../dom/checkedInSight.ts'
import { usePastedFiles } from '../dom/pasted.ts'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { Field } from '../parts/Field.tsx'
import { useTexts } from '../text/texts.ts'
import { AddedPictures, AddPictures, useAddPictures } from './AddPictures.tsx'
import { Thumbnail, usePictureText } from './Thumbnail.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../../shared/Text.module.css'
import * as planCss from '../plan/Plan.module.css'
import * as css from './Pictures.module.css'

const NO_PICTURES: readonly ListedPicture[] = []

/** The list has a search field if it is longer. */
const MAX_WITHOUT_SEARCH = 12

/**
 * Lets the administrator choose one of the draft's pictures, or add one: from a file, by dropping it here, or by pasting
 * it while the picker is shown. A new picture belongs to the draft at once, and is selected. Offers a smaller copy of a
 * picture that is too large. Reads the draft itself; works in a dialog as well as in a page.
 *
 * @param first the paths that are offered first, such as the brand's logos; unknown paths are left out
 * @param selected the path that is selected at the beginning, such as the picture to replace
 * @param shownWidth the picture's width in the signature, in CSS pixels; the default is its own width, up to the
 *   maximum of a banner
 * @param onChoose gets the path for `{{picture …}}`, and the size in pixels; null if the page lacks the content
 */
export function PicturePicker({
  first = [],
  selected = null,
  shownWidth,
  onChoose,
}: {
  first?: readonly string[]
  selected?: string | null
  shownWidth?: number | undefined
  onChoose: (path: string, size: PictureSize | null) => void
}) {
  const t = useTexts()
  const record = useGesture()
  const pictureText = usePictureText()
  const pictures = useAdministrationState(({ plan }) =>
    plan.draft ? listedPictures(plan.draft) : NO_PICTURES,
  )
  const adding = useAdministrationState(({ plan }) => plan.adding)
  const [atFirst] = useState(adding)
  const { added } = adding
  /** The selected path. A picture that is added after `before` is selected instead. */
  const [choice, setChoice] = useState({ path: selected, before: added })
  const [search, setSearch] = useState('')
  const group = useId()
  const list = useRef<HTMLDivElement>(null)
  const add = useAddPictures()
  const { isOver, dropping } = useDropArea(({ files }) => add(files))
  usePastedFiles(add)
  useCheckedInSight(list, added)

  const path = added !== choice.before && added ? added.path : choice.path
  const chosen = pictures.find((each) => each.path === path) ?? null
  const smaller = chosen?.raster && scaledDownSize({ raster: chosen.raster, bytes: chosen.bytes }, shownWidth)
  const words = search.trim().toLocaleLowerCase()
  const offered = [
    ...[...new Set(first)].flatMap((each) => pictures.find((picture) => picture.path === each) ?? []),
    ...pictures.filter((each) => !first.includes(each.path)),
  ]
  // The selected picture stays in the list, so that it is always visible what the button would use.
  const found = offered.filter((each) => each === chosen || each.path.toLocaleLowerCase().includes(words))
  const choose = (picture: ListedPicture | null) => {
    if (picture) onChoose(picture.path, picture.raster)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    choose(chosen)
  }
  return (
    <div
      role="group"
      aria-label={t('plan.pictures.title')}
      className={css['picker']}
      data-over={isOver}
      {...dropping}
    >
      {pictures.length > MAX_WITHOUT_SEARCH && (
        <div className={stack['gapXS']}>
          <Field
            label={t('plan.pictures.search')}
            type="search"
            autoComplete="off"
            value={search}
            onChange={({ currentTarget: { value } }) => setSearch(value)}
          />
          <p role="status" className={planCss['quiet']}>
            {t('plan.pictures.found', { count: found.length })}
          </p>
        </div>
      )}
      {pictures.length === 0 ? (
        <p>{t('plan.pictures.none')}</p>
      ) : (
        <>
          <div
            ref={list}
            role="radiogroup"
            aria-label={t('plan.pictures.choices')}
            className={css['choices']}
            onKeyDown={press}
          >
            {found.map((picture) => (
              <label key={picture.path} className={css['choice']} onDoubleClick={() => choose(picture)}>
                <input
                  type="radio"
                  className={textCss['unseen']}
                  name={group}
                  checked={picture === chosen}
                  onChange={() => setChoice({ path: picture.path, before: added })}
                />
                <span className={css['tile']}>
                  <Thumbnail picture={picture} />
                  <span>{picture.path}</span> <span className={css['about']}>{pictureText(picture)}</span>
                </span>
              </label>
            ))}
          </div>
          <p role="status" className={css['hint']}>
            {smaller && t('plan.pictures.scaleHint')}
          </p>
          <div className={stack['buttons']}>
            <Button look="primary" goesOn isOff={chosen === null} onPress={() => choose(chosen)}>
              {t('plan.pictures.use')}
            </Button>
            {chosen && smaller && (
              <Button
                look="secondary"
                onPress={() => record(Planning.smallerPictureWanted({ path: chosen.path, ...smaller }))}
              >
                {t('plan.pictures.scale', smaller)}
              </Button>
            )}
          </div>
        </>
      )}
      <AddPictures hint="plan.pictures.pickHint" />
      <AddedPictures before={atFirst} shownWidth={shownWidth} />
    </div>
  )
}
