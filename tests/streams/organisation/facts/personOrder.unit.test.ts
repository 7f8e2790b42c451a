import { describe, expect, it } from 'vitest'
import {
  departmentOrder,
  departmentOrderOf,
  MAX_ORDER_LENGTH,
  nameOrderOf,
} from '../../../../streams/organisation/facts/personOrder.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'

const person = (directory: PersonState['directory'], addresses: readonly string[] = []): PersonState => ({
  id: 'P-1',
  revision: 1,
  account: null,
  active: true,
  addresses,
  language: null,
  directory,
  groups: [],
  values: {},
  metadata: {},
  picture: null,
  directoryPicture: null,
})

describe('the text that orders departments', () => {
  it.each([
    ['Sales', 'sales'],
    ['ÉVORA', 'evora'],
    ['E\u0301vora', 'evora'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['𝔸', 'a'],
    ['李', '李'],
  ])('ignores case and accents: %s', (department, text) => {
    expect(departmentOrder(department)).toBe(text)
  })

  it.each([
    ['R\0D', 'r d'],
    ['R\tD', 'r d'],
    ['R\u0085D', 'r d'],
    ['R\ud800D', 'r d'],
    ['R\udc00D', 'r d'],
    ['\n \ud800', ''],
  ])('has a space for a control character and for half a surrogate pair: %j', (department, text) => {
    expect(departmentOrder(department)).toBe(text)
  })

  it('has no spaces at its ends', () => {
    expect(departmentOrder('  North Sales\r\n')).toBe('north sales')
  })

  it('has at most 80 code points, and no half of a surrogate pair', () => {
    expect(MAX_ORDER_LENGTH).toBe(80)
    expect(departmentOrder('x'.repeat(81))).toBe('x'.repeat(80))
    expect(departmentOrder('😀'.repeat(81))).toBe('😀'.repeat(80))
    expect(departmentOrder(`${'x'.repeat(79)}😀y`)).toBe(`${'x'.repeat(79)}😀`)
  })

  it('is empty without a department', () => {
    expect(departmentOrderOf(person({}))).toBe('')
    expect(departmentOrderOf(person({ department: 'Law' }))).toBe('law')
  })
})

describe('the text that orders people by name', () => {
  it.each([
    [{ displayName: 'Ána Silva', givenName: 'Zoë', surname: 'Lee' }, 'ana silva'],
    [{ givenName: 'Zoë', surname: 'Lee' }, 'zoe lee'],
    [{ displayName: ' \0', givenName: 'Zoë', surname: 'Lee' }, 'zoe lee'],
    [{ surname: 'Lee' }, 'lee'],
    [{ givenName: 'Zoë' }, 'zoe'],
    [{}, 'ana@north.example'],
    [{ displayName: '\ud800' }, 'ana@north.example'],
  ])('is the name, else given name and surname, else the first address: %j', (directory, text) => {
    expect(nameOrderOf(person(directory, ['Ana@north.example', 'a@south.example']))).toBe(text)
  })

  it('is the id without an address', () => {
    expect(nameOrderOf(person({}))).toBe('p-1')
  })
})
