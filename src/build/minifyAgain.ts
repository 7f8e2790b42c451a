import { minify } from 'rolldown/utils'

type Options = NonNullable<Parameters<typeof minify>[2]>
type SourceMap = NonNullable<Options['inputMap']>

/** A script without the line that names its map. */
export const withoutMap = (code: string): string => code.replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '')

/**
 * A built script in fewer bytes, with its source map: a second minifier finds what the bundler's own leaves. `map` is
 * JSON. Nothing in the result names the map.
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
