import type { PeopleSort } from '../../wire/administration/people.ts'

/** How a list of people is sorted and filtered. */
export type PeopleFilters = Readonly<{
  sort: PeopleSort
  isDescending: boolean
  /** Null for all departments. */
  department: string | null
  /** The id of the default signature; null for all people. */
  signature: string | null
  who: 'active' | 'left' | 'unseen'
}>

/** People whose add-in has not reported for so many days count as not seen. */
export const UNSEEN_DAYS = 30

export const NO_FILTERS: PeopleFilters = {
  sort: 'name',
  isDescending: false,
  department: null,
  signature: null,
  who: 'active',
}

/** Whether a list leaves out some of the active people. */
export const isFiltered = ({ department, signature, who }: PeopleFilters): boolean =>
  department !== null || signature !== null || who !== 'active'

/** Without filters, in the same order. */
export const withoutFilters = ({ sort, isDescending }: PeopleFilters): PeopleFilters => ({
  ...NO_FILTERS,
  sort,
  isDescending,
})

/** Sorts by a column; in the other direction if the list is already sorted by it. The last reports come first. */
export const sortedBy = (filters: PeopleFilters, sort: PeopleSort): PeopleFilters => ({
  ...filters,
  sort,
  isDescending: filters.sort === sort ? !filters.isDescending : sort === 'seen',
})
