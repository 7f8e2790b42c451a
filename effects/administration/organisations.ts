import { Organisations } from '../../streams/administration/organisations/events.ts'
import { createPages } from './program.ts'

const loadOrganisations = createPages(
  (state) => state.organisations,
  Organisations,
  ({ api }, { after }) => api.organisations(after),
)

export const organisationsEffects = { loadOrganisations }
