import { Link } from 'react-router-dom'
import { DELEGATIONS, routeAt, signaturesPath } from '../../streams/router/routes.ts'
import { useAppState } from '../hooks/app.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Folders.module.css'

/** The folder of all signatures. */
const ALL = 'main'

const FOLDERS = [
  { folder: ALL, text: 'list.all' },
  { folder: DELEGATIONS, text: 'list.shared' },
] as const

/** The ways to the pages of the list alone: all signatures, and those that others share. */
export function Folders() {
  const t = useTexts()
  const hasShared = useAppState(({ signatures }) => signatures.delegations.length > 0)
  const here = useAppState(({ router }) => {
    const route = routeAt(router.path)
    return route?.name === 'SignaturesListRoute' ? route.type : null
  })
  return (
    <ul aria-label={t('list.folders')} className={css['folders']}>
      {FOLDERS.filter(({ folder }) => folder === ALL || hasShared).map(({ folder, text }) => (
        <li key={folder}>
          <Link
            to={signaturesPath(folder)}
            aria-current={folder === here ? 'page' : undefined}
            className={css['folder']}
          >
            {t(text)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
