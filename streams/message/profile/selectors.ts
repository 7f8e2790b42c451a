import type { MessageState } from '../state.ts'
import { valueOf } from '../../kernel/load.ts'
import type { UserProfile } from '../../wire/user.ts'

/** The profile that was loaded last; null before the first load has succeeded. */
export const selectProfile = ({ profile }: Pick<MessageState, 'profile'>): UserProfile | null =>
  valueOf(profile) ?? null
