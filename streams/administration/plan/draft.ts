/** A draft of a release: the administrator edits and then publishes it. The browser keeps at most one draft. */
import { flag, list, nullable, object, optional, orNull, type OutOf, text } from '../../kernel/schema.ts'
import { pictures } from '../../wire/administration/shapes.ts'
import { createSelector } from '../../kernel/selector.ts'
import { time } from '../../kernel/limits.ts'
import {
  type OfTemplates,
  partName,
  releaseDocument,
  type ReleaseDocument,
  usesOf,
  VERSIONS,
} from '../../organisation/release/release.ts'
import { parseTemplate } from '../../organisation/template/template.ts'

const draft = object({
  /** When the draft was begun, in milliseconds since 1970, like `changed`. This moment identifies the only draft. */
  begun: time,
  changed: time,
  /** The release that was published when the draft was begun; null when there was none. */
  base: nullable(text),
  /** The name of the folder that the draft was begun from; null when it was begun from the published release. */
  folder: nullable(text),
  document: releaseDocument,
  /** All pictures whose content the page knows, by the hash of the content. */
  pictures,
  /**
   * The document with which the draft was begun; null when it is not known, and every change stays one. Earlier versions
   * stored drafts without it.
   */
  original: optional(nullable(releaseDocument), null),
  /** Paths of the templates whose text was changed here. */
  edited: list(text),
  /** The signet.yaml of the folder that the draft was begun from. Earlier versions stored drafts without it. */
  yaml: optional(nullable(text), null),
  /** Whether signatures were added, removed, moved or given other rules here. */
  hasNewRules: optional(flag, false),
})
export type Draft = OutOf<typeof draft>

/** A picture whose content came with a folder. */
export type DraftPicture = Draft['pictures'][string]

/** Replaces `text.slice(from, to)` by `insert`. Offsets are UTF-16 code units of the text before this edit. */
export type Edit = Readonly<{ from: number; to: number; insert: string }>

/** Applies the edits one after the other. An offset beyond the text counts as the end of the text. */
export const applyEdits = (text: string, edits: readonly Edit[]): string =>
  edits.reduce(
    (before, { from, to, insert }) => before.slice(0, from) + insert + before.slice(Math.max(from, to)),
    text,
  )

/** The shortest single edit that turns one text into another; no edit when the texts are equal. */
export function editsBetween(before: string, after: string): readonly Edit[] {
  if (before === after) return []
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from += 1
  let kept = 0
  while (kept < shorter - from && before.at(-1 - kept) === after.at(-1 - kept)) kept += 1
  return [{ from, to: before.length - kept, insert: after.slice(from, after.length - kept) }]
}

/** Converts an offset in a text, where `\r\n` has two characters, to one in a text field, which shows one. */
export const offsetInField = (text: string, offset: number): number =>
  text.slice(0, offset).replaceAll('\r\n', '\n').length

/** Converts an offset in a text field, which shows `\r\n` as one character, to one in the text. */
export function offsetInText(text: string, offset: number): number {
  let at = 0
  for (let passed = 0; passed < offset; passed += 1) at += text.startsWith('\r\n', at) ? 2 : 1
  return at
}

/** The user's edit in a plain text field, which shows `\r\n` as `\n`. Line ends outside of the edit stay. */
export const editsInField = (text: string, shown: string): readonly Edit[] =>
  editsBetween(text.replaceAll('\r\n', '\n'), shown).map(({ from, to, insert }) => ({
    from: offsetInText(text, from),
    to: offsetInText(text, to),
    insert,
  }))

/** The draft after edits of a template; the same reference if the template is missing or its text does not change. */
export function withEdits(draft: Draft, path: string, edits: readonly Edit[], at: number): Draft {
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

/** The text of a template when the draft was begun; null when it was not there, or is not known. */
const originalText = ({ original }: Draft, path: string): string | null =>
  original !== null && Object.hasOwn(original.templates, path) ? (original.templates[path] ?? null) : null

/** All of a document but the texts of its templates, for a comparison. */
const rulesOf = (document: ReleaseDocument): string =>
  JSON.stringify({ ...document, templates: Object.keys(document.templates).sort() })

/** The draft after an edit of its signatures; the same reference when the document is the same. */
export const withDocument = (draft: Draft, document: ReleaseDocument, at: number): Draft =>
  document === draft.document
    ? draft
    : {
        ...draft,
        changed: at,
        document,
        edited: Object.entries(document.templates).flatMap(([path, text]) => {
          const before = originalText(draft, path)
          return (before === null ? draft.edited.includes(path) : text !== before) ? [path] : []
        }),
        hasNewRules: draft.original === null || rulesOf(document) !== rulesOf(draft.original),
      }

/** Whether the draft is more than a copy of what is published: it came from a folder, or was changed here. */
export const isTouched = ({ folder, edited, hasNewRules }: Draft): boolean =>
  folder !== null || edited.length > 0 || hasNewRules

export type TemplateUse = (typeof VERSIONS)[number]

/**
 * A listed template. `usedBy` has the signatures and blocks that show it, directly or through another template;
 * `signature` is null for a block.
 */
export type TemplateEntry = Readonly<{
  path: string
  isPart: boolean
  isEdited: boolean
  usedBy: readonly Readonly<{ signature: string | null; name: string; uses: readonly TemplateUse[] }>[]
}>

/** The names of the parts that each template includes, by the template's path. Edits of rules keep the templates. */
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
  signature: OfTemplates,
  use: TemplateUse,
  path: string,
  parts: ReadonlyMap<string, ReadonlySet<string>>,
): boolean => {
  const used = signature[use] ?? null
  if (used === null) return false
  const part = partName(path)
  return part === null ? used === path : (parts.get(used)?.has(part) ?? false)
}

/** The document without the templates that only a removed signature or block used. Parts and pictures stay. */
export function withoutTemplatesOf(removed: OfTemplates, document: ReleaseDocument): ReleaseDocument {
  const used = new Set([...document.signatures, ...(document.blocks ?? [])].flatMap(usesOf))
  const dropped = new Set(usesOf(removed).filter((path) => !used.has(path)))
  return {
    ...document,
    templates: Object.fromEntries(Object.entries(document.templates).filter(([path]) => !dropped.has(path))),
  }
}

/** The paths of the templates of a signature or block, then those of the parts that they include. */
export function templatesOf(document: ReleaseDocument, signature: OfTemplates): readonly string[] {
  const own = [...new Set(usesOf(signature))]
  const parts = partsIn(document.templates)
  const included = new Set(own.flatMap((path) => [...(parts.get(path) ?? [])]))
  return [
    ...own.filter((path) => Object.hasOwn(document.templates, path)),
    ...Object.keys(document.templates).filter((path) => included.has(partName(path) ?? '')),
  ]
}

/** The entries of all templates, then of all parts, each group in the order of its paths. */
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
        ...document.signatures.map((each) => ({ signature: each.id, of: each })),
        ...(document.blocks ?? []).map((each) => ({ signature: null, of: each })),
      ].flatMap(({ signature, of }) => {
        const uses = VERSIONS.filter((use) => shows(of, use, path, parts))
        return uses.length === 0 ? [] : [{ signature, name: of.name, uses }]
      }),
    }))
    .sort((one, other) => Number(one.isPart) - Number(other.isPart) || (one.path < other.path ? -1 : 1))
}

/** A draft from the browser's storage; null when the stored value does not have the shape of a draft. */
export const parseDraft = (value: unknown): Draft | null => orNull(draft).read(value, '')
