/** Edits of a draft's blocks: their rules, their order within a slot, new and removed ones. */
import { createSelector } from '../../kernel/selector.ts'
import { shareIn } from '../../organisation/release/names.ts'
import {
  type Block,
  partName,
  partsOf,
  type ReleaseDocument,
  usesOf,
} from '../../organisation/release/release.ts'
import { escapeHtml, parseTemplate, type Template } from '../../organisation/template/template.ts'
import { withoutTemplatesOf } from './draft.ts'
import { changed, fileOf, freePath, hasId, moved, newId } from './items.ts'

export type BlockChanges = Partial<Omit<Block, 'id'>>

const AT_BLOCK = /^\/signatures\/block\/([a-z0-9_]+)$/

/** The path of the page about a block. */
export const blockPath = (id: string): string => `/signatures/block/${id}`

/** The block in a path such as `/signatures/block/autumn`; null when the path names none. */
export const blockAt = (path: string): string | null => AT_BLOCK.exec(path)?.[1] ?? null

/** The slot of the first block while no template shows one. */
export const FIRST_SLOT = 'banner'

const NONE: readonly Block[] = []
export const blocksOf = ({ blocks = NONE }: ReleaseDocument): readonly Block[] => blocks

/**
 * The document with these blocks; the same reference when it has them already. A document without blocks has no field
 * for them.
 */
function withBlocks(document: ReleaseDocument, blocks: readonly Block[]): ReleaseDocument {
  if (blocks === blocksOf(document)) return document
  const { blocks: _, ...others } = document
  return blocks.length === 0 ? others : { ...others, blocks }
}

/** The document after changes of one block; the same reference when nothing changes. */
export const withBlock = (document: ReleaseDocument, id: string, changes: BlockChanges): ReleaseDocument =>
  withBlocks(document, changed(blocksOf(document), id, changes))

/** The document with the block at the index `to` of its slot; the same reference when the block is there already. */
export function withBlockOrder(document: ReleaseDocument, id: string, to: number): ReleaseDocument {
  const block = blocksOf(document).find((each) => each.id === id)
  if (block === undefined) return document
  const before = blocksOf(document).filter(({ slot }) => slot === block.slot)
  const after = moved(before, block, to)
  if (after === before) return document
  const others = after.values()
  return withBlocks(
    document,
    blocksOf(document).map((each) => (each.slot === block.slot ? (others.next().value ?? each) : each)),
  )
}

/** What a new block has besides its name, its slot and its template. */
export const FOR_ALL: Omit<Block, 'id' | 'name' | 'slot' | 'template'> = {
  selection: { for: 'everyone', not: [] },
  during: null,
  recipients: 'everyone',
  replies: true,
  share: 100,
}

/** A text as it is written into a template: no part of it is markup or a placeholder. */
export const asWritten = (text: string): string =>
  escapeHtml(text).replaceAll('{', '&#123;').replaceAll('}', '&#125;')

/** The template that a block begins with: a line below the signature. */
const shortBlock = (
  name: string,
): string => `<table cellpadding="0" cellspacing="0" border="0" role="presentation">
  <tr><td style="padding:12px 0 0 0;font-family:Arial,sans-serif;font-size:12px;color:#444444;">
    ${asWritten(name)}
  </td></tr>
</table>
`

/** An id for a block of this name that no block of the document has. */
export const newBlockId = (document: ReleaseDocument, name: string): string =>
  newId(name, new Set(blocksOf(document).map(({ id }) => id)), 'block')

/**
 * The document with a new block over this template, before the blocks of its slot or, unless `isFirst`, after them. The
 * same reference when a block has its id already.
 */
export function withAdded(
  document: ReleaseDocument,
  given: Omit<Block, 'template'>,
  text: string,
  isFirst: boolean,
): ReleaseDocument {
  if (hasId(blocksOf(document), given.id)) return document
  const path = freePath(`templates/blocks/${fileOf(given.id)}`, 'html', Object.keys(document.templates))
  const blocks = blocksOf(document)
  const first = isFirst ? blocks.findIndex(({ slot }) => slot === given.slot) : -1
  const place = first < 0 ? blocks.length : first
  return withBlocks({ ...document, templates: { ...document.templates, [path]: text } }, [
    ...blocks.slice(0, place),
    { ...given, template: path },
    ...blocks.slice(place),
  ])
}

