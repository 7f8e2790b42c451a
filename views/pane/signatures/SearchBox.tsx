import { type KeyboardEvent, useRef, useState } from 'react'
import { useObservable, useObservableCallback, useSubscription } from 'observable-hooks'
import { distinctUntilChanged, map } from 'rxjs'
import { debounceBy } from '../../../streams/kernel/time.ts'
import { selectSearchQuery } from '../../../streams/pane/signatures/selectors.ts'
import { useApp } from '../app.tsx'
import { useTexts } from '../text/texts.ts'
import { Icon } from '../../shared/Icon.tsx'
import * as css from './SearchBox.module.css'

/** The delay between the last typed letter and the search, in milliseconds. */
const SEARCH_DEBOUNCE_MS = 120

/** Searches the list `listId`. The input keeps the focus while the arrow keys change the active option, `activeId`. */
export function SearchBox({
  listId,
  hintId,
  activeId,
  onType,
  onSearch,
  onMove,
  onEnter,
  onEscape,
}: {
  listId: string
  /** The id of the element that explains Escape now; null when Escape only clears the box. */
  hintId: string | null
  activeId: string | null
  onType: (words: string) => void
  /** Called once the user has stopped typing. */
  onSearch: (query: string) => void
  onMove: (step: 1 | -1) => void
  /** Called for Enter. The list may not show the results of `query` yet. */
  onEnter: (query: string) => void
  /** Called for Escape in an empty box. Returns false to pass the key on. */
  onEscape: () => boolean
}) {
  const t = useTexts()
  const { state$, time } = useApp()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(() => selectSearchQuery(state$.value))
  const [search, query$] = useObservableCallback<string>((text$) =>
    text$.pipe(debounceBy(SEARCH_DEBOUNCE_MS, time)),
  )
  useSubscription(query$, onSearch)
  // The state may change the search without typing: when the user goes to another page, and in a replay.
  const searched$ = useObservable(() => state$.pipe(map(selectSearchQuery), distinctUntilChanged()))
  useSubscription(searched$, (query) => {
    setText((typed) => (typed.trim() === query ? typed : query))
  })
  const write = (words: string) => {
    setText(words)
    onType(words)
    search(words.trim())
  }
  const press = (event: KeyboardEvent) => {
    const { key, altKey, ctrlKey, metaKey, nativeEvent } = event
    if (altKey || ctrlKey || metaKey || nativeEvent.isComposing) return
    if (key === 'ArrowDown') onMove(1)
    else if (key === 'ArrowUp') onMove(-1)
    else if (key === 'Enter') onEnter(text.trim())
    else if (key === 'Escape' && text !== '') write('')
    else if (key !== 'Escape' || !onEscape()) return
    event.preventDefault()
    event.stopPropagation()
  }
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
        aria-describedby={hintId ?? undefined}
        placeholder={t('search.label')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => write(target.value)}
        onKeyDown={press}
      />
      {text !== '' && (
        <button
          type="button"
          aria-label={t('search.clear')}
          className={css['clear']}
          onClick={() => {
            write('')
            input.current?.focus()
          }}
        >
          <Icon name="close" size={16} />
        </button>
      )}
    </div>
  )
}
