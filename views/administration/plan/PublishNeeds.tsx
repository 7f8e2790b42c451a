import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { Helpdesk, TechnicalLines } from '../../shared/Helpdesk.tsx'
import { Notice } from '../../shared/Notice.tsx'
import { useTexts } from '../text/texts.ts'

/** Says whose approval the plan needs, and which of its changes only some people may publish. */
export function PublishNeeds({ plan: { id, approval, edited } }: { plan: Plan }) {
  const t = useTexts()
  return (
    <>
      {approval && (
        <Notice tone="warning" title={t('plan.needs.approval', { names: approval.by.join(', ') })}>
          <p>{t(approval.hash === null ? 'plan.needs.otherMoment' : 'plan.needs.approvalMeaning')}</p>
          {approval.hash !== null && (
            <Helpdesk>
              <TechnicalLines
                lines={[
                  [t('plan.needs.ask'), `signet approve ${id} --ask`],
                  [t('plan.needs.approve'), `signet approve ${id}`],
                ]}
              />
            </Helpdesk>
          )}
        </Notice>
      )}
      {edited && (
        <Notice tone="info" title={t('plan.needs.editors')}>
          <ul>
            {edited.map(({ kind, id: item, name, editors }) => (
              <li key={`${kind} ${item}`}>
                {t('plan.needs.editorsOf', {
                  name: kind === 'rest' ? t('plan.needs.rest') : name,
                  groups: editors.join(', '),
                })}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
