import { Profile } from '../../streams/message/profile/events.ts'
import { createLoad } from '../message/load.ts'

export const loadProfile = createLoad(
  ({ profile }) => profile,
  Profile,
  ({ api }) => api.user(),
)
