import { shape } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'
import type { ChosenDefaults, UserProfile } from '../../wire/user.ts'

export const chosenDefaultsField = shape<ChosenDefaults>()('chosenDefaults')

export const Profile = defineLoad('profile', shape<UserProfile>()('profile'))
