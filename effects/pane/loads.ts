import { Configuration } from '../../streams/pane/configuration/events.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import { Subscription } from '../../streams/pane/subscription/events.ts'
import { createLoad } from '../message/load.ts'

/** Loads the organisation's permissions. */
export const loadConfiguration = createLoad(
  ({ configuration }) => configuration,
  Configuration,
  ({ api }) => api.configuration(),
)

export const loadProfile = createLoad(
  ({ profile }) => profile,
  Profile,
  ({ api }) => api.user(),
)

export const loadSubscription = createLoad(
  ({ subscription }) => subscription,
  Subscription,
  ({ api }) => api.subscription(),
)
