/** A draft of a release: the administrator edits it, then publishes it. The browser stores at most one draft. */
import { flag, list, nullable, object, optional, orNull, type OutOf, text } from '../../kernel/schema.ts'
import { picturesByHash } from '../../wire/administration/shapes.ts'
import { createSelector } from '../../kernel/selector.ts'
import { time } from '../../kernel/limits.ts'
import {
  type TemplateFields,
  partName,
  releaseDocument,
  type ReleaseDocument,
  templatePathsOf,
  TEMPLATE_VERSIONS,
} from '../../organisation/release/release.ts'
import { parseTemplate } from '../../organisation/template/template.ts'

const draft = object({
  /** When the draft was begun, in milliseconds since 1970, like `changed`. Identifies the draft. */
  begun: time,
  changed: time,
  /** The release that was published when the draft was begun; null if there was none. */
  base: nullable(text),
  /** The name of the source folder; null if the draft was begun from the published release. */
  folder: nullable(text),
  document: releaseDocument,
  /** The pictures whose content the page has, by content hash. */
  pictures: picturesByHash,
  /**
   * The document at the beginning of the draft. If null, it is unknown, so undoing every edit does not make the draft
   * unchanged. Drafts stored by earlier versions lack it.
   */
  original: optional(nullable(releaseDocument), null),
  /** Paths of the templates with edited text. */
  edited: list(text),
  /** The source folder's signet.yaml. Drafts stored by earlier versions lack it. */
  yaml: optional(nullable(text), null),
  /** Whether this draft adds, removes or moves signatures, or changes their rules. */
  hasNewRules: optional(flag, false),
})
export type Draft = OutOf<typeof draft>

/** A picture whose content came with a folder. */
export type DraftPicture = Draft['pictures'][string]

/** Replaces `text.slice(from, to)` with `insert`. Offsets are UTF-16 code units of the text before this edit. */
export type TemplateEdit = Readonly<{ from: number; to: number; insert: string }>

/** Applies the edits in sequence. An offset beyond the text counts as the end of the text. */
export const applyEdits = (text: string, edits: readonly TemplateEdit[]): string =>
  edits.reduce(
    (before, { from, to, insert }) => before.slice(0, from) + insert + before.slice(Math.max(from, to)),
    text,
  )

/** The shortest single edit that turns one text into another; no edit if the texts are equal. */
export function editsBetween(before: string, after: string): readonly TemplateEdit[] {
  if (before === after) return []
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from += 1
  let kept = 0
  while (kept < shorter - from && before.at(-1 - kept) === after.at(-1 - kept)) kept += 1
  return [{ from, to: before.length - kept, insert: after.slice(from, after.length - kept) }]
}

/** Converts an offset in a text to an offset in a text field, where `\r\n` is one character. */
export const offsetInField = (text: string, offset: number): number =>
  text.slice(0, offset).replaceAll('\r\n', '\n').length

/** Converts an offset in a text field, where `\r\n` is one character, to an offset in the text. */
export function offsetInText(text: string, offset: number): number {
  let at = 0
  for (let passed = 0; passed < offset; passed += 1) at += text.startsWith('\r\n', at) ? 2 : 1
  return at
}

/** The user's edit in a plain text field, which shows `\r\n` as `\n`. Line ends outside the edit are kept. */
export const editsInField = (text: string, shown: string): readonly TemplateEdit[] =>
  editsBetween(text.replaceAll('\r\n', '\n'), shown).map(({ from, to, insert }) => ({
    from: offsetInText(text, from),
    to: offsetInText(text, to),
    insert,
  }))

/** The draft after edits to a template; the same reference if the template is missing or its text stays the same. */
export function withTemplateEdits(
  draft: Draft,
  path: string,
  edits: readonly TemplateEdit[],
  at: number,
): Draft {
  const { templates } = draft.document
  const before = Object.hasOwn(templates, path) ? templates[path] : undefined
  if (before === undefined) return draft
  const text = applyEdits(before, edits)
  if (text === before) return draft
  const others = draft.edited.filter((each) => each !== path)
  const isEdited = text !== originalText(draft, path)
  return {
    ...draft,
    changed: at,
    document: { ...draft.document, templates: { ...templates, [path]: text } },
    edited: isEdited ? [...others, path] : others,
  }
}

/** A template's text at the beginning of the draft; null if it did not exist or is unknown. */
const originalText = ({ original }: Draft, path: string): string | null =>
  original !== null && Object.hasOwn(original.templates, path) ? (original.templates[path] ?? null) : null

/** A document's content except its template texts, for comparison. */
const rulesOf = (document: ReleaseDocument): string =>
  JSON.stringify({ ...document, templates: Object.keys(document.templates).sort() })

