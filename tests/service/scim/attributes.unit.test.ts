import { describe, expect, it } from 'vitest'
import { scimAttributeProblem, userAttributesOf } from '../../../src/service/scim/attributes.ts'
import { SCIM_SOURCE } from '../../../src/service/scim/entries.ts'
import { readResource } from '../../../src/service/scim/resource.ts'
import {
  CORE_USER_URN,
  ENTERPRISE_USER_URN,
  SIGNET_USER_URN,
  USER_TYPE,
} from '../../../src/service/scim/schemas.ts'

const ACME = 'urn:ietf:params:scim:schemas:extension:acme:2.0:User'

describe('an attribute of SCIM that the settings name', () => {
  it.each([
    `${ACME}:costCentre`,
    'urn:acme:a',
    `${ENTERPRISE_USER_URN}:division`,
    `${ENTERPRISE_USER_URN}:ownAttribute`,
    `${ENTERPRISE_USER_URN.toUpperCase()}:COSTCENTER`,
    `${CORE_USER_URN}:name.honorificPrefix`,
    `${CORE_USER_URN}:nickName`,
    `${SIGNET_USER_URN}:extensionAttribute3`,
    'extensionAttribute3',
    `urn:${'x'.repeat(250)}:a`,
  ])('may be %s', (name) => {
    expect(scimAttributeProblem(name)).toBeNull()
  })

  const noForm = (name: string) =>
    `${name} is not an attribute with its schema such as urn:ietf:params:scim:schemas:extension:northwind:2.0:User:costCentre.`
  it.each([
    ['costCentre', noForm('costCentre')],
    ['nickName', noForm('nickName')],
    ['extensionAttribute16', noForm('extensionAttribute16')],
    ['acme:costCentre', noForm('acme:costCentre')],
    [`${ACME}:`, noForm(`${ACME}:`)],
    [`${ACME}:a.b.c`, noForm(`${ACME}:a.b.c`)],
    [`${CORE_USER_URN}:emails[type`, noForm(`${CORE_USER_URN}:emails[type`)],
    [`${CORE_USER_URN}:emails[type%20eq].value`, noForm(`${CORE_USER_URN}:emails[type%20eq].value`)],
    [`${ACME}:a.b`, `${ACME}:a.b is in no schema of users.`],
    [`${CORE_USER_URN}:costCentre`, `${CORE_USER_URN}:costCentre is in no schema of users.`],
    [`${ACME}:mail`, `${ACME}:mail would replace the field mail, which another attribute fills.`],
    [`${ACME}:id`, `${ACME}:id is about the account, and signatures never show it.`],
    [
      `${ACME}:language`,
      `${ACME}:language cannot be a field: rules use the name language for something else.`,
    ],
    [
      `${ACME}:constructor`,
      `${ACME}:constructor cannot be a field: rules use the name constructor for something else.`,
    ],
  ])('may not be %s', (name, problem) => {
    expect(scimAttributeProblem(name)).toBe(problem)
  })

  const names = [
    `${ACME}:costCentre`,
    `${ACME.toUpperCase()}:floor`,
    `${ENTERPRISE_USER_URN}:division`,
    `${CORE_USER_URN}:name.honorificPrefix`,
    'extensionAttribute3',
  ]
  const { type, fieldsOf, namesIn, unknown } = userAttributesOf(names)
  const values = readResource(type, {
    userName: 'ann',
    name: { honorificPrefix: 'Dr.', givenName: 'Ann' },
    [ENTERPRISE_USER_URN]: { DIVISION: 'Sea', department: 'Crew' },
    [ACME.toLowerCase()]: { costcentre: 4711, FLOOR: '3', other: 'x' },
    [SIGNET_USER_URN]: { extensionAttribute3: 'blue' },
  })

  it('[PERSON-3] is in its schema, one schema for all attributes of one name, and becomes a field', () => {
    expect(type.extensions.map(({ id }) => id)).toEqual([ENTERPRISE_USER_URN, SIGNET_USER_URN, ACME])
    expect(type.extensions.at(-1)?.attributes.map(({ name }) => name)).toEqual(['costCentre', 'floor'])
    expect(type.schema).toBe(USER_TYPE.schema)
    expect(values[ACME]).toEqual({ costCentre: '4711', floor: '3' })
    expect(fieldsOf(values)).toEqual({
      costCentre: '4711',
      floor: '3',
      division: 'Sea',
      'name.honorificPrefix': 'Dr.',
    })
    expect(namesIn(values)).toEqual(names)
  })

  it('is left out while it has no value', () => {
    expect(fieldsOf({ userName: 'ann', [ACME]: { floor: '3' } })).toEqual({ floor: '3' })
    expect(namesIn({ userName: 'ann', name: { givenName: 'Ann' } })).toEqual([])
    expect(userAttributesOf([]).type).toEqual(USER_TYPE)
  })

  it('is unknown while no user has it', async () => {
    const asked: unknown[] = []
    const filledPaths = async (...given: readonly unknown[]) => {
      asked.push(given)
      return new Set([0, 2, 3])
    }
    expect(await unknown({ filledPaths })).toEqual([names[1], names[4]])
    expect(asked).toEqual([
      [
        SCIM_SOURCE,
        'user',
        [
          ['values', ACME, 'costCentre'],
          ['values', ACME, 'floor'],
          ['values', ENTERPRISE_USER_URN, 'division'],
          ['values', 'name', 'honorificPrefix'],
          ['values', SIGNET_USER_URN, 'extensionAttribute3'],
        ],
      ],
    ])
  })
})
