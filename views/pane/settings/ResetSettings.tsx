import { Settings } from '../../../streams/message/settings/events.ts'
import { useRecording } from '../app.tsx'
import { useTexts } from '../text/texts.ts'
import { ConfirmFirstButton } from '../../shared/Confirm.tsx'

/** Resets every switch after the user confirms. The question lists what this turns on. */
export function ResetSettings() {
  const t = useTexts()
  const recording = useRecording()
  return (
    <div>
      <ConfirmFirstButton
        look="secondary"
        title={t('settings.resetTitle')}
        meaning={t('settings.resetMeaning')}
        confirm={t('settings.reset')}
        cancel={t('settings.resetCancel')}
        onConfirm={recording(Settings.resetRequested())}
      />
    </div>
  )
}
