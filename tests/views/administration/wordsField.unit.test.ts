import { acceptCompletion, currentCompletions } from '@codemirror/autocomplete'
import { redo, undo } from '@codemirror/commands'
import { EditorView, runScopeHandlers } from '@codemirror/view'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TypedPiece } from '../../../streams/administration/design/typing.ts'
import { mountWordsField } from '../../../views/administration/design/wordsField.ts'
import { type MountedWordsField, VALUE_CHARACTER } from '../../../views/administration/dom/wordsField.ts'
import { cases } from '../../support/cases.ts'
import { useEditorSelection } from '../root.ts'

const text = (of: string): TypedPiece => ({ kind: 'text', text: of })
const value = (name: string): TypedPiece => ({ kind: 'value', source: `{{${name}}}` })
const PHONE = [text('Tel. '), value('phone'), text(' (day)')]

const mounted: MountedWordsField[] = []
const unmount = () => {
  for (const each of mounted.splice(0)) each.destroy()
}
beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  unmount()
  vi.useRealTimers()
})
useEditorSelection()

function mount(pieces: readonly TypedPiece[] = PHONE) {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  const typed: (readonly TypedPiece[])[] = []
  const left = vi.fn()
  const field = mountWordsField(place, {
    pieces,
    label: 'Words',
    values: [
      { name: 'phone', title: 'Telephone', value: '+49 30 5550' },
      { name: 'title', title: 'Position', value: 'Head of Sales' },
      { name: 'fax', title: 'Fax', value: '' },
    ],
    chipOf: (source) =>
      source === '{{phone}}' ? { text: '+49 30 5550', title: 'Telephone' } : { text: source, title: source },
    texts: { completions: 'Suggestions', selectionDeleted: 'Gone' },
    at: null,
    onTyped: (each) => typed.push(each),
    onLeave: left,
  })
  mounted.push(field)
  const content = place.shadowRoot?.querySelector<HTMLElement>('.cm-content')
  const view = (content && EditorView.findFromDOM(content)) ?? expect.fail('There is no field')
  return {
    place,
    field,
    view,
    left,
    typed: () => typed.at(-1),
    goTo: (anchor: number, head = anchor) => {
      view.dispatch({ selection: { anchor, head } })
    },
    key: (key: string) => runScopeHandlers(view, new KeyboardEvent('keydown', { key }), 'editor'),
    /** Types at the cursor, as the keyboard does. */
    type: (insert: string) => {
      view.dispatch(view.state.replaceSelection(insert), { userEvent: 'input.type' })
    },
  }
}

