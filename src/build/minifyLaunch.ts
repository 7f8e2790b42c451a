import { withFirstLets } from './firstLets.ts'
import { minifyAgain, minifyFirst, withoutMap } from './minifyAgain.ts'
import { checkPrivateNames, PRIVATE_NAMES } from './privateNames.ts'
import { withoutUnread } from './withoutUnread.ts'

/**
 * Makes a part of `launch.js` and its source map smaller than `minifyAgain` alone. `map` is JSON. Two of terser's
 * options are safe only for this program: no property that it reads has an effect (`pure_getters`), and it constructs
 * only classes (`unsafe_arrows` makes functions without `this` arrows). Throws as `checkPrivateNames` does.
 */
export async function minifyLaunch(
  name: string,
  bundled: string,
  map: string,
): ReturnType<typeof minifyAgain> {
  const code = withoutMap(bundled)
  checkPrivateNames(code, map)
  const first = await minifyFirst(name, withFirstLets(withoutUnread(code)), map, {
    ecma: 2016,
    compress: { passes: 2, pure_getters: true, unsafe_arrows: true },
  })
  return await minifyAgain(name, first.code, first.map, {
    compress: { target: 'es2016' },
    mangleProps: { include: PRIVATE_NAMES },
  })
}
