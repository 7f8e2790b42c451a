import { TraceMap, traceSegment } from '@jridgewell/trace-mapping'
import { type AnyNode, type Identifier, parse } from 'acorn'
import { childrenOf } from './syntaxTree.ts'

// Names of members that `launch.js` has only in one folder. They can be shortened, because nothing else in the program
// reads or writes them, nor does anything outside it: no JSON, event, host or part of a page has them.

/** For each folder, the members' names. A name that another folder needs, too, is taken off here. */
const PRIVATE: Readonly<Record<string, RegExp>> = {
  'effects/message/':
    /^(?:begin|claims|granted\$?|hasClientSignature|isChanging|isFirst|isHeld|isInText|isNeeded|isSafe|isUnclear|lease|leftNames|regain\$|released\$|run\$|unused|works)$/,
  'node_modules/rxjs/':
    /^(?:_[a-z]\w*|currentObservers|destination|hasError|initialTeardown|isStopped|observers|onFinalize|operator|partialObserver|thrownError)$/,
  'streams/html/':
    /^(?:anchors|clients|ends|escapes|functions|hasElements|innerEnd|isCopied|isEnded|isOpen|isQuoted|kinds|letters|little|ours|passed|power|says|signs|sizeOf|tokens|valueStart|writePicture)$/,
}

/** All names that can be shortened. */
export const PRIVATE_NAMES = new RegExp(
  Object.values(PRIVATE)
    .map(({ source }) => source)
    .join('|'),
)

/** The name of a member that this node reads, writes or declares; null for another node. */
function memberOf(node: AnyNode): Identifier | null {
  const name =
    node.type === 'MemberExpression'
      ? node.property
      : node.type === 'Property' || node.type === 'MethodDefinition'
        ? node.key
        : null
  return name?.type === 'Identifier' && !('computed' in node && node.computed) ? name : null
}

/** The text of a literal, which may be the name of a member. */
const textOf = (node: AnyNode): unknown =>
  node.type === 'Literal' ? node.value : node.type === 'TemplateElement' ? node.value.cooked : null

/**
 * Throws when a name of `PRIVATE` is not private any more: when another folder has a member of this name, or when a
 * text is such a name, which could name the member. `map` is JSON, and the map of `code`.
 */
export function checkPrivateNames(code: string, map: string, names = PRIVATE): void {
  const trace = new TraceMap(map)
  const refuse = (name: string, place: string): never => {
    throw new Error(`src/build/privateNames.ts has the name ${name}, which is not private: ${place} has it.`)
  }
  /** The source of the identifier itself, and not of what stands before it. */
  const sourceOf = ({ loc }: Identifier): string | null => {
    const { line, column } = loc?.start ?? { line: 0, column: 0 }
    const segment = traceSegment(trace, line - 1, column)
    return segment?.[0] === column && segment.length > 1 ? (trace.sources[segment[1] ?? 0] ?? null) : null
  }
  const check = (node: AnyNode): void => {
    const member = memberOf(node)
    const text = textOf(node)
    for (const [folder, pattern] of Object.entries(names)) {
      if (typeof text === 'string' && pattern.test(text)) refuse(text, 'a text')
      if (!member || !pattern.test(member.name)) continue
      const source = sourceOf(member)
      if (source?.startsWith(folder) !== true) refuse(member.name, source ?? 'an unknown place')
    }
    for (const each of childrenOf(node)) check(each)
  }
  check(parse(code, { ecmaVersion: 2016, locations: true }))
}
