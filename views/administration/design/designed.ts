import { createContext, type RefObject, use, useMemo } from 'react'
import type { DesignAct } from '../../../streams/administration/design/acts.ts'
import {
  type DesignItem,
  findItem,
  type FoundItem,
  nearestItem,
  outlineOf,
} from '../../../streams/administration/design/outline.ts'
import { partPlaces } from '../../../streams/administration/design/surface.ts'
import type { TemplateUser } from '../../../streams/administration/plan/draft.ts'
import {
  type OfferedField,
  offeredFields,
  selectTemplates,
} from '../../../streams/administration/plan/selectors.ts'
import { isPlaceIn, type SourcePlace } from '../../../streams/administration/plan/wordPlaces.ts'
import { partName, type ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { variableLabelsOf } from '../../../streams/organisation/release/selectors.ts'
import type { MountedWordsField } from '../dom/wordsField.ts'
import type { SourceRange } from '../../../streams/organisation/template/tree.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import type { WordLook } from '../parts/frameContent.ts'
import { usePreviewPerson } from '../parts/shown.ts'
import type { DrawnContent } from '../parts/SignatureFrame.tsx'
import type { Choice } from '../plan/Choices.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'

/** The selected item in the draft's current text, with its parents and siblings. */
export type SelectedItem = FoundItem & Readonly<{ path: string; text: string; place: SourcePlace }>

/** The signature or block whose page is open. */
export type Subject = Pick<TemplateUser, 'kind' | 'id'>

/** What the editor's parts share. */
export type Design = Readonly<{
  document: ReleaseDocument
  subject: Subject
  /** The template of the page's signature or block. Parts, and blocks of a signature, are shown in it. */
  root: string
  selected: SelectedItem | null
  /** Performs an act on the selected item. Asks first whether a shared part changes everywhere. */
  act: (act: DesignAct) => void
  /**
   * Changes the template or part at a place. Asks first whether a shared one changes everywhere. `within` is the answer:
   * the template that gets its own copy of the part, or null. `onCancel`, for what is typed, is called if there is no
   * answer. Until then, what a person goes on typing is in the field.
   */
  change: (place: SourcePlace, go: (within: string | null) => void, onCancel: (() => void) | null) => void
  /** The panel of the selected element. */
  panel: RefObject<HTMLElement | null>
  /** The field for typing; null while nobody types. */
  field: RefObject<MountedWordsField | null>
  select: (place: SourcePlace | null) => void
  /** How far a move takes the selected item past the sibling that is drawn before or after it; 0 if it cannot move. */
  stepOver: (direction: -1 | 1) => number
  /** Opens the source at a place. */
  openSource: (place: SourcePlace) => void
}>

export const DesignContext = createContext<Design | null>(null)

export function useDesign(): Design {
  const design = use(DesignContext)
  if (!design) throw new Error('useDesign is used outside of a DesignContext')
  return design
}

export const placeOf = (path: string, { from, to }: DesignItem): SourcePlace => ({ path, from, to })

/** The selected item. After an edit that removed the item, the nearest item around it. */
export function useSelectedItem(): SelectedItem | null {
  const selection = useAdministrationState(({ plan }) => plan.design.selection)
  const text = useAdministrationState(({ plan }) =>
    selection ? (plan.draft?.document.templates[selection.path] ?? null) : null,
  )
  return useMemo(() => {
    if (!selection || text === null) return null
    const { path } = selection
    const outline = outlineOf(text)
    const nearest = nearestItem(outline, selection)
    const found = nearest && findItem(outline, nearest)
    return found && { ...found, path, text, place: placeOf(path, found.item) }
  }, [selection, text])
}

/** A value that a template can show, with its display name and what the preview's person has. */
export type NamedValue = OfferedField & Readonly<{ title: string }>

/** The values that a document's templates can show, sorted by their display names. */
export function useNamedValues(document: ReleaseDocument): readonly NamedValue[] {
  const t = useTexts()
  const { person, pictures } = usePreviewPerson(document)
  return useMemo(() => {
    const labels = variableLabelsOf({ document })
    const named = offeredFields(document, person, pictures).map((field) => ({
      ...field,
      title: fieldName(field.name, labels, t),
    }))
    const isShared = ({ name, title }: NamedValue) =>
      named.some((each) => each.name !== name && each.title === title)
    return named
      .map((each) => (isShared(each) ? { ...each, title: `${each.title} (${each.name})` } : each))
      .sort((one, other) => one.title.localeCompare(other.title))
  }, [document, person, pictures, t])
}

/** The values of a document as choices: by display name, with what the preview's person has. */
export function useValueChoices(document: ReleaseDocument): readonly Choice<string>[] {
  const t = useTexts()
  return useNamedValues(document).map(({ name, title, value }) => ({
    key: name,
    text: title,
    detail: value === '' ? t('plan.palette.empty') : value,
    title: name,
    value: name,
  }))
}

/** The items of the page's template that contain a part, from the outermost to the part itself. */
function useItemsAround(path: string): readonly DesignItem[] {
  const { document, root } = useDesign()
  return useMemo(() => {
    const text = document.templates[root] ?? ''
    const [include] = path === root ? [] : partPlaces(text, partName(path) ?? '')
    const found = include && findItem(outlineOf(text), include)
    return found ? [...found.parents, found.item] : []
  }, [document, root, path])
}

/** An item on the way to the selected one, in its text, with its siblings. */
export type Step = Readonly<{
  path: string
  text: string
  item: DesignItem
  siblings: readonly DesignItem[]
}>

/**
 * The items around the selected one, from the outermost, and the selected one itself. An item that is alone in another
 * one is left out if it is a wrapper, a table or a paragraph.
 */
export function useWay(selected: SelectedItem): readonly Step[] {
  const { document, root } = useDesign()
  const around = useItemsAround(selected.path)
  return useMemo(() => {
    const steps = (path: string, text: string, items: readonly DesignItem[]): readonly Step[] =>
      items.map((item, index) => ({
        ...{ path, text, item },
        siblings: items[index - 1]?.children ?? outlineOf(text),
      }))
    const way = [
      ...steps(root, document.templates[root] ?? '', around),
      ...steps(selected.path, selected.text, [...selected.parents, selected.item]),
    ]
    const isWrapper = (step: Step | undefined) => step?.item.children.length === 1
    const isBox = ({ item: { kind } }: Step) => kind === 'table' || kind === 'group'
    return way.filter(
      (step, index) =>
        index === way.length - 1 || !isWrapper(way[index - 1]) || !(isWrapper(step) || isBox(step)),
    )
  }, [around, document, root, selected])
}

/** How the first word within a range of a template is drawn; null if none is. */
export const lookIn = (
  { words, marked: { places } }: DrawnContent,
  path: string,
  range: SourceRange,
): WordLook | null =>
  words.find(({ number, isPicture }) => !isPicture && isPlaceIn(places[number], path, range))?.look ?? null

/** The signatures and blocks that use a template or part. */
export function useSharersOf(): (path: string) => readonly TemplateUser[] {
  const entries = useAdministrationState(({ plan }) => selectTemplates(plan))
  return (path) => entries.find((entry) => entry.path === path)?.usedBy ?? []
}
