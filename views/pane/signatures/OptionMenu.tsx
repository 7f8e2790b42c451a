import type { PaneGesture } from '../../../streams/pane/events.ts'
import { type DefaultUse, Defaults } from '../../../streams/message/defaults/events.ts'
import {
  selectDefaultChange,
  selectOrganisationChange,
  selectSenderChoice,
} from '../../../streams/pane/defaults/selectors.ts'
import { type ComponentProps, Fragment, useState } from 'react'
import { useObservableState } from 'observable-hooks'
import { catchError, defer, of } from 'rxjs'
import { Signatures } from '../../../streams/message/signatures/events.ts'
import type { ListedEntry } from '../../../streams/pane/signatures/selectors.ts'
import { selectConfiguration } from '../../../streams/pane/configuration/selectors.ts'
import { useAppState, useRecording } from '../app.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import { signatureName } from '../text/signatureName.ts'
import { ListFailure } from './ListFailure.tsx'
import type { ListRow } from './listRows.ts'
import type { PreviewDialog, OpenedPreview } from '../preview/PreviewDialog.tsx'
import { Menu, type MenuItem } from './Menu.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { MAKING_DEFAULT_TEXTS } from './Option.tsx'
import { Icon } from '../../shared/Icon.tsx'
import * as css from './OptionList.module.css'

/** How far the button is below the top of its row, in CSS pixels. */
const BUTTON_TOP_PX = 1
const MENU_TOP_PX = 28

type EntryRow = Extract<ListRow, { kind: 'entry' }>

/** A row that is drawn at `top`, in CSS pixels. */
type Placed<Row extends ListRow> = Readonly<{ row: Row; top: number }>

const isEntry = (placed: Placed<ListRow>): placed is Placed<EntryRow> => placed.row.kind === 'entry'

/**
 * The layer above the list, because the list itself may contain only options. It has the buttons of each drawn
 * signature (favourite, menu, versions), the open menu with its dialogs, and the list's messages between rows.
 */
export function OptionOverlay({
  rows,
  activeKey,
  openKey,
  mayInsert,
  itemKey,
  onOpen,
  onUnfold,
  onClose,
}: {
  rows: readonly Placed<ListRow>[]
  activeKey: string | null
  openKey: string | null
  mayInsert: boolean
  itemKey: string | undefined
  onOpen: (key: string) => void
  onUnfold: (key: string, isUnfolded: boolean) => void
  onClose: () => void
}) {
  const t = useTexts()
  const [dialog, setDialog] = useState<OpenedPreview | null>(null)
  const entries = rows.filter(isEntry)
  const open = entries.find(({ row }) => row.key === openKey)
  return (
    <>
      <div className={css['layer']}>
        {entries.map(({ row: { key, listed, versions }, top }) => (
          <Fragment key={key}>
            {listed.entry.type === 'master' && (
              <Star rowKey={key} listed={listed} top={top + BUTTON_TOP_PX} isReachable={key === activeKey} />
            )}
            <button
              data-of={key}
              type="button"
              aria-label={t('menu.open', { name: signatureName(listed.entry, t) })}
              aria-haspopup="menu"
              aria-expanded={key === openKey}
              // The keyboard reaches only the buttons of the active option.
              aria-hidden={key !== activeKey}
              tabIndex={key === activeKey ? 0 : -1}
              className={css['more']}
              style={{ top: top + BUTTON_TOP_PX }}
              onClick={() => {
                if (key === openKey) onClose()
                else onOpen(key)
              }}
            >
              <Icon name="more" />
            </button>
            {versions && (
              <button
                data-of={key}
                type="button"
                aria-label={`${t('entry.versions', { count: versions.all.length })}, ${listed.entry.name}`}
                aria-expanded={versions.areUnfolded}
                aria-hidden={key !== activeKey}
                tabIndex={key === activeKey ? 0 : -1}
                className={css['versions']}
                style={{ top: top + BUTTON_TOP_PX }}
                onClick={() => {
                  onUnfold(key, !versions.areUnfolded)
                }}
              >
                <span>{t('entry.versions', { count: versions.all.length })}</span>
                <Icon name="unfold" size={16} />
              </button>
            )}
          </Fragment>
        ))}
        {rows.map(
          ({ row, top }) =>
            (row.kind === 'failed' || row.kind === 'growing') && (
              <div
                key={row.key}
                data-row={row.key}
                className={`${css['row']} ${css['told']}`}
                style={{ top }}
              >
                {row.kind === 'failed' ? (
                  <ListFailure list={row.list} />
                ) : (
                  <p role="status" className={css['growing']}>
                    {t('list.growing')}
                  </p>
                )}
              </div>
            ),
        )}
        {open && (
          <OptionMenu
            key={open.row.key}
            listed={open.row.listed}
            top={open.top + MENU_TOP_PX}
            mayInsert={mayInsert}
            onOpen={(what) => setDialog({ what, listed: open.row.listed, itemKey })}
            onClose={onClose}
          />
        )}
      </div>
      {dialog && dialog.itemKey === itemKey && (
        <OpenedDialog opened={dialog} mayInsert={mayInsert} onClose={() => setDialog(null)} />
      )}
    </>
  )
}

