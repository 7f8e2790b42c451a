import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { CompatData, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data'
import browserslist from 'browserslist'

const PROJECT = join(import.meta.dirname, '../../..')
const data = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData

/** The oldest supported version of each browser, by the browser's name in the compatibility data. */
export type BrowserFloor = Readonly<Partial<Record<Browser, string>>>
const BROWSERS = ['chrome', 'edge', 'firefox', 'safari'] as const
type Browser = (typeof BROWSERS)[number]

/** The ways in which scripts and style sheets name a feature. */
type Named =
  | Readonly<{ kind: 'global' | 'constructor'; name: string }>
  | Readonly<{ kind: 'static' | 'prototype'; owner: string; name: string }>
  /** An option of the function called as `callee`. `value` is one value of the option; null means the option itself. */
  | Readonly<{ kind: 'option'; callee: string; name: string; value: string | null }>
  /** A CSS unit, pseudo-class or at-rule. A browser that lacks it drops the declaration or the whole rule. */
  | Readonly<{ kind: 'unit' | 'pseudo' | 'atRule'; name: string }>
  /** A language construct, by its key in `SYNTAX`. */
  | Readonly<{ kind: 'syntax'; name: SyntaxName }>

/** A feature that a supported browser lacks. `path` is the feature's path in the compatibility data. */
export type Feature = Readonly<{ path: string; lackedBy: string }> & Named

/** The language constructs that some browsers cannot parse, with their paths in the compatibility data. */
const SYNTAX = {
  bigint: 'builtins.BigInt',
  classField: 'classes.public_class_fields',
  classStaticBlock: 'classes.static.initialization_blocks',
  duplicateGroupName: 'regular_expressions.named_capturing_group.duplicate_named_capturing_groups',
  dynamicImport: 'operators.import',
  forAwait: 'statements.for_await_of',
  hashbang: 'grammar.hashbang_comments',
  importAttributes: 'statements.import.import_attributes',
  importMeta: 'operators.import_meta',
  importMetaResolve: 'operators.import_meta.resolve',
  logicalAssignment: 'operators.nullish_coalescing_assignment',
  lookbehind: 'regular_expressions.lookbehind_assertion',
  modifier: 'regular_expressions.modifier',
  namedGroup: 'regular_expressions.named_capturing_group',
  nullish: 'operators.nullish_coalescing',
  optionalChaining: 'operators.optional_chaining',
  privateMember: 'classes.private_class_methods',
  privateIn: 'classes.private_class_fields_in',
  regExpIndices: 'builtins.RegExp.hasIndices',
  regExpSets: 'builtins.RegExp.unicodeSets',
  topLevelAwait: 'operators.await.top_level',
  using: 'statements.using',
} as const
export type SyntaxName = keyof typeof SYNTAX

/**
 * Reads the browser floor from `browserslist` in package.json. Throws an `Error` for a browser without compatibility
 * data.
 */
export function readFloor(): BrowserFloor {
  const { browserslist: queries } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
    browserslist: string[]
  }
  return floorOf(browserslist(queries))
}

/** Finds the oldest version of each browser in a list such as `['chrome 103', 'chrome 102', 'safari 16.0']`. */
export function floorOf(list: readonly string[]): BrowserFloor {
  const floor: Partial<Record<Browser, string>> = {}
  for (const entry of list) {
    const [name, version = ''] = entry.split(' ')
    const browser = BROWSERS.find((known) => known === name)
    if (browser === undefined) throw new Error(`The floor has no rule for ${entry}.`)
    const lowest = floor[browser]
    if (lowest === undefined || compareVersions(version, lowest) < 0) floor[browser] = version
  }
  return floor
}

