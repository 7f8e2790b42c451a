import { Configuration } from '../../streams/message/configuration/events.ts'
import { createLoad } from '../message/load.ts'

/** Loads what the organisation allows. */
export const loadConfiguration = createLoad(
  ({ configuration }) => configuration,
  Configuration,
  ({ api }) => api.configuration(),
)
