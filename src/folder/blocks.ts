/** Checks a folder's blocks, the slots of its templates, and the rules of `guard`. */
import {
  type Recipients,
  type ReleaseDocument,
  templatePathsOf,
} from '../../streams/organisation/release/release.ts'
import { findingHiddenBlocks, lacksDomains } from '../../streams/organisation/rules/rules.ts'
import type { Steps } from '../../streams/kernel/steps.ts'
import { readDeclarations } from '../../streams/html/declarations.ts'
import type { ExpandedTemplate, TemplateUse } from './expanded.ts'
import { type Finding, MAX_FINDINGS, type Place, quoteUntrusted, createFindingReport } from './finding.ts'
import { type HtmlToken, htmlTokens } from './htmlTokens.ts'
import { createNearestFinder, didYouMean } from './near.ts'

/** The width of a phone in pixels, the same as in the pane's large preview. */
const PHONE_PX = 375

/** Expanded templates of signatures and blocks by path; null for a template that cannot be checked. */
type ExpandedOf = ReadonlyMap<string, ExpandedTemplate | null>

const isSlot = ({ kind }: TemplateUse): boolean => kind === 'slot' || kind === 'slotStart'

/** The sentence about a nested slot. Several checks find the same slot, and equal sentences are reported only once. */
export const nestedSlotText = (name: string): string =>
  `The slot ${quoteUntrusted(name)} stands inside of another slot.`

/** The names of the slots in a template, including its parts. */
export const slotsIn = ({ uses }: ExpandedTemplate): ReadonlySet<string> =>
  new Set(uses.filter(isSlot).flatMap(({ names }) => names))

/** The expanded templates at the given paths, without duplicates. */
const expandedAt = (paths: readonly (string | null)[], expandedOf: ExpandedOf): readonly ExpandedTemplate[] =>
  [...new Set(paths)].flatMap((path) => (path === null ? [] : (expandedOf.get(path) ?? [])))

/** @param widthOf returns a picture's width in pixels by its path in the release; null if unknown */
export function* checkBlocks(
  document: ReleaseDocument,
  expandedOf: ExpandedOf,
  placeOf: (path: string) => Place,
  widthOf: (picture: string) => number | null,
): Steps<readonly Finding[]> {
  const { signatures, blocks = [], guard = [], counting = false } = document
  const { findings, error, warn } = createFindingReport()
  const paths = signatures.flatMap(templatePathsOf)
  const ofSignatures = expandedAt(paths, expandedOf)
  const shown = new Set(ofSignatures.flatMap((expanded) => [...slotsIn(expanded)]))
  const filled = new Set(blocks.map(({ slot }) => slot))
  const nearShown = createNearestFinder(() => shown)
  const nearFilled = createNearestFinder(() => filled)
  const variables = new Set(document.variables.map(({ path }) => path))
  const nearVariable = createNearestFinder(() => variables)

  const noDomains = (path: string, recipients: Recipients) =>
    error(
      placeOf(path),
      'noDomains',
      `"recipients: ${String(recipients)}" needs "internal", the organisation's own domains.`,
    )

  const ids = new Set(blocks.map(({ id }) => id))
  const nearId = createNearestFinder(() => ids)
  for (const [index, rule] of guard.entries()) {
    yield
    const path = `guard.${index}`
    if (rule.missing === 'signature') {
      if (lacksDomains({ document }, rule)) noDomains(`${path}.recipients`, rule.recipients)
    } else if (!ids.has(rule.block)) {
      const meant = yield* nearId(rule.block)
      const message = `There is no block ${quoteUntrusted(rule.block)}.${didYouMean(meant)}`
      error(placeOf(`${path}.block`), 'unknownBlock', message)
    }
  }

  for (const expanded of ofSignatures) {
    // So many findings already reject the folder, so the check may stop.
    if (findings.length > MAX_FINDINGS) return findings
    yield
    for (const { at, code, message } of misplacedSlots(expanded)) error(expanded.placeOf(at), code, message)
    for (const use of expanded.uses) {
      const [name = ''] = use.names
      if (use.kind === 'counted')
        warn(
          expanded.placeOf(use.at),
          'notCounted',
          'Only clicks on links of blocks are counted: this one leads to its address directly.',
        )
      // In a folder without blocks, the slots wait for the first blocks, so empty slots are no mistake.
      if (!isSlot(use) || filled.has(name) || filled.size === 0) continue
      const meant = yield* nearFilled(name)
      const message = `There is no block for the slot ${quoteUntrusted(name)}.${didYouMean(meant)}`
      warn(expanded.placeOf(use.at), 'noBlock', message)
    }
  }

  for (const expanded of expandedAt(
    blocks.map(({ template }) => template),
    expandedOf,
  )) {
    if (findings.length > MAX_FINDINGS) return findings
    yield
    for (const use of expanded.uses)
      if (isSlot(use))
        error(expanded.placeOf(use.at), 'slotInBlock', 'This is the template of a block, which has no slot.')
      else if (use.kind === 'counted' && !counting)
        warn(
          expanded.placeOf(use.at),
          'notCounted',
          'Clicks are not counted without "counting: true": the link leads to its address directly.',
        )
    for (const { at, width } of tooWide(expanded, widthOf))
      warn(
        expanded.placeOf(at),
        'tooWide',
        `It is ${width} pixels wide, and a phone has ${PHONE_PX}: let it shrink with style="max-width:100%;height:auto".`,
      )
  }

  // While a template is missing, the check cannot know which slots are never shown.
  const areAllThere = paths.every((path) => expandedOf.get(path))
  const hidden = yield* findingHiddenBlocks(document)
  for (const block of blocks) {
    yield
    const { id, slot, recipients, ownDays } = block
    for (const key of ['from', 'to'] as const)
      if (ownDays && !variables.has(ownDays[key])) {
        const meant = yield* nearVariable(ownDays[key])
        const message = `There is no variable ${quoteUntrusted(ownDays[key])}.${didYouMean(meant)}`
        error(placeOf(`blocks.${id}.during.${key}`), 'unknownVariable', message)
      }
    if (lacksDomains({ document }, block)) noDomains(`blocks.${id}.recipients`, recipients)
    if (areAllThere && !shown.has(slot)) {
      const meant = yield* nearShown(slot)
      const report = meant === null ? warn : error
      const message = `No template of a signature shows the slot ${quoteUntrusted(slot)}: {{block ${slot}}}.`
      report(placeOf(`blocks.${id}.slot`), 'unknownSlot', message + didYouMean(meant))
    }
    if (block.thread === 'later' && !block.replies)
      warn(
        placeOf(`blocks.${id}.thread`),
        'neverReached',
        'It is never shown: new messages are the first of their thread, and it is not for replies.',
      )
    const instead = hidden.get(id)
    if (instead !== undefined)
      warn(
        placeOf(`blocks.${id}`),
        'neverReached',
        `It is never shown: ${quoteUntrusted(instead.id)} above it always stands in its place. Put it above, or limit the other one.`,
      )
  }
  return findings
}

