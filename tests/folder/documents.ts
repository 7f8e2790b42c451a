/** Arbitrary documents that a folder can hold. */
import { fc } from '@fast-check/vitest'
import { pictureHash } from '../../src/folder/pictures.ts'
import { isTestableField } from '../../streams/organisation/release/names.ts'
import {
  type Block,
  type Condition,
  type GuardRule,
  conditionKeyOf,
  type ManagerCondition,
  type ReleaseDocument,
  type Selection,
  type FieldTest,
  type Hours,
  type OwnDays,
} from '../../streams/organisation/release/release.ts'
import { GIF, png } from './pictures.ts'

/** Texts that YAML could take for something else. */
export const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\r',
      '\t',
      "'",
      '"',
      ':',
      '#',
      '-',
      '\\',
      '{',
      '[',
      '&',
      '*',
      '!',
      '\u2028',
      '\u0085',
      '\uFEFF',
      '%',
      '|',
      '>',
      '?',
      ',',
    ),
  }),
  fc.constantFrom(
    '2026',
    '0x1F',
    '1e3',
    'true',
    'No',
    'null',
    '~',
    '<<',
    '---',
    '...',
    '2026-01-01',
    '.inf',
    '=',
  ),
)
const filled = text.filter((one) => one.trim() !== '')
const word = fc.string({ unit: fc.constantFrom('a', 'b', '0', '_'), minLength: 1, maxLength: 6 })
const variablePath = word.map((one) => `v${one}`)
const field = fc.oneof(filled, fc.constantFrom('department', 'manager.department')).filter(isTestableField)
const domain = word.map((one) => `${one}.example`)
const address = fc.tuple(word, domain).map(([local, at]) => `${local}@${at}`)
const someOf = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 1, maxLength: 3 })

const day = fc.integer({ min: 1, max: 28 }).map((date) => `2026-02-${String(date).padStart(2, '0')}`)
const test = fc.oneof<fc.Arbitrary<FieldTest>[]>(
  fc.record({ is: fc.constantFrom('starts', 'ends', 'contains'), values: someOf(filled) }),
  fc.record({ is: fc.constant('any' as const) }),
  fc.record({ is: fc.constantFrom('before', 'after'), day }),
)
const managerCondition = fc.oneof<fc.Arbitrary<ManagerCondition>[]>(
  fc.record({ by: fc.constant('person' as const), values: someOf(address) }),
  fc.record({ by: fc.constant('address' as const), values: someOf(domain.map((at) => `*@${at}`)) }),
  fc.record({ by: fc.constant('field' as const), field, values: someOf(text) }),
  fc.record({
    by: fc.constant('test' as const),
    field,
    tests: fc.uniqueArray(test, { minLength: 1, maxLength: 3, selector: ({ is }) => is }),
  }),
)
const condition = fc.oneof<fc.Arbitrary<Condition>[]>(
  fc.record({ by: fc.constant('group' as const), values: someOf(filled) }),
  fc.record({
    by: fc.constant('language' as const),
    values: someOf(fc.constantFrom('de', 'no', 'pt-BR', 'zh-Hant-TW')),
  }),
  fc.record({ by: fc.constant('field' as const), field: fc.constant('manager'), values: someOf(text) }),
  managerCondition,
  managerCondition,
  fc.record({
    by: fc.constant('manager' as const),
    conditions: fc.uniqueArray(managerCondition, { minLength: 1, maxLength: 3, selector: conditionKeyOf }),
  }),
)
const groups = (minLength: number) =>
  fc.array(
    fc.uniqueArray(condition, {
      minLength: 1,
      maxLength: 3,
      selector: conditionKeyOf,
    }),
    { minLength, maxLength: 3 },
  )
