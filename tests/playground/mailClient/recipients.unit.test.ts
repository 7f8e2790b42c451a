import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRecipients, parseRecipients } from '../../../src/playground/mailClient/recipients.ts'

test.each([
  ['', []],
  [' ; , ', []],
  ['a@b.example', [{ address: 'a@b.example', name: 'a@b.example' }]],
  ['Ann Lee <a@b.example>', [{ address: 'a@b.example', name: 'Ann Lee' }]],
  [
    '"Lee, Ann" <a@b.example>; c@d.example',
    [
      { address: 'a@b.example', name: 'Lee, Ann' },
      { address: 'c@d.example', name: 'c@d.example' },
    ],
  ],
  [
    'a@b.example,c@d.example\ne@f.example',
    [
      { address: 'a@b.example', name: 'a@b.example' },
      { address: 'c@d.example', name: 'c@d.example' },
      { address: 'e@f.example', name: 'e@f.example' },
    ],
  ],
  ['not an address', [{ address: 'not an address', name: 'not an address' }]],
  ['"unfinished <a@b.example>', [{ address: 'a@b.example', name: '"unfinished' }]],
])('parses %j as addresses', (typed, expected) => {
  expect(parseRecipients(typed)).toEqual(expected)
})

test('parses formatted recipients back to the same recipients', () => {
  const address = fc
    .tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[a-z]{1,8}$/))
    .map(([local, domain]) => `${local}@${domain}.example`)
  const name = fc.stringMatching(/^[A-Za-zé,;<>]([A-Za-zé ,;<>]{0,10}[A-Za-zé,;<>])?$/)
  const recipient = fc.record({ address, name })
  fc.assert(
    fc.property(fc.array(recipient, { maxLength: 4 }), (recipients) => {
      expect(parseRecipients(formatRecipients(recipients))).toEqual(recipients)
    }),
  )
})

test('parses any text, and invents no address', () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      for (const { address } of parseRecipients(typed)) expect(typed).toContain(address)
    }),
  )
})
