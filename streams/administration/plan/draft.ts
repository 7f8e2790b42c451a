/**
 * The draft of a release: one document that a person changes on the page before it is published. At most one, kept in
 * the browser.
 */
import { list, nullable, object, orNull, type OutOf, text } from '../../kernel/schema.ts'
import { pictures } from '../../wire/administration/shapes.ts'
import { time } from '../../kernel/limits.ts'
import {
  partName,
  releaseDocument,
  type ReleaseDocument,
  type Signature,
} from '../../organisation/release.ts'
import { parseTemplate } from '../../organisation/template.ts'

const draft = object({
  /**
   * When the draft was begun. It identifies the draft, because there is only one at a time. In milliseconds since 1970,
   * like `changed`.
   */
  begun: time,
  changed: time,
  /** The release that was published when it was begun; null before the first. */
  base: nullable(text),
  /** The folder's name; null when it was begun from the published release. */
  folder: nullable(text),
  document: releaseDocument,
  /** All pictures that the page knows the content of, by hash. */
  pictures,
  /** Paths of the templates whose text was changed here. */
  edited: list(text),
})
export type Draft = OutOf<typeof draft>

/** A picture that a folder brought. */
export type DraftPicture = Draft['pictures'][string]

/** Replaces `text.slice(from, to)` by `insert`. Offsets are UTF-16 code units of the text before this edit. */
export type Edit = Readonly<{ from: number; to: number; insert: string }>

/** Applies the edits one after the other. Offsets outside of the text count as its ends. */
export const applyEdits = (text: string, edits: readonly Edit[]): string =>
  edits.reduce(
    (before, { from, to, insert }) => before.slice(0, from) + insert + before.slice(Math.max(from, to)),
    text,
  )

/** The shortest single edit that makes one text of another; none for the same text. */
export function editsBetween(before: string, after: string): readonly Edit[] {
  if (before === after) return []
  const shorter = Math.min(before.length, after.length)
  let from = 0
  while (from < shorter && before[from] === after[from]) from += 1
  let kept = 0
  while (kept < shorter - from && before.at(-1 - kept) === after.at(-1 - kept)) kept += 1
  return [{ from, to: before.length - kept, insert: after.slice(from, after.length - kept) }]
}

/** Converts an offset that counts every line end as one character to an offset in the text. */
function withLineEnds(text: string, offset: number): number {
  let at = 0
  for (let passed = 0; passed < offset; passed += 1) at += text.startsWith('\r\n', at) ? 2 : 1
  return at
}

/**
 * The edit that a plain text field made. The field shows `\r\n` as one line end; line ends outside of the edit stay.
 */
export const editsInField = (text: string, shown: string): readonly Edit[] =>
  editsBetween(text.replaceAll('\r\n', '\n'), shown).map(({ from, to, insert }) => ({
    from: withLineEnds(text, from),
    to: withLineEnds(text, to),
    insert,
  }))

/** The draft with another text of a template; the same reference when it has no such template, or this text already. */
export function withEdits(draft: Draft, path: string, edits: readonly Edit[], at: number): Draft {
  const { templates } = draft.document
  const before = Object.hasOwn(templates, path) ? templates[path] : undefined
  if (before === undefined) return draft
  const text = applyEdits(before, edits)
  if (text === before) return draft
  return {
    ...draft,
    changed: at,
    document: { ...draft.document, templates: { ...templates, [path]: text } },
    edited: draft.edited.includes(path) ? draft.edited : [...draft.edited, path],
  }
}

export type TemplateUse = 'template' | 'reply' | 'mobile'

/** A template of the list, with the signatures that show it, by themselves or through another template. */
export type TemplateEntry = Readonly<{
  path: string
  isPart: boolean
  isEdited: boolean
  usedBy: readonly Readonly<{ signature: string; name: string; uses: readonly TemplateUse[] }>[]
}>

const USES: readonly TemplateUse[] = ['template', 'reply', 'mobile']

/** The parts that each template includes, by its path. */
function partsIn(templates: ReleaseDocument['templates']): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    Object.entries(templates).map(([path, text]) => {
      const { placeholders } = parseTemplate(text, new Map()).template
      return [path, new Set(placeholders.flatMap(({ kind, names }) => (kind === 'part' ? names : [])))]
    }),
  )
}

/** Whether a signature shows a template in this use. */
const shows = (
  signature: Signature,
  use: TemplateUse,
  path: string,
  parts: ReadonlyMap<string, ReadonlySet<string>>,
): boolean => {
  const used = signature[use]
  if (used === null) return false
  const part = partName(path)
  return part === null ? used === path : (parts.get(used)?.has(part) ?? false)
}

/** Templates first, then parts; each in the order of their paths. */
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
      usedBy: document.signatures.flatMap((signature) => {
        const uses = USES.filter((use) => shows(signature, use, path, parts))
        return uses.length === 0 ? [] : [{ signature: signature.id, name: signature.name, uses }]
      }),
    }))
    .sort((one, other) => Number(one.isPart) - Number(other.isPart) || (one.path < other.path ? -1 : 1))
}

/** A draft from the browser's storage; null for another shape. */
export const parseDraft = (value: unknown): Draft | null => orNull(draft).read(value, '')
