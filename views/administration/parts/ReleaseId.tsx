import { Link } from 'react-router-dom'
import { Notice } from '../../parts/Notice.tsx'
import { useTexts } from '../text/texts.ts'

/** How much of a release's id is shown: enough to tell releases of one organisation apart. */
const SHOWN_CHARACTERS = 8

export const shortId = (release: string): string => release.slice(0, SHOWN_CHARACTERS)

export function ReleaseId({ release }: { release: string }) {
  return <code title={release}>{shortId(release)}</code>
}

/** That there is no release yet, and where one is made. */
export function NothingPublished() {
  const t = useTexts()
  return (
    <Notice tone="info" title={t('overview.now.nothing')}>
      <p>{t('overview.now.nothingAction')}</p>
      <p>
        <Link to="/plan">{t('overview.now.toPlan')}</Link>
      </p>
    </Notice>
  )
}
