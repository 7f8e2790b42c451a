import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { parseCachedDefault } from '../../streams/launch/cachedDefault.ts'
import { noSenders } from '../../streams/message/senders/senders.ts'
import { READ_SIGNATURE, SIGN_IN } from '../../streams/wire/signatures.ts'
import { bodyOf } from '../../streams/kernel/schema.ts'
import { cachedSignature } from '../support/state.ts'

// What is looked for before a message leaves: on the wire, in the kept copy, and in a message.

const GUARD = { signature: [['!x.example'], []], blocks: ['notice'] }
const answer = (more: object) => ({
  ...{ name: 'Standard', user_id: 'u-1', combined_ids: 'c-1', signature: '<p>One</p>', reply: null },
  ...{ base64_embedded_images: [], ...more },
})
const read = bodyOf(READ_SIGNATURE.answer)

describe('what is looked for before a message leaves', () => {
  it('is read with the default, and absent when there is none', () => {
    expect(read(answer({ guard: GUARD })).guard).toEqual(GUARD)
    expect(read(answer({ guard: { blocks: ['a'] } })).guard).toEqual({ signature: [], blocks: ['a'] })
    expect(read(answer({}))).not.toHaveProperty('guard')
  })

  it.each([
    ...[null, 1, { signature: ['a'] }, { signature: [[1]] }, { blocks: [null] }, { blocks: {} }],
    { blocks: Array(401).fill('a') },
    { signature: Array(200).fill([]), blocks: Array(201).fill('a') },
  ])('[MEET-6] costs only itself when it is damaged or too long: %j', (guard) => {
    expect(read(answer({ guard }))).toEqual(read(answer({})))
    const { data } = bodyOf(SIGN_IN.answer)({
      data: { access_token: 'token', signature: answer({ guard }) },
    })
    expect(data.signature).toEqual(read(answer({})))
  })

  it('may have 400 entries', () => {
    const guard = { signature: Array(200).fill([]), blocks: Array(200).fill('a') }
    expect(read(answer({ guard })).guard).toEqual(guard)
  })

  property.prop([
    fc.option(fc.record({ signature: fc.array(fc.array(fc.domain())), blocks: fc.array(fc.string()) }), {
      nil: undefined,
    }),
  ])('is kept with the default', (guard) => {
    const signature = cachedSignature(guard === undefined ? {} : { guard })
    const kept = { email: 'a@x.example', at: 1, signature, senders: noSenders }
    expect(parseCachedDefault(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
  })
})
