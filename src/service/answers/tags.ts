/**
 * Computes the tags (ETags) of responses. A tag is a hash of everything a response depends on, so a 304 needs no
 * rendering.
 */
import { hash } from 'node:crypto'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { DAY_MS } from '../../../streams/organisation/release/names.ts'
import { hasOpenTimes } from '../../../streams/organisation/rules/openTimes.ts'
import { isPeriodOpen, windowOf } from '../../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { AnswerDependency } from '../../../streams/wire/addinRequests.ts'
import type { Caller } from '../context/serviceContext.ts'

/**
 * The tag of a response to a caller, without quotes. It hashes whole rows, because a person who was erased and imported
 * again may have an earlier revision. An unchanged request for an unchanged person and release reuses the last tag.
 *
 * @param url the URL of the request
 * @param owners the people other than the caller whose signatures the response contains
 */
export function responseTagOf(
  { publicUrl, isGuarding }: Readonly<{ publicUrl: string; isGuarding: boolean }>,
  { person, release, isAdmin, at }: Caller,
  dependsOn: readonly AnswerDependency[],
  { url, owners }: Readonly<{ url: string; owners: readonly PersonState[] }>,
): string {
  const windows = openWindows(release, at)
  const openDay = openDayOf(release, at)
  const published = isGuarding ? release.id : `${release.id} without guard`
  // Omits the release itself: a cached person would keep it in memory.
  const from = [publicUrl, published, windows, openDay, isAdmin, url, dependsOn]
  const last = owners.length === 0 ? lastTags.get(person) : undefined
  if (last?.from.every((each, index) => each === from[index])) return last.tag
  const parts: Readonly<Record<AnswerDependency, () => unknown>> = {
    release: () => published,
    periods: () => (openDay === null ? windows : [windows, openDay]),
    person: () => [stampOf(person), isAdmin],
    owners: () => owners.map(stampOf),
    request: () => url,
  }
  const tag = hashOf([publicUrl, ...dependsOn.map((name) => parts[name]())])
  if (owners.length === 0) lastTags.set(person, { from, tag })
  return tag
}

/** Whether the header `If-None-Match` contains the tag. */
export const isTagInHeader = (tag: string, header: string | undefined): boolean =>
  header !== undefined &&
  (header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${tag}"`))

/** A short hash of a value that can be written as JSON. */
const hashOf = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22)

/** Each person's last tag of a response without other owners, and the values that it was computed from. */
const lastTags = new WeakMap<PersonState, Readonly<{ from: readonly unknown[]; tag: string }>>()
const stamps = new WeakMap<PersonState, string>()
/** A hash of all stored data of a person. */
function stampOf(person: PersonState): string {
  const known = stamps.get(person)
  if (known !== undefined) return known
  const stamp = hashOf(person)
  stamps.set(person, stamp)
  return stamp
}

/** The signatures and blocks that have a period, with the names that tags use for them. */
function windowsOf({ document: { signatures, blocks = [] } }: Release) {
  return [
    ...signatures.flatMap(({ id, during }) => (during === null ? [] : [[id, during] as const])),
    ...blocks.flatMap(({ id, during }) => (during === null ? [] : [[`block ${id}`, during] as const])),
  ]
}

/**
 * The number of the UTC day, because open times begin with it; null for a release whose blocks have no open times, so
 * that its tags last.
 */
const openDayOf = ({ document: { blocks = [] } }: Release, at: number): number | null =>
  blocks.some(hasOpenTimes) ? Math.floor(at / DAY_MS) : null

type Open = Readonly<{ names: readonly string[]; from: number; until: number }>
const open = new WeakMap<Release, Open>()

/**
 * The signatures and blocks whose period is open. The list changes when a period opens or ends, even without a publish.
 */
function openWindows(release: Release, at: number): readonly string[] {
  const known = open.get(release)
  if (known !== undefined && known.from <= at && at < known.until) return known.names
  const all = windowsOf(release)
  const changes = all.flatMap(([, during]) => {
    const window = windowOf(during)
    return window === null ? [] : [window.opens, window.closes]
  })
  const names = all.flatMap(([name, during]) => (isPeriodOpen(during, at) ? [name] : []))
  open.set(release, {
    names,
    from: Math.max(...changes.filter((each) => each <= at), -Infinity),
    until: Math.min(...changes.filter((each) => each > at), Infinity),
  })
  return names
}
