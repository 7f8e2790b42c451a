import { type CSSProperties, type RefObject, useImperativeHandle, useRef, useState } from 'react'
import { Designing } from '../../../streams/administration/design/events.ts'
import type { Box } from '../../../streams/administration/design/surface.ts'
import { writtenWithin } from '../../../streams/administration/design/change.ts'
import { piecesIn, type TypedPiece, withTypedPieces } from '../../../streams/administration/design/typing.ts'
import { editsBetween } from '../../../streams/administration/plan/draft.ts'
import { parseTemplate, variablesIn } from '../../../streams/organisation/template/template.ts'
import { useLoadedCode } from '../../shared/code.ts'
import { PAPER_COLOURS } from '../../shared/measuredDocument.ts'
import {
  decodeReference,
  type MountedWordsField,
  type MountWordsField,
  type TypingStart,
  useWordsField,
} from '../dom/wordsField.ts'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import type { WordLook } from '../parts/frameContent.ts'
import { useTexts } from '../text/texts.ts'
import { useDesign, useNamedValues } from './designed.ts'
import * as css from './Design.module.css'

const importField = (): Promise<MountWordsField> =>
  import('./wordsField.ts').then(({ mountWordsField }) => mountWordsField)

type Given = Readonly<{
  /** Where the words are drawn; null while that is unknown. */
  box: Box | null
  look: WordLook | null
  at: TypingStart
  /** What was typed before the field was there. */
  typedBefore: () => string
  onLeave: () => void
}>

/** The field for the words that are typed in, at their place. Loads with the first typing. */
export function WordsTyping(given: Given & { load?: () => Promise<MountWordsField> }) {
  const { box, look, load = importField } = given
  const t = useTexts()
  const mount = useLoadedCode(load)
  const [known, setKnown] = useState({ box, look })
  if (box !== null && look !== null && (box !== known.box || look !== known.look)) setKnown({ box, look })
  if (mount === 'failed') return <p role="alert">{t('design.typing.failed')}</p>
  if (mount === null || known.box === null || known.look === null) return null
  return <Typing {...given} mount={mount} box={known.box} look={known.look} />
}

function Typing({
  mount,
  box,
  look,
  at,
  typedBefore,
  onLeave,
}: Given & { mount: MountWordsField; box: Box; look: WordLook }) {
  const t = useTexts()
  const record = useGesture()
  const { document, field, change } = useDesign()
  const values = useNamedValues(document)
  const place = useRef<HTMLDivElement>(null)
  const isDark = useAdministrationState(({ plan }) => plan.look === 'dark')
  const typing = useAdministrationState(({ plan }) => plan.design.typing)
  const templates = useAdministrationState(({ plan }) => plan.draft?.document.templates) ?? {}
  /** The words and all texts when the typing began. What is typed is compared with them. */
  const [begun] = useState(() => {
    const { path, ...range } = typing?.place ?? { path: '', from: 0, to: 0 }
    return { templates, path, text: templates[path] ?? '', range }
  })
  /** The template that has its own copy of the part now; null without one. */
  const [copiedTo, setCopiedTo] = useState<string | null>(null)
  const [pieces] = useState(() => piecesIn(begun.text, begun.range, decodeReference) ?? [])
  const leave = () => {
    record(Designing.typingEnded())
    onLeave()
  }
  const type = (after: readonly TypedPiece[]) => {
    // In an attribute, a copy of the part is no words. So the words are typed in the part, which is then copied.
    const typedIn = (within: string | null) => {
      const typed = withTypedPieces(begun.text, begun.range, after, decodeReference)
      const written = writtenWithin(begun.templates, { path: begun.path, ...typed }, within)
      if (!written) return null
      const { path, text, range } = written
      return { path, edits: editsBetween(templates[path] ?? '', text), selected: range }
    }
    if (!typing || typedIn(copiedTo)?.edits.length === 0) return
    const write = (answer: string | null) => {
      const within = answer ?? copiedTo
      const typed = typedIn(within)
      if (!typed) return
      setCopiedTo(within)
      record(Designing.typed(typed))
    }
    change(typing.place, write, leave)
  }
  const chipOf = (source: string) => {
    const names = parseTemplate(source, new Map()).template.placeholders.flatMap(variablesIn)
    const shown = values.filter(({ name }) => names.includes(name))
    return {
      text: shown.find(({ value }) => value !== '')?.value ?? shown[0]?.title ?? source,
      title: shown.length === 0 ? source : shown.map(({ title }) => title).join(', '),
    }
  }
  const mounted = useWordsField(place, mount, {
    pieces,
    label: t('design.typing.label'),
    values,
    chipOf,
    texts: {
      completions: t('plan.editor.completions'),
      selectionDeleted: t('plan.editor.selectionDeleted'),
    },
    at,
    typedBefore,
    onTyped: type,
    onLeave: leave,
  })
  useSharedField(field, mounted)
  const { background, ...font } = look
  return (
    <div
      className={css['typing']}
      data-dark={isDark || undefined}
      style={{
        left: box.left,
        top: box.top,
        minWidth: box.width,
        minHeight: box.height,
        maxWidth: `calc(100% - ${String(box.left)}px)`,
        ...(font as CSSProperties),
        background: background === 'transparent' ? PAPER_COLOURS.light : background,
      }}
      onBlur={({ relatedTarget }) => {
        if (!(relatedTarget instanceof Element) || !relatedTarget.closest('[data-keeps-typing]'))
          record(Designing.typingEnded())
      }}
    >
      <div ref={place} />
    </div>
  )
}

/** Lets the bar above the signature use the field. */
function useSharedField(
  shared: RefObject<MountedWordsField | null>,
  mounted: RefObject<MountedWordsField | null>,
): void {
  useImperativeHandle(shared, () => ({
    selection: () => mounted.current?.selection() ?? { from: 0, to: 0 },
    focus: () => mounted.current?.focus(),
    insertValue: (name) => mounted.current?.insertValue(name),
    type: (text) => mounted.current?.type(text),
    destroy: () => undefined,
  }))
}
