import type { WordProperty } from '../../../streams/administration/design/acts.ts'
import { wordsIn } from '../../../streams/administration/design/outline.ts'
import { rangeOfShown } from '../../../streams/administration/design/typing.ts'
import { decodeReference } from '../dom/wordsField.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import type { WordLook } from '../parts/frameContent.ts'
import { useDesign } from './designed.ts'

export type WordToggle = 'bold' | 'italic' | 'underline'

export type WordStyle = Readonly<{
  /** Whether nothing with words is selected. */
  isOff: boolean
  /** Styles the selected words, or all words in the selected item. */
  style: (property: WordProperty, value: string) => void
  isOn: (toggle: WordToggle) => boolean
  toggle: (toggle: WordToggle) => void
}>

/**
 * Changes the look of words.
 *
 * @param look how the first of these words is drawn; null if they are not drawn
 */
export function useWordStyle(look: WordLook | null): WordStyle {
  const { selected, act, field } = useDesign()
  const typing = useAdministrationState(({ plan }) => plan.design.typing)
  const style = (property: WordProperty, value: string) => {
    const chosen = field.current?.selection()
    const words =
      typing && selected && chosen && chosen.from < chosen.to
        ? rangeOfShown(selected.text, typing.place, chosen, decodeReference)
        : null
    act(words ? { kind: 'styleWords', words, property, value } : { kind: 'style', property, value })
  }
  const isOn = (toggle: WordToggle): boolean =>
    toggle === 'bold'
      ? Number(look?.fontWeight ?? 400) >= 600
      : toggle === 'italic'
        ? look?.fontStyle === 'italic'
        : (look?.textDecoration.includes('underline') ?? false)
  const toggle = (each: WordToggle) => {
    if (each === 'bold') style('font-weight', isOn(each) ? 'normal' : 'bold')
    else if (each === 'italic') style('font-style', isOn(each) ? 'normal' : 'italic')
    else style('text-decoration', isOn(each) ? 'none' : 'underline')
  }
  return { isOff: selected === null || wordsIn(selected.item).length === 0, style, isOn, toggle }
}
