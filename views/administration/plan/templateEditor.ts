/**
 * The template editor: CodeMirror with HTML and the template language. It is in a shadow root and its styles are
 * adopted style sheets, so they affect no other element and need no exception in the content security policy.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  type CompletionContext,
  completionKeymap,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab, isolateHistory } from '@codemirror/commands'
import { html, htmlLanguage } from '@codemirror/lang-html'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { EditorState, StateEffect, StateField } from '@codemirror/state'
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { EditorTexts, MountEditor } from '../dom/mountedEditor.ts'
import type { EditorWords } from '../../../streams/administration/plan/selectors.ts'
import { VCARD_NAME } from '../../../streams/organisation/template/template.ts'
import type { TemplateEdit } from '../../../streams/administration/plan/draft.ts'

/** The colours are custom properties. The shadow root inherits them, so they follow the page's theme. */
const colours = HighlightStyle.define([
  { tag: [tags.tagName, tags.angleBracket], color: 'var(--colorBrandForeground2)' },
  { tag: tags.attributeName, color: 'var(--colorStatusWarningForeground3)' },
  { tag: [tags.attributeValue, tags.string], color: 'var(--colorStatusSuccessForeground1)' },
  { tag: tags.comment, color: 'var(--colorNeutralForeground3)', fontStyle: 'italic' },
])

const look = EditorView.theme({
  '&': {
    color: 'var(--colorNeutralForeground1)',
    backgroundColor: 'var(--colorNeutralBackground1)',
    border: 'var(--strokeWidthThin) solid var(--colorNeutralStrokeAccessible)',
    borderRadius: 'var(--borderRadiusMedium)',
    fontSize: 'var(--fontSizeBase300)',
    height: '100%',
  },
  '&.cm-focused': { outline: 'var(--strokeWidthThick) solid var(--colorStrokeFocus2)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--fontFamilyMonospace)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--colorNeutralForeground1)' },
  '.cm-cursor': { borderLeftColor: 'var(--colorNeutralForeground1)' },
  '.cm-gutters': {
    color: 'var(--colorNeutralForeground3)',
    backgroundColor: 'var(--colorNeutralBackground1)',
    borderRight: 'var(--strokeWidthThin) solid var(--colorNeutralStroke2)',
  },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--colorBrandStroke2)',
  },
  '.cm-templateValue': { color: 'var(--colorBrandForeground1)', fontWeight: '600' },
  '.cm-templateWord': { color: 'var(--colorNeutralForeground1)', fontWeight: '600' },
  '.cm-tooltip': {
    color: 'var(--colorNeutralForeground1)',
    backgroundColor: 'var(--colorNeutralBackground1)',
    border: 'var(--strokeWidthThin) solid var(--colorNeutralStroke1)',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--colorNeutralForegroundOnBrand)',
    backgroundColor: 'var(--colorBrandBackground)',
  },
})

const word = Decoration.mark({ class: 'cm-templateWord' })
const value = Decoration.mark({ class: 'cm-templateValue' })

