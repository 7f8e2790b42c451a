import { describe, expect, test } from 'vitest'
import { languages, type Language } from '../../../streams/wire/languages.ts'
import type {
  BlockReason,
  NoSignatureReason,
  SignatureReason,
} from '../../../streams/organisation/rules/why.ts'
import de from '../../../views/administration/text/de.json' with { type: 'json' }
import es from '../../../views/administration/text/es.json' with { type: 'json' }
import fr from '../../../views/administration/text/fr.json' with { type: 'json' }
import it from '../../../views/administration/text/it.json' with { type: 'json' }
import nl from '../../../views/administration/text/nl.json' with { type: 'json' }
import ptBR from '../../../views/administration/text/pt-BR.json' with { type: 'json' }
import pt from '../../../views/administration/text/pt.json' with { type: 'json' }
import { createAdministrationTexts } from '../../../views/administration/text/texts.ts'
import { fieldName } from '../../../views/administration/text/fieldName.ts'
import { mayStand } from '../../support/administration/people.ts'
import { blockReasonText, noSignatureText, reasonText } from '../../../views/administration/text/why.ts'

const OTHERS = { de, es, fr, it, nl, pt, 'pt-BR': ptBR }

const during = { from: '2026-09-01', to: '2026-09-30', timeZone: 'Europe/Berlin' }
const SALES = { by: 'field', field: 'department', values: ['Sales'] } as const
const COUNTRY = { by: 'field', field: 'country', values: ['DE', 'AT', ''] } as const
const GROUP = { by: 'group', values: ['press', 'board'] } as const
const PERSON = { by: 'person', values: ['ana@in.example'] } as const
const ADDRESS = { by: 'address', values: ['*@in.example'] } as const

/** Every reason, and each way in which it is said. */
const REASONS: readonly SignatureReason[] = [
  { kind: 'default', by: 'organisation', isFirst: false, because: 'everyone', during: null },
  { kind: 'default', by: 'organisation', isFirst: true, because: [SALES, COUNTRY], during },
  { kind: 'default', by: 'user', isFirst: false, because: [GROUP], during: null },
  { kind: 'has', because: [SALES, COUNTRY], during },
  { kind: 'has', because: [ADDRESS], during: null },
  { kind: 'has', because: [ADDRESS], during: null, senders: ['a@x.example', 'b@x.example'] },
  { kind: 'has', because: [SALES], during, senders: ['a@x.example'] },
  { kind: 'default', by: 'organisation', isFirst: false, isForMain: true, because: 'everyone', during: null },
  { kind: 'default', by: 'organisation', isFirst: true, because: 'everyone', during: null, thread: 'first' },
  { kind: 'default', by: 'organisation', isFirst: true, because: 'everyone', during, thread: 'later' },
  { kind: 'has', because: [SALES], during: null, thread: 'first' },
  { kind: 'has', because: [SALES], during, senders: ['a@x.example'], thread: 'later' },
  { kind: 'notOpen', during },
  { kind: 'leftOut', by: [PERSON] },
  { kind: 'leftOut', by: [PERSON, ADDRESS] },
  { kind: 'nothingFits' },
  { kind: 'pinned', by: 'organisation', during: null },
  { kind: 'pinned', by: 'user', during },
  { kind: 'pinned', by: null, during: null },
  { kind: 'pinned', by: null, during },
  { kind: 'excluded' },
]

/** Each kind of test, the language, and each kind of condition on the manager. */
const NEWER = {
  kind: 'has',
  because: [
    {
      by: 'test',
      field: 'jobTitle',
      tests: [
        { is: 'starts', values: ['Head of', 'Director'] },
        { is: 'ends', values: ['Sales'] },
        { is: 'contains', values: ['of'] },
        { is: 'any' },
        { is: 'before', day: '2026-02-01' },
        { is: 'after', day: '2026-01-01' },
      ],
    },
    { by: 'language', values: ['de', 'fr'] },
    {
      by: 'manager',
      conditions: [
        { by: 'field', field: 'department', values: ['Sales', ''] },
        { by: 'test', field: 'city', tests: [{ is: 'any' }] },
        { by: 'person', values: ['bo@in.example'] },
        { by: 'address', values: ['*@in.example'] },
      ],
    },
  ],
  during: null,
} as const satisfies SignatureReason
const newer = (language: Language): string => {
  const t = textsIn(language)
  return reasonText('Autumn fair', NEWER, t, dayText, (field) => fieldName(field, undefined, t))
}

