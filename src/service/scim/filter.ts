/** Parses, prints and matches SCIM filters (RFC 7644, section 3.4.2.2). */
import { ScimError } from './scimError.ts'
import {
  attributeNamed,
  type ScimAttribute,
  type AttributePath,
  findAttribute,
  type ResourceType,
} from './schemas.ts'

/**
 * A parsed filter. Nested filters of the same type are merged: `all` has two or more filters, none of its own type. In
 * the filter of `some`, paths name sub-attributes of the attribute at `path`.
 */
export type Filter =
  | Readonly<{
      type: 'compare'
      path: AttributePath
      comparison: ComparisonOperator
      value: string | number | boolean | null
    }>
  | Readonly<{ type: 'present'; path: AttributePath }>
  | Readonly<{ type: 'and' | 'or'; all: readonly Filter[] }>
  | Readonly<{ type: 'not'; filter: Filter }>
  | Readonly<{ type: 'some'; path: AttributePath; filter: Filter }>

/** The target of a change: an attribute, its values that match the filter `some`, or a sub-attribute. */
export type PatchTarget = Readonly<{ path: AttributePath; some: Filter | null }>

export const MAX_FILTER_CHARACTERS = 4_000
const MAX_DEPTH = 16

const COMPARISONS = ['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'] as const
export type ComparisonOperator = (typeof COMPARISONS)[number]
const ORDERS: readonly ComparisonOperator[] = ['gt', 'ge', 'lt', 'le']

const SPACE = / */y
const WORD = /[A-Za-z$][\w$.:-]*/y
const TEXT = /"(?:[^"\\]|\\.)*"/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y
const NAME = /^[A-Za-z$][\w$-]*$/

/** @throws ScimError `invalidFilter` with the position of the fault */
export function parseFilter(text: string): Filter {
  const reader = createReader(text, 'invalidFilter')
  const filter = readOr(reader, 0)
  reader.end()
  return filter
}

/**
 * Parses the path of a change.
 *
 * @throws ScimError `invalidPath` with the position of the fault
 */
export function parsePatchPath(text: string): PatchTarget {
  const reader = createReader(text, 'invalidPath')
  const path = reader.path()
  if (path.sub !== null || !reader.take('[')) {
    reader.end()
    return { path, some: null }
  }
  const some = readOr(reader, 1)
  reader.need(']')
  const sub = reader.sub()
  reader.end()
  return { path: { ...path, sub }, some }
}

type Reader = ReturnType<typeof createReader>

function createReader(text: string, code: 'invalidFilter' | 'invalidPath') {
  let at = 0
  const fail = (expected: string): never => {
    const what = code === 'invalidFilter' ? 'filter' : 'path'
    throw new ScimError(code, `The ${what} is wrong at character ${String(at + 1)}: expected ${expected}.`)
  }
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    const [found] = pattern.exec(text) ?? []
    if (found === undefined) return null
    at += found.length
    return found
  }
  const skip = () => match(SPACE)

  if (text.length > MAX_FILTER_CHARACTERS) fail(`at most ${String(MAX_FILTER_CHARACTERS)} characters`)
  skip()
  return {
    fail,
    end(): void {
      if (at < text.length) fail('the end')
    },
    /** Consumes a character if it is next. */
    take(character: string): boolean {
      if (text[at] !== character) return false
      at += 1
      skip()
      return true
    },
    need(character: string): void {
      if (text[at] !== character) fail(character)
      at += 1
      // Does not skip blanks after `]`, because a sub-attribute's dot must follow immediately.
      if (character !== ']') skip()
    },
    /** Consumes one of these words if it is next, ignoring case. */
    word<Word extends string>(words: readonly Word[]): Word | null {
      const before = at
      const found = match(WORD)?.toLowerCase()
      const word = words.find((each) => each === found) ?? null
      if (word === null) at = before
      else skip()
      return word
    },
    path(): AttributePath {
      const found = match(WORD) ?? fail('an attribute')
      const end = found.lastIndexOf(':')
      const [attribute = '', sub = null, ...rest] = found.slice(end + 1).split('.')
      const isPath = [attribute, ...(sub === null ? [] : [sub])].every((name) => NAME.test(name))
      if (!isPath || rest.length > 0) fail(`an attribute instead of ${found}`)
      skip()
      return { schema: end < 0 ? null : found.slice(0, end), attribute, sub }
    },
    /** The sub-attribute after a bracket, such as `.value`; null without a sub-attribute. */
    sub(): string | null {
      if (text[at] !== '.') {
        skip()
        return null
      }
      at += 1
      const found = match(WORD) ?? ''
      if (!NAME.test(found)) fail('a sub-attribute')
      skip()
      return found
    },
    value(): string | number | boolean | null {
      const found = match(TEXT) ?? match(NUMBER) ?? match(WORD)?.toLowerCase() ?? ''
      skip()
      if (/^["\d-]/.test(found)) return literalOf(found) ?? fail('a text as JSON writes it')
      if (found === 'true' || found === 'false') return found === 'true'
      return found === 'null' ? null : fail('a value: a text in quotes, a number, true, false or null')
    },
  }
}

/** The text or number in a JSON literal; null for a text with characters that JSON requires to be escaped. */
function literalOf(json: string): string | number | null {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' || Number.isFinite(value) ? (value as string | number) : null
  } catch {
    return null
  }
}

