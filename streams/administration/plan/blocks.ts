/** Edits a draft's blocks: their rules, their order within a slot, additions and removals. */
import type { ThreadPlace } from '../../html/slots.ts'
import { createSelector } from '../../kernel/selector.ts'
import { blockShareIn } from '../../organisation/release/names.ts'
import {
  type Block,
  type Hours,
  type OwnDays,
  canonicalText,
  partName,
  templatePartsOf,
  type ReleaseDocument,
  templatePathsOf,
} from '../../organisation/release/release.ts'
import { escapeHtml, parseTemplate, type Template } from '../../organisation/template/template.ts'
import { withoutTemplatesOf } from './draft.ts'
import { fileBaseName, freePath, hasId, withMovedItem, newItemId } from './items.ts'

/** `null` removes the place in threads, the hours or the own days. `turns: people` makes the share one of people again. */
export type BlockChanges = Partial<Omit<Block, 'id' | 'thread' | 'hours' | 'ownDays' | 'turns'>> &
  Readonly<{
    thread?: ThreadPlace | null
    hours?: Hours | null
    ownDays?: OwnDays | null
    turns?: 'people' | 'mail'
  }>

const AT_BLOCK = /^\/blocks\/id\/([a-z0-9_]+)$/

/** The path of a block's page. */
export const blockPath = (id: string): string => `/blocks/id/${id}`

/** The block in a path such as `/blocks/id/autumn`; null for other paths. */
export const blockAt = (path: string): string | null => AT_BLOCK.exec(path)?.[1] ?? null

/** The slot of the first block if no template shows a slot. */
export const DEFAULT_SLOT = 'banner'

const NONE: readonly Block[] = []
export const blocksOf = ({ blocks = NONE }: ReleaseDocument): readonly Block[] => blocks

/** Replaces the document's blocks; the same reference if they are equal. With no blocks, omits the field. */
function withBlocks(document: ReleaseDocument, blocks: readonly Block[]): ReleaseDocument {
  if (blocks === blocksOf(document)) return document
  const { blocks: _, ...others } = document
  return blocks.length === 0 ? others : { ...others, blocks }
}

/** Changes one block; the same reference if nothing changes. */
export function withBlock(document: ReleaseDocument, id: string, changes: BlockChanges): ReleaseDocument {
  const before = blocksOf(document).find((block) => block.id === id)
  const after = before && changedBlock(before, changes)
  if (after === undefined || after === before) return document
  return withBlocks(
    document,
    blocksOf(document).map((block) => (block === before ? after : block)),
  )
}

/** A share of 100 % leaves out nothing, so it has no turns. */
function changedBlock(block: Block, changes: BlockChanges): Block {
  const { thread, hours, ownDays, turns, ...changed } = { ...block, ...changes }
  const after: Block = {
    ...changed,
    ...(thread && { thread }),
    ...(hours && { hours }),
    ...(ownDays && { ownDays }),
    ...(turns === 'mail' && changed.share < 100 && { turns }),
  }
  return canonicalText(after) === canonicalText(block) ? block : after
}

/** Moves a block to the index `to` within its slot; the same reference if it is already there. */
export function withBlockOrder(document: ReleaseDocument, id: string, to: number): ReleaseDocument {
  const block = blocksOf(document).find((each) => each.id === id)
  if (block === undefined) return document
  const before = blocksOf(document).filter(({ slot }) => slot === block.slot)
  const after = withMovedItem(before, block, to)
  if (after === before) return document
  const others = after.values()
  return withBlocks(
    document,
    blocksOf(document).map((each) => (each.slot === block.slot ? (others.next().value ?? each) : each)),
  )
}

/** The defaults of a new block, without its name, slot and template. */
export const NEW_BLOCK_DEFAULTS: Omit<Block, 'id' | 'name' | 'slot' | 'template'> = {
  selection: { for: 'everyone', not: [] },
  during: null,
  recipients: 'everyone',
  replies: true,
  share: 100,
}

/** Escapes a text for a template, so that no part of it is markup or a placeholder. */
export const escapeForTemplate = (text: string): string =>
  escapeHtml(text).replaceAll('{', '&#123;').replaceAll('}', '&#125;')

/** A new block's template: one line below the signature. */
const shortBlock = (
  name: string,
): string => `<table cellpadding="0" cellspacing="0" border="0" role="presentation">
  <tr><td style="padding:12px 0 0 0;font-family:Arial,sans-serif;font-size:12px;color:#444444;">
    ${escapeForTemplate(name)}
  </td></tr>
</table>
`

/** A new block id made from this name, unique in the document. */
export const newBlockId = (document: ReleaseDocument, name: string): string =>
  newItemId(name, new Set(blocksOf(document).map(({ id }) => id)), 'block')

