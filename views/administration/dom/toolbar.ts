import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react'

const CONTROLS = 'button, input:not(:disabled)'

type Toolbar = Readonly<{
  ref: RefObject<HTMLDivElement | null>
  onKeyDown: (event: KeyboardEvent) => void
  onFocus: (event: Readonly<{ target: EventTarget }>) => void
}>

/** The attributes of a toolbar that is one stop of Tab. The arrow keys, Home and End lead through its controls. */
export function useToolbar(): Toolbar {
  const ref = useRef<HTMLDivElement>(null)
  const last = useRef<Element | null>(null)
  /** The controls, without those in lists that they open. */
  const controls = (): readonly HTMLElement[] =>
    [...(ref.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].filter((each) => !each.closest('ul'))
  const keepOneStop = () => {
    const all = controls()
    const stop = all.find((each) => each === last.current) ?? all[0]
    for (const each of all) each.tabIndex = each === stop ? 0 : -1
  }
  useLayoutEffect(keepOneStop)
  return {
    ref,
    onFocus: ({ target }) => {
      const control = controls().find((each) => each === target)
      if (!control) return
      last.current = control
      keepOneStop()
    },
    onKeyDown: (event) => {
      const all = controls()
      const current = all.findIndex((each) => each === event.target)
      if (current < 0 || event.defaultPrevented) return
      const ends = { Home: 0, End: all.length - 1 }
      const to = { ...ends, ArrowRight: current + 1, ArrowLeft: current - 1 }[event.key]
      if (to === undefined) return
      event.preventDefault()
      all[(to + all.length) % all.length]?.focus()
    },
  }
}
