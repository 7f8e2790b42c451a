import { CompletionContext, type CompletionResult, type CompletionSource } from '@codemirror/autocomplete'
import { diagnosticCount, forEachDiagnostic } from '@codemirror/lint'
import { undo } from '@codemirror/commands'
import { EditorView } from '@codemirror/view'
import fc from 'fast-check'
import { act } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { performAction } from '../../../streams/administration/plan/acts.ts'
import { applyEdits, type TemplateEdit } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import type { EditorWords } from '../../../streams/administration/plan/selectors.ts'
import type { MountedEditor } from '../../../views/administration/dom/mountedEditor.ts'
import { OpenTemplate } from '../../../views/administration/plan/OpenTemplate.tsx'
import { mountEditor } from '../../../views/administration/plan/templateEditor.ts'
import { anyAct, template } from '../../support/administration/acts.ts'
import { draftOf } from '../../support/administration/plans.ts'
import { at } from '../../support/administration/story.ts'
import { cases } from '../../support/cases.ts'
import { all, fill, useAdministrationDrawing } from './drawingAdministration.tsx'
import { outline } from '../outline.ts'
import { useEditorSelection } from '../root.ts'

const texts = {
  label: 'Template a.html',
  hint: 'How to leave it.',
  completions: 'Suggestions',
  selectionDeleted: 'Gone',
  kinds: { variable: 'a variable', picture: 'a picture', part: 'a part', slot: 'a slot', helper: 'a helper' },
}
const words: EditorWords = {
  variables: ['name', 'phone'],
  pictures: ['logo.png'],
  parts: ['legal'],
  slots: ['banner'],
}

const silent = { onEdits: () => undefined, onSelected: () => undefined }

/** The editor in this element, as its own library finds it. */
function viewIn(place: Element | undefined): EditorView {
  const editor = place?.shadowRoot?.querySelector<HTMLElement>('.cm-content')
  const view = editor && EditorView.findFromDOM(editor)
  if (!view) throw new Error('There is no editor')
  return view
}

