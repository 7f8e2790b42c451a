import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isTagInHeader, responseTagOf } from '../../../src/service/answers/tags.ts'
import { mailboxAsOwner } from '../../../src/service/context/owners.ts'
import {
  type Block,
  compileRelease,
  type ReleaseDocument,
} from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { block } from '../../support/blocks.ts'
import { ANSWER_DEPENDENCIES } from '../../../streams/wire/addinRequests.ts'

// The tags of responses, which are remembered: they are those of a service that remembers nothing.

const DAY_MS = 86_400_000
const START = Date.parse('2026-03-01T00:00:00Z')
const day = (number: number) => new Date(START + number * DAY_MS).toISOString().slice(0, 10)
const EVERYONE = { for: 'everyone', not: [] } as const

const signature = (id: string, from: number, to: number) => ({
  id,
  name: id,
  template: 'a.html',
  reply: null,
  mobile: null,
  selection: EVERYONE,
  during: { from: day(from), to: day(to), timeZone: 'UTC' },
  recipients: 'everyone',
  collection: null,
})
const releaseOf = (
  id: string,
  windows: readonly (readonly [from: number, to: number])[],
  blocks: readonly Block[] = [],
) =>
  compileRelease(id, {
    ...(blocks.length > 0 && { blocks }),
    version: 1,
    organisation: 'N',
    internal: [],
    plan: { from: null, value: 'full' },
    variables: [],
    chooseDefault: EVERYONE,
    pictures: {},
    templates: { 'a.html': '' },
    mailboxes: [],
    signatures: windows.map(([from, to], index) => signature(String(index), from, to)),
  } as unknown as ReleaseDocument)
const personOf = (id: string, revision: number): PersonState => ({
  ...mailboxAsOwner(`${id}@x.example`),
  id,
  revision,
})

const PEOPLE = [personOf('ann', 1), personOf('ann', 2), personOf('bob', 1)] as const
const OWNERS = [[], [personOf('desk', 1)], [personOf('desk', 2)]] as const
const ASKED = [...Object.values(ANSWER_DEPENDENCIES)]

const question = fc.record({
  person: fc.constantFrom(...PEOPLE),
  release: fc.nat({ max: 1 }),
  isAdmin: fc.boolean(),
  isGuarding: fc.boolean(),
  at: fc.integer({ min: 0, max: 24 }).map((half) => START + (half * DAY_MS) / 2),
  dependsOn: fc.constantFrom(...ASKED),
  url: fc.constantFrom('/a', '/b'),
  owners: fc.constantFrom(...OWNERS),
  publicUrl: fc.constantFrom('https://s.example', 'https://t.example'),
})
const windows = fc.array(fc.tuple(fc.nat({ max: 10 }), fc.nat({ max: 10 })), { maxLength: 3 })

describe('a tag', () => {
  it('is the same as without a memory, whatever was asked before', () => {
    fc.assert(
      fc.property(
        fc.array(question, { minLength: 1, maxLength: 30 }),
        windows,
        windows,
        (all, one, other) => {
          const releases = [releaseOf('r-1', one), releaseOf('r-2', other)] as const
          for (const { publicUrl, isGuarding, release, dependsOn, url, owners, ...caller } of all) {
            const kept = releases[release] ?? releases[0]
            const tag = (each: typeof kept, person: PersonState) =>
              responseTagOf({ publicUrl, isGuarding }, { ...caller, person, release: each }, dependsOn, {
                url,
                owners,
              })
            expect(tag(kept, caller.person)).toBe(tag({ ...kept }, structuredClone(caller.person)))
          }
        },
      ),
    )
  })

  it('differs for an administrator, also right after the same question of the same person', () => {
    const [person] = PEOPLE
    const release = releaseOf('r-1', [[0, 3]])
    const tag = (isAdmin: boolean) =>
      responseTagOf(
        { publicUrl: '', isGuarding: true },
        { person, release, isAdmin, at: START },
        ['person'],
        {
          url: '/a',
          owners: [],
        },
      )
    expect(tag(true)).not.toBe(tag(false))
    expect(tag(true)).toBe(tag(true))
  })

  it('keeps no release in memory for a person who is kept', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const [person] = PEOPLE
    const asked = { url: '/a', owners: [] }
    const ask = (release: ReturnType<typeof releaseOf>) =>
      responseTagOf(
        { publicUrl: '', isGuarding: true },
        { person, release, isAdmin: false, at: START },
        ['release'],
        asked,
      )
    const leaving = (() => {
      const release = releaseOf('r-1', [[0, 3]])
      ask(release)
      return new WeakRef(release)
    })()
    // A reference is kept until the end of the turn that made it.
    await new Promise((resolve) => setImmediate(resolve))
    collect()
    expect(leaving.deref()).toBeUndefined()
    expect(ask(releaseOf('r-1', [[0, 3]]))).toMatch(/^[\w-]{22}$/)
  })

  it('differs between questions whose answers may differ, and between no others', () => {
    const release = releaseOf('r-1', [[2, 3]])
    const open = ({ at }: { at: number }) => at >= START + 2 * DAY_MS && at < START + 4 * DAY_MS
    fc.assert(
      fc.property(question, question, (one, other) => {
        const tag = ({ publicUrl, isGuarding, dependsOn, url, owners, ...caller }: typeof one) =>
          responseTagOf({ publicUrl, isGuarding }, { ...caller, release }, dependsOn, { url, owners })
        const partsOf = ({
          publicUrl,
          isGuarding,
          dependsOn,
          url,
          owners,
          person,
          isAdmin,
          at,
        }: typeof one) => [
          publicUrl,
          ...dependsOn.map((part) => {
            if (part === 'release') return isGuarding
            if (part === 'periods') return open({ at })
            if (part === 'person') return [person, isAdmin]
            return part === 'owners' ? owners : url
          }),
        ]
        const isSame = JSON.stringify(partsOf(one)) === JSON.stringify(partsOf(other))
        if (one.dependsOn === other.dependsOn) expect(tag(one) === tag(other)).toBe(isSame)
      }),
    )
  })

  it.each([
    ['hours', { hours: { spans: [{ days: [1], from: '08:00', to: '18:00' }], timeZone: 'UTC' } }],
    ['own days', { ownDays: { from: 'a', to: 'b', before: 0, timeZone: 'UTC' } }],
  ])('changes each UTC day if a block has %s, and only where periods count', (_, over) => {
    const [person] = PEOPLE
    const release = releaseOf('r-1', [[0, 30]], [block(), block({ id: 'timed', ...over })])
    fc.assert(
      fc.property(question, question, fc.constantFrom(...ASKED), (one, other, dependsOn) => {
        const tag = (at: number) =>
          responseTagOf(
            { publicUrl: '', isGuarding: true },
            { person, release, isAdmin: false, at },
            dependsOn,
            { url: '/a', owners: [] },
          )
        const isSameDay = Math.floor(one.at / DAY_MS) === Math.floor(other.at / DAY_MS)
        expect(tag(one.at) === tag(other.at)).toBe(isSameDay || !dependsOn.some((each) => each === 'periods'))
      }),
    )
  })

  it.each([
    ['"t"', true],
    ['W/"t"', true],
    ['"x", "t"', true],
    ['*', true],
    ['t', false],
    ['"tt"', false],
    ['', false],
  ])('is named by %s: %s', (header, expected) => {
    expect(isTagInHeader('t', header)).toBe(expected)
    expect(isTagInHeader('t', undefined)).toBe(false)
  })
})
