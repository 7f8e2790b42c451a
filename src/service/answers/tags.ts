/** The tags of responses: hashes of what a response depends on, so that nothing is rendered for a 304. */
import { hash } from 'node:crypto'
import type { Release } from '../../../streams/organisation/release/release.ts'
import { isOpen, windowOf } from '../../../streams/organisation/rules/rules.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import type { Dependency } from '../../../streams/wire/addinRequests.ts'
import type { Caller } from '../context/serviceContext.ts'

/**
 * The tag of a response to a caller, without quotes. The hash is of whole rows, because a person who was erased and is
 * imported again may have an earlier revision. The same person, release and question have their last tag, which is
 * computed once.
 *
 * @param url of the request
 * @param owners the people other than the caller whose signatures the response has
 */
export function tagOf(
  { publicUrl, isGuarding }: Readonly<{ publicUrl: string; isGuarding: boolean }>,
  { person, release, isAdmin, at }: Caller,
  dependsOn: readonly Dependency[],
  { url, owners }: Readonly<{ url: string; owners: readonly PersonState[] }>,
): string {
  const windows = openWindows(release, at)
  const published = isGuarding ? release.id : `${release.id} without guard`
  // Without the release itself, which a person that is kept would keep in memory.
  const from = [publicUrl, published, windows, isAdmin, url, dependsOn]
  const last = owners.length === 0 ? lastTags.get(person) : undefined
  if (last?.from.every((each, index) => each === from[index])) return last.tag
  const parts: Readonly<Record<Dependency, () => unknown>> = {
    release: () => published,
    periods: () => windows,
    person: () => [stampOf(person), isAdmin],
    owners: () => owners.map(stampOf),
    request: () => url,
  }
  const tag = hashOf([publicUrl, ...dependsOn.map((name) => parts[name]())])
  if (owners.length === 0) lastTags.set(person, { from, tag })
  return tag
}

/** Whether a header `If-None-Match` names the tag. */
export const isNamed = (tag: string, header: string | undefined): boolean =>
  header !== undefined &&
  (header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === `"${tag}"`))

/** A short hash of a value that can be written as JSON. */
const hashOf = (value: unknown): string => hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22)

/** The last tag for a person without other owners, and what it was made from. */
const lastTags = new WeakMap<PersonState, Readonly<{ from: readonly unknown[]; tag: string }>>()
const stamps = new WeakMap<PersonState, string>()
/** A hash of all that is known of a person. */
function stampOf(person: PersonState): string {
  const known = stamps.get(person)
  if (known !== undefined) return known
  const stamp = hashOf(person)
  stamps.set(person, stamp)
  return stamp
}

/** The signatures and blocks that have a period, with the name by which a tag knows them. */
function windowsOf({ document: { signatures, blocks = [] } }: Release) {
  return [
    ...signatures.flatMap(({ id, during }) => (during === null ? [] : [[id, during] as const])),
    ...blocks.flatMap(({ id, during }) => (during === null ? [] : [[`block ${id}`, during] as const])),
  ]
}

type Open = Readonly<{ names: readonly string[]; from: number; until: number }>
const open = new WeakMap<Release, Open>()

/** The signatures and blocks whose period is open: the same list until a period opens or ends, without a publish. */
function openWindows(release: Release, at: number): readonly string[] {
  const known = open.get(release)
  if (known !== undefined && known.from <= at && at < known.until) return known.names
  const all = windowsOf(release)
  const changes = all.flatMap(([, during]) => {
    const window = windowOf(during)
    return window === null ? [] : [window.opens, window.closes]
  })
  const names = all.flatMap(([name, during]) => (isOpen(during, at) ? [name] : []))
  open.set(release, {
    names,
    from: Math.max(...changes.filter((each) => each <= at), -Infinity),
    until: Math.min(...changes.filter((each) => each > at), Infinity),
  })
  return names
}
