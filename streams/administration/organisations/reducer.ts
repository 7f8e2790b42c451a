import type { Place } from '../place/events.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { loadFirstPage, loadMorePages, noPages, type Pages, retryPage } from '../../kernel/pages.ts'
import type { OverseenOrganisation } from '../../organisation/figures/operating.ts'
import { isInArea } from '../place/areas.ts'
import { Organisations } from './events.ts'

/** `at` is when the first page was loaded, in milliseconds since 1970; null until then. */
export type OrganisationsState = Pages<null, OverseenOrganisation> & Readonly<{ at: number | null }>

const nothing: OrganisationsState = { ...noPages(null), at: null }

export const organisations = defineSlice<OrganisationsState, typeof Organisations | typeof Place>()(nothing, {
  ...Organisations.handlers,
  'organisations/pageLoaded': (state, event) => {
    const after = Organisations.handlers['organisations/pageLoaded'](state, event)
    return after === state || event.data.after !== null ? after : { ...after, at: event.data.page.at }
  },
  'place/entered': (state, event) =>
    isInArea('organisations', event.data.path) ? loadFirstPage(state, event) : state,
  'organisations/moreRequested': loadMorePages,
  'place/retryRequested': retryPage,
})

export const organisationsSlices = { organisations }
