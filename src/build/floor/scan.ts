import { type AnyNode, type Literal, parse } from 'acorn'
import type { Feature, SyntaxName } from './features.ts'

export type BuiltFile = Readonly<{ name: string; text: string }>

/** A use of a feature that a supported browser lacks. `says` is the source text of the use. */
export type FeatureUse = Readonly<{
  feature: Feature
  file: string
  line: number
  column: number
  says: string
}>

/**
 * Finds the uses of `features` in a page's scripts: globals, static members, methods, options and syntax. A script does
 * not show an object's type, so a method counts only if its name is unique: no object in the supported browsers has
 * such a member (`isKnown`), and no script defines one. Other members count only on the objects of `SINGLETONS`.
 * `typeof x` and `x.y?.()` do not count as uses. Throws a `SyntaxError` if a script cannot be parsed.
 */
export function featureUsesIn(
  scripts: readonly BuiltFile[],
  features: readonly Feature[],
  isKnown: (member: string) => boolean,
): readonly FeatureUse[] {
  const given = new Set<string>()
  const parsed = scripts.map(({ name, text }) => {
    const tree = parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }) as AnyNode
    const declared = new Set<string>()
    walk(tree, null, (node) => {
      for (const each of namesDeclaredBy(node)) declared.add(each)
      const member = memberGivenBy(node)
      if (member !== null) given.add(member)
    })
    return { name, text, tree, declared }
  })
  const byKey = new Map<string, Feature>()
  for (const feature of features)
    for (const key of keysOf(feature, (name) => isKnown(name) || given.has(name))) byKey.set(key, feature)
  const uses: FeatureUse[] = []
  for (const { name, text, tree, declared } of parsed)
    walk(tree, null, (node, parent) => {
      for (const key of keysOfUses(node, parent, declared)) {
        const feature = byKey.get(key)
        if (feature === undefined || !node.loc) continue
        const { line, column } = node.loc.start
        const says = text.slice(node.start, Math.min(node.end, node.start + 60))
        uses.push({ feature, file: name, line, column, says })
      }
    })
  return uses
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** The direct children of a syntax tree node. */
const childrenOf = (node: AnyNode): readonly AnyNode[] => Object.values(node).flat().filter(isNode)

/** Interfaces with a single object per page, and the expression that returns this object. */
const SINGLETONS: Readonly<Record<string, string>> = {
  Clipboard: 'navigator.clipboard',
  Crypto: 'crypto',
  Document: 'document',
  History: 'history',
  Location: 'location',
  Navigator: 'navigator',
  Performance: 'performance',
  Screen: 'screen',
  SubtleCrypto: 'crypto.subtle',
}

/** A feature's keys: the ways in which scripts write it, such as `new Name()`. */
const keysOf = (feature: Feature, isKnown: (member: string) => boolean): readonly string[] => {
  const { name } = feature
  const method = isKnown(name) ? [] : [`.${name}()`]
  switch (feature.kind) {
    case 'global':
      // A global function can also be called as a method of a variable that holds `window`; an interface cannot.
      return [name, ...(/^[a-z]/.test(name) ? method : [])]
    case 'constructor':
      return [`new ${name}()`]
    case 'static':
      return [`${feature.owner}.${name}`]
    case 'prototype': {
      const object = SINGLETONS[feature.owner]
      return [...method, ...(object === undefined ? [] : [`${object}.${name}`])]
    }
    case 'option':
      return [`${feature.callee}({${name}${feature.value === null ? '' : `:${feature.value}`}})`]
    case 'syntax':
      return [`syntax ${name}`]
    case 'unit':
    case 'pseudo':
    case 'atRule':
      return []
  }
}

