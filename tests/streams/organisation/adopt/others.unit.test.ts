import { describe, expect, test } from 'vitest'
import { deriveTemplate } from '../../../../streams/organisation/adopt/template.ts'
import {
  addPersonalQuestion,
  createValueSearch,
} from '../../../../streams/organisation/adopt/valuesOfOthers.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { personOf } from './adopting.ts'

// Values of other people that stand in a signature are asked about, also where they look like any text.

const tom = personOf(
  {
    displayName: 'Tom Weber',
    givenName: 'Tom',
    surname: 'Weber',
    jobTitle: 'Director of Exports',
    'businessPhones.0': '030 901820',
    mail: 'tom@northwind.example',
    department: 'Trade Desk',
  },
  'tom@northwind.example',
)
const others: readonly PersonState[] = [
  tom,
  personOf({ jobTitle: 'Sales', department: 'Sales', displayName: 'Reception' }, 'a@northwind.example'),
  personOf({ jobTitle: 'Consultant', 'manager.jobTitle': 'Chief of Pilots' }, 'b@northwind.example'),
  personOf({ jobTitle: 'Trade Desk', displayName: '田中太郎' }, 'c@northwind.example'),
  personOf({ department: 'Trade Desk', givenName: 'Jörg', surname: 'Krug' }, 'd@northwind.example'),
]
const foundIn = (texts: readonly string[], people = others) => {
  const { add, found } = createValueSearch(texts)
  for (const person of people) add(person)
  return found()
}

describe('the values of people in texts', () => {
  test.each([
    ['a name in a sentence', 'Please ask Tom Weber, or write.', ['Tom Weber']],
    ['a name in the other order', 'weber, TOM', ['weber, TOM']],
    ['a name of one word without Latin letters', '担当 田中太郎', ['田中太郎']],
    ['a title in a sentence', 'the director of exports answers', ['director of exports']],
    ['a long title of one word', 'Consultant', ['Consultant']],
    ['a number with its country', 'T +49 (0)30 901820', ['+49 (0)30 901820']],
    ['an address', 'to: Tom@Northwind.example.', ['Tom@Northwind.example']],
    ['an accent that is written in two characters', 'Jo\u0308rg Krug', ['J\u00f6rg Krug']],
  ])('%s', (_what, text, texts) => {
    expect(foundIn([text])).toEqual(texts)
  })

  test.each([
    ['a short word, which says what many do', 'Sales'],
    ['a name of one word', 'Reception'],
    ['a part of a name', 'Tom Weberson, Thomas Weber'],
    ['a value of the manager in the record of a person', 'Chief of Pilots'],
    ['what more people have as a department', 'Trade Desk'],
    ['a part of a number', '+49 30 90182'],
    ['a first name', 'Tom'],
  ])('not %s', (_what, text) => {
    expect(foundIn([text])).toEqual([])
  })

  test('not what more than half of the people have', () => {
    const half = [tom, tom, ...others.slice(1, 3)]
    expect(foundIn(['Director of Exports'], half)).toEqual(['Director of Exports'])
    expect(foundIn(['Director of Exports'], [tom, ...half])).toEqual([])
  })

  test('the longest of values that stand in each other, once', () => {
    const people = [
      personOf({ jobTitle: 'Sales Manager' }, 'a@x.example'),
      personOf({ jobTitle: 'Senior Sales Manager' }, 'b@x.example'),
    ]
    expect(foundIn(['Senior Sales Manager', 'Senior Sales Manager'], people)).toEqual([
      'Senior Sales Manager',
    ])
  })

  test('of a person who changed their own number', () => {
    const changed = { ...tom, values: { mobile_phone: '+49 171 5556677' } }
    expect(foundIn(['+49 171 555 66 77'], [changed])).toEqual(['+49 171 555 66 77'])
  })
})

describe('the texts that stayed', () => {
  const maria = personOf({ displayName: 'Maria Silva' }, 'maria@northwind.example')
  test('are those of lines, attributes, links and comments for Word, without placeholders', () => {
    const html =
      '<p>Maria Silva<br>Ask <b>Tom</b> Weber<br><img alt="Tom"> <a href="mailto:tom%40x.example?subject=a">m</a></p><!--[if mso]>Word<![endif]-->'
    expect(deriveTemplate([{ html, person: maria }], []).stayed).toEqual([
      ...['Ask Tom Weber', 'm', 'Tom', 'tom@x.example', 'Word'],
    ])
  })

  test('are asked about behind what looks personal, each once', () => {
    const personal = { kind: 'personal' as const, texts: ['Ask Tom Weber'] }
    const other = { kind: 'unknownName' as const, texts: ['x'] }
    expect(addPersonalQuestion([], [other])).toEqual([other])
    expect(addPersonalQuestion(['tom weber'], [personal])).toEqual([personal])
    expect(addPersonalQuestion(['Tom Weber', 'Consultant'], [personal, other])).toEqual([
      other,
      { kind: 'personal', texts: ['Ask Tom Weber', 'Consultant'] },
    ])
    expect(addPersonalQuestion(['Consultant'], [])).toEqual([{ kind: 'personal', texts: ['Consultant'] }])
  })
})
