import { useTexts } from '../text/texts.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'

/** Asks a user who leaves unsaved edits whether to stay, keep or discard them. `unsaved` is the number of edits. */
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
      title={t('unsaved.title')}
      onClose={onStay}
      act={
        <>
          <Button look="primary" onPress={onStay}>
            {t('unsaved.stay')}
          </Button>
          <Button look="secondary" onPress={onKeep}>
            {t('unsaved.keep')}
          </Button>
          <Button look="secondary" onPress={onDiscard}>
            {t('unsaved.discard')}
          </Button>
        </>
      }
    >
      <p>{t('unsaved.meaning', { count: unsaved })}</p>
    </Dialog>
  )
}
