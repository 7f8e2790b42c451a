import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import * as css from './Menu.module.css'

/** What a menu offers. */
export type MenuItem = Readonly<{ text: string; choose: () => void }>

/**
 * A menu at a place of its parent. It takes the focus, and gives it back to who had it when something was chosen or
 * Escape was pressed. `top` in CSS pixels.
 */
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
  const opener = useRef<Element>(null)

  const itemsIn = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  useEffect(() => {
    opener.current = document.activeElement
    menu.current?.scrollIntoView({ block: 'nearest' })
    menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
  }, [])

  const giveBack = () => {
    onClose()
    if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
  }
  const press = (event: KeyboardEvent) => {
    const all = itemsIn()
    const current = all.findIndex((item) => item === document.activeElement)
    const to = (index: number) => all[(index + all.length) % all.length]?.focus()
    if (event.key === 'ArrowDown') to(current + 1)
    else if (event.key === 'ArrowUp') to(current - 1)
    else if (event.key === 'Home') to(0)
    else if (event.key === 'End') to(-1)
    else if (event.key === 'Escape' || event.key === 'Tab') giveBack()
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
      {items.map(({ text, choose }) => (
        <button
          key={text}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={css['item']}
          onClick={() => {
            giveBack()
            choose()
          }}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