describe('the editor of a template', () => {
  const mounted: MountedEditor[] = []
  afterEach(() => {
    for (const each of mounted.splice(0)) each.destroy()
  })
  useEditorSelection()
  function mount(text: string) {
    const place = document.createElement('div')
    document.body.replaceChildren(place)
    const edits: TemplateEdit[][] = []
    const selections: (readonly [number, number])[] = []
    const editor = mountEditor(place, {
      text,
      texts,
      words,
      onEdits: (some) => edits.push([...some]),
      onSelected: (from, to) => selections.push([from, to]),
    })
    mounted.push(editor)
    return { place, editor, edits, selections, view: viewIn(place) }
  }

  test('is named, says how to leave it, and checks no spelling', () => {
    const { place, view } = mount('<p>\r\nA</p>')
    const { contentDOM } = view
    expect(contentDOM.getAttribute('aria-label')).toBe('Template a.html')
    const hint = contentDOM.getAttribute('aria-describedby') ?? ''
    expect(place.shadowRoot?.getElementById(hint)?.textContent).toBe('How to leave it.')
    expect(contentDOM.getAttribute('spellcheck')).toBe('false')
    expect(contentDOM.getAttribute('autocapitalize')).toBe('off')
    expect(contentDOM.tabIndex).toBe(0)
    expect(view.state.phrase('Completions')).toBe('Suggestions')
    expect(view.state.phrase('Selection deleted')).toBe('Gone')
    // Offsets count every character of the text.
    expect(view.state.doc.toString()).toBe('<p>\r\nA</p>')
  })

  test('tells each change, the last place first, and nothing else', () => {
    const { view, edits, editor } = mount('abc')
    editor.setWords({ variables: [], pictures: [], parts: [], slots: [] })
    expect(edits).toEqual([])
    view.dispatch({
      changes: [
        { from: 0, to: 1, insert: 'X' },
        { from: 3, insert: 'Y\nZ' },
      ],
    })
    expect(edits).toEqual([
      [
        { from: 3, to: 3, insert: 'Y\nZ' },
        { from: 0, to: 1, insert: 'X' },
      ],
    ])
  })

  test.each([
    [-1, 0],
    [2, 2],
    [9, 3],
  ])('goes to the offset %i within the text, with the focus', (offset, head) => {
    const { editor, view, place } = mount('abc')
    editor.goTo(offset, offset)
    expect(view.state.selection.main.head).toBe(head)
    expect(place.shadowRoot?.activeElement).toBe(view.contentDOM)
  })

  test('selects from one offset to another, and tells what is selected after the edits', () => {
    const { editor, view, edits, selections } = mount('abcdef')
    editor.goTo(2, 40)
    expect(selections).toEqual([[2, 6]])
    view.dispatch({ changes: { from: 0, insert: 'x' } })
    expect(edits).toHaveLength(1)
    expect(selections.at(-1)).toEqual([3, 7])
    editor.setProblems([])
    expect(selections).toHaveLength(2)
  })

  test('does an act of the palette, with the focus and one undo for it [ADOPT-8]', () => {
    const { editor, view, edits, place } = mount('<p>a</p>')
    editor.act(performAction('<p>a</p>', { from: 3, to: 4 }, { kind: 'ifFilled', name: 'phone' }))
    expect(view.state.doc.toString()).toBe('<p>{{#if phone}}a{{/if}}</p>')
    expect(view.state.selection.main).toMatchObject({ from: 16, to: 17 })
    expect(edits).toEqual([
      [
        { from: 4, to: 4, insert: '{{/if}}' },
        { from: 3, to: 3, insert: '{{#if phone}}' },
      ],
    ])
    expect(place.shadowRoot?.activeElement).toBe(view.contentDOM)
    expect(undo(view)).toBe(true)
    expect(view.state.doc.toString()).toBe('<p>a</p>')
  })

  test('gives the same bytes after as many undos as there were acts, and keeps an untouched text [ADOPT-8]', () => {
    const place = fc.tuple(fc.nat(200), fc.nat(200)).map(([from, to]) => ({ from, to }))
    fc.assert(
      fc.property(template, fc.array(fc.tuple(place, anyAct), { maxLength: 5 }), (text, acts) => {
        const { editor, view, edits } = mount(text)
        const texts = [text]
        for (const [selected, act] of acts) {
          const before = view.state.doc.toString()
          const made = performAction(before, selected, act)
          editor.act(made)
          if (made.edits.length > 0) texts.push(view.state.doc.toString())
        }
        // What the page keeps is the text of the editor.
        expect(edits.reduce(applyEdits, text)).toBe(view.state.doc.toString())
        for (const each of texts.reverse()) {
          expect(view.state.doc.toString()).toBe(each)
          undo(view)
        }
        expect(view.state.doc.toString()).toBe(text)
        expect(edits.reduce(applyEdits, text)).toBe(text)
        view.contentDOM.blur()
        for (const each of mounted.splice(0)) each.destroy()
      }),
      cases(30),
    )
  })

  test('marks what is wrong, within the text', () => {
    const { editor, view } = mount('abcdef')
    editor.setProblems([
      { from: 1, to: 3, message: 'One.' },
      { from: 4, to: 40, message: 'Two.' },
      { from: 3, to: 2, message: 'Three.' },
    ])
    const marks: unknown[] = []
    forEachDiagnostic(view.state, ({ message, severity }, from, to) =>
      marks.push([message, severity, from, to]),
    )
    expect(marks).toEqual([
      ['One.', 'error', 1, 3],
      ['Three.', 'error', 3, 3],
      ['Two.', 'error', 4, 6],
    ])
    editor.setProblems([])
    expect(diagnosticCount(view.state)).toBe(0)
  })

  test('colours words that decide otherwise than words that show something', () => {
    const { view } = mount('{{#if a}}{{> b}}{{ else }}{{/if}}{{phone}}{{elsewhere}} {{ }')
    const marked = (name: string) =>
      [...view.contentDOM.querySelectorAll(`.cm-template${name}`)].map(({ textContent }) => textContent)
    expect(marked('Word')).toEqual(['{{#if a}}', '{{> b}}', '{{ else }}', '{{/if}}'])
    expect(marked('Value')).toEqual(['{{phone}}', '{{elsewhere}}'])
    view.dispatch({ changes: { from: view.state.doc.length, insert: '}' } })
    expect(marked('Value')).toEqual(['{{phone}}', '{{elsewhere}}', '{{ }}'])
  })

  test('is gone when it is destroyed', () => {
    const { editor, place } = mount('abc')
    editor.destroy()
    expect(place.shadowRoot?.childNodes).toHaveLength(0)
    mounted.length = 0
    // The same element takes another one.
    mounted.push(mountEditor(place, { text: 'b', texts, words, ...silent }))
    expect(viewIn(place).state.doc.toString()).toBe('b')
  })
})

