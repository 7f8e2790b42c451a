/** Lists people whose phone number, postal address or card a template cannot format. */
import type { Steps } from '../../streams/kernel/steps.ts'
import { POSTAL_ADDRESS, type Release } from '../../streams/organisation/release/release.ts'
import { renderContextOf, templatePath } from '../../streams/organisation/rendering/render.ts'
import {
  isCardNameFree,
  isWriterSample,
  postalAddressParts,
} from '../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { VCARD_NAME, shownValues } from '../../streams/organisation/template/template.ts'
import { writesCardAddress } from './cards.ts'
import type { TemplateUse } from './expanded.ts'
import { type Finding, andList, quoteUntrusted, createFindingReport } from './finding.ts'
import { sampleAddressesOf, PEOPLE_PER_STEP, type ExpandedVersion } from './rendered.ts'

const MAX_NAMED = 5

/** Lists people's addresses for a sentence. */
function named(people: readonly PersonState[]): string {
  const addresses = people.slice(0, MAX_NAMED).map((person) => person.addresses[0] ?? person.id)
  const others = people.length - addresses.length
  return andList([...addresses, ...(others === 0 ? [] : [others === 1 ? '1 other' : `${others} others`])])
}

const isCode = ({ kind, names }: TemplateUse): boolean => kind === 'qr' && names[0] === VCARD_NAME
const NUMBERS = ['phone', 'tel'] as const
type NumberKind = (typeof NUMBERS)[number]
const numberKindOf = ({ kind }: Pick<TemplateUse, 'kind'>): NumberKind | null =>
  NUMBERS.find((each) => each === kind) ?? null

/** Describes how a template writes a value that is not exactly one phone number; null for a valid number. */
function wrongNumber({ formats }: Release, kind: NumberKind, value: string, country: string): string | null {
  const dialled = formats.tel(value, country)
  if (kind === 'phone' && formats.phone(value, country) !== null) return null
  if (kind === 'tel' && dialled?.isAlone === true) return null
  const is = `${quoteUntrusted(value)} is ${dialled?.isAlone === false ? 'more than one phone number alone' : 'no phone number, or lacks its country'}`
  return kind === 'phone'
    ? `${is}; it is shown as it is`
    : `${is}; the link dials ${dialled === null ? 'its digits' : dialled.number}`
}
const isAddress = ({ kind, names }: TemplateUse): boolean => kind !== 'if' && names.includes(POSTAL_ADDRESS)

/**
 * Checks the values in the signatures and blocks that people get, in steps.
 *
 * @param people returns the people who get a version or a block
 * @param areReal false for a made-up person, whose values are names of variables
 */
export function* checkValues(
  release: Release,
  versions: readonly ExpandedVersion[],
  people: (version: ExpandedVersion) => Steps<readonly PersonState[]>,
  areReal: boolean,
): Steps<readonly Finding[]> {
  const { findings, error, warn } = createFindingReport()
  const haveAddresses = release.document.cards !== undefined && isCardNameFree(release.document)
  for (const version of versions) {
    const { expanded } = version
    // A card shows what its own signature version shows, not what other versions show.
    const isCard = (use: TemplateUse) =>
      isCode(use) || (haveAddresses && version.kind === 'signature' && writesCardAddress(use))
    if (!expanded.uses.some((use) => isCard(use) || numberKindOf(use) !== null || isAddress(use))) continue
    const path =
      version.kind === 'block' ? version.block.template : templatePath(version.signature, version.kind)
    const template = path === null ? null : release.templateOf(path)
    if (template === null) continue
    /** For each placeholder, the people whose value is not a phone number, with the sentence about the first person. */
    const noNumbers = new Map<string, { readonly says: string; readonly people: PersonState[] }>()
    const noCountry: PersonState[] = []
    const noName: PersonState[] = []
    for (const [index, person] of (yield* people(version)).entries()) {
      if (index % PEOPLE_PER_STEP === 0) yield
      const context = renderContextOf(release, person, sampleAddressesOf(person))
      const shown = shownValues(template, context)
      const { country } = postalAddressParts(release, person)
      const seen = new Set<string>()
      for (const each of shown) {
        const kind = numberKindOf(each)
        const key = `${each.kind} ${each.name}`
        if (kind === null || seen.has(key)) continue
        seen.add(key)
        const value = context.values[each.name] ?? ''
        const says = isWriterSample(value) ? null : wrongNumber(release, kind, value, country)
        if (says === null) continue
        const alike = noNumbers.get(key) ?? { says, people: [] }
        noNumbers.set(key, alike)
        alike.people.push(person)
      }
      if (context.addressLines && shown.some(({ name }) => name === POSTAL_ADDRESS))
        if (!release.formats.isCountry(country)) noCountry.push(person)
      if (expanded.uses.some(isCard) && context.cardOf?.(shown) === '') noName.push(person)
    }
    for (const use of expanded.uses) {
      const place = expanded.placeOf(use.at)
      const alike = noNumbers.get(`${use.kind} ${use.names[0] ?? ''}`)
      if (areReal && alike) warn(place, 'notANumber', `${alike.says}: for ${named(alike.people)}.`)
      if (areReal && isAddress(use) && noCountry.length > 0)
        warn(
          place,
          'noCountry',
          `The address is not in the order of a country, because the directory names none that is known: for ${named(noCountry)}.`,
        )
      if (isCard(use) && noName.length > 0)
        error(
          place,
          'cardWithoutName',
          `The template shows no name, which a card needs: for ${named(noName)}. A card has only what the same template shows.`,
        )
    }
  }
  return findings
}
