import { basename } from 'node:path'
import { Transformer } from '@parcel/plugin'

/** The lowest version of the made-up browsers. It is newer than the floor in package.json, so it changes no output. */
const FIRST_VERSION = 103
const VERSIONS = 20

/**
 * A made-up browser for a chunk. Parcel would move modules shared by chunks with the same browser into a third file.
 */
const browserOf = (file) =>
  `Chrome >= ${String(FIRST_VERSION + ([...file].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % VERSIONS))}`

/**
 * Gives a chunk its own copies of modules. Parcel wraps each module that two bundles share, with all its imports: calls
 * then go through objects, and nothing is inlined. This made the engine a fifth larger, because each chunk uses some of
 * its modules. Parcel does not share modules with different environments, so this transformer gives each chunk its own.
 * It runs for the modules named in .parcelrc, and their imports get the same environment.
 * docs/decisions/0017-the-engine-before-the-screen.md has the resulting rules.
 */
export default new Transformer({
  transform({ asset }) {
    const { context, engines, includeNodeModules, outputFormat, sourceType, isLibrary, sourceMap, loc } =
      asset.env
    const browsers = [engines.browsers ?? []].flat()
    const own = browserOf(basename(asset.filePath))
    if (!browsers.includes(own))
      asset.setEnvironment({
        context,
        includeNodeModules,
        outputFormat,
        sourceType,
        isLibrary,
        sourceMap,
        loc,
        engines: { ...engines, browsers: [...browsers, own] },
        shouldOptimize: asset.env.shouldOptimize,
        shouldScopeHoist: asset.env.shouldScopeHoist,
      })
    return [asset]
  },
})