/** Compares two browser versions: negative if `a` is older, positive if `a` is newer. */
export function compareVersions(a: string, b: string): number {
  const [as, bs] = [a, b].map((version) => version.split(/[.-]/).map(Number)) as [number[], number[]]
  for (let index = 0; index < Math.max(as.length, bs.length); index++) {
    const difference = (as[index] ?? 0) - (bs[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** The first browser of the floor that lacks the feature, such as `safari 16.0`; null if all browsers have it. */
function lacking(feature: Identifier, floor: BrowserFloor): string | null {
  const support = feature.__compat?.support
  if (support === undefined) return null
  const [browser, version] =
    Object.entries(floor).find(([name, lowest]) => {
      const statements: SimpleSupportStatement[] = [support[name as Browser] ?? []].flat()
      return !statements.some((statement) => isIn(statement, lowest))
    }) ?? []
  return browser === undefined ? null : `${browser} ${String(version)}`
}

function isIn(statement: SimpleSupportStatement, version: string): boolean {
  const { version_added: added, version_removed: removed, flags, prefix, alternative_name } = statement
  if (flags !== undefined || prefix !== undefined || alternative_name !== undefined) return false
  if (typeof added !== 'string' || added === 'preview') return false
  if (typeof removed === 'string' && compareVersions(removed.replace('≤', ''), version) <= 0) return false
  return compareVersions(added.replace('≤', ''), version) <= 0
}

/** The interfaces whose members are globals. */
const GLOBAL_SCOPES = new Set(['Window', 'WindowOrWorkerGlobalScope', 'GlobalEventHandlers'])

function featureAt(path: string): Identifier {
  let found: unknown = data
  for (const key of path.split('.')) found = (found as Readonly<Record<string, unknown>> | undefined)?.[key]
  if (found === undefined) throw new Error(`The compatibility data has no ${path}.`)
  return found as Identifier
}

const childrenOf = (feature: Identifier): [string, Identifier][] =>
  Object.entries(feature).filter(([name]) => name !== '__compat') as [string, Identifier][]

/** Lists the features that some browser of the floor lacks and that scripts or style sheets can name. */
export function featuresAbove(floor: BrowserFloor): readonly Feature[] {
  const found: Feature[] = []
  /** Adds the feature if some browser of the floor lacks it. Returns whether it was added. */
  const add = (named: Named, feature: Identifier, path: string): boolean => {
    const lackedBy = lacking(feature, floor)
    if (lackedBy !== null) found.push({ ...named, path, lackedBy })
    return lackedBy !== null
  }
  const visitOwner = (owner: string, feature: Identifier, path: string, isBuiltin: boolean): void => {
    const [, outer, inner = ''] = /^(?:(.+)\.)?([^.]+)$/.exec(owner) ?? []
    const named: Named =
      outer === undefined ? { kind: 'global', name: inner } : { kind: 'static', owner: outer, name: inner }
    const isLacked = add(named, feature, path)
    visitArguments(inner, feature, path)
    for (const [key, member] of childrenOf(feature)) {
      const [here, name] = [`${path}.${key}`, key.replace(/_static$/, '')]
      // Other keys are skipped because they describe an event, a behaviour or an argument rather than a member.
      if (!/^[A-Za-z$]+$/.test(name)) continue
      if (name === inner) {
        if (!isLacked) add({ kind: 'constructor', name }, member, here)
        visitArguments(name, member, here)
      } else if (isBuiltin && childrenOf(member).some(([constructor]) => constructor === name))
        visitOwner(`${owner}.${name}`, member, here, true)
      else visitMember(owner, name, member, here, isBuiltin ? !isOfPrototype(member) : name !== key)
    }
  }
  const visitMember = (owner: string, name: string, member: Identifier, path: string, isStatic: boolean) => {
    const named: Named = GLOBAL_SCOPES.has(owner)
      ? { kind: 'global', name }
      : { kind: isStatic ? 'static' : 'prototype', owner, name }
    add(named, member, path)
    visitArguments(name, member, path)
  }
  const visitArguments = (callee: string, feature: Identifier, path: string): void => {
    for (const [key, argument] of childrenOf(feature)) {
      if (!/_(?:parameter|option)$/.test(key)) continue
      const here = `${path}.${key}`
      // `options_x_parameter` and `x_option` mean the option `x`; `options_parameter` means the whole argument.
      const [, name] = /(?:^|_)([A-Za-z]+)_option$|_([A-Za-z]+)_parameter$/.exec(key)?.filter(Boolean) ?? []
      if (name !== undefined) {
        if (add({ kind: 'option', callee, name, value: null }, argument, here)) continue
        for (const [value, each] of childrenOf(argument))
          if (!value.endsWith('_option'))
            add({ kind: 'option', callee, name, value }, each, `${here}.${value}`)
      }
      visitArguments(callee, argument, here)
    }
  }
  for (const [owner, feature] of childrenOf(featureAt('api')))
    visitOwner(owner, feature, `api.${owner}`, false)
  for (const [owner, feature] of childrenOf(featureAt('javascript.builtins')))
    visitOwner(owner, feature, `javascript.builtins.${owner}`, true)
  for (const [name, place] of Object.entries(SYNTAX) as [SyntaxName, string][]) {
    const path = `javascript.${place}`
    add({ kind: 'syntax', name }, featureAt(path), path)
  }
  for (const [name, unit] of childrenOf(featureAt('css.types.length')))
    for (const each of UNITS[name] ?? [name])
      add({ kind: 'unit', name: each }, unit, `css.types.length.${name}`)
  for (const [name, pseudo] of childrenOf(featureAt('css.selectors')))
    add({ kind: 'pseudo', name }, pseudo, `css.selectors.${name}`)
  for (const [name, rule] of childrenOf(featureAt('css.at-rules')))
    add({ kind: 'atRule', name }, rule, `css.at-rules.${name}`)
  return found
}

/** The units that share one entry in the compatibility data. */
const UNITS: Readonly<Record<string, readonly string[]>> = {
  container_query_length_units: ['cqw', 'cqh', 'cqi', 'cqb', 'cqmin', 'cqmax'],
  viewport_percentage_units_dynamic: ['dvw', 'dvh', 'dvi', 'dvb', 'dvmin', 'dvmax'],
  viewport_percentage_units_large: ['lvw', 'lvh', 'lvi', 'lvb', 'lvmin', 'lvmax'],
  viewport_percentage_units_small: ['svw', 'svh', 'svi', 'svb', 'svmin', 'svmax'],
}

const isOfPrototype = (member: Identifier): boolean =>
  [member.__compat?.spec_url ?? []].flat().some((url) => /prototype|-instance/i.test(url))

/** The names of globals and object members that every browser of the floor has. */
export function namesInFloor(floor: BrowserFloor): ReadonlySet<string> {
  const names = new Set<string>()
  const visit = (feature: Identifier) => {
    for (const [key, child] of childrenOf(feature)) {
      if (child.__compat !== undefined && lacking(child, floor) === null)
        names.add(key.replace(/_static$/, ''))
      visit(child)
    }
  }
  visit(featureAt('api'))
  visit(featureAt('javascript.builtins'))
  return names
}
