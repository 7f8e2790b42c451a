/** Reads `expect.yaml`, the expectations that a folder must meet. */
import { normaliseAddress } from '../values/mailAddress.ts'
import { type Finding, type Place, quoteUntrusted } from './finding.ts'
import { isAddress, isDay, isRecipient } from '../../streams/organisation/release/names.ts'
import { isSampleRecipients } from '../../streams/organisation/release/supposed.ts'
import { type YamlEntry, readYaml } from './yaml.ts'

export const EXPECT_FILE = 'expect.yaml'

/**
 * `on` is a day; `on: null` is today. `default` and `reply` are ids of signatures, or `none`; null expects nothing.
 * `blocks` are the ids of the blocks in a new message with the default signature, in slot order.
 */
export type PersonExpectation = Readonly<{
  kind: 'person'
  place: Place
  person: string
  on: string | null
  default: string | null
  reply: string | null
  /** `internal`, `external` or a domain; null for a message without recipients. */
  recipients: string | null
  blocks: readonly string[] | null
  contains: readonly string[]
}>

export type EveryoneExpectation = Readonly<{
  kind: 'everyone'
  place: Place
  on: string | null
  hasDefault: boolean | null
  maxCharacters: number | null
}>

export type Expectation = PersonExpectation | EveryoneExpectation

/**
 * Reads the expectations, and adds the findings to `problems`.
 *
 * @param text null if there is no `expect.yaml`
 */
export function readExpectations(text: string | null, problems: Finding[]): readonly Expectation[] {
  if (text === null) return []
  const yaml = readYaml(EXPECT_FILE, text, problems)
  const { root, error, record, items, text: textOf, flag } = yaml
  if (root.value === null) return []

  const dayOf = (entry: YamlEntry | undefined): string | null => {
    const day = textOf(entry)
    if (entry === undefined || day === null || isDay(day)) return day
    return error(entry.place, 'value', `${quoteUntrusted(day)} is not a day: 2026-10-01.`)
  }

  return items(root, EXPECT_FILE).flatMap((item): readonly Expectation[] => {
    const { place } = item
    const ofPerson = ['default', 'reply', 'recipients', 'blocks', 'contains']
    const keys = ['person', 'everyone', 'on', ...ofPerson]
    const of = record(item, keys, 'An expectation')
    const on = dayOf(of['on'])
    const { everyone, person } = of
    if (everyone !== undefined) {
      for (const name of ['person', ...ofPerson])
        if (of[name] !== undefined)
          error(of[name].place, 'unknownKey', `${quoteUntrusted(name)} does not go with "everyone".`)
      const wanted = record(everyone, ['has-default', 'at-most'])
      const limits = record(wanted['at-most'], ['characters'])
      const characters = textOf(limits['characters'])
      if (characters !== null && !/^[1-9]\d{0,6}$/.test(characters))
        error(limits['characters']?.place ?? place, 'value', '"characters" is a number.')
      const maxCharacters = characters === null ? null : Number(characters)
      return [{ kind: 'everyone', place, on, hasDefault: flag(wanted['has-default']), maxCharacters }]
    }
    const named = textOf(person)
    const address = named === null ? null : normaliseAddress(named)
    if (address === null || !isAddress(address)) {
      const message = 'An expectation names a person by the mail address, or everyone.'
      error(person?.place ?? place, 'value', message)
      return []
    }
    const given = textOf(of['recipients'])
    const recipients = given === null ? null : normaliseAddress(given)
    if (recipients !== null && !isSampleRecipients(recipients) && !isRecipient(recipients))
      error(
        of['recipients']?.place ?? place,
        'value',
        '"recipients" is internal, external, a domain or an address.',
      )
    const textsOf = (entry: YamlEntry | undefined) => items(entry).flatMap((each) => textOf(each) ?? [])
    return [
      {
        kind: 'person',
        place,
        person: address,
        on,
        default: textOf(of['default']),
        reply: textOf(of['reply']),
        recipients,
        blocks: of['blocks'] === undefined ? null : textsOf(of['blocks']),
        contains: textsOf(of['contains']),
      },
    ]
  })
}