/** Marks a signature, with its variants, as a favourite. */
function Star({
  rowKey,
  listed: { entry, isFavourite },
  top,
  isReachable,
}: {
  rowKey: string
  listed: ListedEntry
  top: number
  isReachable: boolean
}) {
  const t = useTexts()
  const recording = useRecording()
  return (
    <button
      data-of={rowKey}
      type="button"
      aria-label={t('menu.favouriteNamed', { name: signatureName(entry, t) })}
      aria-pressed={isFavourite}
      aria-hidden={!isReachable}
      tabIndex={isReachable ? 0 : -1}
      className={css['star']}
      style={{ top }}
      onClick={recording(
        Signatures.favouriteChanged({ combinedIds: entry.combinedIds, isFavourite: !isFavourite }),
      )}
    >
      <Icon name={isFavourite ? 'starred' : 'star'} />
    </button>
  )
}

function OptionMenu({
  listed,
  top,
  mayInsert,
  onOpen,
  onClose,
}: {
  listed: ListedEntry
  top: number
  mayInsert: boolean
  onOpen: (what: OpenedPreview['what']) => void
  onClose: () => void
}) {
  const t = useTexts()
  const recording = useRecording()
  const {
    entry: { entryId, combinedIds, type },
    isFavourite,
  } = listed
  const mayChangeDefault = useAppState((state) => selectConfiguration(state).allowDefaultSignature)
  const changes = {
    master: useAppState(selectDefaultChange(combinedIds, 'master')),
    reply: useAppState(selectDefaultChange(combinedIds, 'reply')),
  }
  const choice = useAppState(selectSenderChoice(combinedIds))
  const address = useAppState(({ mailbox }) => mailbox.message?.from?.address)
  const settingSender = (): readonly MenuItem[] => {
    if (choice === null || address === undefined) return []
    if (choice === 'pending') return [{ name: 'sender', text: t(MAKING_DEFAULT_TEXTS.sender), choose: null }]
    const isChosen = choice === 'chosen'
    if (!isChosen && !mayChangeDefault) return []
    const choose = recording(
      Defaults.senderChoiceRequested({ address, combinedIds: isChosen ? null : combinedIds }),
    )
    const key = isChosen ? 'menu.notForSender' : 'menu.useForSender'
    return [{ name: 'sender', text: t(key, { sender: address }), choose }]
  }
  const offering = (
    use: DefaultUse | 'organisation',
    change: 'offered' | 'pending' | null,
    key: TextKey,
    event: PaneGesture,
  ): readonly MenuItem[] => {
    if (change === 'pending') return [{ name: use, text: t(MAKING_DEFAULT_TEXTS[use]), choose: null }]
    if (change === null || !mayChangeDefault) return []
    return [{ name: use, text: t(key), choose: recording(event) }]
  }
  const setting = (use: DefaultUse, key: TextKey) =>
    offering(use, changes[use], key, Defaults.changeRequested({ combinedIds, use }))
  const organisation = useAppState(selectOrganisationChange(combinedIds))
  const opening = (what: OpenedPreview['what'], key: TextKey): MenuItem => ({
    name: what,
    text: t(key),
    choose: () => {
      onOpen(what)
    },
  })
  return (
    <Menu
      label={t('menu.open', { name: signatureName(listed.entry, t) })}
      top={top}
      items={[
        ...(type === 'master' ? setting('master', 'menu.makeDefault') : []),
        ...setting('reply', 'menu.useForReplies'),
        ...offering('organisation', organisation, 'menu.useOrganisation', Defaults.organisationRequested()),
        ...(type === 'master' ? settingSender() : []),
        ...(type === 'master'
          ? [
              {
                name: 'favourite',
                text: t(isFavourite ? 'menu.notFavourite' : 'menu.favourite'),
                choose: recording(Signatures.favouriteChanged({ combinedIds, isFavourite: !isFavourite })),
              },
            ]
          : []),
        ...(mayInsert ? [opening('changes', 'menu.changes')] : []),
        {
          name: 'copy',
          text: t('menu.copy'),
          choose: recording(Signatures.copyRequested({ entryId })),
        },
        opening('preview', 'menu.preview'),
      ]}
      onClose={onClose}
    />
  )
}

const dialog$ = defer(() => import('../preview/PreviewDialog.tsx')).pipe(
  catchError(() => of('failed' as const)),
)

/** The dialog about a signature, once its code is loaded. */
function OpenedDialog(about: ComponentProps<typeof PreviewDialog>) {
  const t = useTexts()
  const loaded = useObservableState(dialog$)
  if (!loaded) return null
  if (loaded !== 'failed') return <loaded.PreviewDialog {...about} />
  return (
    <Notice tone="warning" urgent>
      <p>{t('preview.unavailable')}</p>
    </Notice>
  )
}
