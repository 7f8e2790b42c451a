import { Link } from 'react-router-dom'
import { Notice } from '../../parts/Notice.tsx'
import { useTexts } from '../text/texts.ts'

/** How many characters of a release's id are shown: enough to tell the releases of one organisation apart. */
const SHOWN_CHARACTERS = 8

export const shortId = (release: string): string => release.slice(0, SHOWN_CHARACTERS)

export function ReleaseId({ release }: { release: string }) {
  return <code title={release}>{shortId(release)}</code>
}

/** Says that there is no release yet, and links to the area where the administrator makes one. */
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
