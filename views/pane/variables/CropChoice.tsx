import { type KeyboardEvent, type PointerEvent, useId, useState } from 'react'
import {
  clampCrop,
  type Crop,
  MAX_ZOOM,
  middleCrop,
  moveCrop,
  cropPosition,
  zoomCrop,
  cropZoom,
} from '../../../streams/pane/picture/crop.ts'
import { type OpenedPicture, Picture } from '../../../streams/pane/picture/events.ts'
import { useRecording } from '../app.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './CropChoice.module.css'
import * as textCss from '../../shared/Text.module.css'

/** How far an arrow key moves the picture, as a fraction of the shown part. */
const STEP = 0.05
const ZOOM_STEP = 0.1

/** How far each arrow key moves the crop, to the right and down. The picture moves in the direction of the arrow. */
const ARROWS: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
}
const ZOOMS: Readonly<Record<string, number>> = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': -ZOOM_STEP }

/** The start of a drag, in CSS pixels. `from` is the crop at the start, `crop` the crop for the current pointer. */
type Drag = Readonly<{ left: number; top: number; from: Crop; crop: Crop }>

/**
 * Chooses the part of a picture to keep: the pointer or the arrow keys move the picture behind a square; a slider or +
 * and − zoom. The result is shown beside it, as large as in a signature.
 */
export function CropChoice({ picture, crop: chosen }: { picture: OpenedPicture; crop: Crop }) {
  const t = useTexts()
  const hintId = useId()
  const [drag, setDrag] = useState<Drag | null>(null)
  const crop = drag?.crop ?? chosen
  const choose = useRecording()((next: Crop) => Picture.cropped({ crop: next }))
  const place = cropPosition(crop, picture)
  const first = middleCrop(picture)
  const isChanged = crop.x !== first.x || crop.y !== first.y || crop.size !== first.size

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const arrow = ARROWS[event.key]
    const zoom = ZOOMS[event.key]
    if (!arrow && zoom === undefined) return
    event.preventDefault()
    if (arrow) choose(moveCrop(chosen, ...arrow, picture))
    else if (zoom !== undefined) choose(zoomCrop(chosen, cropZoom(chosen) + zoom, picture))
  }
  const onPointerMove = ({ clientX, clientY, currentTarget }: PointerEvent) => {
    if (!drag) return
    const edge = currentTarget.clientWidth || 1
    const right = (drag.left - clientX) / edge
    const down = (drag.top - clientY) / edge
    setDrag({ ...drag, crop: moveCrop(drag.from, right, down, picture) })
  }
  const onDragEnd = () => {
    if (drag && drag.crop !== drag.from) choose(drag.crop)
    setDrag(null)
  }
  return (
    <div className={css['choice']}>
      <div
        // With this role, screen readers leave the arrow keys to the page.
        role="application"
        aria-label={t('picture.crop')}
        aria-describedby={hintId}
        tabIndex={0}
        className={css['stage']}
        onKeyDown={onKeyDown}
        onPointerDown={({ button, clientX, clientY, currentTarget, pointerId }) => {
          if (button !== 0) return
          currentTarget.setPointerCapture(pointerId)
          setDrag({ left: clientX, top: clientY, from: chosen, crop: chosen })
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onDragEnd}
        onPointerCancel={() => setDrag(null)}
      >
        <Cropped picture={picture} crop={crop} alt="" />
      </div>
      <div className={css['results']}>
        <span className={textCss['small']}>{t('picture.result')}</span>
        <div className={css['pair']}>
          <div className={css['round']}>
            <Cropped picture={picture} crop={crop} alt={t('picture.alt')} />
          </div>
          <div className={css['square']}>
            <Cropped picture={picture} crop={crop} alt="" />
          </div>
        </div>
        <label className={css['zoom']}>
          <span>{t('picture.zoom')}</span>
          <input
            type="range"
            min={100}
            max={MAX_ZOOM * 100}
            step={ZOOM_STEP * 100}
            value={Math.round(cropZoom(crop) * 100)}
            aria-valuetext={t('picture.zoomValue', { zoom: cropZoom(crop) })}
            onChange={({ currentTarget }) =>
              choose(zoomCrop(chosen, Number(currentTarget.value) / 100, picture))
            }
          />
        </label>
      </div>
      <p id={hintId} className={textCss['small']}>
        {t('picture.cropHint')}
      </p>
      <p role="status" className={textCss['unseen']}>
        {isChanged && !drag && t('picture.cropValue', { zoom: cropZoom(crop), left: place.x, top: place.y })}
      </p>
    </div>
  )
}

/** The part of a picture inside the crop. It fills the surrounding square. */
function Cropped({ picture, crop, alt }: { picture: OpenedPicture; crop: Crop; alt: string }) {
  const { x, y, size } = clampCrop(crop, picture)
  const shorter = Math.min(picture.width, picture.height)
  const percent = (part: number) => `${String((part / size) * 100)}%`
  return (
    <img
      src={picture.dataUrl}
      alt={alt}
      draggable={false}
      className={css['image']}
      style={{
        left: percent(-x),
        top: percent(-y),
        width: percent(picture.width / shorter),
        height: percent(picture.height / shorter),
      }}
    />
  )
}
