import type { MessageState } from '../state.ts'
import { loadedValue } from '../../kernel/load.ts'
import type { UserProfile } from '../../wire/user.ts'

/** The last loaded profile; null before the first successful load. */
export const selectProfile = ({ profile }: Pick<MessageState, 'profile'>): UserProfile | null =>
  loadedValue(profile) ?? null
