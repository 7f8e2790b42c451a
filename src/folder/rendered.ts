/**
 * Checks the html of signatures and blocks for all people. Missing values alone decide the structure of a template, so
 * each template is checked once for each set of missing values.
 */
import { countOffsetsUpTo } from '../../streams/kernel/offsets.ts'
import type { Steps } from '../../streams/kernel/steps.ts'
import type { SlottedHtml } from '../../streams/html/slots.ts'
import type { Block, Release, Signature } from '../../streams/organisation/release/release.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import {
  renderingAddresses,
  renderBlock,
  renderFrame,
  type SignatureKind,
  slottedSignature,
} from '../../streams/organisation/rendering/render.ts'
import { isWriterSample, templateValues } from '../../streams/organisation/release/selectors.ts'
import {
  isUsableValue,
  createValueReader,
  variablesIn,
} from '../../streams/organisation/template/template.ts'
import { MAX_SIGNATURE_CHARACTERS } from '../../streams/html/limits.ts'
import { MAX_IMAGE_BYTES } from '../../streams/html/raster.ts'
import type { ExpandedTemplate } from './expanded.ts'
import { type Finding, type Place, quoteUntrusted, createFindingReport } from './finding.ts'
import { htmlTokens } from './htmlTokens.ts'
import { legibilityProblems } from './legibility.ts'

/** A made-up address of typical length, because the service's address is unknown here. */
const SAMPLE_PICTURES = 'https://signatures.organisation.example/images'

export const isNotEmpty = (value: string): boolean => value !== ''

const MAX_LABEL_CHARACTERS = 24
/** The maximum number of sets of missing values checked per template. */
const MAX_PATTERNS = 64

/** Elements that do not end a line. */
const INLINE: ReadonlySet<string> = new Set(
  'a abbr b big cite code del em font i img ins q s small span strike strong sub sup tt u'.split(' '),
)

/** A block, or one version of a signature, with its expanded template. */
export type ExpandedVersion = Readonly<{
  expanded: ExpandedTemplate
  place: Place
  /** For each slot in the template, the templates of its blocks. */
  slots: readonly (readonly ExpandedTemplate[])[]
}> &
  (Readonly<{ kind: SignatureKind; signature: Signature }> | Readonly<{ kind: 'block'; block: Block }>)

/** The html of a version, with empty slots. */
function htmlOf(release: Release, version: ExpandedVersion, person: PersonState): string {
  const html =
    version.kind === 'block'
      ? renderBlock(release, version.block, person, sampleAddressesOf(person))
      : renderFrame(release, version.signature, version.kind, person, sampleAddressesOf(person))
  return html ?? ''
}

/** The length of the html if each slot shows its longest block. */
export const longestLength = ({ html, slots = [] }: SlottedHtml): number =>
  slots.reduce(
    (length, { start, end, candidates }) =>
      length - (end - start) + candidates.reduce((most, block) => Math.max(most, block.html.length), 0),
    html.length,
  )

/** The length of a version with the longest block in each slot that the person could get at any time. */
function lengthOf(release: Release, version: ExpandedVersion, person: PersonState): number {
  if (version.kind === 'block') return htmlOf(release, version, person).length
  const { signature, kind } = version
  const whole = slottedSignature(release, signature, kind, person, sampleAddressesOf(person), null)
  return whole === null ? 0 : longestLength(whole)
}

export const sampleAddressesOf = (person: PersonState) => renderingAddresses(SAMPLE_PICTURES, person)

const valuesFor = (release: Release, person: PersonState): Readonly<Record<string, string>> =>
  templateValues(release, person, sampleAddressesOf(person))

/** Marker characters for a missing value, a value without a usable address, and any other value. */
const [MISSING, NO_ADDRESS, THERE] = ['\uE000', '\uE001', '\uE002']
const MARKS = new RegExp(`[${MISSING}${NO_ADDRESS}${THERE}]`, 'g')
const DEAD_ADDRESS = new RegExp(`^\\s*(?:(?:mailto|tel|sms):)?[${MISSING}${NO_ADDRESS}]`, 'i')

/** Lines that are empty or show only a label, and links with content but no target. */
type Gaps = Readonly<{
  lines: readonly Readonly<{ at: number; label: string }>[]
  links: readonly Readonly<{ at: number; value: string }>[]
}>