describe('what the editor completes', () => {
  const mounted: MountedEditor[] = []
  afterEach(() => {
    for (const each of mounted.splice(0)) each.destroy()
  })
  /** `|` is the cursor. */
  function completed(text: string, later?: EditorWords): CompletionResult | null {
    const place = document.createElement('div')
    document.body.replaceChildren(place)
    const pos = text.indexOf('|')
    const editor = mountEditor(place, { text: text.replace('|', ''), texts, words, ...silent })
    mounted.push(editor)
    if (later) editor.setWords(later)
    const { state } = viewIn(place)
    const results = state
      .languageDataAt<CompletionSource>('autocomplete', pos)
      .map((source) => source(new CompletionContext(state, pos, true)) as CompletionResult | null)
      .filter((result) =>
        result?.options.some(({ detail }) => Object.values(texts.kinds).includes(detail ?? '')),
      )
    expect(results.length).toBeLessThan(2)
    return results[0] ?? null
  }
  const labels = (text: string, later?: EditorWords) => {
    const result = completed(text, later)
    return result && [result.from, ...result.options.map(({ label }) => label)]
  }
  const applied = (text: string, label: string) => {
    const option = completed(text)?.options.find((each) => each.label === label)
    return option && [option.apply, option.type, option.detail]
  }
  const everything = [
    ...[
      'name',
      'phone',
      'tel',
      'web',
      'first',
      'phone',
      'picture',
      'qr',
      '#if',
      '>',
      'block',
      '#block',
      'counted',
    ],
    ...['else', '/if', '/block'],
  ]

  test.each([
    ['{{|', [2, ...everything]],
    ['<p>{{ ph|', [6, ...everything]],
    ['{{/i|', [2, ...everything]],
    ['{{#if ph|', [6, 'name', 'phone']],
    ['{{tel |', [6, 'name', 'phone']],
    ['{{web n|', [6, 'name', 'phone']],
    ['{{phone n|', [8, 'name', 'phone']],
    ['{{phone manager.n|', [8, 'name', 'phone']],
    ['{{manager.n|', [2, ...everything]],
    ['{{qr |', [5, 'vcard']],
    ['{{qr v|', [5, 'vcard']],
    ['{{qr https://|', null],
    ['{{first name ph|', [13, 'name', 'phone']],
    ['{{picture lo|', [10, 'logo.png']],
    ['{{picture a/b-c.p|', [10, 'logo.png']],
    ['{{> le|', [4, 'legal']],
    ['{{>|', [3, 'legal']],
    ['{{block |', [8, 'banner']],
    ['{{#block ba|', [9, 'banner']],
    ['{{phone}} |', null],
    ['{{\n|', null],
    ['{{name x|', null],
  ])('after %j is %j', (text, expected) => {
    expect(labels(text)).toEqual(expected)
  })

  test('is what the draft has now', () => {
    expect(labels('{{> |', { variables: [], pictures: [], parts: ['other'], slots: [] })).toEqual([
      4,
      'other',
    ])
    expect(labels('{{tel |', { variables: ['fax'], pictures: [], parts: [], slots: [] })).toEqual([6, 'fax'])
  })

  test('closes the braces unless they are closed, and not where more names can follow', () => {
    expect(applied('{{ph|', 'phone')).toEqual(['phone}}', 'variable', 'a variable'])
    expect(applied('{{ph|}}', 'phone')).toEqual(['phone', 'variable', 'a variable'])
    expect(applied('{{ph|} ', 'phone')).toEqual(['phone}}', 'variable', 'a variable'])
    expect(applied('{{tel ph|', 'phone')).toEqual(['phone}}', 'variable', 'a variable'])
    expect(applied('{{qr |', 'vcard')).toEqual(['vcard}}', 'constant', 'a helper'])
    expect(applied('{{first ph|', 'phone')).toEqual(['phone', 'variable', 'a variable'])
    expect(applied('{{picture |', 'logo.png')).toEqual(['logo.png}}', 'constant', 'a picture'])
    expect(applied('{{> |', 'legal')).toEqual(['legal}}', 'namespace', 'a part'])
    expect(applied('{{|', 'else')).toEqual(['else}}', 'keyword', 'a helper'])
    expect(applied('{{block |', 'banner')).toEqual(['banner}}', 'namespace', 'a slot'])
    for (const label of ['tel', 'web', 'first', 'picture', 'qr', '#if', '>', 'block', '#block', 'counted'])
      expect(applied('{{|', label)).toEqual([`${label} `, 'keyword', 'a helper'])
  })

  test('looks at the 600 characters before the cursor, in its line', () => {
    expect(labels(`{{tel ${' '.repeat(593)}|`)).toEqual([599, 'name', 'phone'])
    expect(labels(`{{tel ${' '.repeat(595)}|`)).toBeNull()
    expect(labels(`{{tel\n|`)).toBeNull()
  })
})

