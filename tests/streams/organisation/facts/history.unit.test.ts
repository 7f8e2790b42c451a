import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberReleases } from '../../../../streams/organisation/facts/history.ts'
import { evolveOrganisation } from '../../../../streams/organisation/facts/reducer.ts'
import { Organisation, type OrganisationFact } from '../../../../streams/organisation/facts/events.ts'
import type { OrganisationState } from '../../../../streams/organisation/facts/state.ts'

const publishing = fc.record({ release: fc.constantFrom('a', 'b', 'c'), isBack: fc.boolean() })

/** What was published, oldest first. A roll-back is always to a release that was published before. */
const histories = fc.array(publishing, { maxLength: 12 }).map((all) =>
  all.map(({ release, isBack }, index) => ({
    release,
    rolledBack: isBack && all.slice(0, index).some((each) => each.release === release),
  })),
)

const folded = (facts: readonly OrganisationFact[]) =>
  facts.reduce<OrganisationState | null>(
    (state, fact, seq) => evolveOrganisation(state, { ...fact, meta: { seq, at: seq, source: 'test' } }),
    null,
  )?.history ?? []

const factOf = ({ release, rolledBack }: Readonly<{ release: string; rolledBack: boolean }>) =>
  rolledBack
    ? Organisation.releaseRolledBack({ release, base: null, note: '' })
    : Organisation.releasePublished({ release, base: null, note: '' })

test('entries are numbered in the order in which they were published, and keep their numbers', () => {
  fc.assert(
    fc.property(histories, (all) => {
      const facts = [Organisation.founded({ name: 'x', tenants: [] }), ...all.map(factOf)]
      const entries = numberReleases(folded(facts))
      expect(entries.map(({ number }) => number)).toEqual(all.map((_, index) => all.length - index))
      expect(entries.map(({ release }) => release)).toEqual(all.map(({ release }) => release).reverse())
      for (let length = 0; length < all.length; length += 1)
        expect(entries.slice(all.length - length)).toEqual(numberReleases(folded(facts.slice(0, length + 1))))
    }),
  )
})

test('a roll-back names the last publishing of its release, which is no roll-back', () => {
  fc.assert(
    fc.property(histories, (all) => {
      const entries = numberReleases(
        folded([Organisation.founded({ name: 'x', tenants: [] }), ...all.map(factOf)]),
      )
      for (const { number, backTo, release, rolledBack } of entries) {
        const earlier = all.slice(0, number - 1)
        const last = earlier.findLastIndex((each) => each.release === release && !each.rolledBack)
        expect(backTo).toBe(rolledBack ? last + 1 : null)
      }
    }),
  )
})
