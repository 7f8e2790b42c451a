import { MAX_BANNER_BYTES, MAX_BANNER_EDGE_PX } from '../../../streams/administration/plan/banners.ts'
import {
  type AddingRefusal,
  type LargePicture,
  type PictureAdding,
  sizeWithinLimits,
} from '../../../streams/administration/plan/draftPictures.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { FileField } from '../parts/FileField.tsx'
import { useTexts } from '../text/texts.ts'
import * as stack from '../../shared/Stack.module.css'
import * as css from './Pictures.module.css'

/** The number of bytes in a megabyte, as shown to users. */
const MEGABYTE = 1024 * 1024

/** Returns a function that adds files to the draft's pictures. */
export function useAddPictures(): (files: FileList) => void {
  const record = useGesture()
  return (files) => {
    for (const file of files) record(Planning.pictureGiven({ name: file.name, picture: createHandle(file) }))
  }
}

/** A field that adds picture files to the draft. `hint` is the key of its hint: the other ways to add a picture. */
export function AddPictures({ hint }: { hint: 'plan.pictures.addHint' | 'plan.pictures.pickHint' }) {
  const t = useTexts()
  const add = useAddPictures()
  const isAdding = useAdministrationState(({ plan }) => plan.adding.pending > 0)
  return (
    <FileField
      label={t('plan.pictures.add')}
      hint={t(hint, { megabytes: MAX_BANNER_BYTES / MEGABYTE })}
      multiple
      accept="image/png,image/jpeg,image/gif,image/webp"
      // Once they are added, the status names them.
      isCurrent={isAdding}
      onChoose={add}
    />
  )
}

/** What became of the pictures that were added. Leaves out the results in `before`. Screen readers read each result. */
export function AddedPictures({
  before,
  shownWidth,
}: {
  before: PictureAdding
  /** The width at which a new picture would be shown, in CSS pixels; the default is the maximum of a banner. */
  shownWidth?: number | undefined
}) {
  const t = useTexts()
  const { pending, added, large: offered, refused: all } = useAdministrationState(({ plan }) => plan.adding)
  const large = offered.filter((each) => !before.large.includes(each))
  const refused = all === before.refused ? [] : all
  const reasonOf = (refusal: AddingRefusal) =>
    refusal === 'notScaled' || refusal === 'notLighter'
      ? t(`plan.pictures.refused.${refusal}`)
      : t(`signatures.blocks.refused.${refusal}`, {
          megabytes: MAX_BANNER_BYTES / MEGABYTE,
          edge: MAX_BANNER_EDGE_PX,
        })
  return (
    <>
      <div role="status">
        {pending > 0 ? (
          <p>{t('plan.pictures.adding', { count: pending })}</p>
        ) : (
          added !== null &&
          added !== before.added && (
            <p>{t(added.isNew ? 'plan.pictures.added' : 'plan.pictures.known', { path: added.path })}</p>
          )
        )}
        {refused.length > 0 && (
          <ul className={css['refused']}>
            {refused.map(({ name, refusal }, index) => (
              <li key={`${String(index)} ${name}`}>
                <strong>{name}</strong> {reasonOf(refusal)}
              </li>
            ))}
          </ul>
        )}
        {large.map(({ name, bytes, raster }, index) => (
          <p key={`${String(index)} ${name}`}>
            {t('plan.pictures.large', {
              name,
              megabytes: Math.ceil((10 * bytes) / MEGABYTE) / 10,
              width: raster.width,
              height: raster.height,
              most: MAX_BANNER_BYTES / MEGABYTE,
              edge: MAX_BANNER_EDGE_PX,
            })}
          </p>
        ))}
      </div>
      {large.map((each, index) => (
        <LargePictureButtons key={`${String(index)} ${each.name}`} large={each} shownWidth={shownWidth} />
      ))}
    </>
  )
}

/** Scales a picture beyond the limits down, or leaves it out. */
function LargePictureButtons({
  large: { name, picture, raster },
  shownWidth,
}: {
  large: LargePicture
  shownWidth: number | undefined
}) {
  const t = useTexts()
  const recording = useRecording()
  const size = sizeWithinLimits(raster, shownWidth)
  return (
    <div className={stack['buttons']} data-large>
      {size && (
        <Button look="primary" onPress={recording(Planning.largePictureWanted({ name, picture, ...size }))}>
          {t('plan.pictures.scaleNamed', { name, ...size })}
        </Button>
      )}
      <Button look="secondary" onPress={recording(Planning.largePictureLeftOut({ picture }))}>
        {t('plan.pictures.leaveOut', { name })}
      </Button>
    </div>
  )
}
