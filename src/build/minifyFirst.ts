import { minify } from 'terser'

/**
 * Makes the program of `launch.js` smaller than the bundler's minifier does, before `minifyAgain`. `map` is JSON. Two
 * of the options are safe only for this program: no property that it reads has an effect (`pure_getters`), and it
 * constructs only classes (`unsafe_arrows` makes functions without `this` arrows).
 */
export async function minifyFirst(
  name: string,
  code: string,
  map: string,
): Promise<Readonly<{ code: string; map: string }>> {
  const small = await minify(
    { [name]: code },
    {
      ecma: 2016,
      compress: { passes: 2, pure_getters: true, unsafe_arrows: true },
      sourceMap: { content: map, filename: name, includeSources: true },
    },
  )
  if (small.code === undefined || typeof small.map !== 'string')
    throw new Error(`${name} cannot be minified.`)
  return { code: small.code, map: small.map }
}