/** Slots by name, each with the offset of one of its placeholders. */
type Slots = Map<string, number>

/**
 * Finds slots that a template shows twice, and slots inside other slots. Exclusive branches of a condition may repeat a
 * slot.
 */
function misplacedSlots({
  uses,
}: ExpandedTemplate): readonly Readonly<{ at: number; code: string; message: string }>[] {
  const found: { at: number; code: string; message: string }[] = []
  /** Merges slots that are shown together into the larger map. Reports each slot that is in both maps. */
  const beside = (before: Slots, after: Slots): Slots => {
    const [from, to] = before.size < after.size ? [before, after] : [after, before]
    for (const [name, at] of from) {
      if (to.has(name))
        found.push({
          at: after.get(name) ?? at,
          code: 'slotTwice',
          message: `The slot ${quoteUntrusted(name)} is here twice; the same block would stand in both.`,
        })
      to.set(name, before.get(name) ?? at)
    }
    return to
  }
  /** Merges slots of exclusive branches into the larger map. */
  const instead = (one: Slots, other: Slots): Slots => {
    const [from, to] = one.size < other.size ? [one, other] : [other, one]
    for (const [name, at] of from) to.set(name, Math.min(at, to.get(name) ?? at))
    return to
  }
  const open: { before: Slots; then: Slots | null }[] = []
  let slots: Slots = new Map()
  let isInSlot = false
  for (const use of uses) {
    const [name = ''] = use.names
    const condition = open.at(-1)
    if (isSlot(use)) {
      if (isInSlot) found.push({ at: use.at, code: 'slotInSlot', message: nestedSlotText(name) })
      slots = beside(slots, new Map([[name, use.at]]))
    }
    if (use.kind === 'slotStart' || use.kind === 'slotEnd') isInSlot = use.kind === 'slotStart'
    else if (use.kind === 'if') {
      open.push({ before: slots, then: null })
      slots = new Map()
    } else if (use.kind === 'else' && condition) {
      condition.then = slots
      slots = new Map()
    } else if (use.kind === 'end' && condition) {
      slots = beside(condition.before, instead(condition.then ?? new Map<string, number>(), slots))
      open.pop()
    }
  }
  return found
}

type OpenTag = Extract<HtmlToken, { kind: 'open' }>

const PIXELS = /^(\d{1,6})(?:\.\d+)?(?:px)?$/i
const pixelsOf = (text: string): number | null => {
  const [, digits] = PIXELS.exec(text.trim()) ?? []
  return digits === undefined ? null : Number(digits)
}

/** Finds the elements of a block that are wider than a phone. */
function tooWide(
  { masked, uses }: ExpandedTemplate,
  widthOf: (picture: string) => number | null,
): readonly Readonly<{ at: number; width: number }>[] {
  const pictures = uses.filter(({ kind }) => kind === 'picture')
  let next = 0
  const pictureIn = ({ at, end }: OpenTag): string | null => {
    while ((pictures[next]?.at ?? Infinity) < at) next++
    const picture = pictures[next]
    return picture === undefined || picture.at >= end ? null : (picture.names[0] ?? null)
  }
  return htmlTokens(masked).flatMap((token) => {
    if (token.kind !== 'open') return []
    const width = widthIn(token, () => {
      const picture = token.name === 'img' ? pictureIn(token) : null
      return picture === null ? null : widthOf(picture)
    })
    return width !== null && width > PHONE_PX ? [{ at: token.at, width }] : []
  })
}

/** The width of an element in pixels, from its style, its attribute or its picture; null if the width adapts. */
function widthIn({ attributes }: OpenTag, ownWidth: () => number | null): number | null {
  const valueOf = (name: string) => attributes.find((attribute) => attribute.name === name)?.value
  const styles = new Map(
    readDeclarations(valueOf('style') ?? '').map(({ property, value }) => [property, value] as const),
  )
  const written = styles.get('width') ?? valueOf('width')
  const width = written === undefined ? ownWidth() : pixelsOf(written)
  const limit = styles.get('max-width')
  const most = limit === undefined ? Infinity : pixelsOf(limit)
  // The width is relative, such as 100%, so it adapts.
  if (width === null || most === null) return null
  return Math.min(width, most)
}