/** Colours placeholders: control placeholders ({{#if}}, {{>part}}, {{#block}}) in one colour, values in another. */
const placeholders = new MatchDecorator({
  regexp: /\{\{[^{}\n]{1,500}\}\}/g,
  decoration: ([text]) => (/^\{\{\s*(?:[#/](?:if|block)|else\s*\}|>)/.test(text) ? word : value),
})

const placeholderColours = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet
    constructor(view: EditorView) {
      this.decorations = placeholders.createDeco(view)
    }
    update(update: ViewUpdate) {
      this.decorations = placeholders.updateDeco(update, this.decorations)
    }
  },
  { decorations: ({ decorations }) => decorations },
)

const setWords = StateEffect.define<EditorWords>()
const noWords: EditorWords = { variables: [], pictures: [], parts: [], slots: [] }
const wordsField = StateField.define<EditorWords>({
  create: () => noWords,
  update: (words, { effects }) =>
    effects.reduce((kept, each) => (each.is(setWords) ? each.value : kept), words),
})

const AFTER_NAMES = /\{\{\s*(?:(?:#if|first)(?:\s+[\w.]+)*|tel|web|phone)\s+([\w.]*)$/
const AFTER_PICTURE = /\{\{\s*picture\s+([\w./-]*)$/
const AFTER_SLOT = /\{\{\s*#?block\s+(\w*)$/
const AFTER_PART = /\{\{\s*>\s*([\w./-]*)$/
const AFTER_CODE = /\{\{\s*qr\s+(\w*)$/
const AFTER_BRACES = /\{\{\s*([#/>]?[\w.]*)$/

/** Completes the placeholder in braces that ends at the cursor. */
const completeWords =
  (kinds: EditorTexts['kinds']) =>
  ({ state, pos }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos)
    const before = state.sliceDoc(Math.max(line.from, pos - 600), pos)
    const { variables, pictures, parts, slots } = state.field(wordsField)
    const closes = state.sliceDoc(pos, pos + 2) !== '}}'
    const named = (labels: readonly string[], type: string, detail: string) =>
      labels.map((label) => ({ label, type, detail, apply: closes ? `${label}}}` : label }))
    const result = (found: string, options: CompletionResult['options']): CompletionResult => ({
      from: pos - found.length,
      options,
    })
    const [, name] = AFTER_NAMES.exec(before) ?? []
    if (name !== undefined)
      return result(
        name,
        named(variables, 'variable', kinds.variable).map((each) =>
          /\{\{\s*first\s/.test(before) ? { ...each, apply: each.label } : each,
        ),
      )
    const [, picture] = AFTER_PICTURE.exec(before) ?? []
    if (picture !== undefined) return result(picture, named(pictures, 'constant', kinds.picture))
    const [, part] = AFTER_PART.exec(before) ?? []
    if (part !== undefined) return result(part, named(parts, 'namespace', kinds.part))
    const [, slot] = AFTER_SLOT.exec(before) ?? []
    if (slot !== undefined) return result(slot, named(slots, 'namespace', kinds.slot))
    const [, code] = AFTER_CODE.exec(before) ?? []
    if (code !== undefined) return result(code, named([VCARD_NAME], 'constant', kinds.helper))
    const [, begun] = AFTER_BRACES.exec(before) ?? []
    if (begun === undefined) return null
    const helper = (label: string, apply = `${label} `) => ({
      label,
      apply,
      type: 'keyword',
      detail: kinds.helper,
    })
    return result(begun, [
      ...named(variables, 'variable', kinds.variable),
      ...['tel', 'web', 'first', 'phone', 'picture', 'qr', '#if', '>', 'block', '#block', 'counted'].map(
        (each) => helper(each),
      ),
      ...named(['else', '/if', '/block'], 'keyword', kinds.helper),
    ])
  }

const LEAVE_WITHIN_MS = 2_000

/** Lets the next Tab leave the editor, without blocking the other effects of Escape. */
function leaveNext(view: EditorView): boolean {
  view.setTabFocusMode(LEAVE_WITHIN_MS)
  return false
}

/** Converts an update's changes to edits, sorted from the end of the text, so no edit shifts another. */
function editsOf({ changes }: ViewUpdate): readonly TemplateEdit[] {
  const edits: TemplateEdit[] = []
  changes.iterChanges((from, to, _fromNow, _toNow, inserted) => {
    edits.unshift({ from, to, insert: inserted.toString() })
  })
  return edits
}

export const mountEditor: MountEditor = (place, { text, texts, words, onEdits, onSelected }) => {
  const root = place.shadowRoot ?? place.attachShadow({ mode: 'open' })
  const hint = place.ownerDocument.createElement('p')
  hint.id = 'hint'
  hint.textContent = texts.hint
  hint.style.margin = '0 0 var(--spacingVerticalXS)'
  const box = place.ownerDocument.createElement('div')
  root.replaceChildren(hint, box)
  const view = new EditorView({
    parent: box,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        // CodeMirror must keep `\r\n`, because offsets count the characters of the template's text.
        EditorState.lineSeparator.of('\n'),
        EditorState.phrases.of({
          Completions: texts.completions,
          'Selection deleted': texts.selectionDeleted,
        }),
        wordsField.init(() => words),
        lineNumbers(),
        history(),
        drawSelection(),
        highlightActiveLine(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ icons: false }),
        // Automatic end tags are off; otherwise an end tag that the user types would appear twice.
        html({ autoCloseTags: false }),
        htmlLanguage.data.of({ autocomplete: completeWords(texts.kinds) }),
        placeholderColours,
        syntaxHighlighting(colours),
        EditorView.lineWrapping,
        look,
        EditorView.contentAttributes.of({
          'aria-label': texts.label,
          'aria-describedby': 'hint',
          tabindex: '0',
          spellcheck: 'false',
          autocapitalize: 'off',
        }),
        // After Escape, the next Tab leaves the editor, as the hint explains. With a selection, such as a word chosen
        // in the preview, CodeMirror alone would only clear the selection.
        keymap.of([
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...historyKeymap,
          { key: 'Escape', run: leaveNext },
          ...defaultKeymap,
          indentWithTab,
        ]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onEdits(editsOf(update))
          const { from, to } = update.state.selection.main
          if (update.docChanged || update.selectionSet) onSelected(from, to)
        }),
      ],
    }),
  })
  const within = (offset: number) => Math.max(0, Math.min(offset, view.state.doc.length))
  return {
    setWords: (next) => {
      view.dispatch({ effects: setWords.of(next) })
    },
    setProblems: (problems) => {
      view.dispatch(
        setDiagnostics(
          view.state,
          problems.map(({ from, to, message }) => ({
            from: within(from),
            to: Math.max(within(from), within(to)),
            severity: 'error' as const,
            message,
          })),
        ),
      )
    },
    goTo: (from, to) => {
      view.dispatch({ selection: { anchor: within(from), head: within(to) }, scrollIntoView: true })
      view.focus()
    },
    act: ({ edits, selected }) => {
      view.dispatch({
        changes: [...edits],
        selection: { anchor: selected.from, head: selected.to },
        scrollIntoView: true,
        annotations: isolateHistory.of('full'),
      })
      view.focus()
    },
    destroy: () => {
      view.destroy()
      root.replaceChildren()
    },
  }
}
