/** Compares several people's samples: finds equal and different texts, and the possible meanings of the differences. */
import { collapseBlanks, SEPARATORS } from './reading.ts'
import { linesOf, PERSONAL_ATTRIBUTES, type PersonSample, type Tag, type LineUnit } from './sampleLines.ts'
import { type FoundValue, quotedAttributes, placeholderKindOf } from './finding.ts'
import { countOffsetsUpTo } from '../../kernel/offsets.ts'
import type { Meaning } from './meanings.ts'
import type { AdoptQuestion } from './adopted.ts'

/** The result of comparing samples: placeholders for the first sample, and questions. */
export type SampleAgreement = Readonly<{ found: readonly FoundValue[]; questions: readonly AdoptQuestion[] }>

/** Separators between the parts of a line: first pure separators, then characters that values may contain. */
const SPLITS: readonly ReadonlySet<string>[] = [SEPARATORS, new Set(',;:–—')]

/** The meanings that the values found in all samples have in common. */
function shared(all: readonly FoundValue[]): readonly Meaning[] {
  const [first, ...others] = all
  return (first?.meanings ?? []).filter((meaning) =>
    others.every(({ kind, meanings }) => kind === first?.kind && meanings.includes(meaning)),
  )
}

/** Combines the values found in all samples: `drawn` keeps the meanings that equal the text of every sample. */
function agreed(founds: readonly FoundValue[], given: FoundValue): FoundValue {
  const inAll = (as: 'text' | 'phone') =>
    given.drawn[as].filter((meaning) => founds.every(({ drawn }) => drawn[as].includes(meaning)))
  const all = { ...given, drawn: { text: inAll('text'), phone: inAll('phone') } }
  // If number formats differ between samples, the template writes the plain value.
  const isOther =
    given.drawn.phone.length > 0 && given.drawn.text.length === 0 && placeholderKindOf(all) === 'text'
  return isOther && given.because === 'same' ? { ...all, because: 'written' } : all
}

const isPresent = <Value>(value: Value | undefined): value is Value => value !== undefined

/** Whether these units, one from each sample, are equal: the same text or tag, or values with a common meaning. */
function areEqual(units: readonly (LineUnit | undefined)[]): boolean {
  const present = units.filter(isPresent)
  const [one] = present
  if (!one || present.length < units.length) return false
  if (one.kind !== 'found') return present.every(({ kind, text }) => kind === one.kind && text === one.text)
  const founds = present.flatMap((unit) => unit.found ?? [])
  return founds.length === present.length && shared(founds).length > 0
}

/** Collects the placeholders and questions of several samples. */
function createAgreement(samples: readonly PersonSample[]) {
  const found: FoundValue[] = []
  const questions: AdoptQuestion[] = []
  const isKnown = samples.map(({ person }) => person !== null)
  const isFirstKnown = isKnown[0] === true
  /** Keeps the items of the samples with a known person, from a list with one item for each sample. */
  const known = <Each>(each: readonly Each[]): readonly Each[] => each.filter((_, index) => isKnown[index])

  const accept = (founds: readonly FoundValue[]) => {
    const [given] = founds
    const isDifferent = founds.some(({ replaced }) => replaced !== given?.replaced)
    if (!given || (!isDifferent && founds.some(({ isWeak }) => isWeak))) return
    const all = agreed(founds, { ...given, meanings: shared(founds) })
    const because = isDifferent && all.because === 'same' ? 'differs' : all.because
    found.push({ ...all, because })
  }
  const ask = (texts: readonly string[]) => {
    questions.push({ kind: 'differs', texts: [...texts] })
  }

  function take(units: readonly LineUnit[]): void {
    accept(units.flatMap(({ found: each }) => each ?? []))
    if (units[0]?.tag) compareTags(units.flatMap(({ tag }) => tag ?? []))
  }

  function compareTags(tags: readonly Tag[]): void {
    const attributes = tags.map((tag, index) => quotedAttributes(samples[index]?.read.html ?? '', tag))
    for (const { name, value } of attributes[0] ?? []) {
      if (!PERSONAL_ATTRIBUTES.has(name)) continue
      const values = attributes.map(
        (each) => each.find((attribute) => attribute.name === name)?.value ?? value,
      )
      const founds = tags.map((tag, index) => foundIn(samples[index], tag, name))
      const ofKnown = known(founds)
      const [shape] = ofKnown
      const matching = (shape ?? []).map((_, index) => shared(ofKnown.flatMap((each) => each[index] ?? [])))
      const isOne =
        shape !== undefined &&
        shape.length > 0 &&
        ofKnown.every((each) => each.length === shape.length) &&
        matching.every((meanings) => meanings.length > 0)
      const frames = known(tags.map((tag, index) => frameOf(samples[index], tag, name, founds[index] ?? [])))
      if (isOne && frames.every((frame) => frame === frames[0]) && isFirstKnown)
        for (const index of shape.keys()) accept(ofKnown.flatMap((each) => each[index] ?? []))
      else if (values.some((each) => each !== values[0])) ask(values)
    }
  }

  return {
    isFirstKnown,
    known,
    take,
    ask,
    addFound: (one: FoundValue) => found.push(one),
    list: (): SampleAgreement => ({ found: found.sort((a, b) => a.start - b.start), questions }),
  }
}

