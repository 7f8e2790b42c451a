import { Link } from 'react-router-dom'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { type NumberedRelease, numberReleases } from '../../../streams/organisation/facts/history.ts'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState } from './administration.tsx'
import { useFormats } from './formats.ts'
import { useTexts } from '../text/texts.ts'

const SHOWN_CHARACTERS = 8

/** The beginning of a release's id, enough to distinguish an organisation's releases. */
export const shortReleaseId = (release: string): string => release.slice(0, SHOWN_CHARACTERS)

/**
 * Returns a release's number in the history, or the beginning of its id until the history is loaded. A republished
 * release has its latest number.
 */
export function useReleaseNumber(): (release: string) => string {
  const releases = useAdministrationState((state) => loadedValue(state.releases))
  const { count } = useFormats()
  return (release) => {
    const entry = numberReleases(releases?.history ?? []).find((each) => each.release === release)
    return entry ? count(entry.number) : shortReleaseId(release)
  }
}

type Named = Pick<NumberedRelease, 'number' | 'backTo' | 'note' | 'at'>

const NOTE_CHARACTERS = 80

/** Whether a note is too long for a release's name, which then shows only the beginning. */
export const isLongNote = (note: string): boolean => note.length > NOTE_CHARACTERS

const beginningOf = (note: string): string => (isLongNote(note) ? `${note.slice(0, NOTE_CHARACTERS)}…` : note)

/** Names a release by its number, its note and its day: `Release 12 – The winter fair – Nov 3, 2026`. */
export function useReleaseName(): (release: Named) => string {
  const t = useTexts()
  const { day } = useFormats()
  return ({ number, backTo, note, at }) => {
    const words =
      note !== '' || backTo === null ? beginningOf(note) : t('overview.release.backTo', { number: backTo })
    return words === ''
      ? t('overview.release.plain', { number, day: day(at) })
      : t('overview.release.noted', { number, day: day(at), note: words })
  }
}

/** States that there is no release yet, and links to the area where the administrator makes one. */
export function NothingPublishedNotice() {
  const t = useTexts()
  return (
    <Notice tone="info" title={t('overview.now.nothing')}>
      <p>{t('overview.now.nothingAction')}</p>
      <p>
        <Link to="/signatures">{t('overview.now.toPlan')}</Link>
      </p>
    </Notice>
  )
}
