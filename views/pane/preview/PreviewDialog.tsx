import { Insertion } from '../../../streams/message/insertion/events.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import type { ListedEntry } from '../../../streams/pane/signatures/selectors.ts'
import { useRecord } from '../app.tsx'
import { useTexts } from '../text/texts.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { LargePreview } from './LargePreview.tsx'
import { signatureName } from '../text/signatureName.ts'
import { WhatChanges } from './WhatChanges.tsx'

/** The open dialog, its signature, and the item into which the signature would be inserted. */
export type OpenedPreview = Readonly<{
  what: 'changes' | 'preview'
  listed: ListedEntry
  itemKey: string | undefined
}>

/** Shows a signature before it is inserted: what it changes in the message, or what it looks like. */
export function PreviewDialog({
  opened: { what, listed, itemKey },
  mayInsert,
  onClose,
}: {
  opened: OpenedPreview
  mayInsert: boolean
  onClose: () => void
}) {
  const t = useTexts()
  const record = useRecord()
  const name = signatureName(listed.entry, t)
  const { entry, why } = listed
  const actOn = (isInsertable: boolean) => (
    <>
      <Button
        look="secondary"
        onPress={() => {
          record(Signatures.copyRequested({ entryId: entry.entryId }))
          onClose()
        }}
      >
        {t('menu.copy')}
      </Button>
      {mayInsert && isInsertable && itemKey !== undefined && (
        <Button
          look="primary"
          onPress={() => {
            record(Insertion.chosen({ entryId: entry.entryId, itemKey }))
            onClose()
          }}
        >
          {t('menu.insert')}
        </Button>
      )}
    </>
  )
  return what === 'preview' ? (
    <LargePreview name={name} planned={entry} why={why} actOn={actOn} onClose={onClose} />
  ) : (
    <Dialog title={t('menu.changes')} fills onClose={onClose} act={actOn(true)}>
      <WhatChanges name={name} planned={entry} />
    </Dialog>
  )
}
