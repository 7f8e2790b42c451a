import { type KeyboardEvent, useRef, useState } from 'react'
import { addTypedKey, findTypedName, NOTHING_TYPED } from '../../shared/typeAhead.ts'
import { type Choice, Choices } from '../plan/Choices.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Design.module.css'

/**
 * A button that shows a choice and opens the list of all. Unlike in a closed select, a key only moves in the list: the
 * act follows when a choice is pressed.
 *
 * @param shown the current choice in words; empty if there is none
 * @param isField whether the label is above the button
 */
export function Pick<Value>({
  label,
  shown,
  choices,
  isOff = false,
  isField = false,
  onChoose,
}: {
  label: string
  shown: string
  choices: readonly Choice<Value>[]
  isOff?: boolean
  isField?: boolean
  onChoose: (value: Value) => void
}) {
  const t = useTexts()
  const place = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOpen(false)
    place.current?.querySelector('button')?.focus()
  }
  return (
    <div
      ref={place}
      className={css['pick']}
      data-field={isField || undefined}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return
        event.stopPropagation()
        close()
      }}
    >
      {isField && <span aria-hidden="true">{label}</span>}
      <button
        type="button"
        className={css['picked']}
        aria-label={shown === '' ? label : t('design.item', { kind: label, text: shown })}
        aria-expanded={isOpen}
        aria-disabled={isOff || undefined}
        onClick={isOff ? undefined : () => setOpen(!isOpen)}
      >
        <span>{shown === '' ? label : shown}</span>
        <span aria-hidden="true">▾</span>
      </button>
      {isOpen && (
        <List
          label={label}
          choices={choices}
          onChoose={(value) => {
            close()
            onChoose(value)
          }}
        />
      )}
    </div>
  )
}

function List<Value>(given: {
  label: string
  choices: readonly Choice<Value>[]
  onChoose: (value: Value) => void
}) {
  const typed = useRef(NOTHING_TYPED)
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { key, ctrlKey, metaKey, altKey, timeStamp: at } = event
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    const current = buttons.findIndex((each) => each === document.activeElement)
    const ends = { Home: 0, End: buttons.length - 1 }
    let to: number | null | undefined = { ...ends, ArrowDown: current + 1, ArrowUp: current - 1 }[key]
    if (to === undefined) {
      if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return
      typed.current = addTypedKey(typed.current, { key, at, current })
      to = findTypedName(
        given.choices.map(({ text }) => text),
        current,
        typed.current,
      )
    }
    buttons[to ?? -1]?.focus()
    event.preventDefault()
  }
  return (
    // Takes the focus where a pressed button does not, so that the list stays open until the press is a click.
    <div ref={focusCurrent} className={css['choices']} tabIndex={-1} onKeyDown={press}>
      <Choices {...given} />
    </div>
  )
}

const focusCurrent = (list: HTMLElement | null) => {
  const current = list?.querySelector<HTMLElement>('[aria-current]') ?? list?.querySelector('button')
  current?.focus()
}