const HOURS = {
  spans: [
    { days: [1, 2, 3, 5], from: '08:00', to: '18:00' },
    { days: [6], from: '09:00', to: '24:00' },
  ],
  timeZone: 'Europe/Berlin',
}

/** Every reason of a block, and each way in which it is said. */
const BLOCK_REASONS: readonly BlockReason[] = [
  mayStand(),
  mayStand({ everyone: false }),
  mayStand({ during, recipients: 'external' }),
  mayStand({ because: [SALES, GROUP], recipients: 'internal', replies: false }),
  mayStand({ share: 50, recipients: ['a.example', 'b.example'] }),
  mayStand({ because: [SALES], share: 25 }),
  mayStand({ share: 30, turns: 'mail' }),
  mayStand({ because: [SALES], share: 30, turns: 'mail', thread: 'first' }),
  mayStand({ thread: 'later' }),
  { kind: 'notYet', during },
  { kind: 'over', during },
  mayStand({ hours: HOURS }),
  { kind: 'notNow', hours: HOURS, next: Date.UTC(2026, 9, 5, 6) },
  { kind: 'notNow', hours: HOURS, next: null },
  {
    kind: 'noOwnDays',
    from: { variable: 'away_from', value: '' },
    to: { variable: 'away_to', value: 'soon' },
  },
  { kind: 'leftOut', by: [PERSON] },
  { kind: 'leftOut', by: [PERSON, ADDRESS] },
  { kind: 'notInShare', share: 50 },
  { kind: 'always', by: 'Careers' },
  { kind: 'nothingFits' },
]

const missing: string[] = []
const textsIn = (language: Language) => {
  const texts = createAdministrationTexts({
    locale: language,
    fallback: 'en',
    production: false,
    warn: ({ key, language: of }) => missing.push(`${of} ${key}`),
  })
  if (language !== 'en') texts.addResourceBundle(language, 'translation', OTHERS[language])
  return (key: string, values = {}) => texts.t(key, { ...values })
}
const dayText = (day: string) => `<${day}>`
const sentences = (language: Language): readonly string[] => {
  const t = textsIn(language)
  return REASONS.map((reason) => reasonText('Autumn fair', reason, t, dayText, (field) => field))
}
const ofBlocks = (language: Language): readonly string[] => {
  const t = textsIn(language)
  return BLOCK_REASONS.map((reason) => blockReasonText('Autumn banner', reason, t, dayText, (field) => field))
}

