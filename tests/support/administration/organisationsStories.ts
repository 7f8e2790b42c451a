import { Organisations } from '../../../streams/administration/organisations/events.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import type {
  OrganisationsPage,
  OverseenOrganisation,
} from '../../../streams/organisation/figures/operating.ts'
import { NOON, releaseId } from './answers.ts'
import { type AdministrationStory, at, down, noConnection, roleMissing, state, view } from './story.ts'

const HOUR_MS = 3_600_000

export const overseen = (id: string, over: Partial<OverseenOrganisation> = {}): OverseenOrganisation => ({
  id,
  name: `${id.charAt(0).toUpperCase()}${id.slice(1)} Ltd`,
  tenants: 1,
  directory: 'graph',
  release: { id: releaseId('c'), at: NOON - 50 * HOUR_MS },
  people: 1_204,
  lastSync: { at: NOON - HOUR_MS / 4, outcome: 'done' },
  alerts: [],
  ...over,
})

const own = overseen('default', {
  name: 'Northwind Trading',
  tenants: 2,
  directory: null,
  lastSync: null,
  people: 4_980,
})

/** A page with an organisation for each alert, and some without alerts. */
export const organisationsPage = (over: Partial<OrganisationsPage> = {}): OrganisationsPage => ({
  at: NOON,
  organisations: [
    own,
    overseen('adatum'),
    overseen('contoso', {
      lastSync: { at: NOON - 5 * HOUR_MS, outcome: 'failed' },
      alerts: ['syncFailed', 'syncOld'],
    }),
    overseen('fabrikam', {
      directory: 'scim',
      lastSync: { at: NOON - HOUR_MS, outcome: 'needsLeave' },
      alerts: ['syncNeedsLeave'],
    }),
    overseen('litware', {
      name: 'Litware-Versicherungsgesellschaft für Landwirtschaft und Forsten',
      release: null,
      people: 0,
      lastSync: null,
      alerts: ['unpublished', 'noPeople', 'notSynced'],
    }),
    overseen('tailspin', { people: 12, alerts: ['removing'] }),
  ],
  next: 'tailspin',
  ...over,
})

const operator = { name: 'jonas.weber@northwind.example', roles: ['Signet.Operate'] } as const
const entered = at('/organisations', operator)
export const loadedOrganisations: readonly AdministrationEvent[] = [
  ...entered,
  Organisations.pageLoaded({ query: null, after: null, page: organisationsPage() }),
]

/** The area Organisations. */
export const organisationsStories = (): readonly AdministrationStory[] => [
  view('organisations', loadedOrganisations),
  state('organisations, only with alerts', loadedOrganisations, { clicks: ['main input[type=checkbox]'] }),
  state('organisations loading', entered),
  state('organisations not loaded', [...entered, Organisations.pageFailed({ failure: down })]),
  state('organisations, only the own', [
    ...entered,
    Organisations.pageLoaded({
      query: null,
      after: null,
      page: organisationsPage({ organisations: [own], next: null }),
    }),
  ]),
  state('organisations, more loading', [...loadedOrganisations, Organisations.moreRequested()]),
  state('organisations, more not loaded', [
    ...loadedOrganisations,
    Organisations.moreRequested(),
    Organisations.pageFailed({ failure: down }),
  ]),
  state('organisations, offline', [
    ...loadedOrganisations,
    ...at('/organisations', operator).slice(-1),
    Organisations.pageFailed({ failure: noConnection }),
  ]),
  state('organisations not allowed', at('/organisations')),
  state('organisations, role taken away', [...entered, Organisations.pageFailed({ failure: roleMissing })]),
  state('now, an operator', at('/now', operator)),
]
