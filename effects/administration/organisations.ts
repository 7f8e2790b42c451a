import { Organisations } from '../../streams/administration/organisations/events.ts'
import { createPageEffect } from './program.ts'

const loadOrganisations = createPageEffect(
  (state) => state.organisations,
  Organisations,
  ({ api }, { after }) => api.organisations(after),
)

export const organisationsEffects = { loadOrganisations }
