import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PersonFact } from '../../../../streams/organisation/facts/events.ts'
import { evolvePerson } from '../../../../streams/organisation/facts/reducer.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import {
  foldText,
  matchesSearchWords,
  MAX_SEARCH_WORDS,
  MAX_WORD_LENGTH,
  MAX_PERSON_WORDS,
  mayChangePersonWords,
  searchWords,
  personWordsOf,
} from '../../../../streams/organisation/facts/searchTerms.ts'
import { cases } from '../../../support/cases.ts'

const person = (more: Partial<PersonState> = {}): PersonState => ({
  id: 'p',
  revision: 1,
  account: null,
  active: true,
  addresses: [],
  language: null,
  directory: {},
  groups: [],
  values: {},
  metadata: {},
  picture: null,
  directoryPicture: null,
  ...more,
})
const named = (name: string) => person({ directory: { displayName: name } })
const finds = (search: string, who: PersonState) => matchesSearchWords(who, searchWords(search))

describe('a search for people', () => {
  const ana = person({
    addresses: ['ana.silva-reis@north.example', 'desk_2+old@south.example'],
    directory: { givenName: 'Ana', surname: 'Lee', jobTitle: 'Head of Sales' },
    values: { phone: '+49 431 5550-100' },
  })

  it.each([
    ...[
      'Ana Lee',
      'lee ana',
      'LEE, A',
      'an le',
      'silva@north',
      'ana.silva',
      'reis@n',
      'north.example',
      'desk_2',
    ],
    ...['old@south', '431 555', '5550100', '5550-1', 'sales head ana', 'silvareis', 'ana ana'],
  ])('[SCALE-4] finds by the beginnings of words, in any order: %s', (search) => {
    expect(finds(search, ana)).toBe(true)
  })

  it.each(['na', 'ilva', 'example.north.x', 'ana bee', 'lees', 'old@southx'])(
    'does not find by the middle of a word, nor by one word of two: %s',
    (search) => {
      expect(finds(search, ana)).toBe(false)
    },
  )

  it.each([
    ['muller', 'Müller'],
    ['mueller', 'Müller'],
    ['MÜLLER', 'Muller'],
    ['Müller', 'Mu\u0308ller'],
    ['gross', 'Groß'],
    ['GROSS', 'Groß'],
    ['straße', 'STRASSE'],
    ['soren', 'Søren'],
    ['soeren', 'Søren'],
    ['aage', 'Åge'],
    ['lukasz', 'Łukasz'],
    ['dordevic', 'Đorđević'],
    ['irmak', 'Irmak'],
    ['irmak', 'ırmak'],
    ['İrmak', 'Irmak'],
    ['οδος', 'ΟΔΟΣ'],
    ['caesar', 'Cæsar'],
    ['obrien', 'O’Brien'],
    ["o'b", 'O’Brien'],
    ['ａｎａ', 'Ana'],
    ['jean-p', 'Jean-Paul'],
    ['jeanpaul', 'Jean\u2010Paul'],
    ['김', '김민준'],
    ['soft', 'so\u00adft'],
  ])('[SCALE-4] %s finds %s', (search, name) => {
    expect(finds(search, named(name))).toBe(true)
  })

  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...Array.from("aäßΣİ -.'@1½")),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 30,
  })

  it('[SCALE-4] of any beginnings of any words of any person finds the person', () => {
    const chosen = fc.record({ at: fc.nat(), length: fc.integer({ min: 1, max: 40 }) })
    fc.assert(
      fc.property(
        ...([
          fc.array(text, { minLength: 1, maxLength: 4 }),
          fc.array(chosen, { minLength: 1, maxLength: 10 }),
        ] as const),
        (texts, choices) => {
          const [first = '', ...others] = texts
          const who = person({
            addresses: [first],
            directory: Object.fromEntries(others.map((value, index) => [`field${String(index)}`, value])),
          })
          const words = texts.flatMap((each) => each.split(' ').filter(Boolean))
          const beginnings = choices.flatMap(({ at, length }) => {
            const word = words[at % words.length]
            return word === undefined ? [] : [Array.from(word).slice(0, length).join('')]
          })
          expect(finds(beginnings.join(' '), who)).toBe(true)
        },
      ),
      cases(300),
    )
  })

  it('is the same before and after folding', () => {
    fc.assert(
      fc.property(text, (search) => {
        expect(foldText(foldText(search))).toBe(foldText(search))
        expect(searchWords(foldText(search))).toEqual(searchWords(search))
        expect(searchWords(search).every((word) => /^[\p{L}\p{N}]+$/u.test(word))).toBe(true)
      }),
      cases(300),
    )
  })

  it('asks for each word once, for the longest of many, and for none without a letter', () => {
    expect(searchWords('an ana ANA än b')).toEqual(['ana', 'b'])
    expect(searchWords('– @ . …')).toEqual([])
    const many = Array.from(
      { length: MAX_SEARCH_WORDS + 2 },
      (_, index) => 'x'.repeat(index) + String.fromCodePoint(97 + index),
    )
    expect(searchWords(many.join(' '))).toEqual(many.reverse().slice(0, MAX_SEARCH_WORDS))
  })
})

