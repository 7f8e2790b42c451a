import { type AST, RegExpParser } from '@eslint-community/regexpp'

// A regular expression as an engine that backtracks tries it, step by step. A browser's engine leaves some steps out,
// but never more than in proportion.

type Search = {
  readonly text: string
  readonly captures: Map<AST.CapturingGroup, string | undefined>
  steps: number
}
/** Tries to match from a place on, and then what follows. The end of all of it, or -1. */
type Matcher = (search: Search, at: number, next: (at: number) => number) => number

const parser = new RegExpParser()

/** How many characters a part that matches single characters takes at a place; -1 if it does not match there. */
type Taker = (search: Search, at: number) => number

function takerOf(node: AST.Element, flags: string): Taker | null {
  if (node.type !== 'Character' && node.type !== 'CharacterClass' && node.type !== 'CharacterSet') return null
  const isUnicode = /[uv]/.test(flags)
  const single = new RegExp(`^${node.raw}$`, flags.replace(/[^isuv]/g, ''))
  const known = new Map<string, boolean>()
  return (search, at) => {
    search.steps += 1
    if (at >= search.text.length) return -1
    const character = isUnicode
      ? String.fromCodePoint(search.text.codePointAt(at) ?? 0)
      : search.text.charAt(at)
    let fits = known.get(character)
    if (fits === undefined) known.set(character, (fits = single.test(character)))
    return fits ? character.length : -1
  }
}

const isWordAt = (text: string, at: number): boolean => /^\w$/.test(text.charAt(at))

function assertionOf(node: AST.Assertion, flags: string): Matcher {
  switch (node.kind) {
    case 'lookahead': {
      const inside = anyOf(node.alternatives, flags)
      return (search, at, next) => (inside(search, at, (end) => end) >= 0 === node.negate ? -1 : next(at))
    }
    case 'lookbehind':
      throw new Error(`${node.raw} is not modelled.`)
    case 'word':
      return ({ text }, at, next) =>
        (isWordAt(text, at - 1) !== isWordAt(text, at)) === node.negate ? -1 : next(at)
    case 'start':
    case 'end': {
      const edge = new RegExp(node.raw, `y${flags.replace(/[^m]/g, '')}`)
      return ({ text }, at, next) => {
        edge.lastIndex = at
        return edge.test(text) ? next(at) : -1
      }
    }
  }
}

function quantifierOf({ element, min, max, greedy }: AST.Quantifier, flags: string): Matcher {
  const take = takerOf(element, flags)
  if (take)
    return (search, at, next) => {
      const places = [at]
      const grow = (): boolean => {
        const place = places.at(-1) ?? at
        const taken = places.length > max ? -1 : take(search, place)
        if (taken >= 0) places.push(place + taken)
        return taken >= 0
      }
      while (places.length <= min) if (!grow()) return -1
      if (greedy) while (grow());
      for (;;) {
        search.steps += 1
        const end = next(places.at(-1) ?? at)
        if (end >= 0) return end
        if (!greedy ? !grow() : places.length - 1 === min) return -1
        if (greedy) places.pop()
      }
    }
  const once = matcherOf(element, flags)
  const times =
    (search: Search, count: number, next: (at: number) => number) =>
    (at: number): number => {
      search.steps += 1
      const more = () =>
        count >= max
          ? -1
          : once(search, at, (end) => (end === at && count >= min ? -1 : times(search, count + 1, next)(end)))
      if (count < min) return more()
      const first = greedy ? more() : next(at)
      return first >= 0 ? first : greedy ? next(at) : more()
    }
  return (search, at, next) => times(search, 0, next)(at)
}

function matcherOf(node: AST.Element, flags: string): Matcher {
  const take = takerOf(node, flags)
  if (take)
    return (search, at, next) => {
      const taken = take(search, at)
      return taken < 0 ? -1 : next(at + taken)
    }
  switch (node.type) {
    case 'Assertion':
      return assertionOf(node, flags)
    case 'Quantifier':
      return quantifierOf(node, flags)
    case 'Group':
      return anyOf(node.alternatives, flags)
    case 'CapturingGroup': {
      const inside = anyOf(node.alternatives, flags)
      return (search, at, next) =>
        inside(search, at, (end) => {
          const before = search.captures.get(node)
          search.captures.set(node, search.text.slice(at, end))
          const found = next(end)
          if (found < 0) search.captures.set(node, before)
          return found
        })
    }
    case 'Backreference': {
      const { resolved } = node
      if (Array.isArray(resolved)) throw new Error(`${node.raw} is not modelled.`)
      return (search, at, next) => {
        const captured = search.captures.get(resolved) ?? ''
        search.steps += 1 + captured.length
        return search.text.startsWith(captured, at) ? next(at + captured.length) : -1
      }
    }
    default:
      throw new Error(`${node.raw} is not modelled.`)
  }
}

function anyOf(alternatives: readonly AST.Alternative[], flags: string): Matcher {
  const matchers = alternatives.map(({ elements }) => {
    const parts = elements.map((element) => matcherOf(element, flags))
    return (search: Search, at: number, next: (at: number) => number): number => {
      const from =
        (index: number) =>
        (place: number): number => {
          const part = parts[index]
          return part ? part(search, place, from(index + 1)) : next(place)
        }
      return from(0)(at)
    }
  })
  return (search, at, next) => {
    for (const matcher of matchers) {
      search.steps += 1
      const end = matcher(search, at, next)
      if (end >= 0) return end
    }
    return -1
  }
}

export type Pattern = (text: string, from: number) => Readonly<{ index: number; end: number; steps: number }>

const patterns = new Map<string, Pattern>()

/** The search of a regular expression from a place on: the first match (`index` is -1 without one), and its steps. */
export function patternOf({ source, flags }: RegExp): Pattern {
  const known = patterns.get(`${source}/${flags}`)
  if (known) return known
  const { alternatives } = parser.parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  })
  const matcher = anyOf(alternatives, flags)
  // An engine tries such an expression at the start alone.
  const isAnchored =
    !flags.includes('m') &&
    alternatives.every(({ elements: [first] }) => first?.type === 'Assertion' && first.kind === 'start')
  const pattern: Pattern = (text, from) => {
    const search: Search = { text, captures: new Map(), steps: 0 }
    const last = flags.includes('y') ? from : isAnchored ? 0 : text.length
    for (let index = from; index <= last; index += 1) {
      search.steps += 1
      const end = matcher(search, index, (at) => at)
      if (end >= 0) return { index, end, steps: search.steps }
    }
    return { index: -1, end: -1, steps: search.steps }
  }
  patterns.set(`${source}/${flags}`, pattern)
  return pattern
}