/** Finds the gaps that missing values and unusable addresses leave in a version of a signature. */
function gapsIn(
  expanded: ExpandedTemplate,
  values: Readonly<Record<string, string>>,
  isAddress: typeof isUsableValue,
): Gaps {
  const { text, uses } = expanded
  const valueOf = createValueReader(values)
  /** All values, including missing ones. `at` is the offset in the rendered text, `use` the offset in the template. */
  const marks: Readonly<{ at: number; use: number; isMissing: boolean; value: string }>[] = []
  const left: { isOut: boolean; isTaken: boolean }[] = []
  let rendered = ''
  let end = 0
  for (const use of uses) {
    const isOut = left.at(-1)?.isOut ?? false
    if (!isOut) rendered += text.slice(end, use.at)
    end = use.end
    if (use.kind === 'if') {
      const isTaken = use.names.some((name) => valueOf(name) !== '')
      left.push({ isOut: isOut || !isTaken, isTaken })
    } else if (use.kind === 'else') {
      const condition = left.at(-1)
      if (condition) condition.isOut = (left.at(-2)?.isOut ?? false) || condition.isTaken
    } else if (use.kind === 'end') left.pop()
    else if (!isOut && use.kind !== 'slotStart' && use.kind !== 'slotEnd') {
      const variables = variablesIn(use)
      // A placeholder without variables always shows something. An empty slot is intended, so it is not a gap.
      const value = variables.length === 0 ? use.kind : variables.map(valueOf).find(isNotEmpty)
      const isMissing = value === undefined
      marks.push({ at: rendered.length, use: use.at, isMissing, value: value ?? '' })
      rendered += isMissing
        ? MISSING
        : isWriterSample(value) || isAddress(use.kind, value)
          ? THERE
          : NO_ADDRESS
    }
  }
  rendered += text.slice(end)
  const starts = marks.map(({ at }) => at)
  const marksWithin = (from: number, to: number) =>
    marks.slice(countOffsetsUpTo(starts, from - 1), countOffsetsUpTo(starts, to - 1))

  const lines: { at: number; label: string }[] = []
  const links: { at: number; value: string }[] = []
  /** `dead` is the value that leaves the open link without a target; null if no value does, or once it is reported. */
  const link: { dead: (typeof marks)[number] | null } = { dead: null }
  let line = ''
  let missing: number | null = null
  let hasValue = false
  const endLine = () => {
    const label = line.replace(/[\s\u00a0]+/g, ' ').trim()
    if (missing !== null && !hasValue && label.length <= MAX_LABEL_CHARACTERS)
      lines.push({ at: missing, label })
    line = ''
    missing = null
    hasValue = false
  }
  /** Reports a link without a target as soon as it shows something. */
  const showLink = () => {
    if (link.dead !== null) links.push({ at: link.dead.use, value: link.dead.value })
    link.dead = null
  }
  for (const token of htmlTokens(rendered)) {
    if (token.kind === 'text' && token.raw === null) {
      for (const mark of marksWithin(token.at, token.end))
        if (mark.isMissing) missing ??= mark.use
        else hasValue = true
      line += token.text.replace(MARKS, '')
      if (token.text.replaceAll(MISSING, '').trim() !== '') showLink()
    } else if (token.kind === 'open' && token.name === 'img') {
      hasValue = true
      showLink()
    } else if ((token.kind === 'open' || token.kind === 'close') && token.name === 'a') {
      const href = token.kind === 'open' ? token.attributes.find(({ name }) => name === 'href') : undefined
      const isDead = href !== undefined && DEAD_ADDRESS.test(href.value)
      link.dead = isDead ? (marksWithin(href.from, href.to)[0] ?? null) : null
    } else if ((token.kind === 'open' || token.kind === 'close') && !INLINE.has(token.name)) endLine()
  }
  endLine()
  return { lines, links }
}

/** The total bytes of a version's attached pictures, including the pictures of the largest block in each slot. */
function bytesOf(
  { expanded, slots }: ExpandedVersion,
  { pictures, linked = false }: Pick<Release['document'], 'pictures' | 'linked'>,
  pictureBytes: ReadonlyMap<string, number>,
): number {
  if (linked) return 0
  const attached = new Set<string>()
  const newIn = ({ uses }: ExpandedTemplate): readonly string[] => {
    const paths = uses.flatMap(({ kind, names, isLinked }) => (kind === 'picture' && !isLinked ? names : []))
    return [...new Set(paths.map((path) => pictures[path] ?? ''))].filter((hash) => !attached.has(hash))
  }
  const bytesIn = (hashes: Iterable<string>): number =>
    [...hashes].reduce((sum, hash) => sum + (pictureBytes.get(hash) ?? 0), 0)
  for (const candidates of [[expanded], ...slots]) {
    const [largest = []] = candidates.map(newIn).toSorted((one, other) => bytesIn(other) - bytesIn(one))
    for (const hash of largest) attached.add(hash)
  }
  return bytesIn(attached)
}

