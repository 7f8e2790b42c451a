import { type KeyboardEvent, useId, useRef, useState } from 'react'
import {
  isPlaceSelected,
  type MarkedDocument,
  type SourcePlace,
} from '../../../streams/administration/plan/wordPlaces.ts'
import { useTypeAhead } from '../../shared/typeAhead.ts'
import { useTexts } from '../text/texts.ts'
import { boxAround } from '../../../streams/administration/design/surface.ts'
import type { FrameWord } from './frameContent.ts'
import * as css from './FrameWords.module.css'

/** The data that links a frame's words to their places in the source. */
type SourceOfWords = Readonly<{
  places: MarkedDocument['places']
  /** The selection in the source; null if there is none, or if the source has changed since. */
  selection: SourcePlace | null
  onChoose: (place: SourcePlace) => void
}>

/**
 * Lays clickable words and pictures over a signature's sealed frame. A click, Enter or Space opens the place in the
 * source. The words inside the source's selection are outlined.
 */
export function FrameWords({
  words,
  source: { places, selection, onChoose },
}: {
  words: readonly FrameWord[]
  source: SourceOfWords
}) {
  const t = useTexts()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [reached, setReached] = useState<number | null>(null)
  const selected = words.map(({ number }) => isPlaceSelected(places[number], selection))
  const active = reached !== null && reached < words.length ? reached : Math.max(0, selected.indexOf(true))
  const nameOf = ({ isPicture, text }: FrameWord) => (isPicture ? t('plan.preview.picture', { text }) : text)
  const choose = (index: number) => {
    const place = places[words[index]?.number ?? -1]
    if (place) onChoose(place)
  }
  const reach = (index: number) => {
    setReached(index)
    list.current?.children[index]?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  const type = useTypeAhead(words.map(nameOf), active, reach)
  const press = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, timeStamp } = event
    if (altKey || ctrlKey || metaKey) return
    const last = words.length - 1
    if (key === 'ArrowRight' || key === 'ArrowDown') reach(Math.min(active + 1, last))
    else if (key === 'ArrowLeft' || key === 'ArrowUp') reach(Math.max(active - 1, 0))
    else if (key === 'Home') reach(0)
    else if (key === 'End') reach(last)
    else if (key === 'Enter' || key === ' ') choose(active)
    else if (key.length === 1) type({ key, at: timeStamp, current: active })
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={list}
      role="listbox"
      // A selection in the source can include several words.
      aria-multiselectable
      aria-label={t('plan.preview.words')}
      aria-activedescendant={`${id}-${String(active)}`}
      tabIndex={0}
      className={css['words']}
      onKeyDown={press}
      onBlur={() => setReached(null)}
    >
      {words.map((word, index) => {
        const around = boxAround(word.boxes)
        return (
          <div
            key={index}
            id={`${id}-${String(index)}`}
            role="option"
            aria-label={nameOf(word)}
            aria-selected={selected[index] ?? false}
            data-active={index === active || undefined}
            className={css['word']}
            style={around}
            onClick={() => choose(index)}
          >
            {word.boxes.map(({ left, top, width, height }, line) => (
              <span
                key={line}
                className={css['box']}
                style={{ left: left - around.left, top: top - around.top, width, height }}
              />
            ))}
          </div>
        )
      })}
    </div>
  )
}
