import type { ListedPicture } from '../../../streams/administration/plan/draftPictures.ts'
import { useTexts } from '../text/texts.ts'
import * as css from './Pictures.module.css'

/** A picture on squares; only the squares if the page lacks its content. */
export const Thumbnail = ({ picture: { content, raster } }: { picture: ListedPicture }) => (
  <span className={css['thumbnail']}>
    {content && raster && (
      <img src={`data:${raster.type};base64,${content.base64}`} alt="" decoding="async" />
    )}
  </span>
)

/** The bytes in a kB, as shown to users. */
const KILOBYTE = 1000

/** Returns a function that describes a picture: `880 × 220 pixels · 42 kB`. */
export function usePictureText(): (picture: ListedPicture) => string {
  const t = useTexts()
  return ({ raster, bytes }) =>
    raster
      ? [
          t('plan.pictures.size', { width: raster.width, height: raster.height }),
          t('plan.pictures.weight', { kilobytes: Math.max(1, Math.round(bytes / KILOBYTE)) }),
        ].join(' · ')
      : t('plan.pictures.unknown')
}
