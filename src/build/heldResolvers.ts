/**
 * Keeps each of the bundler's resolvers alive until it has answered. Import this before the bundler, in its process.
 *
 * `resolveAsync` of `@parcel/rust` reads its `Resolver` on a thread of its own, but nothing holds the JavaScript object
 * meanwhile. `@parcel/node-resolver-core` drops some of these objects at once, so that the garbage collector frees what
 * the thread still reads: the process dies by a signal, or never ends. docs/decisions/0032-resolvers-are-held.md
 * has the whole report.
 */
import { Resolver } from '@parcel/rust'

/** The resolvers that are due to answer, by their answers. */
const held = new Map<Promise<unknown>, Resolver>()

const resolveAsync = Reflect.get(Resolver.prototype, 'resolveAsync') as (options: object) => Promise<unknown>

// The method itself is replaced: a replaced export would not reach the packages that have read it already.
Resolver.prototype.resolveAsync = function (this: Resolver, options: object = {}) {
  const answer = resolveAsync.call(this, options)
  const release = () => held.delete(answer)
  held.set(answer, this)
  answer.then(release, release)
  return answer
}