describe('why a person has a signature, in one sentence', () => {
  test('in English', () => {
    expect(sentences('en')).toEqual([
      'Autumn fair is the default because everyone has it and no signature above it fits.',
      'Autumn fair is the default because department is Sales, country is DE, AT, or empty, and it is the first in the order; it runs from <2026-09-01> to <2026-09-30>.',
      'Autumn fair is the default because the person chose it and the person is in the group press or board.',
      'Autumn fair can be chosen because department is Sales and country is DE, AT, or empty; it runs from <2026-09-01> to <2026-09-30>.',
      'Autumn fair can be chosen because an address is like *@in.example.',
      'Autumn fair goes into mail from a@x.example or b@x.example because an address is like *@in.example.',
      'Autumn fair goes into mail from a@x.example because department is Sales; it runs from <2026-09-01> to <2026-09-30>.',
      'Autumn fair is the default because everyone has it and no signature above it is for the main address.',
      'Autumn fair is the default because everyone has it and it is the first in the order. Only the person’s first message in a conversation gets it.',
      'Autumn fair is the default because everyone has it and it is the first in the order; it runs from <2026-09-01> to <2026-09-30>. Only the person’s later messages in a conversation get it.',
      'Autumn fair can be chosen because department is Sales. Only the person’s first message in a conversation gets it.',
      'Autumn fair goes into mail from a@x.example because department is Sales; it runs from <2026-09-01> to <2026-09-30>. Only the person’s later messages in a conversation get it.',
      'Not Autumn fair: it does not run on that day, only from <2026-09-01> to <2026-09-30>.',
      'Not Autumn fair: left out by name.',
      'Not Autumn fair: left out, because an address is ana@in.example and an address is like *@in.example.',
      'Not Autumn fair: this person fits none of its rules.',
      'Autumn fair is the default because an administrator gave it to this person.',
      'Autumn fair is the default because an administrator gave it to this person; it runs from <2026-09-01> to <2026-09-30>.',
      'Autumn fair can be chosen because an administrator gave it to this person.',
      'Autumn fair can be chosen because an administrator gave it to this person; it runs from <2026-09-01> to <2026-09-30>.',
      'Not Autumn fair: an administrator keeps this person without a signature.',
    ])
  })

  test('of a test, the language or the manager says each of its parts', () => {
    expect(newer('en')).toBe(
      'Autumn fair can be chosen because Job title starts with Head of or Director, Job title ends with Sales, Job title contains of, Job title is not empty, Job title is before 2026-02-01, Job title is after 2026-01-01, the language is de or fr, Department (manager) is Sales or empty, City (manager) is not empty, the manager’s address is bo@in.example, and the manager’s address is like *@in.example.',
    )
    expect(newer('de')).toContain('Position beginnt mit Head of oder Director')
    expect(newer('de')).toContain('Abteilung (Führungskraft) ist Sales oder leer')
    const all = languages.map(newer)
    expect(new Set(all).size).toBe(all.length)
    for (const said of all)
      for (const value of [
        'Head of',
        'Director',
        '2026-02-01',
        '2026-01-01',
        'bo@in.example',
        '*@in.example',
      ])
        expect(said).toContain(value)
    expect(missing).toEqual([])
  })

  test.each([
    [
      'de',
      'Autumn fair steht zur Wahl, denn department ist Sales und country ist DE, AT oder leer; sie läuft vom <2026-09-01> bis zum <2026-09-30>.',
    ],
    [
      'es',
      'Autumn fair se puede elegir porque department es Sales y country es DE, AT o vacío; vale del <2026-09-01> al <2026-09-30>.',
    ],
    [
      'fr',
      'Autumn fair peut être choisie, car department est Sales et country est DE, AT ou vide\u202f; elle est valable du <2026-09-01> au <2026-09-30>.',
    ],
    [
      'it',
      'Autumn fair si può scegliere perché department è Sales e country è DE, AT o vuoto; vale nel periodo <2026-09-01> – <2026-09-30>.',
    ],
    [
      'nl',
      'Autumn fair kan worden gekozen, want department is Sales en country is DE, AT of leeg; die loopt van <2026-09-01> tot en met <2026-09-30>.',
    ],
    [
      'pt',
      'Autumn fair pode ser escolhida porque department é Sales e country é DE, AT ou vazio; vale de <2026-09-01> a <2026-09-30>.',
    ],
    [
      'pt-BR',
      'Autumn fair pode ser escolhida porque department é Sales e country é DE, AT ou vazio; vale de <2026-09-01> a <2026-09-30>.',
    ],
  ] as const)('with the lists of %s', (language, sentence) => {
    expect(sentences(language)[3]).toBe(sentence)
  })

  test.each(languages)('is one of its own for each reason, in %s', (language) => {
    const all = sentences(language)
    expect(new Set(all).size).toBe(REASONS.length)
    for (const sentence of all) {
      expect(sentence).toMatch(/Autumn fair.*\.$/)
      expect(sentence).not.toContain('{{')
    }
    expect(missing).toEqual([])
  })
})