export const selection: fc.Arbitrary<Selection> = fc.record({
  for: fc.oneof(fc.constant('everyone' as const), groups(1)),
  not: groups(0),
})
const orNull = <Item>(item: fc.Arbitrary<Item>) => fc.option(item, { nil: null })
const templatePath = word.map((one) => `templates/${one}.html`)
const during = orNull(fc.record({ from: day, to: day, timeZone: fc.constantFrom('UTC', 'Europe/Berlin') }))
const listName = fc.oneof(
  word.map((one) => `L${one}`),
  fc.constantFrom('true', 'No', 'null', 'A-1'),
)
const recipients = fc.oneof(
  fc.constantFrom('everyone' as const, 'internal' as const, 'external' as const),
  someOf(domain),
  someOf(fc.oneof(domain, address, listName)),
)
const entries = (size: fc.UniqueArrayConstraintsRecommended<string, string>) =>
  fc.uniqueArray(fc.oneof(domain, address), size)
/** Short lists, and some that are too long for `signet.yaml`. */
const lists = fc.dictionary(
  listName,
  fc.oneof(
    { weight: 3, arbitrary: entries({ minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: entries({ minLength: 19, maxLength: 22 }) },
  ),
  { minKeys: 1, maxKeys: 3 },
)
const id = fc.oneof(word, fc.constantFrom('2026', '10', '9'))
const slot = fc.oneof(variablePath, fc.constantFrom('true', 'No', 'null', 'y'))
const editors = fc.uniqueArray(fc.constantFrom('Brand team', 'Portugal', 'no', '1e3', '# x'), {
  minLength: 1,
})

const minutes = (most: number) => fc.integer({ min: 0, max: most })
const timeOfDay = (at: number) =>
  [Math.floor(at / 60), at % 60].map((part) => String(part).padStart(2, '0')).join(':')
const span = fc
  .tuple(fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 1 }), minutes(1439), minutes(1440))
  .filter(([, from, to]) => from < to)
  .map(([days, from, to]) => ({ days, from: timeOfDay(from), to: timeOfDay(to) }))
const timeZone = fc.constantFrom('UTC', 'Europe/Berlin')
export const hours: fc.Arbitrary<Hours> = fc.record({
  spans: fc.array(span, { minLength: 1, maxLength: 3 }),
  timeZone,
})
const ownDays: fc.Arbitrary<OwnDays> = fc.record({
  from: variablePath,
  to: variablePath,
  before: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 366 })),
  timeZone,
})
/** A folder writes one period with one time zone. */
const blockPeriod: fc.Arbitrary<Pick<Block, 'during' | 'hours' | 'ownDays'>> = fc.oneof(
  fc.record({ during }),
  fc.record({ during, hours }).map(({ during: days, hours: ofWeek }) => ({
    during: days,
    hours: { ...ofWeek, timeZone: days?.timeZone ?? ofWeek.timeZone },
  })),
  fc.record({ during: fc.constant(null), ownDays }),
)
const block: fc.Arbitrary<Block> = fc
  .record({
    id,
    name: text,
    slot,
    template: templatePath,
    selection,
    recipients,
    replies: fc.boolean(),
    share: fc.oneof(fc.constant(100), fc.integer({ min: 1, max: 100 })),
    period: blockPeriod,
    isByMail: fc.boolean(),
  })
  .map(({ period, isByMail, ...others }) => ({
    ...others,
    ...period,
    ...(isByMail && others.share < 100 && { turns: 'mail' as const }),
  }))
const guardRule = fc.oneof<fc.Arbitrary<GuardRule>[]>(
  fc.record({ missing: fc.constant('signature' as const), selection, recipients }),
  fc.record({ missing: fc.constant('block' as const), block: id }),
)
const peopleLimit = fc.oneof(
  fc.record({ most: fc.nat(999_999_999), of: fc.constant('people' as const) }),
  fc.record({ most: fc.nat(100), of: fc.constant('percent' as const) }),
)
const NO_USER: Selection = { for: [], not: [] }

const PICTURES = [png(), png(2, 2), GIF] as const
export const picturesByHash = new Map(
  PICTURES.map((bytes) => [
    pictureHash(bytes),
    { mediaType: bytes === GIF ? 'image/gif' : 'image/png', bytes },
  ]),
)

