import { useState } from 'react'
import type { ReadabilityIssue } from '../../../streams/html/readability.ts'
import { Preview } from '../../../streams/pane/preview/events.ts'
import { useAppState, useRecording } from '../app.tsx'
import type { PreparedMail } from '../text/mail.ts'
import { type Translate, useTexts } from '../text/texts.ts'
import { Button } from '../../shared/Button.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { MailLink } from '../frame/MailLink.tsx'
import * as css from './LargePreview.module.css'
import * as fold from '../frame/Fold.module.css'
import * as textCss from '../../shared/Text.module.css'

/**
 * The readability issues of a signature, in one line that opens to the details. `issues` is null before the first
 * check. While `isChecked` is false, `issues` comes from the previous check. `place` names the theme and the width that
 * are shown.
 */
export function Findings({
  name,
  issues,
  isChecked,
  place,
}: {
  name: string
  issues: readonly ReadabilityIssue[] | null
  isChecked: boolean
  place: string
}) {
  const t = useTexts()
  // Details that the user opened stay open for another theme or width.
  const [isOpen, setOpen] = useState(false)
  if (issues === null || issues.length === 0)
    return (
      <p className={css['verdict']} aria-busy={!isChecked}>
        {issues !== null && <Icon name="inUse" />}
        {t(issues === null ? 'largePreview.measuring' : 'largePreview.easy')}
      </p>
    )
  const findings = issues.map((issue) => issueText(issue, t))
  const mail: PreparedMail = {
    subject: t('largePreview.mailSubject', { name }),
    body: [t('largePreview.mailIntro', { name, place }), ...findings.map((finding) => `– ${finding}`)].join(
      '\n\n',
    ),
  }
  return (
    <details
      className={fold['fold']}
      aria-busy={!isChecked}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      {/* Microsoft's library handles the Tab key, and goes only to elements with a `tabindex`. */}
      <summary tabIndex={0} className={css['verdict']}>
        <Icon name="warning" />
        <span>{t('largePreview.hard', { count: findings.length })}</span>
        <Icon name="unfold" />
      </summary>
      <div className={css['details']}>
        <ul className={css['issues']}>
          {findings.map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
        </ul>
        <p className={textCss['small']}>{t('largePreview.help')}</p>
        <div className={css['acts']}>
          <MailLink mail={mail}>{t('largePreview.mail')}</MailLink>
          <CopyButton text={`${mail.subject}\n\n${mail.body}`} />
        </div>
      </div>
    </details>
  )
}

/** Copies the text, and shows whether this succeeded. */
function CopyButton({ text }: { text: string }) {
  const t = useTexts()
  const recording = useRecording()
  const { status } = useAppState(({ preview }) => (preview.text === text ? preview.copy : IDLE))
  return (
    <>
      <Button look="subtle" onPress={recording(Preview.copyRequested({ text }))}>
        {t('largePreview.copy')}
      </Button>
      <span role="status" className={textCss['small']}>
        {status === 'success' && t('largePreview.copied')}
        {status === 'fail' && t('what.clipboard')}
      </span>
    </>
  )
}

const IDLE = { status: 'idle' } as const

function issueText(issue: ReadabilityIssue, t: Translate): string {
  switch (issue.kind) {
    case 'wide':
      return t('largePreview.tooWide', { width: issue.width })
    case 'contrast': {
      const { text, ratio, needed } = issue
      // Rounded down, because a contrast just below the minimum must not look like the minimum.
      return t('largePreview.lowContrast', { text, ratio: Math.floor(ratio * 10) / 10, needed })
    }
    case 'small':
      return t('largePreview.smallText', { text: issue.text, size: Math.floor(issue.size * 10) / 10 })
    case 'noAlternative':
      return issue.image === ''
        ? t('largePreview.noAlternativeUnnamed')
        : t('largePreview.noAlternative', { image: issue.image })
    case 'notLoaded':
      return t('largePreview.notLoaded', { image: issue.image })
    case 'foreign':
      return t('largePreview.externalImage', { image: issue.image })
  }
}
