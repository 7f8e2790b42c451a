import { type RefObject, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { TypedPiece } from '../../../streams/administration/design/typing.ts'
import type { SourceRange } from '../../../streams/organisation/template/tree.ts'

/** The character of a value in the field's text: the object replacement character, which nobody can type. */
export const VALUE_CHARACTER = '\ufffc'

export type MountedWordsField = Readonly<{
  /** The selection in the shown text, where a value is one character. */
  selection: () => SourceRange
  focus: () => void
  /** Inserts a value at the cursor, or in place of the selection. */
  insertValue: (name: string) => void
  /** Types a text at the cursor. */
  type: (text: string) => void
  destroy: () => void
}>

/**
 * Where typing begins: at a click, in the coordinates of the window; with all words selected; or, if null, at the end of
 * the words.
 */
export type TypingStart = Readonly<{ x: number; y: number }> | 'all' | null

type Options = Readonly<{
  pieces: readonly TypedPiece[]
  label: string
  /** The values that can be inserted, each with its display name and the value of the preview's person. */
  values: readonly Readonly<{ name: string; title: string; value: string }>[]
  /** What stands for a placeholder: a text, and what it says on hover. */
  chipOf: (source: string) => Readonly<{ text: string; title: string }>
  texts: Readonly<{ completions: string; selectionDeleted: string }>
  at: TypingStart
  /** The words changed. Characters that are being composed come when they are finished. */
  onTyped: (pieces: readonly TypedPiece[]) => void
  /** Escape was pressed. */
  onLeave: () => void
}>

/** Mounts the field in an empty element, in its own shadow root, and focuses it. */
export type MountWordsField = (place: HTMLElement, options: Options) => MountedWordsField

/**
 * Mounts a field while the component is drawn, and types there what was typed before. Ignores later values of the
 * options, except for the callbacks.
 */
export function useWordsField(
  place: RefObject<HTMLElement | null>,
  mount: MountWordsField,
  options: Options & Readonly<{ typedBefore: () => string }>,
): RefObject<MountedWordsField | null> {
  const field = useRef<MountedWordsField | null>(null)
  const typed = useEffectEvent((pieces: readonly TypedPiece[]) => {
    options.onTyped(pieces)
  })
  const leave = useEffectEvent(() => {
    options.onLeave()
  })
  const draw = useEffectEvent((into: HTMLElement) => {
    const { typedBefore, ...given } = options
    const mounted = mount(into, { ...given, onTyped: (pieces) => typed(pieces), onLeave: () => leave() })
    const before = typedBefore()
    if (before !== '') mounted.type(before)
    return mounted
  })
  useLayoutEffect(() => {
    if (!place.current) return
    const mounted = draw(place.current)
    field.current = mounted
    return () => {
      field.current = null
      mounted.destroy()
    }
  }, [place])
  return field
}

/** Whether a key types a character. */
export function isTypedKey(event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event
  // AltGr, which types characters such as @, is Ctrl and Alt at once.
  const isCommand = (ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph')
  return !isCommand && Array.from(key).length === 1
}

/**
 * Takes the focus while the element is drawn, and passes on what is typed there: a person who types does not notice at once
 * that the focus is elsewhere. A text area in the element also takes text that is pasted, dictated or composed. Without
 * `onType`, keys do nothing, so that the key that opened a question does not answer it.
 */
export function useTypedOn(onType: ((text: string) => void) | null): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  const type = useEffectEvent((event: KeyboardEvent) => {
    if (!isTypedKey(event)) return
    event.preventDefault()
    onType?.(event.key)
  })
  const take = useEffectEvent((field: HTMLTextAreaElement) => {
    const text = field.value.replaceAll(VALUE_CHARACTER, '')
    field.value = ''
    if (text !== '') onType?.(text)
  })
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    element.tabIndex = -1
    const field = element.querySelector('textarea')
    const focused = field ?? element
    focused.focus()
    const press = (event: KeyboardEvent) => type(event)
    const input = (event: Event) => {
      // Characters that are being composed come when they are finished.
      if (field && !(event instanceof InputEvent && event.isComposing)) take(field)
    }
    element.addEventListener('keydown', press)
    element.addEventListener('input', input)
    element.addEventListener('compositionend', input)
    return () => {
      element.removeEventListener('keydown', press)
      element.removeEventListener('input', input)
      element.removeEventListener('compositionend', input)
    }
  }, [])
  return place
}

const decoded = new Map<string, string>()

/** Decodes a character reference as the browser does. */
export function decodeReference(reference: string): string {
  const known = decoded.get(reference)
  if (known !== undefined) return known
  // A blank at the beginning of a document would be left out.
  const text = new DOMParser().parseFromString(`-${reference}`, 'text/html').body.textContent.slice(1)
  decoded.set(reference, text)
  return text
}