describe('the words of a person', () => {
  it('are bounded in number and length, with names and addresses first', () => {
    const many = Array.from({ length: 500 }, (_, index) => `w${String(index)}`).join(' ')
    const who = person({
      addresses: [
        'ana@north.example',
        ...Array.from({ length: 200 }, (_, index) => `a${String(index)}@x.example`),
      ],
      directory: { notes: many, displayName: 'Maria', givenName: 'Mary', surname: 'Lee' },
    })
    const words = personWordsOf(who)
    expect(words).toHaveLength(MAX_PERSON_WORDS)
    expect(words.slice(0, 6)).toEqual(['ana', 'north', 'example', 'maria', 'mary', 'lee'])
    const long = `${'𝔞'.repeat(10)}${'ﷺ'.repeat(2_000)}${'x'.repeat(5_000)}`
    for (const word of personWordsOf(named(`${long} ${'😀ü'.repeat(900)}`)))
      expect(Array.from(word).length).toBeLessThanOrEqual(MAX_WORD_LENGTH)
    expect(finds('a'.repeat(MAX_WORD_LENGTH + 9), named('a'.repeat(50)))).toBe(true)
  })

  it('are those of own values before those of further fields, and none of what is not searched', () => {
    const who = person({
      id: 'hidden',
      groups: ['staff'],
      values: { nick: 'jo' },
      directory: { city: 'Kiel' },
    })
    expect(personWordsOf(who)).toEqual(['jo', 'kiel'])
  })

  const fact = (type: string, data: object): PersonFact => ({ type, data }) as PersonFact
  const after = (before: PersonState | null, { type, data }: PersonFact) =>
    evolvePerson(before, { type, data, meta: { seq: 1, at: 0, source: 'x' } } as never, 'p')

  it.each([
    [
      'person/imported',
      {
        record: {
          addresses: ['b@x.example'],
          account: null,
          language: null,
          fields: {},
          groups: [],
          picture: null,
        },
      },
    ],
    ['person/directoryChanged', { changed: { fields: { surname: 'Lee' } } }],
    ['person/valuesSaved', { values: { nick: 'jo' }, reset: [] }],
  ])('may be others after %s', (type, data) => {
    const before = named('Ana')
    expect(mayChangePersonWords(fact(type, data))).toBe(true)
    expect(personWordsOf(after(before, fact(type, data)) ?? before)).not.toEqual(personWordsOf(before))
  })

  it.each([
    ['person/accountBound', { account: { tenant: 't', oid: 'o' } }],
    ['person/departed', {}],
    ['person/returned', {}],
    ['person/metadataSaved', { metadata: { note: 'note' } }],
    ['person/pictureChanged', { picture: 'a.png' }],
    ['person/pictureRemoved', {}],
    ['person/defaultChosen', { choice: { master: 'm' } }],
  ])('stay after %s', (type, data) => {
    const before = named('Ana')
    expect(mayChangePersonWords(fact(type, data))).toBe(false)
    expect(personWordsOf(after(before, fact(type, data)) ?? person())).toEqual(personWordsOf(before))
  })
})