/** Yields a key for every use in a node, even if no feature has this key. */
function* keysOfUses(node: AnyNode, parent: AnyNode | null, declared: ReadonlySet<string>): Iterable<string> {
  for (const name of syntaxOf(node)) yield `syntax ${name}`
  switch (node.type) {
    case 'Identifier':
    case 'MemberExpression': {
      if (parent?.type === 'UnaryExpression' && parent.operator === 'typeof') return
      const path = isReference(node, parent) ? pathOf(node) : null
      if (path !== null && !declared.has(path.split('.', 1)[0] ?? '')) yield path
      return
    }
    case 'CallExpression':
    case 'NewExpression': {
      const { callee } = node
      const method = callee.type === 'MemberExpression' ? memberOf(callee) : null
      if (method !== null && !(node.type === 'CallExpression' && node.optional)) yield `.${method}()`
      const name = callee.type === 'Identifier' ? callee.name : method
      if (node.type === 'NewExpression' && name !== null && !declared.has(name)) yield `new ${name}()`
      if (name !== null)
        for (const argument of node.arguments)
          for (const option of optionsOf(argument)) yield `${name}({${option}})`
      return
    }
    default:
  }
}

/** Keys for each option in an argument: `name`, and for a literal value also `name:value`. */
function* optionsOf(argument: AnyNode): Iterable<string> {
  if (argument.type !== 'ObjectExpression') return
  for (const property of argument.properties) {
    if (property.type !== 'Property' || property.computed) continue
    const name = nameOf(property.key)
    const value = stringOf(property.value)
    if (name !== null) yield name
    if (name !== null && value !== null) yield `${name}:${value}`
  }
}

const nameOf = (key: AnyNode): string | null => (key.type === 'Identifier' ? key.name : stringOf(key))
/** The value of a string, or of a template without expressions, because minifiers also write strings as templates. */
const stringOf = (node: AnyNode): string | null => {
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? null
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null
}

type Member = Extract<AnyNode, { type: 'MemberExpression' }>
const memberOf = ({ property, computed }: Member): string | null =>
  computed ? stringOf(property) : property.type === 'Identifier' ? property.name : null

const GLOBAL_OBJECTS = new Set(['window', 'self', 'globalThis'])

/** The path of a global or its member, such as `A.b`, without `window.`; null for any other node. */
function pathOf(node: AnyNode): string | null {
  if (node.type === 'Identifier') return node.name
  if (node.type !== 'MemberExpression') return null
  const owner = pathOf(node.object)
  const member = memberOf(node)
  if (owner === null || member === null) return null
  return GLOBAL_OBJECTS.has(owner) ? member : `${owner}.${member}`
}

/** Whether a name is a reference, rather than a property name or a label. */
function isReference(node: AnyNode, parent: AnyNode | null): boolean {
  switch (parent?.type) {
    case 'MemberExpression':
      return parent.computed || (parent.object as AnyNode) === node
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return parent.computed || (parent.key as AnyNode) !== node
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'MetaProperty':
      return false
    default:
      return true
  }
}

/** The name of the member that this node adds to an object or class of the scripts; null if it adds none. */
function memberGivenBy(node: AnyNode): string | null {
  switch (node.type) {
    case 'Property':
    case 'MethodDefinition':
    case 'PropertyDefinition':
      return node.computed ? null : nameOf(node.key)
    case 'AssignmentExpression':
      return node.left.type === 'MemberExpression' ? memberOf(node.left) : null
    case 'CallExpression': {
      // Parcel exports a name as `give(exports, 'name', () => value)`.
      const [, name, value] = node.arguments as AnyNode[]
      return name && value?.type === 'ArrowFunctionExpression' ? stringOf(name) : null
    }
    default:
      return null
  }
}

function namesDeclaredBy(node: AnyNode): readonly string[] {
  switch (node.type) {
    case 'VariableDeclarator':
      return namesIn(node.id)
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
      return [...(node.id ? [node.id.name] : []), ...node.params.flatMap(namesIn)]
    case 'ClassDeclaration':
    case 'ClassExpression':
      return node.id ? [node.id.name] : []
    case 'CatchClause':
      return node.param ? namesIn(node.param) : []
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
      return [node.local.name]
    default:
      return []
  }
}

