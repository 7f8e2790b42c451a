/** Checks a folder against its `expect.yaml`. */
import { decidingRulesFor } from '../../streams/organisation/rules/decidingRule.ts'
import type { Steps } from '../../streams/kernel/steps.ts'
import { assignedSignatures, organisationDefault, windowOf } from '../../streams/organisation/rules/rules.ts'
import type { Release, Signature } from '../../streams/organisation/release/release.ts'
import { createSlottedRenderer, slottedSignature } from '../../streams/organisation/rendering/render.ts'
import { type Circumstances, fillSlots, type SlottedHtml } from '../../streams/html/slots.ts'
import { isSampleRecipients, sampleCircumstances } from '../../streams/organisation/release/supposed.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import {
  EXPECT_FILE,
  type EveryoneExpectation,
  type Expectation,
  type PersonExpectation,
} from './expectations.ts'
import { type Finding, errorFinding, quoteUntrusted, createFindingReport } from './finding.ts'
import { htmlTokens } from './htmlTokens.ts'
import type { DocumentPlaces } from './sections/reader.ts'
import { sampleAddressesOf, longestLength, PEOPLE_PER_STEP } from './rendered.ts'

/** The visible text with single spaces between words. */
function textOf(html: string): string {
  let text = ''
  for (const token of htmlTokens(html))
    if (token.kind === 'text' && token.raw === null) text += token.text
    else if (token.kind !== 'comment') text += ' '
  return text.replace(/[\s\u00a0]+/g, ' ')
}

/** Noon UTC on the day; the current time if `day` is null. */
const noonOf = (day: string | null, now: number): number =>
  day === null ? now : Date.parse(`${day}T12:00:00Z`)

/**
 * Returns an error for each expectation that the folder fails to meet, in steps.
 *
 * @param people null if there is no `people.csv`
 * @param places the places in `signet.yaml`
 */
export function* checkExpectations(
  release: Release,
  expectations: readonly Expectation[],
  people: readonly PersonState[] | null,
  places: DocumentPlaces,
  now: number,
): Steps<readonly Finding[]> {
  const [first] = expectations
  if (first === undefined) return []
  if (people === null)
    return [errorFinding(first.place, 'noPeople', `Without people.csv ${EXPECT_FILE} cannot be compared.`)]
  const byAddress = new Map<string, PersonState>()
  for (const [index, person] of people.entries()) {
    if (index % PEOPLE_PER_STEP === 0) yield
    for (const address of person.addresses) byAddress.set(address, person)
  }
  const findings: Finding[] = []
  for (const expectation of expectations) {
    yield
    findings.push(
      ...(expectation.kind === 'person'
        ? ofPerson(release, expectation, byAddress.get(expectation.person) ?? null, places, now)
        : yield* ofEveryone(release, expectation, people, now)),
    )
  }
  return findings
}

const NOTHING: SlottedHtml = { html: '' }
const slottedOf = (release: Release, signature: Signature, person: PersonState, at: number): SlottedHtml =>
  slottedSignature(release, signature, 'signature', person, sampleAddressesOf(person), at) ?? NOTHING

/** A new message to an expectation's recipients: a domain, inside or outside; null for a message without recipients. */
const messageOf = (release: Release, recipients: string | null, at: number): Circumstances =>
  recipients === null || isSampleRecipients(recipients)
    ? { ...sampleCircumstances(release, recipients, false), at }
    : { isReply: false, thread: 'first', recipients: [recipients], turn: 0, at }

function ofPerson(
  release: Release,
  expectation: PersonExpectation,
  person: PersonState | null,
  places: DocumentPlaces,
  now: number,
): readonly Finding[] {
  const { place, on, recipients, blocks, contains } = expectation
  const wrong = (message: string) => errorFinding(place, 'expectation', message)
  if (person === null) return [wrong(`There is no person ${quoteUntrusted(expectation.person)}.`)]
  const at = noonOf(on, now)
  const signature = organisationDefault(assignedSignatures(release, person, at), person)
  const found = signature?.id ?? 'none'
  // The default also goes into replies, so `default` and `reply` are both compared with it.
  const names = [
    ['default', expectation.default],
    ['reply', expectation.reply],
  ] as const
  const deciding = decidingRulesFor(release, person, at)
  /** The id of a signature, with the line of the rule that decides who gets it. */
  const placed = (id: string): string => {
    const item = `signatures.${id}`
    const place = places.get(deciding.get(item) ?? item) ?? places.get(item)
    return place ? `${quoteUntrusted(id)} (${place.file}:${place.line})` : quoteUntrusted(id)
  }
  const slotted = signature === undefined ? NOTHING : slottedOf(release, signature, person, at)
  const filled = fillSlots(slotted, messageOf(release, recipients, at))
  const { html } = filled
  const text = textOf(html)
  const standing = filled.blocks.map(({ id }) => id).join(', ')
  return [
    ...names.flatMap(([name, wanted]) =>
      wanted === null || wanted === found
        ? []
        : [wrong(`"${name}" of ${expectation.person} is ${placed(found)}, not ${placed(wanted)}.`)],
    ),
    ...(blocks === null || blocks.join(', ') === standing
      ? []
      : [wrong(`"blocks" of ${expectation.person} are [${standing}], not [${blocks.join(', ')}].`)]),
    ...contains.flatMap((wanted) =>
      text.includes(wanted.replace(/\s+/g, ' ')) || html.includes(wanted)
        ? []
        : [wrong(`The default of ${expectation.person} does not contain ${quoteUntrusted(wanted)}.`)],
    ),
  ]
}

function* ofEveryone(
  release: Release,
  { place, on, hasDefault, maxCharacters }: EveryoneExpectation,
  people: readonly PersonState[],
  now: number,
): Steps<readonly Finding[]> {
  const { findings, error } = createFindingReport()
  const wrong = (message: string) => error(place, 'expectation', message)
  const at = noonOf(on, now)
  const other: PersonState[] = []
  if (hasDefault !== null)
    for (const person of people) {
      yield
      if (assignedSignatures(release, person, at).length > 0 !== hasDefault) other.push(person)
    }
  const [first] = other
  if (first !== undefined)
    wrong(
      `${other.length === 1 ? '1 person has' : `${other.length} people have`} ${hasDefault === true ? 'no' : 'a'} default: ${first.addresses[0] ?? ''}${other.length === 1 ? '' : ' is one'}.`,
    )
  if (maxCharacters === null) return findings
  for (const [index, person] of people.entries()) {
    if (index % PEOPLE_PER_STEP === 0) yield
    const slotted = createSlottedRenderer(release, person, sampleAddressesOf(person), at)
    for (const signature of assignedSignatures(release, person, at)) {
      const length = longestLength(slotted(signature, 'signature') ?? NOTHING)
      if (length <= maxCharacters) continue
      wrong(
        `${quoteUntrusted(signature.id)} of ${person.addresses[0] ?? ''} has ${length} characters, more than ${maxCharacters}.`,
      )
      return findings
    }
  }
  return findings
}

/** Whether a period has ended; null for a period that never opens. */
export function isPeriodOver(during: Signature['during'], now: number): boolean | null {
  if (during === null) return false
  const window = windowOf(during)
  return window === null || window.opens >= window.closes ? null : window.closes <= now
}