/**
 * The document with a new block, which is the last one of its slot; the same reference when a block has this id already.
 *
 * @param like the block whose template and rules are copied; null begins with a short template, for everyone
 */
export function withNewBlock(
  document: ReleaseDocument,
  id: string,
  name: string,
  like: string | null,
): ReleaseDocument {
  const copied = blocksOf(document).find((block) => block.id === like)
  const block = copied ?? { ...FOR_ALL, slot: shownSlots(document)[0]?.slot ?? FIRST_SLOT }
  const text = copied ? (document.templates[copied.template] ?? '') : shortBlock(name)
  return withAdded(document, { ...block, id, name }, text, false)
}

/**
 * The document without a block, without the question about it, and without the template that only this block used.
 * Pictures and parts stay.
 */
export function withoutBlock(document: ReleaseDocument, id: string): ReleaseDocument {
  const removed = blocksOf(document).find((block) => block.id === id)
  if (removed === undefined) return document
  const blocks = blocksOf(document).filter((block) => block !== removed)
  const { guard = [], ...others } = withBlocks(document, blocks)
  const asked = guard.filter((rule) => rule.missing === 'signature' || rule.block !== id)
  return withoutTemplatesOf(removed, asked.length > 0 ? { ...others, guard: asked } : others)
}

/** Whether clicks are counted in the document. A document in which they are not has no field for it. */
export function withCounting(document: ReleaseDocument, isOn: boolean): ReleaseDocument {
  if ((document.counting ?? false) === isOn) return document
  const { counting: _, ...others } = document
  return isOn ? { ...others, counting: true } : others
}

const slotsOf = ({ steps }: Template): readonly string[] =>
  steps.flatMap((step) =>
    step.kind === 'slot' ? [step.name] : step.kind === 'part' ? slotsOf(step.template) : [],
  )

/** The slots that a text shows as a template of a document, with those of the parts that it includes. */
export const slotsInText = (text: string, { templates }: ReleaseDocument): readonly string[] =>
  slotsOf(parseTemplate(text, partsOf(templates)).template)

/** The slots of each template, with those of the parts that it includes, by the template's path. */
const slotsIn = createSelector(
  [(templates: ReleaseDocument['templates']) => templates],
  (templates): ReadonlyMap<string, readonly string[]> => {
    const parts = partsOf(templates)
    const read = new Map<string, Template>()
    return new Map(
      Object.entries(templates).flatMap(([path, text]) =>
        partName(path) === null
          ? [[path, [...new Set(slotsOf(parseTemplate(text, parts, read).template))]] as const]
          : [],
      ),
    )
  },
)

/** Whether a template, or a part that it includes, shows a slot. */
export const showsSlot = ({ templates }: ReleaseDocument, path: string, slot: string): boolean =>
  slotsIn(templates).get(path)?.includes(slot) ?? false

/** The slots that signatures show, in the order of the signatures, each with the templates that show it. */
export function shownSlots(
  document: ReleaseDocument,
): readonly Readonly<{ slot: string; templates: readonly string[] }>[] {
  const shown = new Map<string, string[]>()
  for (const path of new Set(document.signatures.flatMap(usesOf)))
    for (const slot of slotsIn(document.templates).get(path) ?? []) {
      const templates = shown.get(slot)
      if (templates) templates.push(path)
      else shown.set(slot, [path])
    }
  return [...shown].map(([slot, templates]) => ({ slot, templates }))
}

/** The blocks of a slot in their order. `templates` are those that show the slot. */
export type SlotOfBlocks = Readonly<{ slot: string; templates: readonly string[]; blocks: readonly Block[] }>

/** The slots that signatures show, also empty ones, then those that only blocks name. */
export function blocksBySlot(document: ReleaseDocument): readonly SlotOfBlocks[] {
  const shown = shownSlots(document)
  const named = new Set([...shown.map(({ slot }) => slot), ...blocksOf(document).map(({ slot }) => slot)])
  return [...named].map((slot) => ({
    slot,
    templates: shown.find((each) => each.slot === slot)?.templates ?? [],
    blocks: blocksOf(document).filter((block) => block.slot === slot),
  }))
}

/** The share in a text of a form: a whole number from 1 to 100; null for another text. */
export const shareOf = (text: string): number | null => shareIn(text.trim())
