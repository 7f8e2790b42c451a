import {
  type AnyNode,
  type ArrowFunctionExpression,
  type FunctionDeclaration,
  type FunctionExpression,
  parse,
  type Pattern,
  type VariableDeclaration,
} from 'acorn'
import { childrenOf } from './syntaxTree.ts'

/** The names that a pattern declares. */
function namesOf(pattern: Pattern | null): readonly string[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) => namesOf(each.type === 'Property' ? each.value : each))
    case 'ArrayPattern':
      return pattern.elements.flatMap(namesOf)
    case 'AssignmentPattern':
      return namesOf(pattern.left)
    case 'RestElement':
      return namesOf(pattern.argument)
    default:
      return []
  }
}

const isFunction = (
  node: AnyNode,
): node is FunctionDeclaration | FunctionExpression | ArrowFunctionExpression =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'FunctionExpression' ||
  node.type === 'ArrowFunctionExpression'

/** The names that `node` declares for the whole function around it, without those of `except`. */
const hoistedBy = (node: AnyNode, except: VariableDeclaration): readonly string[] => {
  if (node === except) return []
  if (isFunction(node)) return node.type === 'FunctionDeclaration' ? namesOf(node.id) : []
  const own =
    node.type === 'VariableDeclaration' && node.kind === 'var'
      ? node.declarations.flatMap(({ id }) => namesOf(id))
      : []
  return [...own, ...childrenOf(node).flatMap((each) => hoistedBy(each, except))]
}

/** The `var` with which a function begins, if `let` means the same there: nothing else declares its names. */
function firstVar(node: AnyNode): VariableDeclaration | null {
  if (!isFunction(node) || node.body.type !== 'BlockStatement') return null
  const [first] = node.body.body
  if (first?.type !== 'VariableDeclaration' || first.kind !== 'var') return null
  const others = new Set([...node.params.flatMap(namesOf), ...hoistedBy(node.body, first)])
  return first.declarations.some(({ id }) => namesOf(id).some((name) => others.has(name))) ? null : first
}

function* firstVarsIn(node: AnyNode): Generator<VariableDeclaration> {
  const first = firstVar(node)
  if (first) yield first
  for (const each of childrenOf(node)) yield* firstVarsIn(each)
}

/**
 * The code with `let` in place of each `var` with which a function begins, if it means the same. The compiler declares
 * its helping variables there, apart from those of the code; minifiers join declarations of one kind. Both words have
 * three letters, so a source map stays right.
 */
export function withFirstLets(code: string): string {
  let result = code
  for (const { start } of firstVarsIn(parse(code, { ecmaVersion: 2016 })))
    result = `${result.slice(0, start)}let${result.slice(start + 3)}`
  return result
}
