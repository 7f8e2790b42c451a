import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { decidingRulesFor } from '../../../../streams/organisation/rules/decidingRule.ts'
import { compileRelease, type Selection } from '../../../../streams/organisation/release/release.ts'
import { explainSignatures, explainBlocks } from '../../../../streams/organisation/rules/why.ts'
import { document as anyDocument } from '../../../folder/documents.ts'
import { alex, releaseDocument } from '../../../support/administration/plans.ts'
import { block } from '../../../support/blocks.ts'

const AT = Date.parse('2026-02-14T12:00:00Z')
const over = { from: '2025-01-01', to: '2025-01-31', timeZone: 'UTC' }
const group = (...values: string[]): Selection['not'][number] => [{ by: 'group', values }]
const person = { ...alex, groups: ['a', 'b'] }
const [signature] = releaseDocument.signatures as [(typeof releaseDocument.signatures)[number]]

describe('what decides', () => {
  test.each<[string, Partial<typeof signature>]>([
    ['for', { selection: { for: 'everyone', not: [group('x')] } }],
    ['for.1', { selection: { for: [group('x'), group('y', 'b'), group('a')], not: [] } }],
    ['for', { selection: { for: [group('x')], not: [] } }],
    ['not.1', { selection: { for: 'everyone', not: [group('x'), group('a')] } }],
    ['during', { selection: { for: [group('a')], not: [] }, during: over }],
    ['for', { selection: { for: [group('x')], not: [] }, during: over }],
    ['not.0', { selection: { for: 'everyone', not: [group('a')] }, during: over }],
  ])('about a signature is %s', (path, changes) => {
    const release = compileRelease('r', { ...releaseDocument, signatures: [{ ...signature, ...changes }] })
    expect(decidingRulesFor(release, person, AT).get('signatures.a')).toBe(`signatures.a.${path}`)
  })

  test('about a block is its rule, or the block that always stands above it', () => {
    const fair = (id: string, changes: Partial<ReturnType<typeof block>>) =>
      block({ id, slot: 'banner', ...changes })
    const release = compileRelease('r', {
      ...releaseDocument,
      blocks: [
        fair('b1', { selection: { for: [group('x')], not: [] } }),
        fair('b2', { selection: { for: [group('x'), group('a')], not: [] }, recipients: ['x.example'] }),
        fair('b3', { during: over }),
        fair('b4', { selection: { for: 'everyone', not: [group('b')] } }),
        fair('b5', {}),
        fair('b6', {}),
      ],
    })
    const deciding = decidingRulesFor(release, person, AT)
    expect(Array.from({ length: 6 }, (_, index) => deciding.get(`blocks.b${String(index + 1)}`))).toEqual([
      ...['blocks.b1.for', 'blocks.b2.for.1', 'blocks.b3.during', 'blocks.b4.not.0', 'blocks.b5.for'],
      'blocks.b5',
    ])
    const shared = compileRelease('r', {
      ...releaseDocument,
      blocks: [fair('b1', { share: 1 }), fair('b2', {})],
    })
    const shares = Array.from({ length: 40 }, (_, index) =>
      decidingRulesFor(shared, { ...person, id: `p-${String(index)}` }, AT).get('blocks.b1'),
    )
    expect(shares).toContain('blocks.b1.share')
  })

  test('about a mailbox is why the person may write for it', () => {
    const mailbox = (address: string, selection: Selection) => ({ address, selection, values: {} })
    const release = compileRelease('r', {
      ...releaseDocument,
      mailboxes: [
        mailbox('desk@x.example', { for: [group('x'), group('b')], not: [] }),
        mailbox('other@x.example', { for: [group('x')], not: [] }),
      ],
    })
    const deciding = decidingRulesFor(release, person, AT)
    expect(deciding.get('mailboxes.desk@x.example')).toBe('mailboxes.desk@x.example.for.1')
    expect(deciding.has('mailboxes.other@x.example')).toBe(false)
  })

  const groups = fc.uniqueArray(fc.string({ maxLength: 2 }), { maxLength: 3 })
  test.prop([anyDocument, groups])('is the condition that why names', (document, names) => {
    const release = compileRelease('r', document)
    const someone = { ...person, groups: names }
    const deciding = decidingRulesFor(release, someone, AT)
    for (const { signature: id, because, leftOut, isOpen } of explainSignatures(release, someone, AT, null)) {
      const { selection } = release.signatureOf(id)!
      const path = deciding.get(`signatures.${id}`)?.slice(`signatures.${id}.`.length)
      if (leftOut !== null) expect(path).toBe(`not.${String(selection.not.indexOf(leftOut))}`)
      else if (because === null) expect(path).toBe('for')
      else if (!isOpen) expect(path).toBe('during')
      else if (because === 'everyone') expect(path).toBe('for')
      else expect(path).toBe(`for.${String(selection.for.indexOf(because as never))}`)
    }
    for (const { block: id, reason } of explainBlocks(release, someone, AT).flatMap(({ blocks }) => blocks)) {
      const path = deciding.get(`blocks.${id}`)?.slice(`blocks.${id}`.length) ?? ''
      if (reason.kind === 'notInShare') expect(path).toBe('.share')
      if (reason.kind === 'notYet' || reason.kind === 'over') expect(path).toBe('.during')
      if (reason.kind === 'leftOut') expect(path).toMatch(/^\.not\.\d+$/)
      if (reason.kind === 'mayStand') expect(path).toMatch(/^\.for(\.\d+)?$/)
      if (reason.kind === 'nothingFits') expect(path).toMatch(/^\.(for|not)(\.\d+)?$/)
    }
  })
})
