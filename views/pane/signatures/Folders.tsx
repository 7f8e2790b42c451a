import { Link } from 'react-router-dom'
import { signaturesPath } from '../../../streams/pane/router/routes.ts'
import { DELEGATIONS_FOLDER } from '../../../streams/message/signatures/entry.ts'
import { selectCollections } from '../../../streams/pane/signatures/selectors.ts'
import { useAppState } from '../app.tsx'
import { useCollectionTitle } from '../collectionTitle.ts'
import { useTexts } from '../text/texts.ts'
import { Icon } from '../../shared/Icon.tsx'
import { usePopup } from '../../shared/dom/popup.ts'
import type { Folder } from './folder.ts'
import * as css from './Folders.module.css'

/** The folder of all signatures. */
const ALL = 'main'

/** The open folder; null for the list below the message, which has all signatures. */
const openOf = (folder: Folder): string | null => {
  if (typeof folder !== 'string') return folder.collection
  return { mine: null, all: ALL, shared: DELEGATIONS_FOLDER }[folder]
}

/**
 * Links to the list pages: all signatures, shared ones, and each collection. They fold into a button, which opens them
 * over the list. Escape closes them and focuses the button; a focus or a press elsewhere closes them, too.
 */
export function Folders({ folder }: { folder: Folder }) {
  const t = useTexts()
  const hasShared = useAppState(({ signatures }) => signatures.delegations.length > 0)
  const collections = useAppState(selectCollections)
  const titleOf = useCollectionTitle()
  const { id, isOpen, close, around, button } = usePopup<HTMLElement>()
  const open = openOf(folder)
  const folders = [
    { name: ALL, text: t('list.all') },
    ...(hasShared ? [{ name: DELEGATIONS_FOLDER, text: t('list.shared') }] : []),
    ...collections.map((collection) => ({ name: collection, text: titleOf(collection) })),
  ]
  return (
    <nav aria-label={t('list.folders')} className={css['folders']} {...around}>
      <button {...button} className={css['button']}>
        <span>{t('list.collections')}</span>
        <Icon name="unfold" size={16} />
      </button>
      <ul id={id} hidden={!isOpen} className={css['links']}>
        {folders.map(({ name, text }) => (
          <li key={name}>
            <Link
              to={signaturesPath(name)}
              aria-current={name === open ? 'page' : undefined}
              className={css['link']}
              onClick={close}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
