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
 * The effects of the user's gestures, by their names in the log. They start before the screen is first drawn, so they
 * miss no gesture. Their code loads with the screen, so the first message's signature does not wait for it.
 */
export const gestureEffects: Readonly<Record<string, AppEffect>> = {
  navigate: router.changeAddress,
  restoreBody: restoring.restoreBody,
  restorePictures: restoring.attachMissingPictures,
  updateSettings: settings.updateSettings,
  changeDefault: defaults.changeDefault,
  copySignature: signatures.copySignature,
  saveAfterPause: variables.saveAfterPause,
  saveVariables: variables.saveVariables,
  reloadStates: variables.reloadVariableStates,
  openPicture: picture.openPicture,
  changePicture: picture.changePicture,
  reloadAfterChange: signatures.reloadAfterChange,
  copyFindings: copying.copyPreviewFindings,
  runSelfTest: selfTest.runSelfTest,
  saveLog: logExport.saveLog,
  copyResult: copying.copySelfTestResult,
}
