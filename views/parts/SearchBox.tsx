import { type KeyboardEvent, useRef } from 'react'
import { useTexts } from '../text/texts.ts'
import { Icon } from './Icon.tsx'
import * as css from './SearchBox.module.css'

/** Searches the list with the id `listId`; `activeId` is the option that Enter would choose, if any. */
export function SearchBox({
  text,
  listId,
  activeId,
  onType,
  onKeyDown,
}: {
  text: string
  listId: string
  activeId: string | null
  onType: (text: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}) {
  const t = useTexts()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={css['box']}>
      <Icon name="search" size={16} />
      <input
        ref={input}
        role="combobox"
        type="text"
        aria-label={t('search.label')}
        aria-autocomplete="list"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={activeId ?? undefined}
        placeholder={t('search.label')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => {
          onType(target.value)
        }}
        onKeyDown={onKeyDown}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t('search.clear')}
          className={css['clear']}
          onClick={() => {
            onType('')
            input.current?.focus()
          }}
        >
          <Icon name="close" size={16} />
        </button>
      )}
    </div>
  )
}
