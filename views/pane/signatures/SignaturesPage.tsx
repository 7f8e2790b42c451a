import { useParams } from 'react-router-dom'
import { DELEGATIONS_FOLDER } from '../../../streams/message/signatures/entry.ts'
import { selectCollections } from '../../../streams/pane/signatures/selectors.ts'
import { useAppState } from '../app.tsx'
import { type Folder, folderKey } from './folder.ts'
import { MessageBar } from '../message/InMessage.tsx'
import { SignatureList } from './SignatureList.tsx'
import * as css from './Dashboard.module.css'

/** The list below the bar: shared signatures, one collection, or all signatures. */
export function SignaturesPage() {
  const { type = '' } = useParams()
  const collections = useAppState(selectCollections)
  const folder: Folder =
    type === DELEGATIONS_FOLDER ? 'shared' : collections.includes(type) ? { collection: type } : 'all'
  return (
    <div className={css['page']}>
      <MessageBar heading="h2" />
      <SignatureList key={folderKey(folder)} folder={folder} />
    </div>
  )
}
