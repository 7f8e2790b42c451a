import { defineEvents, fact, gesture } from '../../kernel/event.ts'
import { failureField } from '../../kernel/failure.ts'
import { open } from '../../kernel/field.ts'
import type { UserSettings } from './settings.ts'

const changes = open<Partial<UserSettings>>()

export const Settings = defineEvents('settings', {
  /**
   * The settings in private storage, over the defaults; in production the defaults. Switches that the user turned off
   * persistently are off.
   */
  loaded: fact({ settings: open<UserSettings>() }),
  loadFailed: fact({ failure: failureField }),
  /** The user changed a switch, or several. */
  updateRequested: gesture({ changes }),
  /** `lasting`: the browser stores the change. Otherwise the change is in memory, and ends with the pane. */
  updated: fact({ changes, lasting: open<boolean>() }),
  /** Nothing was stored, and nothing changed. */
  updateFailed: fact({ failure: failureField }),
  /** Back to the defaults. */
  resetRequested: gesture({}),
  errorsCleared: gesture({}),
})
