import { Link } from 'react-router-dom'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { DRAFT_FILES_PATH, RULES_FILE_PATH } from '../../../streams/administration/plan/signatures.ts'
import { SIGNET_FILE } from '../../../streams/organisation/release/paths.ts'
import type { FolderFinding } from '../../../streams/wire/administration/publishing.ts'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { useShowMore } from '../parts/more.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import * as css from './Plan.module.css'

const FINDINGS_SHOWN = 50

/**
 * The findings, errors first. A finding in one of the draft's files links to its place.
 *
 * @param own the files of the page's signature or block. Findings in other files are folded. Without it, all are shown
 */
export function Findings({
  findings,
  heading = 'h3',
  own = null,
}: {
  findings: readonly FolderFinding[]
  heading?: 'h2' | 'h3'
  own?: readonly string[] | null
}) {
  const t = useTexts()
  const isOwn = ({ file }: FolderFinding) => own === null || own.includes(file)
  const shown = findings.filter(isOwn)
  const others = findings.filter((finding) => !isOwn(finding))
  const errors = shown.filter(({ level }) => level === 'error').length
  return (
    <>
      {shown.length > 0 && (
        <Section title={t('plan.findings.title')} heading={heading}>
          <p role="status">
            {errors > 0 && t('plan.findings.errors', { count: errors })}{' '}
            {shown.length > errors && t('plan.findings.warnings', { count: shown.length - errors })}
          </p>
          <FindingList findings={shown} />
        </Section>
      )}
      {others.length > 0 && (
        <details className={css['elsewhere']}>
          <summary>{t('plan.findings.elsewhere', { count: others.length })}</summary>
          <FindingList findings={others} />
        </details>
      )}
    </>
  )
}

function FindingList({ findings }: { findings: readonly FolderFinding[] }) {
  const t = useTexts()
  const recording = useRecording()
  const document = useAdministrationState(({ plan }) => plan.draft?.document ?? null)
  const [shown, more] = useShowMore(
    [
      ...findings.filter(({ level }) => level === 'error'),
      ...findings.filter(({ level }) => level === 'warning'),
    ],
    FINDINGS_SHOWN,
  )
  return (
    <>
      <ul className={css['findings']}>
        {shown.map((finding, index) => {
          const { file, line, column, level, message } = finding
          const place = `${file}:${String(line)}:${String(column)}`
          return (
            <li key={`${place} ${String(index)}`} data-level={level}>
              <strong>{t(level === 'error' ? 'plan.findings.error' : 'plan.findings.warning')}</strong>{' '}
              {document && Object.hasOwn(document.templates, file) ? (
                <Link
                  to={DRAFT_FILES_PATH}
                  className={css['link']}
                  onClick={recording(Planning.templateOpened({ path: file, line, column }))}
                >
                  {place}
                </Link>
              ) : document && file === SIGNET_FILE ? (
                <Link to={RULES_FILE_PATH} className={css['link']}>
                  {place}
                </Link>
              ) : (
                <span className={css['path']}>{place}</span>
              )}{' '}
              <span lang="en">{message}</span>
            </li>
          )
        })}
      </ul>
      {more}
    </>
  )
}
