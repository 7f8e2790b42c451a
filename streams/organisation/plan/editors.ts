/** Who may change which parts of a release: `editors` in `signet.yaml`. The published document decides. */
import { list, object, oneOf, type OutOf, text } from '../../kernel/schema.ts'
import type { PersonState } from '../facts/state.ts'
import {
  type Block,
  canonicalText,
  partName,
  type ReleaseDocument,
  type Signature,
  templatePathsOf,
} from '../release/release.ts'
import { conditionHolds } from '../rules/rules.ts'
import { parsePart } from '../template/template.ts'

/**
 * A part of the published document that a draft changes, and that only members of `editors` may change. A signature or
 * a block includes its templates and their pictures. `rest` is everything else, with the empty id and name: new
 * signatures and blocks, their order and editors, parts, variables, brand and all other rules.
 */
export const editedItem = object({
  kind: oneOf('signature', 'block', 'rest'),
  id: text,
  name: text,
  editors: list(text),
})
export type EditedItem = OutOf<typeof editedItem>

type Item = Signature | Block
type Items = ReadonlyMap<string, Item>

const keyOf = (kind: EditedItem['kind'], id: string) => `${kind} ${id}`
const REST = keyOf('rest', '')

/** The signatures and blocks of a document, by kind and id. */
const itemsOf = ({ signatures, blocks = [] }: ReleaseDocument): Items =>
  new Map<string, Item>([
    ...signatures.map((each) => [keyOf('signature', each.id), each] as const),
    ...blocks.map((each) => [keyOf('block', each.id), each] as const),
  ])

/** The parts of the published document that a draft changes and that have editors. None before the first release. */
export function editedItems(
  published: ReleaseDocument | null,
  draft: ReleaseDocument,
): readonly EditedItem[] {
  if (published === null) return []
  const changed = changedKeys(published, draft)
  const edited: EditedItem[] = []
  const add = (kind: EditedItem['kind'], { id, name, editors }: Pick<Item, 'id' | 'name' | 'editors'>) => {
    const groups = editors ?? published.editors
    if (groups && changed.has(keyOf(kind, id))) edited.push({ kind, id, name, editors: groups })
  }
  for (const each of published.signatures) add('signature', each)
  for (const each of published.blocks ?? []) add('block', each)
  add('rest', { id: '', name: '' })
  return edited
}

/** Finds the items that a person may not change. A caller without a person is in no group. */
export const lockedItems = (
  items: readonly EditedItem[],
  person: PersonState | null,
): readonly EditedItem[] =>
  items.filter(({ editors }) => !person?.active || !conditionHolds({ by: 'group', values: editors }, person))

/** The keys of all published items that a draft changes, and `REST`. */
function changedKeys(published: ReleaseDocument, draft: ReleaseDocument): ReadonlySet<string> {
  const changed = new Set<string>()
  const [before, after] = [itemsOf(published), itemsOf(draft)]
  for (const [key, item] of before) {
    const now = after.get(key)
    if (!now || canonicalText(withoutEditors(item)) !== canonicalText(withoutEditors(now))) changed.add(key)
    if (now && canonicalText(now.editors ?? null) !== canonicalText(item.editors ?? null)) changed.add(REST)
  }
  if ([...after.keys()].some((key) => !before.has(key))) changed.add(REST)
  const isCommon = (key: string) => before.has(key) && after.has(key)
  if ([...before.keys()].filter(isCommon).join('\n') !== [...after.keys()].filter(isCommon).join('\n'))
    changed.add(REST)
  if (canonicalText(restOf(published)) !== canonicalText(restOf(draft))) changed.add(REST)
  const owners = ownersOf(published, draft, before)
  for (const name of ['templates', 'pictures'] as const)
    for (const path of pathsThatDiffer(published[name], draft[name]))
      for (const key of owners(name, path)) changed.add(key)
  return changed
}

const withoutEditors = ({ editors: _, ...item }: Item) => item

const restOf = ({ signatures: _s, blocks: _b, templates: _t, pictures: _p, ...rest }: ReleaseDocument) => rest

type Files = Readonly<Record<string, string>>

const pathsThatDiffer = (before: Files, after: Files): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((path) => before[path] !== after[path])

/**
 * Returns a function that finds who owns a file: each published item that uses it, before or after. A picture belongs
 * to the owners of the templates that show it. Parts, logos of the brand and unused files belong to the rest.
 */
function ownersOf(published: ReleaseDocument, draft: ReleaseDocument, items: Items) {
  const owners = { templates: new Map<string, Set<string>>(), pictures: new Map<string, Set<string>>() }
  const own = (name: keyof typeof owners, path: string, key: string) => {
    const keys = owners[name].get(path)
    if (keys) keys.add(key)
    else owners[name].set(path, new Set([key]))
  }
  for (const document of [published, draft])
    for (const [key, item] of itemsOf(document))
      for (const path of items.has(key) ? templatePathsOf(item) : []) own('templates', path, key)
  const rest = new Set([REST])
  const ownersOfTemplate = (path: string) =>
    partName(path) === null ? (owners.templates.get(path) ?? rest) : rest
  for (const { templates, brand } of [published, draft]) {
    for (const [path, html] of Object.entries(templates))
      for (const { kind, names } of parsePart(html).template.placeholders)
        for (const picture of kind === 'picture' ? names : [])
          for (const key of ownersOfTemplate(path)) own('pictures', picture, key)
    for (const logo of brand?.logos ?? []) own('pictures', logo, REST)
  }
  return (name: keyof typeof owners, path: string): ReadonlySet<string> =>
    name === 'templates' ? ownersOfTemplate(path) : (owners.pictures.get(path) ?? rest)
}
