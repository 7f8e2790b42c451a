import { Configuration } from '../../streams/pane/configuration/events.ts'
import { Profile } from '../../streams/message/profile/events.ts'
import { Subscription } from '../../streams/pane/subscription/events.ts'
import { createLoadEffect } from '../message/load.ts'

/** Loads the organisation's permissions. */
export const loadConfiguration = createLoadEffect(
  ({ configuration }) => configuration,
  Configuration,
  ({ api }) => api.configuration(),
)

export const loadProfile = createLoadEffect(
  ({ profile }) => profile,
  Profile,
  ({ api }) => api.user(),
)

export const loadSubscription = createLoadEffect(
  ({ subscription }) => subscription,
  Subscription,
  ({ api }) => api.subscription(),
)
