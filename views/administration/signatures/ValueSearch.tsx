import { type KeyboardEvent, useId, useState } from 'react'
import { Suggestions } from '../../../streams/administration/plan/events.ts'
import { offeredValues, type SuggestionsState } from '../../../streams/administration/plan/suggestions.ts'
import {
  MAX_SUGGESTED_CHARACTERS,
  type SuggestedField,
} from '../../../streams/organisation/rules/fieldValues.ts'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { Field } from '../parts/Field.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'
import * as css from './ValueSearch.module.css'

/**
 * A combobox that finds the values that people have in the directory. Enter adds the active value, or else the typed
 * text.
 *
 * @param lines the values of the condition, which are not offered again
 */
export function ValueSearch({
  field,
  lines,
  onAdd,
}: {
  field: SuggestedField
  lines: string
  onAdd: (value: string) => void
}) {
  const t = useTexts()
  const record = useGesture()
  const id = useId()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState<string | null>(null)
  const [added, setAdded] = useState<string | null>(null)
  const state = useAdministrationState(({ suggestions }) => suggestions)
  const values = offeredValues(state, { field, search: text }, lines)
  const isShown = isOpen && values.length > 0
  const index = isShown ? values.findIndex(({ value }) => value === active) : -1
  const optionId = (at: number) => `${id}-${String(at)}`

  const seek = (search: string) => {
    record(Suggestions.sought({ field, search: search.trim() }))
  }
  const close = () => {
    setOpen(false)
    setActive(null)
  }
  const add = (value: string) => {
    close()
    setText('')
    setAdded(value)
    onAdd(value)
    seek('')
  }
  const move = (by: 1 | -1) => {
    const to = index < 0 ? (by === 1 ? 0 : values.length - 1) : (index + by + values.length) % values.length
    setOpen(true)
    setActive(values[to]?.value ?? null)
  }
  const press = (event: KeyboardEvent) => {
    // The keys belong to the list of an input method, such as for Japanese.
    if (event.nativeEvent.isComposing) return
    const typed = text.trim()
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && (index >= 0 || typed !== '')) add(values[index]?.value ?? typed)
    else if (event.key === 'Escape' && isShown) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div>
      <div className={css['search']}>
        <Field
          label={t('signatures.rules.find.label')}
          type="text"
          role="combobox"
          autoComplete="off"
          spellCheck={false}
          maxLength={MAX_SUGGESTED_CHARACTERS}
          aria-autocomplete="list"
          aria-expanded={isShown}
          aria-controls={id}
          aria-activedescendant={index < 0 ? undefined : optionId(index)}
          value={text}
          onFocus={() => seek(text)}
          onBlur={close}
          onClick={() => setOpen(true)}
          onKeyDown={press}
          onChange={({ currentTarget: { value } }) => {
            setText(value)
            setOpen(true)
            setActive(null)
            setAdded(null)
            seek(value)
          }}
        />
        <ul id={id} role="listbox" aria-label={t('signatures.rules.find.label')} hidden={!isShown}>
          {isShown &&
            values.map(({ value, people }, at) => (
              // The keys are those of the combobox, which keeps the focus.
              <li
                key={value}
                id={optionId(at)}
                role="option"
                tabIndex={-1}
                aria-selected={at === index}
                ref={at === index ? showOption : null}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => add(value)}
              >
                <span>{value}</span>
                {people !== null && (
                  <span className={textCss['quiet']}>
                    {t('signatures.rules.find.people', { count: people })}
                  </span>
                )}
              </li>
            ))}
        </ul>
      </div>
      <p role="status" className={`${textCss['quiet']} ${css['status']}`}>
        {added !== null
          ? t('signatures.rules.find.added', { value: added })
          : statusOf(state, field, values.length, t)}
      </p>
    </div>
  )
}

const showOption = (option: HTMLElement | null) => {
  option?.scrollIntoView({ block: 'nearest' })
}

/** What the search for values of a field found; a hint before it began. */
function statusOf(
  { sought, load }: SuggestionsState,
  field: SuggestedField,
  found: number,
  t: Translate,
): string {
  if (sought?.field !== field || load.status === 'idle') return t('signatures.rules.find.hint')
  if (load.status === 'fail') return t('signatures.rules.find.failed')
  if (found > 0) return t('signatures.rules.find.found', { count: found })
  return t(load.status === 'pending' ? 'load.loading' : 'signatures.rules.find.none')
}
