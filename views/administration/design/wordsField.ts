/**
 * A field for typing words where they are shown: CodeMirror without lines, in the look of the words. A value of a person
 * is one character that cannot be broken. The field is in a shadow root, as the template editor is.
 */
import {
  autocompletion,
  type Completion,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, invertedEffects } from '@codemirror/commands'
import { EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from '@codemirror/view'
import type { TypedPiece } from '../../../streams/administration/design/typing.ts'
import type { SourceRange } from '../../../streams/organisation/template/tree.ts'
import { type MountWordsField, VALUE_CHARACTER } from '../dom/wordsField.ts'

/** A value in the text: its placeholder, and what the preview's person has. */
class ValueChip extends WidgetType {
  constructor(
    readonly source: string,
    readonly shown: string,
    readonly title: string,
  ) {
    super()
  }
  override eq(other: ValueChip): boolean {
    return this.source === other.source && this.shown === other.shown
  }
  override toDOM(view: EditorView): HTMLElement {
    const chip = view.dom.ownerDocument.createElement('span')
    chip.className = 'cm-value'
    chip.title = this.title
    chip.textContent = this.shown
    return chip
  }
  override ignoreEvent(): boolean {
    return false
  }
}

const addValue = StateEffect.define<Readonly<{ at: number; chip: ValueChip }>>({
  map: ({ at, chip }, changes) => ({ at: changes.mapPos(at), chip }),
})

const chipAt = (at: number, chip: ValueChip) =>
  Decoration.replace({ widget: chip, inclusive: false }).range(at, at + 1)

/** The field's text for these pieces. */
const characters = (pieces: readonly TypedPiece[]): string =>
  pieces.map((piece) => (piece.kind === 'text' ? piece.text : VALUE_CHARACTER)).join('')

/** The values among these pieces, with their places in the field's text. */
const valuesIn = (pieces: readonly TypedPiece[]) =>
  pieces.flatMap((piece, index) =>
    piece.kind === 'value' ? [{ at: characters(pieces.slice(0, index)).length, source: piece.source }] : [],
  )

/** Marks what was copied in a field. The pieces stay here, because another program could write what is not a value. */
const COPIED_TYPE = 'application/x-signet-words'
let copied: Readonly<{ text: string; pieces: readonly TypedPiece[] }> | null = null

const look = EditorView.theme({
  '&': { background: 'transparent', font: 'inherit', color: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', lineHeight: 'inherit', overflow: 'visible' },
  '.cm-content': { padding: '0', minWidth: '1ch', caretColor: 'currentColor', textAlign: 'inherit' },
  '.cm-line': { padding: '0' },
  '.cm-value': {
    borderRadius: '3px',
    outline: '1px solid #0f6cbd',
    outlineOffset: '1px',
    cursor: 'default',
  },
  '.cm-tooltip': {
    color: 'var(--colorNeutralForeground1)',
    backgroundColor: 'var(--colorNeutralBackground1)',
    border: 'var(--strokeWidthThin) solid var(--colorNeutralStroke1)',
    fontFamily: 'var(--fontFamilyBase)',
    fontSize: 'var(--fontSizeBase300)',
    textAlign: 'start',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--colorNeutralForegroundOnBrand)',
    backgroundColor: 'var(--colorBrandBackground)',
  },
})

export const mountWordsField: MountWordsField = (
  place,
  { pieces, label, values, chipOf, texts, at, onTyped, onLeave },
) => {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const box = place.ownerDocument.createElement('div')
  root.replaceChildren(box)
  const chipFor = (source: string): ValueChip => {
    const { text, title } = chipOf(source)
    return new ValueChip(source, text, title)
  }
  const chips = StateField.define<DecorationSet>({
    create: () =>
      RangeSet.of(valuesIn(pieces).map(({ at: start, source }) => chipAt(start, chipFor(source)))),
    update: (before, { changes, effects }) =>
      effects.reduce(
        (set, effect) =>
          effect.is(addValue) ? set.update({ add: [chipAt(effect.value.at, effect.value.chip)] }) : set,
        before.map(changes),
      ),
    provide: (field) => [
      EditorView.decorations.from(field),
      EditorView.atomicRanges.of((view) => view.state.field(field)),
    ],
  })
  /** The values that a change removes come back when it is undone. */
  const removedValues = invertedEffects.of(({ startState, changes }) => {
    const removed: StateEffect<unknown>[] = []
    changes.iterChangedRanges((from, to) => {
      startState.field(chips).between(from, to, (start, end, { spec }) => {
        const { widget } = spec as { widget?: unknown }
        if (widget instanceof ValueChip && from <= start && end <= to)
          removed.push(addValue.of({ at: start, chip: widget }))
      })
    })
    return removed
  })
  const piecesOf = (state: EditorState, { from, to } = { from: 0, to: state.doc.length }) => {
    const result: TypedPiece[] = []
    let at = from
    const addText = (end: number) => {
      const text = state.sliceDoc(at, end).replaceAll(VALUE_CHARACTER, '')
      if (text !== '') result.push({ kind: 'text', text })
    }
    state.field(chips).between(from, to, (start, end, { spec }) => {
      const { widget } = spec as { widget?: unknown }
      if (!(widget instanceof ValueChip) || end !== start + 1 || start < from || end > to) return
      addText(start)
      result.push({ kind: 'value', source: widget.source })
      at = end
    })
    addText(to)
    return result
  }
  const insertPieces = (
    view: EditorView,
    { from, to }: SourceRange,
    inserted: readonly TypedPiece[],
    userEvent: string,
  ): void => {
    const insert = characters(inserted)
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      effects: valuesIn(inserted).map(({ at: start, source }) =>
        addValue.of({ at: from + start, chip: chipFor(source) }),
      ),
      scrollIntoView: true,
      userEvent,
    })
  }
  const insertValue =
    (source: string) =>
    (view: EditorView, _completion: Completion | null, from: number, to: number): void => {
      insertPieces(view, { from, to }, [{ kind: 'value', source }], 'input.complete')
    }
  /** Copies the selection. Other programs get what is shown. */
  const copy = ({ clipboardData }: ClipboardEvent, { state }: EditorView): boolean => {
    const { main } = state.selection
    if (main.empty || !clipboardData) return true
    const copiedPieces = piecesOf(state, main)
    const text = copiedPieces
      .map((piece) => (piece.kind === 'text' ? piece.text : chipOf(piece.source).text))
      .join('')
    copied = { text, pieces: copiedPieces }
    clipboardData.clearData()
    clipboardData.setData('text/plain', text)
    clipboardData.setData(COPIED_TYPE, '')
    return true
  }
  const clipboard = EditorView.domEventHandlers({
    copy,
    cut: (event, view) => {
      copy(event, view)
      const { from, to } = view.state.selection.main
      view.dispatch({ changes: { from, to }, userEvent: 'delete.cut' })
      return true
    },
    paste: ({ clipboardData }, view) => {
      // Text with values that was copied in this field or another. All other text is pasted as it is.
      const isOwn =
        clipboardData?.types.includes(COPIED_TYPE) && clipboardData.getData('text/plain') === copied?.text
      if (!copied || !isOwn) return false
      insertPieces(view, view.state.selection.main, copied.pieces, 'input.paste')
      return true
    },
    // What is dragged is text alone, so a value in it would be lost.
    dragstart: (_, { state }) => piecesOf(state, state.selection.main).some(({ kind }) => kind === 'value'),
  })
  const complete = ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const before = state.sliceDoc(Math.max(0, pos - 100), pos)
    const [begun] = /\{\w*$/.exec(before) ?? [explicit ? '' : undefined]
    if (begun === undefined) return null
    return {
      from: pos - begun.length,
      filter: false,
      options: values
        .filter(({ name, title, value }) =>
          `${title}\n${name}\n${value}`.toLocaleLowerCase().includes(begun.slice(1).toLocaleLowerCase()),
        )
        .map(({ name, title, value }) => ({
          label: title,
          detail: value,
          apply: insertValue(`{{${name}}}`),
        })),
    }
  }
  let isTold = true
  const tell = (): void => {
    if (isTold) return
    isTold = true
    onTyped(piecesOf(view.state))
  }
  const view = new EditorView({
    parent: box,
    root,
    state: EditorState.create({
      doc: characters(pieces),
      extensions: [
        chips,
        EditorState.phrases.of({
          Completions: texts.completions,
          'Selection deleted': texts.selectionDeleted,
        }),
        history(),
        removedValues,
        clipboard,
        // A pasted character of a value would be a value without a name.
        EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll(VALUE_CHARACTER, '')),
        // Its keys are below: by default they would come first, and Escape would not end typing.
        autocompletion({ override: [complete], icons: false, defaultKeymap: false }),
        EditorView.lineWrapping,
        look,
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
        keymap.of([
          {
            key: 'Escape',
            run: ({ state }) => {
              // While values are offered, Escape closes their list. A list that is not shown yet must not take the key.
              if (completionStatus(state) === 'active') return false
              onLeave()
              return true
            },
          },
          ...completionKeymap,
          ...historyKeymap.filter(({ key }) => key !== 'Mod-u'),
          // Ctrl+I and Ctrl+U style the words.
          ...defaultKeymap.filter(({ key }) => key !== 'Mod-i'),
        ]),
        EditorView.updateListener.of(({ docChanged, view: { compositionStarted } }) => {
          if (docChanged) isTold = false
          if (!compositionStarted) tell()
        }),
        // A question in the middle of a composition would end it.
        EditorView.domEventObservers({ compositionend: () => queueMicrotask(tell), blur: () => tell() }),
      ],
    }),
  })
  view.focus()
  const clicked = at === null || at === 'all' ? null : view.posAtCoords(at)
  const end = view.state.doc.length
  view.dispatch({ selection: at === 'all' ? { anchor: 0, head: end } : { anchor: clicked ?? end } })
  return {
    selection: () => {
      const { from, to } = view.state.selection.main
      return { from, to }
    },
    focus: () => {
      view.focus()
    },
    insertValue: (name) => {
      const { from, to } = view.state.selection.main
      insertPieces(view, { from, to }, [{ kind: 'value', source: `{{${name}}}` }], 'input.complete')
    },
    type: (text) => {
      view.dispatch(view.state.replaceSelection(text), { userEvent: 'input.type' })
    },
    destroy: () => {
      view.destroy()
      root.replaceChildren()
    },
  }
}
