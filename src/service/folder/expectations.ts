/** Reads `expect.yaml`: what must be true of a folder. */
import { type Finding, type Place, quote, startOf } from './finding.ts'
import { isAddress, isDay } from '../../../streams/organisation/names.ts'
import { type Entry, readYaml } from './yaml.ts'

export const EXPECT_FILE = 'expect.yaml'

/** `on` is a day, or null for today; null expects nothing. `default` may be `none`. */
export type PersonExpectation = Readonly<{
  kind: 'person'
  place: Place
  person: string
  on: string | null
  default: string | null
  reply: string | null
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

/** @param text null when there is no such file; findings are added to `problems` */
export function readExpectations(text: string | null, problems: Finding[]): readonly Expectation[] {
  if (text === null) return []
  const yaml = readYaml(EXPECT_FILE, text, problems)
  const { refuse, placeOf, record, items, flag } = yaml
  const start = startOf(EXPECT_FILE)
  if (yaml.root === null) return []

  const textAt = (entry: Entry | undefined): string | null =>
    entry === undefined ? null : yaml.text(entry.value, entry.place, quote(entry.key))

  const dayAt = (entry: Entry | undefined): string | null => {
    const day = textAt(entry)
    if (entry === undefined || day === null || isDay(day)) return day
    return refuse(entry.place, 'value', `${quote(day)} is not a day: 2026-10-01.`)
  }

  return items(yaml.root, start, EXPECT_FILE).flatMap((node): readonly Expectation[] => {
    const place = placeOf(node, start)
    const of = record(node, place, 'An expectation', [
      'person',
      'everyone',
      'on',
      'default',
      'reply',
      'contains',
    ])
    const on = dayAt(of['on'])
    const { everyone, person } = of
    if (everyone !== undefined) {
      for (const name of ['person', 'default', 'reply', 'contains'])
        if (of[name] !== undefined)
          refuse(of[name].place, 'unknownKey', `${quote(name)} does not go with "everyone".`)
      const wanted = record(everyone.value, everyone.place, '"everyone"', ['has-default', 'at-most'])
      const [hasDefault, atMost] = [wanted['has-default'], wanted['at-most']]
      const limits =
        atMost === undefined ? {} : record(atMost.value, atMost.place, '"at-most"', ['characters'])
      const characters = textAt(limits['characters'])
      if (characters !== null && !/^[1-9]\d{0,6}$/.test(characters))
        refuse(limits['characters']?.place ?? place, 'value', '"characters" is a number.')
      return [
        {
          kind: 'everyone',
          place,
          on,
          hasDefault:
            hasDefault === undefined ? null : flag(hasDefault.value, hasDefault.place, '"has-default"'),
          maxCharacters: characters === null ? null : Number(characters),
        },
      ]
    }
    const address = textAt(person)?.toLowerCase() ?? null
    if (address === null || !isAddress(address)) {
      refuse(
        person?.place ?? place,
        'value',
        'An expectation names a person by the mail address, or everyone.',
      )
      return []
    }
    const contains = of['contains']
    return [
      {
        kind: 'person',
        place,
        person: address,
        on,
        default: textAt(of['default']),
        reply: textAt(of['reply']),
        contains:
          contains === undefined
            ? []
            : items(contains.value, contains.place, '"contains"').flatMap(
                (each) => yaml.text(each, contains.place, '"contains"') ?? [],
              ),
      },
    ]
  })
}
