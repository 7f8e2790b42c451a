import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { idField, openField, nullableField } from '../../kernel/field.ts'
import type { UserSettings } from './settings.ts'

const changes = openField<Partial<UserSettings>>()

export const Settings = defineEvents('settings', {
  /**
   * The settings: the defaults in production, otherwise the defaults overridden by the stored settings. Switches that
   * the user turned off persistently are off. `userId` is the user who stored these switches; null in production,
   * without a user, and while other users of the mailbox may have stored some of them.
   */
  loaded: fact({ settings: openField<UserSettings>(), userId: nullableField(idField('user')) }),
  loadFailed: fact({ failure: failureField }),
  /** The user changed one or more switches. */
  updateRequested: gesture({ changes }),
  /** `lasting`: the browser stores the change. Otherwise the change is lost when the pane closes. */
  updated: fact({ changes, lasting: openField<boolean>() }),
  /** The change was not stored, so the settings stay as they were. */
  updateFailed: fact({ failure: failureField }),
  /** The user resets the settings to the defaults. */
  resetRequested: gesture({}),
  errorsCleared: gesture({}),
})
