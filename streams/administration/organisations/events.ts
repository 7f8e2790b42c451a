import { defineEvents, gesture } from '../../kernel/event.ts'
import { openField, nullableField } from '../../kernel/field.ts'
import { definePages } from '../../kernel/pages.ts'
import type { OrganisationsPage } from '../../organisation/figures/operating.ts'

/** The organisations of the installation. The organisation from the settings comes first. */
export const Organisations = {
  ...definePages(
    'organisations',
    {
      query: openField<null>(),
      after: nullableField(openField<string>()),
      page: openField<OrganisationsPage>(),
    },
    ({ organisations }) => organisations,
  ),
  ...defineEvents('organisations', { moreRequested: gesture({}) }),
}

export const organisationsDomains = [Organisations] as const