describe('the open template', () => {
  const { recorded, draw, go, render } = useAdministrationDrawing()
  const begun = [
    ...at('/signatures/files'),
    Planning.draftRestored({ draft: null }),
    Planning.draftBegun({ draft: draftOf(), findings: [] }),
  ]
  const path = 'templates/a.html'
  const opened = (line: number, column: number) => Planning.templateOpened({ path, line, column })
  const editor = () => viewIn(all('main div').find(({ shadowRoot }) => shadowRoot !== null))
  const insert = (text: string) => Planning.edited({ path, edits: [{ from: 0, to: 0, insert: text }] })

  test('is edited, with the words of the draft', async () => {
    await draw(...begun)
    const view = editor()
    expect(view.state.doc.toString()).toBe('<p>{{phone}}</p>')
    expect(view.contentDOM.getAttribute('aria-label')).toBe(`Template ${path}`)
    act(() => {
      view.dispatch({ changes: { from: 0, insert: 'Hi ' } })
    })
    expect(recorded).toEqual([insert('Hi '), Planning.selected({ path, from: 0, to: 0 })])
    const offered = view.state.languageDataAt<CompletionSource>('autocomplete', 3).flatMap((source) => {
      const result = source(new CompletionContext(view.state, 3, true)) as CompletionResult | null
      return result?.options.map(({ label }) => label) ?? []
    })
    expect(offered).not.toContain('phone')
  })

  test('has an editor of its own, with its own text', async () => {
    await draw(...begun)
    const first = editor()
    await go(...begun, insert('x'))
    // What is in the editor is the editor's own.
    expect(editor()).toBe(first)
    await go(...begun, Planning.templateOpened({ path: 'templates/b.html', line: null, column: null }))
    expect(editor()).not.toBe(first)
    expect(editor().state.doc.toString()).toContain('{{> legal}}')
  })

  test('has the cursor at the place that was asked for, once for each time', async () => {
    await draw(...begun)
    const head = () => editor().state.selection.main.head
    await go(...begun, opened(1, 4))
    expect(head()).toBe(3)
    const host = document.activeElement
    expect(host?.shadowRoot).not.toBeNull()
    act(() => {
      all('main button')[0]?.focus()
    })
    await go(...begun, opened(1, 4), Planning.lookChosen({ look: 'dark' }))
    expect(document.activeElement).toBe(all('main button')[0])
    await go(...begun, opened(1, 4), opened(1, 4))
    expect(document.activeElement).toBe(host)
  })

  test('names what is wrong, there and below, each with its place', async () => {
    const wrong = [...begun, insert('<p>{{phon}} {{#if phone}}'), Planning.paused()]
    await draw(...wrong)
    const found: unknown[] = []
    forEachDiagnostic(editor().state, ({ message }, from, to) => found.push([message, from, to]))
    expect(found).toEqual([
      ['There is no variable phon.', 3, 11],
      ['The condition for phone is never closed.', 12, 25],
    ])
    act(() => {
      all('[data-level=error] button')[1]?.click()
    })
    expect(recorded).toEqual([opened(1, 4)])
  })

  const field = () => {
    const [found] = document.querySelectorAll('textarea')
    if (!found) throw new Error('There is no field')
    return found
  }
  const around = async (load: Parameters<typeof OpenTemplate>[0]['load']) => {
    const { AdministrationProvider } = await import('../../../views/administration/parts/administration.tsx')
    const { administrationStateAfter } = await import('../../support/administration/story.ts')
    const { BehaviorSubject } = await import('rxjs')
    const { createClock } = await import('../../support/clock.ts')
    await render(
      <AdministrationProvider
        value={{
          state$: new BehaviorSubject(administrationStateAfter(...begun)),
          record: (event) => recorded.push(event),
          loadSanitizer: () => Promise.reject(new Error('not here')),
          imageOrigins: [],
          time: createClock(),
          version: '0.1.0',
          documentation: '',
          loadValues: () => Promise.reject(new Error('not here')),
        }}
      >
        <OpenTemplate {...(load ? { load } : {})} />
      </AdministrationProvider>,
    )
  }

  test('is a plain field while the code of the editor loads, and as long as it has the focus', async () => {
    let give: (mount: typeof mountEditor) => void = () => undefined
    await around(() => new Promise((resolve) => (give = resolve)))
    expect(field().getAttribute('data-waits')).toBe('true')
    const hint = document.getElementById(field().getAttribute('aria-describedby') ?? '')
    expect([field().getAttribute('aria-label'), hint?.textContent]).toEqual([
      `Template ${path}`,
      'Tab leaves the field.',
    ])
    expect(field().getAttribute('autocapitalize')).toBe('off')
    act(() => {
      field().focus()
    })
    fill(field(), 'Hi <p>{{phone}}</p>')
    expect(recorded).toEqual([insert('Hi ')])
    await act(async () => {
      give(mountEditor)
      await Promise.resolve()
    })
    const waiting = field()
    expect(waiting.getAttribute('data-waits')).toBeNull()
    act(() => {
      waiting.blur()
    })
    expect(document.querySelector('textarea')).toBeNull()
    expect(viewIn(all('div').find(({ shadowRoot }) => shadowRoot !== null)).state.doc.toString()).toBe(
      '<p>{{phone}}</p>',
    )
  })

  test('stays a plain field when the code of the editor cannot be loaded', async () => {
    await around(() => Promise.reject(new Error('offline')))
    expect(outline(document.body)).toContain(
      'status: The editor could not be loaded. This is a plain text field.',
    )
    expect(field().getAttribute('data-waits')).toBeNull()
    fill(field(), '')
    expect(recorded).toEqual([Planning.edited({ path, edits: [{ from: 0, to: 16, insert: '' }] })])
  })
})
