import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { id, open, orNull } from '../../kernel/field.ts'
import type { UserSettings } from './settings.ts'

const changes = open<Partial<UserSettings>>()

export const Settings = defineEvents('settings', {
  /**
   * The settings: the defaults in production, otherwise the defaults overridden by those in private storage. Switches
   * that the user turned off persistently are off. `userId` is the user whose stored switches these are; null in
   * production, without a user, and while choices of other users of the mailbox may be among them.
   */
  loaded: fact({ settings: open<UserSettings>(), userId: orNull(id('user')) }),
  loadFailed: fact({ failure: failureField }),
  /** The user changed a switch, or several. */
  updateRequested: gesture({ changes }),
  /** `lasting`: the browser stores the change. Otherwise the change is only in memory, and ends with the pane. */
  updated: fact({ changes, lasting: open<boolean>() }),
  /** The change was not stored, so the settings stay as they were. */
  updateFailed: fact({ failure: failureField }),
  /** The user resets the settings to the defaults. */
  resetRequested: gesture({}),
  errorsCleared: gesture({}),
})
