import { type FocusEvent, type KeyboardEvent, useRef } from 'react'
import { useMenuFocus } from '../../shared/dom/focus.ts'
import * as css from './Menu.module.css'

/** `name` identifies a menu item in any language. An item whose `choose` is null shows the current activity. */
export type MenuItem = Readonly<{ name: string; text: string; choose: (() => void) | null }>

/** A menu, `top` CSS pixels below its parent. It takes the focus, and returns it when it closes. */
export function Menu({
  label,
  items,
  top,
  onClose,
}: {
  label: string
  items: readonly MenuItem[]
  top: number
  onClose: () => void
}) {
  const menu = useRef<HTMLDivElement>(null)
  const giveFocusBack = useMenuFocus(menu)

  const itemsIn = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]

  const close = () => {
    onClose()
    giveFocusBack()
  }
  const press = (event: KeyboardEvent) => {
    const all = itemsIn()
    const current = all.findIndex((item) => item === document.activeElement)
    const to = (index: number) => all[(index + all.length) % all.length]?.focus()
    if (event.key === 'ArrowDown') to(current + 1)
    else if (event.key === 'ArrowUp') to(current - 1)
    else if (event.key === 'Home') to(0)
    else if (event.key === 'End') to(-1)
    else if (event.key === 'Escape' || event.key === 'Tab') close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) onClose()
  }

  return (
    <div
      ref={menu}
      role="menu"
      aria-label={label}
      className={css['menu']}
      style={{ top }}
      onKeyDown={press}
      onBlur={leave}
    >
      {items.map(({ name, text, choose }) => (
        <button
          key={name}
          data-item={name}
          aria-disabled={choose === null}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={css['item']}
          onClick={() => {
            if (!choose) return
            close()
            choose()
          }}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
