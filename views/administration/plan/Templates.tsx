import type { TemplateEntry } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { selectTemplates } from '../../../streams/administration/plan/selectors.ts'
import { useAdministrationState, useRecording } from '../hooks/administration.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import { DraftPreview } from './DraftPreview.tsx'
import { OpenTemplate } from './OpenTemplate.tsx'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './Plan.module.css'

/** The templates of the draft: the list, the editor of the open template, and its preview. */
export function Templates() {
  const t = useTexts()
  return (
    <Section title={t('plan.templates.title')}>
      <div className={css['work']}>
        <TemplateList />
        <div className={sectionCss['section']}>
          <OpenTemplate />
          <DraftPreview />
        </div>
      </div>
    </Section>
  )
}

function TemplateList() {
  const t = useTexts()
  const entries = useAdministrationState(({ plan }) => selectTemplates(plan))
  const path = useAdministrationState(({ plan }) => plan.open?.path ?? null)
  if (entries.length === 0) return <p>{t('plan.templates.none')}</p>
  return (
    <nav aria-label={t('plan.templates.title')} className={css['templates']}>
      <ul>
        {entries.map((entry) => (
          <li key={entry.path}>
            <Template entry={entry} isOpen={entry.path === path} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Template({ entry, isOpen }: { entry: TemplateEntry; isOpen: boolean }) {
  const t = useTexts()
  const recording = useRecording()
  const { path, isPart, isEdited, usedBy } = entry
  return (
    <button
      type="button"
      className={css['template']}
      aria-current={isOpen || undefined}
      onClick={recording(Planning.templateOpened({ path, line: null, column: null }))}
    >
      <span className={css['path']}>{path}</span>
      <span className={css['quiet']}>
        {[
          ...(isEdited ? [t('plan.templates.edited')] : []),
          ...(isPart ? [t('plan.templates.part')] : []),
          usedBy.length === 0
            ? t('plan.templates.unused')
            : t('plan.templates.usedBy', {
                names: usedBy.map(({ name, uses }) =>
                  uses.length === 1 && uses[0] === 'template'
                    ? name
                    : t('plan.templates.nameAndUses', {
                        name,
                        uses: uses.map((use) => t(`plan.use.${use === 'template' ? 'signature' : use}`)),
                      }),
                ),
              }),
        ].join(' · ')}
      </span>
    </button>
  )
}
