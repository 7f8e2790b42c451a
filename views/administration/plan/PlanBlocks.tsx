import type { PlanSummary } from '../../../streams/organisation/plan/plan.ts'
import { useDayText, useFormats } from '../parts/formats.ts'
import { useShowMore } from '../parts/more.tsx'
import { FoldedSection } from '../parts/Section.tsx'
import { recipientsText } from '../text/rules.ts'
import { useTexts } from '../text/texts.ts'
import { blockTimesText } from '../text/plan.ts'
import * as css from './Plan.module.css'

const ROWS_SHOWN = 50

/** All blocks of the new release: who gets each, when, and in which messages. */
export function BlockReach({ reach }: { reach: NonNullable<PlanSummary['reach']> }) {
  const t = useTexts()
  const { count } = useFormats()
  const dayText = useDayText()
  const [shown, more] = useShowMore(reach, ROWS_SHOWN)
  return (
    <FoldedSection title={t('plan.blocks.title')} counts={count(reach.length)}>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col" className={css['count']}>
              {t('plan.result.people')}
            </th>
            <th scope="col">{t('plan.blocks.block')}</th>
            <th scope="col">{t('plan.blocks.when')}</th>
            <th scope="col">{t('plan.blocks.recipients')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ block, name, people, share, turns, recipients, replies, thread, ...times }) => (
            <tr key={block}>
              <td className={css['count']}>{count(people)}</td>
              <td>
                {name}
                {share < 100 && (
                  <div className={css['quiet']}>
                    {t(turns === 'mail' ? 'plan.blocks.shareOfMails' : 'plan.blocks.share', {
                      share: share / 100,
                    })}
                  </div>
                )}
              </td>
              <td>{blockTimesText(times, t, dayText)}</td>
              <td>
                {recipientsText(recipients, t)}
                {thread && <div className={css['quiet']}>{t(`signatures.thread.${thread}`)}</div>}
                {!replies && <div className={css['quiet']}>{t('plan.blocks.noReplies')}</div>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more}
    </FoldedSection>
  )
}
