import type { AppEffect } from '../../../effects/message/app.ts'
import * as defaults from '../../../effects/message/defaults.ts'
import * as logExport from '../../../effects/pane/logExport.ts'
import * as picture from '../../../effects/pane/picture.ts'
import * as copying from '../../../effects/pane/copying.ts'
import * as restoring from '../../../effects/pane/restoring.ts'
import * as router from '../../../effects/pane/router.ts'
import * as selfTest from '../../../effects/pane/selfTest.ts'
import * as settings from '../../../effects/pane/settings.ts'
import * as signatures from '../../../effects/pane/signatures.ts'
import * as variables from '../../../effects/pane/variables.ts'

/**
 * The effects that start with a gesture, or that follow from a gesture or the state, by their names in the log. They
 * start before the screen is first drawn, so they miss no gesture. The signature of the first message does not wait for
 * their code.
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
  copyFindings: copying.copyFindings,
  runSelfTest: selfTest.runSelfTest,
  saveLog: logExport.saveLog,
  copyResult: copying.copyResult,
}
