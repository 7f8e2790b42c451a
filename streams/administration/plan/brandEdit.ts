/** What a change of the brand writes into a draft. The page computes it, because the reducer is loaded before the rules. */
import type { Brand, ReleaseDocument } from '../../organisation/release/release.ts'
import { applyEdits, type TemplateEdit } from './draft.ts'

/** `brand` is null for an empty brand. `templates` has edits for the templates that follow. */
export type BrandEdit = Readonly<{
  brand: Brand | null
  templates: readonly Readonly<{ path: string; edits: readonly TemplateEdit[] }>[]
}>

/** The document with the brand, and with the edits to the templates that it has. */
export function withBrandEdit(document: ReleaseDocument, { brand, templates }: BrandEdit): ReleaseDocument {
  const edited = templates.flatMap(({ path, edits }) => {
    const text = Object.hasOwn(document.templates, path) ? document.templates[path] : undefined
    return text === undefined ? [] : [[path, applyEdits(text, edits)] as const]
  })
  const followed =
    edited.length === 0
      ? document
      : { ...document, templates: { ...document.templates, ...Object.fromEntries(edited) } }
  // An existing brand keeps its place among the fields: drafts are compared as texts.
  if (brand) return { ...followed, brand }
  const { brand: _, ...others } = followed
  return others
}
