import type { AppState } from '../../pane/state.ts'
import { valueOf } from '../../kernel/load.ts'
import type { UserProfile } from './events.ts'

/** The profile that was loaded last; null before the first. */
export const selectProfile = ({ profile }: Pick<AppState, 'profile'>): UserProfile | null =>
  valueOf(profile) ?? null
