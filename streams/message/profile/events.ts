import { redactedField } from '../../kernel/field.ts'
import { defineLoad } from '../../kernel/load.ts'
import type { ChosenDefaults, UserProfile } from '../../wire/user.ts'

export const chosenDefaultsField = redactedField<ChosenDefaults>()('chosenDefaults')

export const Profile = defineLoad('profile', redactedField<UserProfile>()('profile'))