function readOr(reader: Reader, depth: number): Filter {
  if (depth > MAX_DEPTH) reader.fail(`at most ${String(MAX_DEPTH)} levels`)
  const all = [readAnd(reader, depth)]
  while (reader.word(['or']) !== null) all.push(readAnd(reader, depth))
  return joined('or', all)
}

function readAnd(reader: Reader, depth: number): Filter {
  const all = [readOne(reader, depth)]
  while (reader.word(['and']) !== null) all.push(readOne(reader, depth))
  return joined('and', all)
}

function readOne(reader: Reader, depth: number): Filter {
  if (reader.take('(')) return readGroup(reader, depth)
  const path = reader.path()
  if (path.attribute.toLowerCase() === 'not' && path.schema === null && path.sub === null) {
    reader.need('(')
    return { type: 'not', filter: readGroup(reader, depth) }
  }
  if (reader.take('[')) return readSome(reader, path, depth)
  return readComparison(reader, path)
}

function readGroup(reader: Reader, depth: number): Filter {
  const filter = readOr(reader, depth + 1)
  reader.need(')')
  return filter
}

/**
 * Reads `emails[type eq "work"]`. If Microsoft Entra adds `.value eq "x"`, the same value must meet both conditions.
 */
function readSome(reader: Reader, path: AttributePath, depth: number): Filter {
  if (path.sub !== null) reader.fail('a comparison')
  const filter = readOr(reader, depth + 1)
  reader.need(']')
  const sub = reader.sub()
  if (sub === null) return { type: 'some', path, filter }
  const more = readComparison(reader, { schema: null, attribute: sub, sub: null })
  return { type: 'some', path, filter: joined('and', [filter, more]) }
}

function readComparison(reader: Reader, path: AttributePath): Filter {
  if (reader.word(['pr']) !== null) return { type: 'present', path }
  const comparison = reader.word(COMPARISONS)
  if (comparison === null) return reader.fail(`pr or one of ${COMPARISONS.join(', ')}`)
  const value = reader.value()
  if (ORDERS.includes(comparison) && (typeof value === 'boolean' || value === null))
    reader.fail(`a text or a number after ${comparison}`)
  return { type: 'compare', path, comparison, value }
}

/** Joins filters. A nested filter of the same type is merged, because `and` and `or` are associative. */
function joined(type: 'and' | 'or', filters: readonly Filter[]): Filter {
  const all = filters.flatMap((each) => (each.type === type ? each.all : [each]))
  const [first] = all
  return all.length === 1 && first !== undefined ? first : { type, all }
}

