import { minify } from 'rolldown/utils'
import { minify as terser, type MinifyOptions } from 'terser'

type Options = NonNullable<Parameters<typeof minify>[2]>
type SourceMap = NonNullable<Options['inputMap']>

/** A script without the line that names its map. */
export const withoutMap = (code: string): string => code.replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '')

/**
 * Makes a built script and its source map smaller: a second minifier finds what the bundler's own minifier leaves.
 * `map` is JSON. The resulting script does not name its map.
 */
export async function minifyAgain(
  name: string,
  code: string,
  map: string,
  options: Options,
): Promise<Readonly<{ code: string; map: SourceMap }>> {
  const result = await minify(name, withoutMap(code), {
    ...options,
    sourcemap: true,
    inputMap: JSON.parse(map) as SourceMap,
  })
  const [error] = result.errors
  if (error !== undefined || !result.map)
    throw new Error(`${name} cannot be minified: ${error?.message ?? ''}`)
  return { code: result.code, map: result.map }
}

/**
 * Makes a script and its source map smaller before `minifyAgain`: terser finds what neither the bundler's minifier nor
 * the second one does. The resulting script does not name its map, which has the text of its sources.
 */
export async function minifyFirst(
  name: string,
  code: string,
  map: string,
  options: MinifyOptions,
): Promise<Readonly<{ code: string; map: string }>> {
  const first = await terser(
    { [name]: withoutMap(code) },
    { ...options, sourceMap: { content: map, filename: name, includeSources: true } },
  )
  if (first.code === undefined || typeof first.map !== 'string')
    throw new Error(`${name} cannot be minified.`)
  return { code: first.code, map: first.map }
}
