import { minify } from 'rolldown/utils'

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
