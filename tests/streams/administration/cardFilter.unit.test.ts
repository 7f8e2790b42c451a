import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import {
  CARD_CHOICES,
  type CardChoice,
  type FilteredCard,
  filterCards,
  isFiltering,
  isFilterOffered,
  NO_FILTER,
  offeredChoices,
  offeredFilter,
} from '../../../streams/administration/plan/cardFilter.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { Session } from '../../../streams/administration/session/events.ts'
import {
  type AdministrationState,
  evolveAdministration,
  initialState,
} from '../../../streams/administration/state.ts'
import { replayLog } from '../../../streams/kernel/store.ts'
import { type Signature, templatePathsOf } from '../../../streams/organisation/release/release.ts'
import { NOON } from '../../support/administration/answers.ts'
import { draftOf, manySignatures } from '../../support/administration/plans.ts'
import { logOf } from '../../support/state.ts'
import { selection } from '../organisation/arbitraries.ts'

const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom('Größe', 'ΟΔΟΣ', 'sales team', 'España', 'ﬁne´'),
)
const day = fc.constantFrom('2026-01-01', '2026-11-22', '2026-11-24', '2027-03-01')
const signature: fc.Arbitrary<Signature> = fc.record({
  id: fc.constantFrom('a', 'b'),
  name: words,
  template: fc.constantFrom('templates/a.html', 'templates/sales/b.html'),
  reply: fc.option(fc.constant('templates/short.html')),
  mobile: fc.constant(null),
  selection,
  during: fc.option(fc.record({ from: day, to: day, timeZone: fc.constant('Europe/Berlin') })),
  recipients: fc.constant('everyone' as const),
  collection: fc.constant(null),
})
const card: fc.Arbitrary<FilteredCard> = fc.record({
  signature,
  whom: words,
  people: fc.option(fc.nat(2)),
})
const cards = fc.array(card, { maxLength: 12 })
const choice = fc.constantFrom<CardChoice>(...CARD_CHOICES)
const found = (all: readonly FilteredCard[], text: string, show: CardChoice = 'all') =>
  filterCards(all, { text, show }, NOON)

describe('a search of the cards', () => {
  test('finds a card by any part of its name, its templates and whom it is for, in capitals or not', () => {
    fc.assert(
      fc.property(
        card,
        fc.nat(2),
        fc.nat(20),
        fc.nat(20),
        fc.boolean(),
        (each, which, from, length, isUpper) => {
          const texts = [each.signature.name, templatePathsOf(each.signature).join(' '), each.whom]
          const part = Array.from(texts[which] ?? '')
            .slice(from, from + length)
            .join('')
          expect(found([each], isUpper ? part.toUpperCase() : part)).toEqual([each])
        },
      ),
    )
  })

  test('finds with several words what each of them finds', () => {
    fc.assert(
      fc.property(cards, words, words, (all, first, second) => {
        const both = found(all, `${first} ${second}`)
        expect(both).toEqual(found(found(all, first), second))
      }),
    )
  })

  test('finds nothing by a word that stands nowhere, and not across two texts', () => {
    fc.assert(
      fc.property(cards, (all) => {
        expect(found(all, '\u{10FFFD}')).toEqual([])
      }),
    )
    const one = { signature: { ...manySignatures.signatures[0], name: 'Sales' }, whom: 'Board', people: 0 }
    const [all] = [[one as FilteredCard]]
    expect([found(all, 'salestemplates'), found(all, 'htmlboard')]).toEqual([[], []])
  })

  test('ignores accents and the spaces around words', () => {
    const all = manySignatures.signatures.map((each) => ({ signature: each, whom: 'Straße', people: 0 }))
    expect(found(all, '  espana ').map(({ signature: { id } }) => id)).toEqual(['espana'])
    expect(found(all, 'STRASSE')).toEqual(all)
    expect(found(all, ' \n ')).toEqual(all)
  })
})

