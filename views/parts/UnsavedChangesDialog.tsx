import { useTexts } from '../text/texts.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

/** Asks the user who leaves unsaved edits, `unsaved` of them, whether to stay, keep or discard them. */
export function UnsavedChangesDialog({
  unsaved,
  onStay,
  onKeep,
  onDiscard,
}: {
  unsaved: number
  onStay: () => void
  onKeep: () => void
  onDiscard: () => void
}) {
  const t = useTexts()
  return (
    <Dialog
      title={t('leave.title')}
      onClose={onStay}
      act={
        <>
          <Button look="primary" onPress={onStay}>
            {t('leave.stay')}
          </Button>
          <Button look="secondary" onPress={onKeep}>
            {t('leave.keep')}
          </Button>
          <Button look="secondary" onPress={onDiscard}>
            {t('leave.discard')}
          </Button>
        </>
      }
    >
      <p>{t('leave.meaning', { count: unsaved })}</p>
    </Dialog>
  )
}