const howMany = (people: readonly PersonState[]): string => {
  const [first] = people
  const name = first?.addresses[0] ?? ''
  return people.length === 1 ? name : `${people.length} people (${name} is one)`
}

/** The number of people checked per step. */
export const PEOPLE_PER_STEP = 50

/**
 * Checks all blocks and all versions of signatures for all people, in steps.
 *
 * @param people returns the people who get a version or a block
 * @param pictureBytes the sizes of the pictures by hash
 * @param isAddress whether a value gives an address; true for every value of a made-up person
 * @param most the maximum number of people per version, for the progress: steps count each version for each person
 */
export function* checkRendered(
  release: Release,
  versions: readonly ExpandedVersion[],
  people: (version: ExpandedVersion) => Steps<readonly PersonState[]>,
  pictureBytes: ReadonlyMap<string, number>,
  isAddress: typeof isUsableValue,
  most: number,
): Steps<readonly Finding[]> {
  const { findings, error, warn } = createFindingReport()
  const of = versions.length * most
  for (const [before, version] of versions.entries()) {
    yield { done: before * most, of }
    const { expanded, place, slots } = version
    const what = version.kind === 'block' ? 'block' : 'signature'
    const names = [...new Set(expanded.uses.flatMap(variablesIn))]
    /** The placeholders whose value may be present but not be an address. */
    const addresses = expanded.uses.filter(({ kind: of }) => of === 'web' || of === 'tel')
    const patterns = new Map<string, PersonState[]>()
    const tooLong: PersonState[] = []
    for (const [index, person] of (yield* people(version)).entries()) {
      if (index % PEOPLE_PER_STEP === 0) yield { done: before * most + index, of }
      const values = valuesFor(release, person)
      if (lengthOf(release, version, person) > MAX_SIGNATURE_CHARACTERS) tooLong.push(person)
      const pattern = [
        ...names.map((name) => (values[name] === '' ? '0' : '1')),
        ...addresses.map(({ kind: of, names: [name = ''] }) =>
          isUsableValue(of, values[name] ?? '') ? '1' : '0',
        ),
      ].join('')
      const alike = patterns.get(pattern)
      if (alike) alike.push(person)
      else if (patterns.size < MAX_PATTERNS) patterns.set(pattern, [person])
    }
    if (tooLong.length > 0)
      error(
        place,
        'tooLong',
        `With more than ${MAX_SIGNATURE_CHARACTERS} characters${slots.length > 0 ? ', with the longest block of each slot,' : ''} the ${what} is too long for Outlook: for ${howMany(tooLong)}.`,
      )
    for (const alike of patterns.values()) {
      const [sample] = alike
      if (sample === undefined) continue
      yield
      const { lines, links } = gapsIn(expanded, valuesFor(release, sample), isAddress)
      for (const { at, value } of links)
        error(
          expanded.placeOf(at),
          'emptyLink',
          value === ''
            ? `The link leads nowhere for ${howMany(alike)}: put {{#if …}} around it.`
            : `The link leads nowhere for ${howMany(alike)}: ${quoteUntrusted(value)} is not a complete address.`,
        )
      for (const { at, label } of lines)
        error(
          expanded.placeOf(at),
          'emptyLine',
          label === ''
            ? `The line is empty for ${howMany(alike)}: put {{#if …}} around it.`
            : `The line shows ${quoteUntrusted(label)} with nothing behind it for ${howMany(alike)}: put {{#if …}} around it.`,
        )
      for (const message of legibilityProblems(htmlOf(release, version, sample)))
        warn(place, 'hardToRead', message)
    }
    const bytes = bytesOf(version, release.document, pictureBytes)
    if (bytes > MAX_IMAGE_BYTES)
      error(
        place,
        'picturesTooLarge',
        `The pictures of this ${what} are ${bytes} bytes together; at most ${MAX_IMAGE_BYTES} are attached.`,
      )
  }
  yield { done: of, of }
  // One place may have several findings that differ only in the people, so only the first is kept.
  const byKey = new Map<string, Finding>()
  for (const finding of findings) {
    const { code, file, line, column, message } = finding
    const key = `${code} ${file} ${line} ${column} ${code === 'hardToRead' ? message : ''}`
    if (!byKey.has(key)) byKey.set(key, finding)
  }
  return [...byKey.values()]
}
