import { shape } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'
import type { ChosenDefaults, UserProfile } from '../../wire/user.ts'

export const chosenDefaultsField = shape<ChosenDefaults>()('chosenDefaults')

export const Profile = /* @__PURE__ */ defineLoad('profile', shape<UserProfile>()('profile'))
