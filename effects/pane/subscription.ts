import { Subscription } from '../../streams/pane/subscription/events.ts'
import { createLoad } from '../message/load.ts'

export const loadSubscription = createLoad(
  ({ subscription }) => subscription,
  Subscription,
  ({ api }) => api.subscription(),
)
