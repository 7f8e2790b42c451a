import { useState } from 'react'
import { Settings } from '../../streams/message/settings/events.ts'
import { useRecord } from '../hooks/app.tsx'
import { useTexts } from '../text/texts.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

/** Sets every switch back, after the user confirmed what that turns on. */
export function ResetSettings() {
  const t = useTexts()
  const record = useRecord()
  const [isAsking, setAsking] = useState(false)
  const close = () => {
    setAsking(false)
  }
  return (
    <div>
      <Button
        look="secondary"
        onPress={() => {
          setAsking(true)
        }}
      >
        {t('settings.reset')}
      </Button>
      {isAsking && (
        <Dialog
          title={t('settings.resetTitle')}
          onClose={close}
          act={
            <>
              <Button
                look="primary"
                onPress={() => {
                  close()
                  record(Settings.resetRequested())
                }}
              >
                {t('settings.reset')}
              </Button>
              <Button look="secondary" onPress={close}>
                {t('settings.resetCancel')}
              </Button>
            </>
          }
        >
          <p>{t('settings.resetMeaning')}</p>
        </Dialog>
      )}
    </div>
  )
}
