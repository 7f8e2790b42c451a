import { basename } from 'node:path'
import { Transformer } from '@parcel/plugin'

/** Newer than the floor in package.json, so that they change no output: each makes an environment of its own. */
const FIRST_VERSION = 103
const VERSIONS = 20

/** The browsers of a chunk. Two chunks with the same would share a third file. */
const browserOf = (file) =>
  `Chrome >= ${String(FIRST_VERSION + ([...file].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % VERSIONS))}`

/**
 * Gives a chunk modules of its own. Parcel wraps each module that two bundles share, and all that it imports, so that
 * calls go through objects and nothing is inlined: the engine, of which each chunk uses some modules, was a fifth larger.
 * Modules of another environment are not shared. Parcel calls this for the modules that .parcelrc names, and what these
 * import is in the same environment. docs/decisions/0017-the-engine-before-the-screen.md has the rules that follow.
 */
export default new Transformer({
  transform({ asset }) {
    const { context, engines, includeNodeModules, outputFormat, sourceType, isLibrary, sourceMap, loc } =
      asset.env
    const browsers = [engines.browsers ?? []].flat()
    const own = browserOf(basename(asset.filePath))
    if (!browsers.includes(own))
      asset.setEnvironment({
        ...{ context, includeNodeModules, outputFormat, sourceType, isLibrary, sourceMap, loc },
        engines: { ...engines, browsers: [...browsers, own] },
        shouldOptimize: asset.env.shouldOptimize,
        shouldScopeHoist: asset.env.shouldScopeHoist,
      })
    return [asset]
  },
})