/** Compares several people's samples; null when their markup differs. */
export function compareSamples(samples: readonly PersonSample[]): SampleAgreement | null {
  const all = samples.map(linesOf)
  const [lines] = all
  if (!lines || all.some((each) => each.length !== lines.length)) return null
  const agreement = createAgreement(samples)
  const markup = { isSame: true }

  /**
   * Compares a line, or a part of one, in all samples.
   *
   * @param level the index in `SPLITS` of the next separators to split at
   */
  function align(parts: readonly (readonly LineUnit[])[], level: number): void {
    const at = (index: number) => parts.map((units) => units[index])
    const fromEnd = (index: number) => parts.map((units) => units[units.length - 1 - index])
    const least = Math.min(...parts.map(({ length }) => length))
    let start = 0
    for (; start < least && areEqual(at(start)); start++) agreement.take(at(start).filter(isPresent))
    let end = 0
    while (end < least - start && areEqual(fromEnd(end))) end++
    const gaps = parts.map((units) => units.slice(start, units.length - end))
    if (gaps.some(({ length }) => length > 0)) resolve(gaps, level)
    for (; end > 0; end--) agreement.take(fromEnd(end - 1).filter(isPresent))
  }

  /** Compares what is left after the common start and end: split at shared separators and tags, or else as a whole. */
  function resolve(gaps: readonly (readonly LineUnit[])[], level: number): void {
    const signs = SPLITS[level]
    if (!signs) {
      settle(gaps)
      return
    }
    const isSplit = ({ kind, text }: LineUnit) => kind === 'tag' || (kind === 'atom' && signs.has(text))
    const splits = gaps.map((units) => units.filter(isSplit))
    const [one = []] = splits
    const areSplit =
      one.length > 0 &&
      splits.every(
        (each) => each.length === one.length && each.every(({ text }, index) => text === one[index]?.text),
      )
    if (!areSplit) {
      resolve(gaps, level + 1)
      return
    }
    const pieces = gaps.map((units) => piecesOf(units, isSplit))
    for (let index = 0; index <= one.length; index++) {
      align(
        pieces.map((each) => each[index] ?? []),
        level + 1,
      )
      const split = splits.flatMap((each) => each[index] ?? [])
      if (split.length === gaps.length) agreement.take(split)
    }
  }

  /** Compares what cannot be split any further. */
  function settle(gaps: readonly (readonly LineUnit[])[]): void {
    if (gaps.every(({ length }) => length === 0)) return
    if (gaps.some((units) => units.some(({ kind }) => kind === 'tag'))) {
      markup.isSame = false
      return
    }
    const [own = []] = gaps
    const texts = gaps.map((units, index) => textBetween(samples[index], units))
    const ofKnown = agreement.known(gaps)
    const length = ofKnown[0]?.length ?? 0
    const areAlike =
      ofKnown.length > 0 &&
      ofKnown.every((units) => units.length === length) &&
      (ofKnown[0] ?? []).every((_, index) => areEqual(ofKnown.map((units) => units[index])))
    if (areAlike && agreement.isFirstKnown) {
      for (let index = 0; index < length; index++)
        agreement.take(ofKnown.flatMap((units) => units[index] ?? []))
      return
    }
    const given = length === 1 ? ofKnown[0]?.[0]?.found : undefined
    if (areAlike && given && isOneText(own)) {
      const founds = ofKnown.flatMap((units) => units[0]?.found ?? [])
      agreement.addFound(
        agreed(founds, {
          ...given,
          meanings: shared(founds),
          from: 0,
          to: 0,
          isUpper: false,
          because: 'differs',
          start: own[0]?.start ?? 0,
          end: own.at(-1)?.end ?? 0,
          replaced: texts[0] ?? '',
        }),
      )
    } else if (texts.some((text) => text !== texts[0])) agreement.ask(texts)
  }

  for (const [index, { edge }] of lines.entries()) {
    align(
      all.map((each) => each[index]?.units ?? []),
      0,
    )
    if (edge === null) continue
    const edges = all.flatMap((each) => each[index]?.edge ?? [])
    if (edges.length < all.length || !areEqual(edges)) return null
    agreement.take(edges)
  }
  return markup.isSame ? agreement.list() : null
}

/** Splits units at separators. */
function piecesOf(
  units: readonly LineUnit[],
  isSplit: (unit: LineUnit) => boolean,
): readonly (readonly LineUnit[])[] {
  const pieces: LineUnit[][] = [[]]
  for (const unit of units)
    if (isSplit(unit)) pieces.push([])
    else pieces.at(-1)?.push(unit)
  return pieces
}

/** Whether units are one text in one style. */
const isOneText = (units: readonly LineUnit[]): boolean =>
  units.length > 0 && units.every(({ atom }) => atom !== undefined && atom.style === units[0]?.atom?.style)

function textBetween(sample: PersonSample | undefined, units: readonly LineUnit[]): string {
  return collapseBlanks(
    units
      .map(({ text, atom, found }, index) => {
        const first = atom ?? sample?.read.atoms[found?.from ?? -1]
        return index === 0 ? text : (first?.before ?? '') + text
      })
      .join(''),
  )
}

/** The values found in an attribute of a tag. */
function foundIn(sample: PersonSample | undefined, tag: Tag, name: string): readonly FoundValue[] {
  const all = sample?.found ?? []
  const inside: FoundValue[] = []
  for (let index = countOffsetsUpTo(all, tag.start - 1, ({ start }) => start); index < all.length; index++) {
    const found = all[index]
    if (!found || found.start >= tag.end) break
    if (found.attribute === name) inside.push(found)
  }
  return inside
}

/** The fixed text of an attribute around its placeholders. */
function frameOf(
  sample: PersonSample | undefined,
  tag: Tag,
  name: string,
  founds: readonly FoundValue[],
): string {
  const attribute = tag.attributes.find((each) => each.name === name)
  if (!sample || !attribute) return ''
  const parts: string[] = []
  let end = attribute.valueStart
  for (const found of founds) {
    parts.push(sample.read.html.slice(end, found.start))
    end = found.end
  }
  parts.push(sample.read.html.slice(end, attribute.valueStart + attribute.value.length))
  return parts.join('\0')
}
