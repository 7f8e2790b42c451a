import { dayAt } from '../../../streams/administration/people/rules.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import type { BlockSample } from '../../../streams/organisation/plan/blockChange.ts'
import { CALENDAR_DAYS, calendarOf, type SlotCalendar } from '../../../streams/organisation/plan/calendar.ts'
import {
  type BlockGroup,
  isRenderedGroup,
  type PlanSummary,
} from '../../../streams/organisation/plan/plan.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { useDayText, useFormats } from '../parts/formats.ts'
import { useShowMore } from '../parts/more.tsx'
import { FoldedSection } from '../parts/Section.tsx'
import { recipientsText } from '../text/rules.ts'
import { useTexts } from '../text/texts.ts'
import { AffectedPeople, ComparisonSide } from './Difference.tsx'
import { blockDifferenceText, blockRuleTexts, blockWindowText } from '../text/plan.ts'
import * as css from './Plan.module.css'
import * as sectionCss from '../parts/Section.module.css'

const ROWS_SHOWN = 50
const GROUPS_SHOWN = 20

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
          {shown.map(({ block, name, people, share, during, recipients, replies }) => (
            <tr key={block}>
              <td className={css['count']}>{count(people)}</td>
              <td>
                {name}
                {share < 100 && (
                  <div className={css['quiet']}>{t('plan.blocks.share', { share: share / 100 })}</div>
                )}
              </td>
              <td>{blockWindowText(during, t, dayText)}</td>
              <td>
                {recipientsText(recipients, t)}
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

/** The blocks that each slot may show on the days after the plan. */
export function BlockCalendar({ document, at }: { document: ReleaseDocument; at: number }) {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return calendarOf(document, dayAt(at, timeZone)).map((slot, index) => (
    <SlotDays key={slot.slot} calendar={slot} hasHint={index === 0} />
  ))
}

/** A slot's days as a band and as a table. The numbers in the band are the table's row numbers. */
function SlotDays({ calendar: { slot, stretches }, hasHint }: { calendar: SlotCalendar; hasHint: boolean }) {
  const t = useTexts()
  const { count } = useFormats()
  const dayText = useDayText()
  return (
    <FoldedSection
      title={t('plan.blocks.calendar', { slot, count: CALENDAR_DAYS })}
      counts={count(stretches.length)}
    >
      {hasHint && <p className={css['quiet']}>{t('plan.blocks.calendarHint')}</p>}
      <div className={css['band']} aria-hidden="true">
        {stretches.map(({ from, days, blocks }, index) => (
          <span key={from} data-gap={blocks.length === 0} style={{ flexGrow: days }}>
            {count(index + 1)}
          </span>
        ))}
      </div>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col" className={css['count']}>
              {t('plan.blocks.number')}
            </th>
            <th scope="col">{t('plan.blocks.days')}</th>
            <th scope="col">{t('plan.blocks.standing')}</th>
          </tr>
        </thead>
        <tbody>
          {stretches.map(({ from, to, blocks }, index) => (
            <tr key={from}>
              <td className={css['count']}>{count(index + 1)}</td>
              <td>
                {from === to
                  ? dayText(from)
                  : t('plan.blocks.range', { from: dayText(from), to: dayText(to) })}
              </td>
              <td>
                {blocks.length === 0 ? (
                  <span className={css['quiet']}>{t('plan.blocks.nothing')}</span>
                ) : (
                  <ol className={css['list']}>
                    {blocks.map(({ id, name }) => (
                      <li key={id}>{name}</li>
                    ))}
                  </ol>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </FoldedSection>
  )
}

/** The changed blocks in a sample person's signature, side by side. */
export function ChangedBlocks({
  groups,
  images,
}: {
  groups: readonly BlockGroup[]
  images: readonly SignatureImage[]
}) {
  const [shown, more] = useShowMore(groups, GROUPS_SHOWN)
  return (
    <>
      {shown.map((group) => (
        <ChangedBlock
          key={`${group.kind} ${group.block} ${group.aspects.join()}`}
          group={group}
          images={images}
        />
      ))}
      {more}
    </>
  )
}

function ChangedBlock({ group, images }: { group: BlockGroup; images: readonly SignatureImage[] }) {
  const t = useTexts()
  const dayText = useDayText()
  const { name, before, after } = group
  const about = (when: string, block: BlockSample | null) => ({
    caption:
      block === null
        ? when
        : t('plan.blocks.caption', { when, rule: blockRuleTexts(block, t, dayText).join(' · ') }),
    html: block?.html ?? null,
    title: t('plan.blocks.frame', { name, when }),
  })
  return (
    <FoldedSection title={name} counts={t('plan.fold.people', { count: group.people })}>
      <div className={sectionCss['section']}>
        <AffectedPeople says={blockDifferenceText(group, t)} group={group} />
        {isRenderedGroup(group) ? (
          <div className={css['pair']}>
            <ComparisonSide {...about(t('plan.result.before'), before)} />
            <ComparisonSide {...about(t('plan.result.after'), after)} images={images} />
          </div>
        ) : (
          <p className={css['quiet']}>{t('plan.result.undrawn')}</p>
        )}
      </div>
    </FoldedSection>
  )
}
