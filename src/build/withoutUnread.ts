import { type AnyNode, parse } from 'acorn'
import { childrenOf } from './syntaxTree.ts'

/** Methods of the store that the pane calls. The store stays in the program, and never leaves it as a whole. */
const UNREAD = ['addEffects', 'foldOldest'] as const

/** The methods of objects in this code that have one of these names. */
function* methodsIn(
  node: AnyNode,
  names: readonly string[],
): Generator<Readonly<{ start: number; end: number }>> {
  if (node.type === 'Property' && node.method && !node.computed && node.key.type === 'Identifier')
    if (names.includes(node.key.name)) yield node
  for (const each of childrenOf(node)) yield* methodsIn(each, names)
}

/**
 * The code of `launch.js` with blanks in place of each method of `UNREAD` whose name is nowhere else in the code, so
 * that a source map stays right. Minifiers keep such methods, because they do not know who has the object.
 */
export function withoutUnread(code: string): string {
  const unread = UNREAD.filter((name) => code.split(name).length === 2)
  let result = code
  for (const { start, end } of methodsIn(parse(code, { ecmaVersion: 2016 }), unread)) {
    const after = end + (/^\s*,/.exec(code.slice(end))?.[0].length ?? 0)
    result = result.slice(0, start) + code.slice(start, after).replace(/\S/g, ' ') + result.slice(after)
  }
  return result
}
