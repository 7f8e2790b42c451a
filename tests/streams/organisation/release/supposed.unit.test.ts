import fc from 'fast-check'
import { expect, test } from 'vitest'
import { blockAppearsIn } from '../../../../streams/html/slots.ts'
import { recipientAudiences } from '../../../../streams/organisation/rules/rules.ts'
import { sampleCircumstances } from '../../../../streams/organisation/release/supposed.ts'
import { compileRelease } from '../../../../streams/organisation/release/release.ts'
import { document } from '../arbitraries.ts'

const someDomains = fc.uniqueArray(
  fc.domain().map((domain) => domain.toLowerCase()),
  { minLength: 1, maxLength: 3 },
)

test.each([
  ['everyone', [null, 'internal', 'external']],
  ['internal', ['internal']],
  ['external', ['external']],
  [['partner.example'], []],
] as const)('a block for %j stands for the supposed recipients %j', (recipients, standing) => {
  fc.assert(
    fc.property(document, someDomains, fc.boolean(), fc.boolean(), (given, internal, replies, isReply) => {
      const release = compileRelease('r-1', { ...given, internal })
      const block = {
        audiences: recipientAudiences(release, { recipients }),
        replies,
      }
      const all = [null, 'internal', 'external'] as const
      expect(
        all.filter((each) => blockAppearsIn(block, sampleCircumstances(release, each, isReply))),
      ).toEqual(replies || !isReply ? standing : [])
    }),
  )
})

test('an organisation without domains of its own has no recipients inside', () => {
  const document = { internal: [] as readonly string[] } as Parameters<typeof compileRelease>[1]
  expect(sampleCircumstances({ document }, 'internal', true)).toEqual({
    isReply: true,
    thread: 'later',
    recipients: [],
    turn: 0,
  })
})