describe('why a block may stand in the messages of a person, in one sentence', () => {
  test('[BLOCK-11] in English, with its rule and its end', () => {
    expect(ofBlocks('en')).toEqual([
      'Autumn banner: for everyone.',
      'Autumn banner: for everyone who is not left out.',
      'Autumn banner: for everyone, until <2026-09-30>, when a recipient is outside.',
      'Autumn banner: because department is Sales and the person is in the group press or board, when all recipients are inside, only in new messages.',
      'Autumn banner: among the 50% who get it, when all recipients are at a.example or b.example.',
      'Autumn banner: because department is Sales, among the 25% who get it.',
      'Autumn banner: for everyone, in 30% of the messages.',
      'Autumn banner: because department is Sales, in 30% of the messages, only in the person’s first message of a conversation.',
      'Autumn banner: for everyone, only in the person’s later messages of a conversation.',
      'Not Autumn banner yet: it begins on <2026-09-01> and ends on <2026-09-30>.',
      'Not Autumn banner any more: it ended on <2026-09-30>.',
      'Autumn banner: for everyone, Mon–Wed, Fri 08:00–18:00, Sat 09:00–24:00 (Europe/Berlin).',
      expect.stringMatching(
        /^Not Autumn banner at this time: it is shown Mon–Wed, Fri 08:00–18:00, Sat 09:00–24:00 \(Europe\/Berlin\), next on .*2026.*\.$/,
      ),
      'Not Autumn banner at this time: it is shown Mon–Wed, Fri 08:00–18:00, Sat 09:00–24:00 (Europe/Berlin), and not in the next weeks.',
      'Not Autumn banner: it is shown on days that people enter, and away_from is empty and away_to is “soon”.',
      'Not Autumn banner: left out by name.',
      'Not Autumn banner: left out, because an address is ana@in.example and an address is like *@in.example.',
      'Not Autumn banner: 50% of these people get it, and this person is not among them.',
      'Not Autumn banner: Careers comes before it and fits every message.',
      'Not Autumn banner: this person fits none of its rules.',
    ])
  })

  test.each(languages)('is one of its own for each reason, in %s', (language) => {
    const all = ofBlocks(language)
    expect(new Set(all).size).toBe(BLOCK_REASONS.length)
    for (const sentence of all) {
      expect(sentence).toMatch(/Autumn banner.*\.$/)
      expect(sentence).not.toContain('{{')
    }
    expect(missing).toEqual([])
  })
})

const none: readonly NoSignatureReason[] = [
  { kind: 'hasLeft' },
  { kind: 'nothingPublished' },
  { kind: 'excluded' },
  { kind: 'noneInRelease' },
  { kind: 'notOpen', name: 'Autumn fair', during },
  { kind: 'leftOut', name: 'Autumn fair', by: [PERSON] },
  { kind: 'leftOut', name: 'Autumn fair', by: [PERSON, SALES] },
  { kind: 'nothingFits', asked: ['department', 'group'] },
]
const english = createAdministrationTexts({ locale: 'en', fallback: 'en', production: false, warn: () => {} })
const t = (key: string, values = {}) => english.t(key, { ...values })

test('why a person has no signature, in one short sentence', () => {
  const nameOf = (field: string) => fieldName(field, {}, t)
  expect(none.map((each) => noSignatureText(each, t, (day) => `<${day}>`, nameOf))).toEqual([
    'No longer in the organisation.',
    'Nothing is published yet.',
    'An administrator keeps this person without a signature.',
    'The published release has no signatures.',
    'The signatures for this person are outside their period: Autumn fair runs only from <2026-09-01> to <2026-09-30>.',
    'Left out of Autumn fair by name.',
    'Left out of Autumn fair, because an address is ana@in.example and Department is Sales.',
    'No signature is for this person. The signatures ask for: Department and Group.',
  ])
})

test.each([
  ['jobTitle', {}, 'Job title'],
  ['job_title', {}, 'Job title'],
  ['job_title', { job_title: 'Role' }, 'Role'],
  ['businessPhones.0', {}, 'Phone'],
  ['manager.displayName', undefined, 'Manager'],
  ['writer.phone', {}, 'Phone (writer)'],
  ['writer.job_title', { job_title: 'Role' }, 'Role (writer)'],
  ['cost_center', {}, 'Cost center'],
  ['costCenter', {}, 'Cost center'],
  ['iOS_device', {}, 'IOS device'],
  ['toString', {}, 'To string'],
  ['_', {}, '_'],
])('a field %s with the labels %j is named %s', (field, labels, name) => {
  expect(fieldName(field, labels, t)).toBe(name)
})