export const printPath = ({ schema, attribute, sub }: AttributePath): string =>
  `${schema === null ? '' : `${schema}:`}${attribute}${sub === null ? '' : `.${sub}`}`

/** A JSON object. Its attributes are named as in the schema. */
export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a resource matches a filter. Unknown attributes have no value. */
export const matchesFilter = (type: ResourceType, filter: Filter, resource: JsonObject): boolean =>
  holds(filter, (path) => {
    const found = findAttribute(type, path)
    if (found === null) return { attribute: null, values: [] }
    const { extension, attribute, sub } = found
    const holder = extension === null ? resource : resource[extension.id]
    const values = isObject(holder) ? valuesOf(holder[attribute.name]) : []
    return sub === null ? { attribute, values } : { attribute: sub, values: subValues(values, sub.name) }
  })

/** Whether a value of a complex attribute matches a filter. */
export const valueMatchesFilter = (attribute: ScimAttribute, filter: Filter, value: unknown): boolean =>
  holds(filter, ({ attribute: name, sub }) => {
    const found = sub === null ? attributeNamed(attribute.subAttributes ?? [], name) : null
    return { attribute: found, values: found === null ? [] : subValues([value], found.name) }
  })

type Looked = Readonly<{ attribute: ScimAttribute | null; values: readonly unknown[] }>

const valuesOf = (value: unknown): readonly unknown[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? (value as readonly unknown[]) : [value]
const subValues = (values: readonly unknown[], name: string): readonly unknown[] =>
  values.flatMap((value) => (isObject(value) ? valuesOf(value[name]) : []))

function holds(filter: Filter, look: (path: AttributePath) => Looked): boolean {
  switch (filter.type) {
    case 'and':
      return filter.all.every((each) => holds(each, look))
    case 'or':
      return filter.all.some((each) => holds(each, look))
    case 'not':
      return !holds(filter.filter, look)
    case 'present':
      return look(filter.path).values.some((value) => value !== '' && valuesOf(value).length > 0)
    case 'some': {
      const { attribute, values } = look(filter.path)
      return attribute !== null && values.some((value) => valueMatchesFilter(attribute, filter.filter, value))
    }
    case 'compare': {
      const { comparison, value } = filter
      if (comparison === 'ne') return !holds({ ...filter, comparison: 'eq' }, look)
      const { attribute, values } = plain(look(filter.path))
      if (comparison === 'eq' && value === null) return values.length === 0
      return values.some((each) => compares(attribute, comparison, each, value))
    }
  }
}

/** The values to compare. A complex attribute is compared by its `value`. */
function plain({ attribute, values }: Looked): Looked {
  if (attribute?.type !== 'complex') return { attribute, values }
  return {
    attribute: attributeNamed(attribute.subAttributes ?? [], 'value'),
    values: subValues(values, 'value'),
  }
}

function compares(
  attribute: ScimAttribute | null,
  comparison: keyof typeof COMPARE,
  actual: unknown,
  wanted: string | number | boolean | null,
): boolean {
  if (typeof actual === 'boolean')
    return comparison === 'eq' && String(actual) === String(wanted).toLowerCase()
  if (typeof actual !== 'string' || typeof wanted !== 'string') return false
  const isTime = attribute?.type === 'dateTime' && ORDERS.includes(comparison)
  if (isTime) return COMPARE[comparison](Date.parse(actual), Date.parse(wanted))
  return attribute?.caseExact === true
    ? COMPARE[comparison](actual, wanted)
    : COMPARE[comparison](actual.toLowerCase(), wanted.toLowerCase())
}

type Compare = <Value extends string | number>(one: Value, other: Value) => boolean
const COMPARE: Readonly<Record<Exclude<ComparisonOperator, 'ne'>, Compare>> = {
  eq: (one, other) => one === other,
  co: (one, other) => String(one).includes(String(other)),
  sw: (one, other) => String(one).startsWith(String(other)),
  ew: (one, other) => String(one).endsWith(String(other)),
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
}
