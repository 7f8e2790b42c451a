import { selectUndoDirection } from '../../../streams/pane/insertion/selectors.ts'
import { Insertion } from '../../../streams/message/insertion/events.ts'
import { type ItemStatus, selectItemStatus } from '../../../streams/pane/mailbox/selectors.ts'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import type { TextKey } from '../text/texts.ts'
import { useAppState, useRecord } from '../app.tsx'

/**
 * The effect of choosing a signature for each destination, and the reason if it does not insert; null if it inserts.
 */
const ACTIONS: Readonly<
  Record<ItemStatus, Readonly<{ does: 'insert' | 'copy' | 'wait'; why: TextKey | null }>>
> = {
  looking: { does: 'wait', why: 'list.reading' },
  none: { does: 'copy', why: 'list.noItem' },
  read: { does: 'copy', why: 'list.read' },
  reading: { does: 'wait', why: 'list.reading' },
  ready: { does: 'insert', why: null },
}

/** The current effect of choosing a signature, and the gestures that the list allows. */
export type SignatureChoice = Readonly<{
  does: 'insert' | 'copy' | 'wait'
  why: TextKey | null
  itemKey: string | undefined
  /** Chooses an entry; null chooses to have no signature. */
  choose: (entryId: string | null) => void
  /** Undoes the last insertion. Returns false without one. */
  undo: () => boolean
}>

export function useSignatureChoice(): SignatureChoice {
  const record = useRecord()
  const { does, why } = ACTIONS[useAppState(selectItemStatus)]
  const itemKey = useAppState(({ mailbox }) => mailbox.item?.key)
  const isUndo = useAppState(selectUndoDirection) === 'undo'
  return {
    does,
    why,
    itemKey,
    choose: (entryId) => {
      if (does === 'copy' && entryId !== null) record(Signatures.copyRequested({ entryId }))
      if (does === 'insert' && itemKey !== undefined)
        record(entryId === null ? Insertion.noneChosen({ itemKey }) : Insertion.chosen({ entryId, itemKey }))
    },
    undo: () => {
      if (!isUndo || itemKey === undefined) return false
      record(Insertion.undoRequested({ itemKey }))
      return true
    },
  }
}
