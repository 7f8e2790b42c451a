import type { AppEffect } from '../../../effects/app.ts'
import * as defaults from '../../../effects/defaults.ts'
import * as logExport from '../../../effects/logExport.ts'
import * as picture from '../../../effects/picture.ts'
import * as preview from '../../../effects/preview.ts'
import * as restoring from '../../../effects/restoring.ts'
import * as router from '../../../effects/router.ts'
import * as selfTest from '../../../effects/selfTest.ts'
import * as settings from '../../../effects/settings.ts'
import * as signatures from '../../../effects/signatures.ts'
import * as variables from '../../../effects/variables.ts'

/**
 * The effects that only a gesture in a view begins, or what follows from one or from the state, by their names in the
 * log. They start before the screen is first drawn, so they miss none. The signature of the first message does not wait for their code.
 */
export const gestureEffects: Readonly<Record<string, AppEffect>> = {
  navigate: router.navigate,
  restoreBody: restoring.restoreBody,
  restorePictures: restoring.restorePictures,
  updateSettings: settings.updateSettings,
  changeDefault: defaults.changeDefault,
  copySignature: signatures.copy,
  saveAfterPause: variables.saveAfterPause,
  saveVariables: variables.saveVariables,
  reloadStates: variables.reloadStates,
  openPicture: picture.openPicture,
  changePicture: picture.changePicture,
  reloadAfterChange: signatures.reloadAfterChange,
  copyFindings: preview.copyFindings,
  runSelfTest: selfTest.runSelfTest,
  saveLog: logExport.saveLog,
  copyResult: selfTest.copyResult,
}
