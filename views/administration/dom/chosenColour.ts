import { type ChangeEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'

type ColourField = Readonly<{
  ref: RefObject<HTMLInputElement | null>
  value: string
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
}>

/**
 * The attributes of a colour field. The browser reports each colour that the pointer passes in its picker; `onChoose` gets
 * only the one with which the picker is closed, so that it is one step of undo.
 *
 * @param colour the current colour, such as `#1f3a5f`
 */
export function useChosenColour(colour: string, onChoose: (chosen: string) => void): ColourField {
  const ref = useRef<HTMLInputElement>(null)
  const [passed, setPassed] = useState<string | null>(null)
  const choose = useEffectEvent((chosen: string) => {
    setPassed(null)
    if (chosen !== colour) onChoose(chosen)
  })
  useEffect(() => {
    const input = ref.current
    if (!input) return
    // React's `onChange` is the event `input`.
    const close = () => choose(input.value)
    input.addEventListener('change', close)
    return () => {
      input.removeEventListener('change', close)
    }
  }, [])
  return { ref, value: passed ?? colour, onChange: ({ currentTarget }) => setPassed(currentTarget.value) }
}
