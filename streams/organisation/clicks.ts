/** Clicks on the counted addresses of blocks, `{{counted …}}`, by day and block. Nothing tells who clicked. */
import { count } from '../kernel/limits.ts'
import { list, object, type OutOf, text, union } from '../kernel/schema.ts'
import { partsOf, type ReleaseDocument } from './release.ts'
import { parseTemplate, type Template } from './template.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** How long clicks are stored. */
export const CLICKS_KEPT_MS = 400 * DAY_MS
/** How many days are told, today included. */
export const DAYS_TOLD = 90
/** How many addresses of a document are counted: the first ones. Others lead to where they say, and are not counted. */
export const MAX_COUNTED = 10_000
/** A smaller number of clicks of a day is not told: it could be one person. */
export const FEWEST_TOLD = 5

/** The clicks of a block on a day of UTC, such as `2026-11-26`. */
export type Clicks = Readonly<{ day: string; block: string; clicks: number }>

/** A day of UTC. `fewerThan` stands in the place of a number that is not told, 0 included. */
const clickDay = union(object({ day: text, clicks: count }), object({ day: text, fewerThan: count }))
export type ClickDay = OutOf<typeof clickDay>

/**
 * The blocks that have counted addresses, in the order of the release, then those that had them. `days` are the last 90
 * days, the earliest first; empty when no day has a number.
 */
export const blockClicks = list(object({ block: text, name: text, days: list(clickDay) }))
export type BlockClicks = OutOf<typeof blockClicks>[number]

/** The day of UTC at a time, which is in milliseconds since 1970. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** The first of the days that are told. */
export const firstDayTold = (at: number): string => dayOf(at - (DAYS_TOLD - 1) * DAY_MS)

/** The counted addresses of all blocks, each once for a block. None when the organisation does not count. */
export function countedAddresses({
  counting,
  blocks = [],
  templates,
}: Pick<ReleaseDocument, 'counting' | 'blocks' | 'templates'>): readonly Readonly<{
  block: string
  address: string
}>[] {
  if (counting !== true) return []
  const parts = partsOf(templates)
  const read = new Map<string, Template>()
  const paths = [...new Set(blocks.map(({ template }) => template))]
  const addresses = new Map(
    paths.map((path) => {
      const text = Object.hasOwn(templates, path) ? (templates[path] ?? '') : ''
      return [path, [...new Set(addressesIn(parseTemplate(text, parts, read).template))]]
    }),
  )
  const counted: { block: string; address: string }[] = []
  for (const { id: block, template } of blocks)
    for (const address of addresses.get(template) ?? []) {
      if (counted.length === MAX_COUNTED) return counted
      counted.push({ block, address })
    }
  return counted
}

const addressesIn = ({ steps }: Template): readonly string[] =>
  steps.flatMap((step) =>
    step.kind === 'counted' ? [step.address] : step.kind === 'part' ? addressesIn(step.template) : [],
  )

/**
 * What is told of the clicks; null when the organisation does not count.
 *
 * @param stored the clicks of the days that are told, in any order
 * @param at now, in milliseconds since 1970
 */
export function clicksTold(
  document: ReleaseDocument | null,
  stored: readonly Clicks[],
  at: number,
): readonly BlockClicks[] | null {
  if (document?.counting !== true) return null
  const ofBlock = new Map<string, Map<string, number>>()
  for (const { block, day, clicks } of stored) {
    if (clicks < FEWEST_TOLD) continue
    const days = ofBlock.get(block) ?? new Map<string, number>()
    ofBlock.set(block, days.set(day, clicks))
  }
  const names = new Map((document.blocks ?? []).map(({ id, name }) => [id, name]))
  const counted = countedAddresses(document).map(({ block }) => block)
  const all = Array.from({ length: DAYS_TOLD }, (_, index) => dayOf(at - (DAYS_TOLD - 1 - index) * DAY_MS))
  return [...new Set([...counted, ...[...ofBlock.keys()].sort()])].map((block) => {
    const numbers = ofBlock.get(block)
    const days = numbers === undefined ? [] : all.map((day) => clickDayOf(day, numbers.get(day)))
    return { block, name: names.get(block) ?? block, days }
  })
}

const clickDayOf = (day: string, clicks: number | undefined): ClickDay =>
  clicks === undefined ? { day, fewerThan: FEWEST_TOLD } : { day, clicks }
