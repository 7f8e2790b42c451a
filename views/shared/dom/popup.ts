import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'

/** Calls `onPress` when the user presses outside the element, with any pointer, while `isActive`. */
function useOutsidePress(
  element: RefObject<HTMLElement | null>,
  isActive: boolean,
  onPress: () => void,
): void {
  const press = useEffectEvent(({ target }: PointerEvent) => {
    if (target instanceof Node && !element.current?.contains(target)) onPress()
  })
  useEffect(() => {
    if (!isActive) return
    document.addEventListener('pointerdown', press, { capture: true })
    return () => {
      document.removeEventListener('pointerdown', press, { capture: true })
    }
  }, [isActive])
}

/**
 * A card that a button opens over the page. Returns the attributes of the element around both and of the button, and the
 * id of the card. Escape closes the card and focuses the button, as `close` does; a focus or a press elsewhere closes the
 * card, too.
 */
export function usePopup<Around extends HTMLElement>() {
  const id = useId()
  const place = useRef<Around>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const leave = () => {
    setOpen(false)
  }
  useOutsidePress(place, isOpen, leave)
  const close = () => {
    leave()
    opener.current?.focus()
  }
  return {
    id,
    isOpen,
    close,
    around: {
      ref: place,
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape' || !isOpen) return
        // Otherwise the mail client would move the focus out of the pane.
        event.preventDefault()
        event.stopPropagation()
        close()
      },
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) leave()
      },
    },
    button: {
      ref: opener,
      type: 'button',
      'aria-expanded': isOpen,
      'aria-controls': isOpen ? id : undefined,
      onClick: () => setOpen(!isOpen),
    },
  } as const
}
