import { describe, expect, it } from 'vitest'
import { createRowReader, isNameOfPerson } from '../../src/folder/personRow.ts'

const HEADINGS = ['email', 'id', 'groups', 'department', '']

function reading() {
  const told: string[] = []
  const read = createRowReader(HEADINGS, null, (line, code) => told.push(`${line} ${code}`))
  return { told, read: (line: number, ...cells: string[]) => read({ line, cells }) }
}

describe('a row of people', () => {
  it('has the fields of its headings, and each group once', () => {
    const { read, told } = reading()
    expect(read(2, 'Maria@a.example', 'u1', 'x;y; x', "'+49", 'lost')).toEqual({
      id: 'u1',
      line: 2,
      record: {
        addresses: ['maria@a.example'],
        account: null,
        language: null,
        fields: { department: '+49' },
        groups: ['x', 'y'],
        picture: null,
      },
    })
    expect(told).toEqual([])
  })

  it('is refused for the address or the id of a row before', () => {
    const { read, told } = reading()
    read(2, 'a@a.example', 'u1')
    expect([read(3, 'A@a.example', 'u2'), read(4, 'b@a.example', 'u1')]).toEqual([null, null])
    expect(told).toEqual(['3 csv.twice', '4 csv.twice'])
  })
})

describe('an id', () => {
  const record = {
    addresses: ['m.ruiz@a.example'],
    account: null,
    language: null,
    fields: { givenName: 'María', surname: 'Ruiz' },
    groups: [],
    picture: null,
  }

  it.each([
    ['maria-ruiz', true],
    ['RuizMaria', true],
    ['m.ruiz', true],
    ['ruiz007', false],
    ['u-1', false],
  ])('is or is not a name of its person: %s', (id, expected) => {
    expect(isNameOfPerson(id, record)).toBe(expected)
  })
})