const withoutBlocks: fc.Arbitrary<
  Omit<
    ReleaseDocument,
    | 'blocks'
    | 'guard'
    | 'counting'
    | 'limits'
    | 'brand'
    | 'cards'
    | 'linked'
    | 'lists'
    | 'approval'
    | 'editors'
  >
> = fc.record({
  version: fc.constant(1 as const),
  organisation: filled,
  internal: fc.array(domain, { maxLength: 3 }),
  chooseDefault: fc.oneof(selection, fc.constant(NO_USER)),
  plan: fc.record({ from: orNull(field), value: text }),
  variables: fc.uniqueArray(
    fc
      .record({
        path: variablePath,
        from: orNull(field),
        value: orNull(text),
        edit: fc.boolean(),
        resync: fc.boolean(),
        hidden: fc.boolean(),
        label: orNull(text),
        group: fc.oneof(orNull(text), fc.constantFrom('mapped', 'rest')),
      })
      .map((variable) => ({ ...variable, resync: variable.resync && variable.from !== null })),
    { selector: ({ path }) => path, maxLength: 4 },
  ),
  signatures: fc.uniqueArray(
    fc.record(
      {
        id,
        name: text,
        template: templatePath,
        reply: orNull(templatePath),
        mobile: orNull(templatePath),
        meeting: templatePath,
        selection,
        during,
        recipients,
        collection: orNull(text),
        editors,
      },
      {
        requiredKeys: [
          ...(['id', 'name', 'template', 'reply', 'mobile'] as const),
          ...(['selection', 'during', 'recipients', 'collection'] as const),
        ],
      },
    ),
    { selector: ({ id }) => id, maxLength: 4 },
  ),
  mailboxes: fc.uniqueArray(
    fc.record({ address, selection, values: fc.dictionary(variablePath, text, { maxKeys: 3 }) }),
    { selector: (mailbox) => mailbox.address, maxLength: 3 },
  ),
  templates: fc.dictionary(
    templatePath,
    text.filter((one) => !one.startsWith('\uFEFF')),
    { maxKeys: 3 },
  ),
  pictures: fc
    .dictionary(word, fc.constantFrom(...PICTURES), { maxKeys: 3 })
    .map((named) =>
      Object.fromEntries(
        Object.entries(named).map(([name, bytes]) => [
          `banners/${name}.${bytes === GIF ? 'gif' : 'png'}`,
          pictureHash(bytes),
        ]),
      ),
    ),
})

export const document: fc.Arbitrary<ReleaseDocument> = fc
  .tuple(
    withoutBlocks,
    fc.record(
      {
        blocks: fc.uniqueArray(block, { selector: (one) => one.id, minLength: 1, maxLength: 4 }),
        guard: fc.array(guardRule, { minLength: 1, maxLength: 3 }),
        counting: fc.constant(true as const),
        linked: fc.constant(true as const),
        lists,
        limits: fc.record({ people: peopleLimit }),
        approval: fc.record({
          by: fc.uniqueArray(
            fc.constantFrom('Signet.Publish', 'Signet.People', 'Directors', 'true', '2026'),
            {
              minLength: 1,
            },
          ),
        }),
        editors,
        cards: fc.record({ unless: fc.oneof(variablePath, fc.constantFrom('true', 'No', 'null', 'y')) }),
        brand: fc
          .record({
            colours: fc.dictionary(
              fc.constantFrom('navy', '2026', 'Light sand', 'no', 'Grün'),
              fc.constantFrom('#1f3a5f', '#FFF', 'white', 'rgb(1, 2, 3)', 'hsl(210 50% 20% / 0.5)'),
            ),
            fonts: fc.subarray(['Arial', 'Source Sans 3', '1942 Report', 'true']),
            logos: fc.subarray(['banners/logo.png', 'logo.gif']),
          })
          .filter(
            ({ colours, fonts, logos }) => Object.keys(colours).length + fonts.length + logos.length > 0,
          ),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([others, added]) => ({ ...others, ...added }))