function namesIn(pattern: AnyNode): readonly string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) =>
        namesIn(each.type === 'Property' ? each.value : each.argument),
      )
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) => (each ? namesIn(each) : []))
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'RestElement':
      return namesIn(pattern.argument)
    default:
      return []
  }
}

const when = (isUsed: boolean, name: SyntaxName): readonly SyntaxName[] => (isUsed ? [name] : [])

const SYNTAX_OF: {
  readonly [Type in AnyNode['type']]?: (node: Extract<AnyNode, { type: Type }>) => Iterable<SyntaxName>
} = {
  StaticBlock: () => ['classStaticBlock'],
  PropertyDefinition: () => ['classField'],
  PrivateIdentifier: () => ['privateMember'],
  BinaryExpression: ({ left }) => when((left as AnyNode).type === 'PrivateIdentifier', 'privateIn'),
  LogicalExpression: ({ operator }) => when(operator === '??', 'nullish'),
  AssignmentExpression: ({ operator }) => when(['??=', '||=', '&&='].includes(operator), 'logicalAssignment'),
  ChainExpression: () => ['optionalChaining'],
  ImportExpression: ({ options }) => ['dynamicImport', ...when(Boolean(options), 'importAttributes')],
  ImportDeclaration: ({ attributes }) => when(attributes.length > 0, 'importAttributes'),
  MetaProperty: ({ meta }) => when(meta.name === 'import', 'importMeta'),
  MemberExpression: (node) =>
    when(
      (node.object as AnyNode).type === 'MetaProperty' && memberOf(node) === 'resolve',
      'importMetaResolve',
    ),
  ForOfStatement: (node) => when(node.await, 'forAwait'),
  VariableDeclaration: ({ kind }) => when(kind.includes('using'), 'using'),
  Literal: ({ bigint, regex, value }) => [
    ...when(typeof bigint === 'string', 'bigint'),
    ...(regex ? syntaxOfPattern(regex) : []),
    // A string can become a pattern at run time (`new RegExp`), so strings are searched for look-behinds too.
    ...(!regex && typeof value === 'string' ? lookbehindIn(value) : []),
  ],
  TemplateElement: ({ value }) => lookbehindIn(value.raw),
}

/** The constructs that a node uses. The cast is needed because the node's type is known only at run time. */
const syntaxOf = (node: AnyNode): Iterable<SyntaxName> =>
  (SYNTAX_OF[node.type] as ((node: AnyNode) => Iterable<SyntaxName>) | undefined)?.(node) ?? []

function* syntaxOfPattern({ pattern, flags }: NonNullable<Literal['regex']>): Iterable<SyntaxName> {
  // Escaped characters and character classes are removed because they may look like groups.
  const groups = pattern.replace(/\\./gs, '').replace(/\[[^\]]*\]/g, '')
  yield* lookbehindIn(groups)
  const names = Array.from(groups.matchAll(/\(\?<([^=!>][^>]*)>/g), ([, name]) => name)
  if (names.length > 0) yield 'namedGroup'
  if (new Set(names).size < names.length) yield 'duplicateGroupName'
  if (/\(\?[ims]*(?:-[ims]+)?:/.test(groups.replaceAll('(?:', ''))) yield 'modifier'
  if (flags.includes('d')) yield 'regExpIndices'
  if (flags.includes('v')) yield 'regExpSets'
}

const lookbehindIn = (text: string) => when(/\(\?<[=!]/.test(text), 'lookbehind')

/** Calls `visit` with `node` and each of its descendants, together with their parents. */
function walk(
  node: AnyNode,
  parent: AnyNode | null,
  visit: (node: AnyNode, parent: AnyNode | null) => void,
): void {
  visit(node, parent)
  for (const child of childrenOf(node)) walk(child, node, visit)
}
