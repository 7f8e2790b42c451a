import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ACCOUNT_ATTRIBUTES,
  fieldOfAttribute,
  graphAttributeProblem,
  isDirectoryExtension,
  isExtensionAttribute,
} from '../../../../streams/organisation/directory/attributes.ts'
import { isValueField } from '../../../../streams/organisation/release/names.ts'

const APPLICATION = '0a21f0f28d2a4f8ebf987363c4aed4ef'

describe('an attribute of the directory', () => {
  it('fills the field of its name, without the schema of SCIM', () => {
    for (const [name, field] of [
      [`extension_${APPLICATION}_costCentre`, `extension_${APPLICATION}_costCentre`],
      ['urn:x:2.0:User:costCentre', 'costCentre'],
      ['urn:ietf:params:scim:schemas:core:2.0:User:name.honorificPrefix', 'name.honorificPrefix'],
      ['extensionAttribute15', 'onPremisesExtensionAttributes.extensionAttribute15'],
      ['extensionAttribute16', 'extensionAttribute16'],
    ] as const)
      expect(fieldOfAttribute(name)).toBe(field)
  })

  it('is one of fifteen, or a directory extension with the id of its application', () => {
    const numbers = Array.from({ length: 18 }, (_, number) => number)
    expect(numbers.filter((number) => isExtensionAttribute(`extensionAttribute${number}`))).toEqual(
      numbers.slice(1, 16),
    )
    expect(isExtensionAttribute('xextensionAttribute1')).toBe(false)
    expect(isDirectoryExtension(`extension_${APPLICATION}_costCentre`)).toBe(true)
    for (const other of [
      `extension_${APPLICATION}`,
      `extension_${APPLICATION}_`,
      `extension_${APPLICATION}_a b`,
      `xextension_${APPLICATION}_a`,
      'extension_1_costCentre',
    ])
      expect(isDirectoryExtension(other)).toBe(false)
  })

  it('of Microsoft Graph is a word that can be a field', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z]\w{0,99}$/), (name) => {
        const isField =
          isValueField(name) && !ACCOUNT_ATTRIBUTES.some((each) => each.toLowerCase() === name.toLowerCase())
        expect(graphAttributeProblem(name) === null).toBe(isField)
      }),
    )
    for (const name of ['', '1a', 'a.b', 'a/b', 'a b', '$a', 'urn:x:a', 'manager@delta'])
      expect(graphAttributeProblem(name)).toBe(
        `${name} is not an attribute such as extension_<application id without hyphens>_costCentre.`,
      )
    for (const name of [...ACCOUNT_ATTRIBUTES, 'ID', 'proxyaddresses'])
      expect(graphAttributeProblem(name)).toBe(`${name} is about the account, and signatures never show it.`)
    expect(graphAttributeProblem('language')).toBe(
      'language cannot be a field: rules use the name language for something else.',
    )
    expect(graphAttributeProblem('a'.repeat(100))).toBeNull()
    expect(graphAttributeProblem('a'.repeat(101))).toBe(
      `${'a'.repeat(100)} is too long: at most 256 characters, and 100 without the schema.`,
    )
  })
})
