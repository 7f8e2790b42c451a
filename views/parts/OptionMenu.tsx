import type { ComponentProps } from 'react'
import { type DefaultUse, Signatures } from '../../streams/signatures/events.ts'
import { type ListedEntry, selectDefaultIds } from '../../streams/signatures/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useChunk } from '../hooks/chunk.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import type { ListRow } from './listRows.ts'
import type { LookedAt, Opened } from './PreviewDialog.tsx'
import { Menu, type MenuItem } from './Menu.tsx'
import { Notice } from './Notice.tsx'
import { entryName } from './Option.tsx'

/** What else can be done with a signature. */
export function OptionMenu({
  row,
  top,
  mayInsert,
  onOpen,
  onClose,
}: {
  row: ListRow | undefined
  top: number
  mayInsert: boolean
  onOpen: (what: Opened['what'], listed: ListedEntry) => void
  onClose: () => void
}) {
  const t = useTexts()
  const record = useRecord()
  const mayChangeDefault = useAppState(
    ({ configuration, profile }) => configuration.allowDefaultSignature && profile.profile !== null,
  )
  const defaults = useAppState(selectDefaultIds)
  if (row?.kind !== 'entry') return null
  const { listed } = row
  const { uuid, combinedIds, type } = listed.entry
  const setting = (use: DefaultUse, key: TextKey): readonly MenuItem[] =>
    mayChangeDefault && defaults[use] !== combinedIds
      ? [
          {
            text: t(key),
            choose: () => {
              record(Signatures.defaultChangeRequested({ combinedIds, use }))
            },
          },
        ]
      : []
  const opening = (what: Opened['what'], key: TextKey): MenuItem => ({
    text: t(key),
    choose: () => {
      onOpen(what, listed)
    },
  })
  return (
    <Menu
      key={row.key}
      label={t('menu.open', { name: entryName(listed, t) })}
      top={top}
      items={[
        ...(type === 'master' ? setting('master', 'menu.makeDefault') : []),
        ...setting('reply', 'menu.useForReplies'),
        ...(mayInsert ? [opening('changes', 'menu.changes')] : []),
        {
          text: t('menu.copy'),
          choose: () => {
            record(Signatures.copyRequested({ uuid }))
          },
        },
        opening('preview', 'menu.preview'),
      ]}
      onClose={onClose}
    />
  )
}

const loadLookedAt = () => import('./PreviewDialog.tsx')

/** The dialog about a signature, once its code is there. */
export function OpenedDialog(looked: ComponentProps<typeof LookedAt>) {
  const t = useTexts()
  const chunk = useChunk(loadLookedAt)
  if (chunk === null) return null
  if (chunk !== 'failed') return <chunk.LookedAt {...looked} />
  return (
    <Notice tone="warning" urgent>
      <p>{t('preview.unavailable')}</p>
    </Notice>
  )
}