/**
 * Adds a block with this template, last in its slot, or first with `isFirst`. The same reference if the block's id
 * exists already.
 */
export function withAddedBlock(
  document: ReleaseDocument,
  given: Omit<Block, 'template'>,
  text: string,
  isFirst: boolean,
): ReleaseDocument {
  if (hasId(blocksOf(document), given.id)) return document
  const path = freePath(`templates/blocks/${fileBaseName(given.id)}`, 'html', Object.keys(document.templates))
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
 * Adds a new block, last in its slot; the same reference if its id exists already.
 *
 * @param like the block whose template and rules are copied; null for a block with a short template, for everyone
 */
export function withNewBlock(
  document: ReleaseDocument,
  id: string,
  name: string,
  like: string | null,
): ReleaseDocument {
  const copied = blocksOf(document).find((block) => block.id === like)
  const block = copied ?? { ...NEW_BLOCK_DEFAULTS, slot: shownSlots(document)[0]?.slot ?? DEFAULT_SLOT }
  const text = copied ? (document.templates[copied.template] ?? '') : shortBlock(name)
  return withAddedBlock(document, { ...block, id, name }, text, false)
}

/** Removes a block, its guard rules and the template that only this block used. Keeps pictures and parts. */
export function withoutBlock(document: ReleaseDocument, id: string): ReleaseDocument {
  const removed = blocksOf(document).find((block) => block.id === id)
  if (removed === undefined) return document
  const blocks = blocksOf(document).filter((block) => block !== removed)
  const { guard = [], ...others } = withBlocks(document, blocks)
  const asked = guard.filter((rule) => rule.missing === 'signature' || rule.block !== id)
  return withoutTemplatesOf(removed, asked.length > 0 ? { ...others, guard: asked } : others)
}

/** Switches the counting of clicks on or off. When off, the document omits the field. */
export function withClickCounting(document: ReleaseDocument, isOn: boolean): ReleaseDocument {
  if ((document.counting ?? false) === isOn) return document
  const { counting: _, ...others } = document
  return isOn ? { ...others, counting: true } : others
}

const slotsOf = ({ steps }: Template): readonly string[] =>
  steps.flatMap((step) =>
    step.kind === 'slot' ? [step.name] : step.kind === 'part' ? slotsOf(step.template) : [],
  )

/** The slots in a text, if it were a template of the document, including slots in its parts. */
export const slotsInText = (text: string, { templates }: ReleaseDocument): readonly string[] =>
  slotsOf(parseTemplate(text, templatePartsOf(templates)).template)

/** Each template's slots by its path, including slots in its parts. */
const slotsIn = createSelector(
  [(templates: ReleaseDocument['templates']) => templates],
  (templates): ReadonlyMap<string, readonly string[]> => {
    const parts = templatePartsOf(templates)
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

/** Whether a template shows a slot, directly or through a part. */
export const showsSlot = ({ templates }: ReleaseDocument, path: string, slot: string): boolean =>
  slotsIn(templates).get(path)?.includes(slot) ?? false

/** The slots that signatures show, in the order of the signatures, each with its templates. */
export function shownSlots(
  document: ReleaseDocument,
): readonly Readonly<{ slot: string; templates: readonly string[] }>[] {
  const shown = new Map<string, string[]>()
  for (const path of new Set(document.signatures.flatMap(templatePathsOf)))
    for (const slot of slotsIn(document.templates).get(path) ?? []) {
      const templates = shown.get(slot)
      if (templates) templates.push(path)
      else shown.set(slot, [path])
    }
  return [...shown].map(([slot, templates]) => ({ slot, templates }))
}

/** The number of signatures that show a slot. */
export const slotSignatureCount = (document: ReleaseDocument, slot: string): number =>
  document.signatures.filter((signature) =>
    templatePathsOf(signature).some((path) => showsSlot(document, path, slot)),
  ).length

/** A slot's blocks in their order, and the templates that show the slot. */
export type SlotOfBlocks = Readonly<{ slot: string; templates: readonly string[]; blocks: readonly Block[] }>

/** The slots that signatures show, including empty ones, then the slots that only blocks name. */
export function blocksBySlot(document: ReleaseDocument): readonly SlotOfBlocks[] {
  const shown = shownSlots(document)
  const named = new Set([...shown.map(({ slot }) => slot), ...blocksOf(document).map(({ slot }) => slot)])
  return [...named].map((slot) => ({
    slot,
    templates: shown.find((each) => each.slot === slot)?.templates ?? [],
    blocks: blocksOf(document).filter((block) => block.slot === slot),
  }))
}

/** Parses a share from a form: a whole number from 1 to 100; null for any other text. */
export const parseShare = (text: string): number | null => blockShareIn(text.trim())
