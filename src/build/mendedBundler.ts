/**
 * Works around two bugs of the bundler, and runs it without workers. Import this file before the bundler, in the same
 * process. docs/decisions/0032-the-bundler-is-mended.md describes both bugs.
 */
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Resolver } from '@parcel/rust'

/**
 * `resolveAsync` in `@parcel/rust` reads its `Resolver` on another thread, but nothing holds the JavaScript object
 * meanwhile. `@parcel/node-resolver-core` drops some of these objects at once, and the garbage collector frees memory
 * that the thread still reads. The process then dies by a signal, or never ends. So this map holds each `Resolver`
 * until it has answered.
 */
const held = new Map<Promise<unknown>, Resolver>()

const resolveAsync = Reflect.get(Resolver.prototype, 'resolveAsync') as (options: object) => Promise<unknown>

// Replaces the method and not the export, because packages that have already read the export would keep the old one.
Resolver.prototype.resolveAsync = function (this: Resolver, options: object = {}) {
  const answer = resolveAsync.call(this, options)
  const release = () => held.delete(answer)
  held.set(answer, this)
  answer.then(release, release)
  return answer
}

/**
 * A transformation returns the plugins that it used: in full the first time, and then as a reference. `@parcel/core`
 * may process a reference before its target; the build then ends with "a reference to a missing dev dep request". So
 * here every transformation returns its plugins in full.
 */
const require = createRequire(import.meta.url)
const core = dirname(require.resolve('@parcel/core/package.json'))
const plugins = require(join(core, 'lib/requests/DevDepRequest.js')) as {
  getWorkerDevDepRequests: (used: readonly unknown[]) => readonly unknown[]
}
plugins.getWorkerDevDepRequests = (used) => used

/**
 * The bundler's worker compiles the bundler again and copies each file, so it costs more processor time than it saves.
 */
process.env['PARCEL_WORKERS'] = '0'