/** Replaces the draft's document; the same reference if the document is the same. */
export function withDocument(draft: Draft, document: ReleaseDocument, at: number): Draft {
  if (document === draft.document) return draft
  const { templates } = draft.document
  const isEdited = (path: string, text: string): boolean => {
    const original = originalText(draft, path)
    if (original !== null) return text !== original
    return draft.edited.includes(path) || (Object.hasOwn(templates, path) && text !== templates[path])
  }
  return {
    ...draft,
    changed: at,
    document,
    edited: Object.entries(document.templates).flatMap(([path, text]) =>
      isEdited(path, text) ? [path] : [],
    ),
    hasNewRules: draft.original === null || rulesOf(document) !== rulesOf(draft.original),
  }
}

/** Whether the draft differs from the published release: it came from a folder, or has changes. */
export const isDraftChanged = ({ folder, edited, hasNewRules }: Draft): boolean =>
  folder !== null || edited.length > 0 || hasNewRules

/**
 * The ids of the signatures or blocks that are new in the draft, have other rules, or show a changed template. Without the
 * draft's original, only changed templates count.
 */
export function changedItems(
  { document, original, edited }: Draft,
  kind: 'signatures' | 'blocks',
): ReadonlySet<string> {
  const items = document[kind] ?? []
  const before = original && new Map((original[kind] ?? []).map((item) => [item.id, JSON.stringify(item)]))
  const isChanged = (item: (typeof items)[number]) =>
    (before !== null && before.get(item.id) !== JSON.stringify(item)) ||
    templatesOf(document, item).some((path) => edited.includes(path))
  return new Set(items.filter(isChanged).map(({ id }) => id))
}

export type TemplateUse = (typeof TEMPLATE_VERSIONS)[number]

/** A signature or block that uses a template. Two of different kinds can have the same id. */
export type TemplateUser = Readonly<{
  kind: 'signature' | 'block'
  id: string
  name: string
  uses: readonly TemplateUse[]
}>

/**
 * A listed template. `usedBy` lists the signatures and blocks that show it directly or through another template.
 * `signature` is null for a block.
 */
export type TemplateEntry = Readonly<{
  path: string
  isPart: boolean
  isEdited: boolean
  usedBy: readonly TemplateUser[]
}>

/** The part names in each template, by the template's path. Memoised, because rule edits keep the templates. */
const partsIn = createSelector(
  [(templates: ReleaseDocument['templates']) => templates],
  (templates): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map(
      Object.entries(templates).map(([path, text]) => {
        const { placeholders } = parseTemplate(text, new Map()).template
        return [path, new Set(placeholders.flatMap(({ kind, names }) => (kind === 'part' ? names : [])))]
      }),
    ),
)

/** Whether a signature or block shows this template or part in this use. */
const shows = (
  signature: TemplateFields,
  use: TemplateUse,
  path: string,
  parts: ReadonlyMap<string, ReadonlySet<string>>,
): boolean => {
  const used = signature[use] ?? null
  if (used === null) return false
  const part = partName(path)
  return part === null ? used === path : (parts.get(used)?.has(part) ?? false)
}

/** Removes the templates that only a removed signature or block used. Keeps parts and pictures. */
export function withoutTemplatesOf(removed: TemplateFields, document: ReleaseDocument): ReleaseDocument {
  const used = new Set([...document.signatures, ...(document.blocks ?? [])].flatMap(templatePathsOf))
  const dropped = new Set(templatePathsOf(removed).filter((path) => !used.has(path)))
  return {
    ...document,
    templates: Object.fromEntries(Object.entries(document.templates).filter(([path]) => !dropped.has(path))),
  }
}

/** The template paths of a signature or block, then the paths of their parts. */
export function templatesOf(document: ReleaseDocument, signature: TemplateFields): readonly string[] {
  const own = [...new Set(templatePathsOf(signature))]
  const parts = partsIn(document.templates)
  const included = new Set(own.flatMap((path) => [...(parts.get(path) ?? [])]))
  return [
    ...own.filter((path) => Object.hasOwn(document.templates, path)),
    ...Object.keys(document.templates).filter((path) => included.has(partName(path) ?? '')),
  ]
}

/** Lists all templates, then all parts, each sorted by path. */
export function templateEntries(
  document: ReleaseDocument,
  edited: readonly string[],
): readonly TemplateEntry[] {
  const parts = partsIn(document.templates)
  return Object.keys(document.templates)
    .map((path) => ({
      path,
      isPart: partName(path) !== null,
      isEdited: edited.includes(path),
      usedBy: [
        ...document.signatures.map((of) => ({ kind: 'signature' as const, of })),
        ...(document.blocks ?? []).map((of) => ({ kind: 'block' as const, of })),
      ].flatMap(({ kind, of }) => {
        const uses = TEMPLATE_VERSIONS.filter((use) => shows(of, use, path, parts))
        return uses.length === 0 ? [] : [{ kind, id: of.id, name: of.name, uses }]
      }),
    }))
    .sort((one, other) => Number(one.isPart) - Number(other.isPart) || (one.path < other.path ? -1 : 1))
}

/** Parses a draft from the browser's storage; null if the value is not a draft. */
export const parseDraft = (value: unknown): Draft | null => orNull(draft).read(value, '')