describe('the field for words', () => {
  test('is named, has the focus, and begins at the end', () => {
    const { place, view, field } = mount()
    expect(view.contentDOM.getAttribute('aria-label')).toBe('Words')
    expect(view.contentDOM.getAttribute('spellcheck')).toBe('true')
    expect(place.shadowRoot?.activeElement).toBe(view.contentDOM)
    expect(view.state.phrase('Completions')).toBe('Suggestions')
    expect(field.selection()).toEqual({ from: 12, to: 12 })
  })

  test('shows what the person has, or the placeholder, each as one unit [EDIT-4]', () => {
    const { view } = mount([value('phone'), value('fax')])
    const chips = [...view.contentDOM.querySelectorAll<HTMLElement>('.cm-value')]
    expect(chips.map(({ textContent, title }) => [textContent, title])).toEqual([
      ['+49 30 5550', 'Telephone'],
      ['{{fax}}', '{{fax}}'],
    ])
    expect(view.state.doc.length).toBe(2)
  })

  test('removes a value as a whole, and only it [EDIT-4]', () => {
    const before = mount()
    before.goTo(6)
    expect(before.key('Backspace')).toBe(true)
    expect(before.typed()).toEqual([text('Tel.  (day)')])
    unmount()
    const behind = mount()
    behind.goTo(5)
    expect(behind.key('Delete')).toBe(true)
    expect(behind.typed()).toEqual([text('Tel.  (day)')])
  })

  test('gives back a removed value when that is undone, wherever it is by then [EDIT-4]', () => {
    const { view, typed, goTo, key } = mount()
    goTo(6)
    key('Backspace')
    view.dispatch({ changes: { from: 0, insert: 'a ' } })
    undo(view)
    undo(view)
    expect(typed()).toEqual(PHONE)
    redo(view)
    expect(typed()).toEqual([text('Tel.  (day)')])
  })

  test('keeps every value whatever is typed beside it, and never shows its character as text [EDIT-4]', () => {
    const piece = fc.oneof(
      fc.constantFrom('phone', 'fax').map(value),
      fc.string({ unit: fc.constantFrom('a', ' ', '😀', '{'), minLength: 1 }).map(text),
    )
    const insertion = fc.tuple(fc.nat(60), fc.constantFrom('x', '{', '}}', '\n', VALUE_CHARACTER, 'é'))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), fc.array(insertion, { minLength: 1 }), (pieces, all) => {
        const { view, typed } = mount(pieces)
        for (const [at, insert] of all)
          view.dispatch({ changes: { from: Math.min(at, view.state.doc.length), insert } })
        const shown = typed() ?? []
        expect(shown.filter(({ kind }) => kind === 'value')).toEqual(
          pieces.filter(({ kind }) => kind === 'value'),
        )
        expect(JSON.stringify(shown)).not.toContain(VALUE_CHARACTER)
        view.contentDOM.blur()
        unmount()
      }),
      cases(30),
    )
  })

  /** A clipboard, or what is dragged. */
  function createClipboard(content: Readonly<Record<string, string>> = {}) {
    const data = new Map(Object.entries(content))
    return {
      get types() {
        return [...data.keys()]
      },
      getData: (type: string) => data.get(type) ?? '',
      setData: (type: string, text: string) => data.set(type, text),
      clearData: () => data.clear(),
    }
  }
  const carry = (view: EditorView, type: string, clipboard = createClipboard()) => {
    const event = new Event(type, { bubbles: true, cancelable: true })
    Object.assign(event, { clipboardData: clipboard, dataTransfer: clipboard })
    view.contentDOM.dispatchEvent(event)
    return { clipboard, wasTaken: event.defaultPrevented }
  }

  test('moves a value by cutting and pasting it, once more by pasting it again', () => {
    const { view, goTo, typed } = mount()
    goTo(2, 7)
    const { clipboard } = carry(view, 'cut')
    expect(typed()).toEqual([text('Te(day)')])
    goTo(0)
    carry(view, 'paste', clipboard)
    expect(typed()).toEqual([text('l. '), value('phone'), text(' Te(day)')])
    expect(view.state.selection.main.head).toBe(5)
    carry(view, 'paste', clipboard)
    expect(typed()).toEqual([
      ...[text('l. '), value('phone'), text(' l. '), value('phone'), text(' Te(day)')],
    ])
    undo(view)
    undo(view)
    undo(view)
    expect(typed()).toEqual(PHONE)
  })

  test('pastes a copied value in place of what is selected, also into other words', () => {
    const { view, goTo } = mount()
    goTo(5, 6)
    const { clipboard } = carry(view, 'copy')
    unmount()
    const other = mount([text('Call me')])
    other.goTo(5, 7)
    carry(other.view, 'paste', clipboard)
    expect(other.typed()).toEqual([text('Call '), value('phone')])
  })

  test('gives other programs what is shown, and nothing without a selection', () => {
    const { view, goTo, typed } = mount([...PHONE, value('fax')])
    goTo(0, 13)
    expect(carry(view, 'copy').clipboard.getData('text/plain')).toBe('Tel. +49 30 5550 (day){{fax}}')
    goTo(3)
    const before = createClipboard({ 'text/plain': 'before' })
    expect(carry(view, 'cut', before).wasTaken).toBe(true)
    expect([before.getData('text/plain'), typed()]).toEqual(['before', undefined])
  })

  test('pastes what is from elsewhere as text, also if it looks like a value', () => {
    const { view, goTo, typed } = mount()
    goTo(5, 6)
    const { clipboard } = carry(view, 'copy')
    const shown = clipboard.getData('text/plain')
    for (const elsewhere of [shown, '{{phone}}', `${VALUE_CHARACTER}<b>`]) {
      goTo(0, view.state.doc.length)
      carry(view, 'paste', createClipboard({ 'text/plain': elsewhere }))
      expect(typed()).toEqual([text(elsewhere.replace(VALUE_CHARACTER, ''))])
    }
    // Copied in a field, and then something else in a field of another tab.
    const [type = ''] = clipboard.types.filter((each) => each !== 'text/plain')
    goTo(0, view.state.doc.length)
    carry(view, 'paste', createClipboard({ 'text/plain': 'other', [type]: '' }))
    expect(typed()).toEqual([text('other')])
  })

  test('does not drag a value, which would be lost', () => {
    const { view, goTo } = mount()
    const isKept = (anchor: number, head: number) => {
      goTo(anchor, head)
      return carry(view, 'dragstart').wasTaken
    }
    expect([isKept(4, 7), isKept(5, 6), isKept(0, 5), isKept(6, 9)]).toEqual([true, true, false, false])
  })

  test('tells of composed characters when they are finished', async () => {
    const { view, typed, type } = mount()
    const compose = (name: string) =>
      view.contentDOM.dispatchEvent(new CompositionEvent(name, { bubbles: true }))
    compose('compositionstart')
    type('日')
    expect(typed()).toBeUndefined()
    compose('compositionend')
    await Promise.resolve()
    expect(typed()).toEqual([...PHONE.slice(0, 2), text(' (day)日')])
    compose('compositionstart')
    type('本')
    view.contentDOM.dispatchEvent(new FocusEvent('blur'))
    expect(typed()).toEqual([...PHONE.slice(0, 2), text(' (day)日本')])
  })

  test('types at the cursor', () => {
    const { field, goTo, typed } = mount()
    goTo(3, 4)
    field.type('efon ')
    field.type('{')
    expect(typed()).toEqual([text('Telefon { '), ...PHONE.slice(1)])
  })

  test('selects a value as one character', () => {
    const { field, goTo } = mount()
    goTo(5, 6)
    expect(field.selection()).toEqual({ from: 5, to: 6 })
  })

  test('breaks the line with Enter', () => {
    const { goTo, key, typed } = mount()
    goTo(4)
    expect(key('Enter')).toBe(true)
    expect(typed()).toEqual([text('Tel.\n'), value('phone'), text(' (day)')])
  })

  test('is left with Escape, which changes nothing [EDIT-9]', () => {
    const { key, left, typed } = mount()
    expect(key('Escape')).toBe(true)
    expect(left).toHaveBeenCalledOnce()
    expect(typed()).toBeUndefined()
  })

  const offered = async (view: EditorView) => {
    await vi.advanceTimersByTimeAsync(500)
    return currentCompletions(view.state).map(({ label, detail }) => [label, detail])
  }

  test('offers values after a brace, each with what the person has, and takes one in its place', async () => {
    const { view, type, typed } = mount()
    type(' {')
    expect(await offered(view)).toEqual([
      ['Telephone', '+49 30 5550'],
      ['Position', 'Head of Sales'],
      ['Fax', ''],
    ])
    type('sal')
    expect(await offered(view)).toEqual([['Position', 'Head of Sales']])
    expect(acceptCompletion(view)).toBe(true)
    expect(typed()).toEqual([...PHONE.slice(0, 2), text(' (day) '), value('title')])
    expect(view.state.selection.main.head).toBe(14)
  })

  test('inserts a value in place of the selection, and takes the focus back', () => {
    const { view, field, typed, place } = mount()
    view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } })
    view.contentDOM.blur()
    field.focus()
    field.insertValue('title')
    expect(place.shadowRoot?.activeElement).toBe(view.contentDOM)
    expect(typed()).toEqual([value('title')])
    expect(view.state.selection.main.head).toBe(1)
  })

  test('leaves the list of values, not the field, with Escape', async () => {
    const { view, type, key, left } = mount()
    type('{')
    expect(await offered(view)).toHaveLength(3)
    key('Escape')
    expect(await offered(view)).toEqual([])
    expect(left).not.toHaveBeenCalled()
  })

  test('offers nothing in other words', async () => {
    const { view, type } = mount()
    type('x')
    expect(await offered(view)).toEqual([])
  })

  test('is gone when it is destroyed', () => {
    const { place } = mount()
    unmount()
    expect(place.shadowRoot?.childNodes).toHaveLength(0)
  })
})
