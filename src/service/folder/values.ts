/** Names the people whose values cannot be written as a template asks: phone numbers, postal addresses and cards. */
import type { Steps } from '../../../streams/kernel/steps.ts'
import { ADDRESS, type Release } from '../../../streams/organisation/release.ts'
import { contextOf, templatePath } from '../../../streams/organisation/render.ts'
import { isCardAddress, postalParts } from '../../../streams/organisation/selectors.ts'
import type { PersonState } from '../../../streams/organisation/state.ts'
import { CARD, shownValues } from '../../../streams/organisation/template.ts'
import { writesCard } from './cards.ts'
import type { Use } from './expanded.ts'
import { type Finding, listed, quote, reportTo } from './finding.ts'
import { addressesFor, PEOPLE_AT_ONCE, type Version } from './rendered.ts'

const MOST_NAMED = 5

/** The addresses of people, in a sentence. */
function named(people: readonly PersonState[]): string {
  const addresses = people.slice(0, MOST_NAMED).map((person) => person.addresses[0] ?? person.id)
  const others = people.length - addresses.length
  return listed([...addresses, ...(others === 0 ? [] : [others === 1 ? '1 other' : `${others} others`])])
}

const isCode = ({ kind, names }: Use): boolean => kind === 'qr' && names[0] === CARD
const isNumber = ({ kind }: Use): boolean => kind === 'phone'
const isAddress = ({ kind, names }: Use): boolean => kind !== 'if' && names.includes(ADDRESS)

/**
 * Checks what people get, in steps.
 *
 * @param people gives the people who get a version or a block
 * @param areReal false for a made-up person, whose values are names of variables
 */
export function* checkValues(
  release: Release,
  versions: readonly Version[],
  people: (version: Version) => Steps<readonly PersonState[]>,
  areReal: boolean,
): Steps<readonly Finding[]> {
  const { findings, error, warn } = reportTo()
  const haveAddresses = release.document.cards !== undefined && isCardAddress(release.document)
  for (const version of versions) {
    const { expanded } = version
    // Behind the address of a card is what the signature itself shows, not what another version does.
    const isCard = (use: Use) =>
      isCode(use) || (haveAddresses && version.kind === 'signature' && writesCard(use))
    if (!expanded.uses.some((use) => isCard(use) || isNumber(use) || isAddress(use))) continue
    const path =
      version.kind === 'block' ? version.block.template : templatePath(version.signature, version.kind)
    const template = path === null ? null : release.templateOf(path)
    if (template === null) continue
    /** The people by the name of the variable that is no number for them, with the value of the first one. */
    const noNumbers = new Map<string, { readonly value: string; readonly people: PersonState[] }>()
    const noCountry: PersonState[] = []
    const noName: PersonState[] = []
    for (const [index, person] of (yield* people(version)).entries()) {
      if (index % PEOPLE_AT_ONCE === 0) yield
      const context = contextOf(release, person, addressesFor(person))
      const shown = shownValues(template, context)
      const wrong = new Set(
        shown.flatMap(({ kind, name }) =>
          kind === 'phone' && context.phone?.(context.values[name] ?? '') === null ? [name] : [],
        ),
      )
      for (const name of wrong) {
        const alike = noNumbers.get(name) ?? { value: context.values[name] ?? '', people: [] }
        noNumbers.set(name, alike)
        alike.people.push(person)
      }
      if (context.addressLines && shown.some(({ name }) => name === ADDRESS))
        if (!release.formats.isCountry(postalParts(release, person).country)) noCountry.push(person)
      if (expanded.uses.some(isCard) && context.cardOf?.(shown) === '') noName.push(person)
    }
    for (const use of expanded.uses) {
      const place = expanded.placeOf(use.at)
      const alike = isNumber(use) ? noNumbers.get(use.names[0] ?? '') : undefined
      if (areReal && alike)
        warn(
          place,
          'notANumber',
          `${quote(alike.value)} is no phone number, or lacks its country; it is shown as it is: for ${named(alike.people)}.`,
        )
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