describe('a choice of the cards', () => {
  test('keeps the order, and leaves out only cards', () => {
    fc.assert(
      fc.property(cards, words, choice, (all, text, show) => {
        const shown = found(all, text, show)
        expect(shown).toEqual(all.filter((each) => shown.includes(each)))
      }),
    )
  })

  test('is for everyone, or for people who fit a rule', () => {
    fc.assert(
      fc.property(cards, (all) => {
        const everyone = found(all, '', 'everyone')
        expect(everyone.every((each) => each.signature.selection.for === 'everyone')).toBe(true)
        expect(found(all, '', 'some')).toEqual(all.filter((each) => !everyone.includes(each)))
        expect(found(all, '', 'all')).toEqual(all)
      }),
    )
  })

  test('is by the period: now, later or over', () => {
    const all = manySignatures.signatures.map((each) => ({ signature: each, whom: '', people: 0 }))
    const ids = (show: CardChoice) => found(all, '', show).map(({ signature: { id } }) => id)
    expect([ids('over'), ids('now'), ids('later')]).toEqual([['legal'], ['press'], ['events']])
  })

  test('is nobody’s default only when that is known', () => {
    fc.assert(
      fc.property(cards, (all) => {
        expect(found(all, '', 'nobody')).toEqual(all.filter(({ people }) => people === 0))
      }),
    )
  })
})

describe('the filter', () => {
  test('is offered for more than six signatures, and else hides none', () => {
    fc.assert(
      fc.property(cards, words, choice, (all, text, show) => {
        expect(isFilterOffered(all)).toBe(all.length > 6)
        if (all.length <= 6) expect(offeredFilter({ text, show }, all)).toBe(NO_FILTER)
      }),
    )
  })

  test('does not ask for nobody’s defaults while these are not known', () => {
    fc.assert(
      fc.property(fc.array(card, { minLength: 7, maxLength: 9 }), words, choice, (all, text, show) => {
        const isUnknown = show === 'nobody' && all.some(({ people }) => people === null)
        expect(offeredFilter({ text, show }, all)).toEqual({ text, show: isUnknown ? 'all' : show })
      }),
    )
  })

  test('offers the choices that leave some of the signatures, and the chosen one', () => {
    fc.assert(
      fc.property(cards, choice, (all, show) => {
        const offered = offeredChoices(all, { text: '', show }, NOON)
        const isUseful = (each: CardChoice) => {
          const { length } = found(all, '', each)
          return length > 0 && length < all.length
        }
        expect(offered).toEqual(
          CARD_CHOICES.filter((each) => each === 'all' || each === show || isUseful(each)),
        )
      }),
    )
  })

  test('is on with a word or a choice', () => {
    expect([
      isFiltering(NO_FILTER),
      isFiltering({ text: ' ', show: 'all' }),
      isFiltering({ text: 'a', show: 'all' }),
      isFiltering({ text: '', show: 'now' }),
    ]).toEqual([false, false, true, true])
  })

  test('hides nothing while it is off', () => {
    fc.assert(
      fc.property(cards, words, choice, (all, text, show) => {
        if (!isFiltering({ text, show })) expect(found(all, text, show)).toEqual(all)
      }),
    )
  })
})

describe('the chosen filter', () => {
  const replayed = (before: AdministrationState, ...events: readonly AdministrationEvent[]) =>
    replayLog(before, evolveAdministration, logOf(...events))
  const after = (...events: readonly AdministrationEvent[]) => replayed(initialState, ...events).plan
  const begun = Planning.draftBegun({ draft: draftOf(), findings: [] })
  const filtered = Planning.cardsFiltered({ text: 'sales', show: 'now' })

  test('is kept on the way to a signature and back, and for the next draft', () => {
    const way = [Place.entered({ path: '/signatures/id/a' }), Place.entered({ path: '/signatures' })]
    for (const events of [way, [Planning.discarded(), begun], []])
      expect(after(begun, filtered, ...events).filter).toEqual({ text: 'sales', show: 'now' })
    expect(after(begun).filter).toEqual(NO_FILTER)
  })

  test('changes nothing when it is chosen again', () => {
    const before = replayed(initialState, begun, filtered)
    expect(replayed(before, filtered)).toBe(before)
  })

  test('is forgotten when the administrator signs out', () => {
    expect(after(begun, filtered, Session.signedOut()).filter).toEqual(NO_FILTER)
  })
})
