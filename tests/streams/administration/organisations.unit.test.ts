import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Organisations } from '../../../streams/administration/organisations/events.ts'
import { filterOrganisations } from '../../../streams/administration/organisations/rules.ts'
import {
  areaGroupsFor,
  areaNames,
  areasFor,
  operatorStartPath,
} from '../../../streams/administration/place/areas.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { roles } from '../../../streams/wire/administration/insight.ts'
import {
  loadedOrganisations,
  organisationsPage,
  overseen,
} from '../../support/administration/organisationsStories.ts'
import { administrationStateAfter, at } from '../../support/administration/story.ts'

const someRoles = fc.subarray([...roles])
const operator = { roles: ['Signet.Operate'] } as const
const page = (id: string, next: string | null, time = 1) =>
  organisationsPage({ at: time, organisations: [overseen(id)], next })
const loadedPage = (after: string | null, value = page('a', null)): AdministrationEvent =>
  Organisations.pageLoaded({ query: null, after, page: value })

describe('the organisations', () => {
  test('are the pages one after the other, with the time of the first', () => {
    const first = [...at('/organisations', operator), loadedPage(null, page('a', 'a', 5))]
    const both = [...first, Organisations.moreRequested(), loadedPage('a', page('b', null, 9))]
    const { items, next, at: time } = administrationStateAfter(...both).organisations
    expect([items?.map(({ id }) => id), next, time]).toEqual([['a', 'b'], null, 5])
    const again = administrationStateAfter(
      ...both,
      Place.entered({ path: '/organisations' }),
      loadedPage(null, page('c', null, 20)),
    ).organisations
    expect([again.items?.map(({ id }) => id), again.at]).toEqual([['c'], 20])
  })

  test('stay, with their time, while they load again and when that fails', () => {
    const before = administrationStateAfter(...loadedOrganisations).organisations
    const failed = administrationStateAfter(
      ...loadedOrganisations,
      Place.entered({ path: '/organisations' }),
      Organisations.pageFailed({ failure: { kind: 'network' } }),
    ).organisations
    expect(failed).toMatchObject({ items: before.items, at: before.at, load: { status: 'fail' } })
    const state = administrationStateAfter(...at('/organisations', operator))
    expect(state.organisations).toMatchObject({ items: null, at: null, load: { status: 'pending' } })
  })

  test('ignore the answer to another page', () => {
    const state = administrationStateAfter(
      ...loadedOrganisations,
      loadedPage('elsewhere', page('x', null, 99)),
    )
    expect(state.organisations).toEqual(administrationStateAfter(...loadedOrganisations).organisations)
  })

  test('are asked for again, where they failed, and only on their own area', () => {
    const state = administrationStateAfter(
      ...loadedOrganisations,
      Organisations.moreRequested(),
      Organisations.pageFailed({ failure: { kind: 'network' } }),
      Place.retryRequested(),
    )
    expect(state.organisations).toMatchObject({ next: 'tailspin', load: { status: 'pending' } })
    for (const area of areaNames.filter((each) => each !== 'organisations'))
      expect(administrationStateAfter(...at(`/${area}`)).organisations.load.status).toBe('idle')
  })

  test('fit by a part of the name or the id, in any case, and by their alerts', () => {
    const name = fc.string({ maxLength: 12 })
    const some = fc.array(
      fc
        .record({ id: fc.constantFrom('contoso', 'adatum', 'x-1'), name, isAlarmed: fc.boolean() })
        .map((each) => overseen(each.id, { name: each.name, alerts: each.isAlarmed ? ['noPeople'] : [] })),
    )
    fc.assert(
      fc.property(
        some,
        fc.oneof(name, fc.constantFrom(' ToSo ', 'x-')),
        fc.boolean(),
        (all, search, onlyAlerts) => {
          const shown = filterOrganisations(all, { search, onlyAlerts })
          const part = search.trim().toLowerCase()
          const fits = all.map(
            (each) =>
              [each.id, each.name].some((text) => text.toLowerCase().includes(part)) &&
              (!onlyAlerts || each.alerts.length > 0),
          )
          expect(shown).toEqual(all.filter((_, index) => fits[index]))
        },
      ),
    )
  })
})

describe('an operator', () => {
  test('alone has the organisations in the navigation, and arrives there without another role', () => {
    fc.assert(
      fc.property(someRoles, (has) => {
        const others = areaNames.filter((area) => area !== 'organisations')
        const isOperator = has.includes('Signet.Operate')
        expect(areasFor(has)).toEqual([...others, ...(isOperator ? ['organisations'] : [])])
        expect(operatorStartPath(has)).toBe(isOperator && has.length === 1 ? '/organisations' : null)
      }),
    )
  })
})

test('the navigation has each area in one group, in the order of the areas', () => {
  fc.assert(
    fc.property(someRoles, (has) => {
      const groups = areaGroupsFor(has)
      expect(groups.flatMap(({ areas }) => areas)).toEqual(areasFor(has))
      expect(groups.map(({ group, areas }) => [group, areas[0]])).toEqual([
        [null, 'now'],
        ['what', 'signatures'],
        ['who', 'people'],
        ['service', 'maintenance'],
      ])
    }),
  )
})
