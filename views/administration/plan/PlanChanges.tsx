import { type ReactNode, useId, useMemo, useState } from 'react'
import { draftImages } from '../../../streams/administration/plan/preview.ts'
import {
  changedBlocks,
  type ChangedItem,
  changedSignatures,
} from '../../../streams/administration/plan/selectors.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import type { BlockSample } from '../../../streams/organisation/plan/blockChange.ts'
import {
  type BlockGroup,
  isRenderedGroup,
  type Rendition,
  shownUses,
  type SignatureGroup,
} from '../../../streams/organisation/plan/plan.ts'
import type { Plan } from '../../../streams/wire/administration/publishing.ts'
import { Icon } from '../../shared/Icon.tsx'
import { useAdministrationState } from '../parts/administration.tsx'
import { useDayText } from '../parts/formats.ts'
import { useShowMore } from '../parts/more.tsx'
import {
  blockDifferenceText,
  blockRuleTexts,
  differencesText,
  differenceText,
  otherChangeTexts,
} from '../text/plan.ts'
import { useTexts } from '../text/texts.ts'
import { AffectedPeople, ComparisonSide } from './Difference.tsx'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './Plan.module.css'

const ROWS_SHOWN = 50
const GROUPS_SHOWN = 3

/**
 * One row for each change, with the number of people that it affects. The row of a signature or block unfolds its
 * distinct differences, before and after.
 */
export function PlanChanges({ plan: { summary, pictures } }: { plan: Plan }) {
  const t = useTexts()
  const document = useAdministrationState(({ plan: { made } }) => loadedValue(made)?.document ?? null)
  const contents = useAdministrationState(({ plan: { draft } }) => draft?.pictures ?? null)
  const images = useMemo(
    () => (document && contents ? draftImages(document, contents, pictures) : []),
    [document, contents, pictures],
  )
  const [shown, more] = useShowMore(
    [
      ...changedSignatures(summary).map((changed) => (
        <ChangedRow
          key={`signature ${changed.id}`}
          changed={changed}
          textOf={(group) => differenceText(group, t)}
          difference={(group) => <SideBySide group={group} images={images} />}
        />
      )),
      ...changedBlocks(summary).map((changed) => (
        <ChangedRow
          key={`block ${changed.id}`}
          changed={changed}
          textOf={(group) => blockDifferenceText(group, t)}
          difference={(group) => <BlockSideBySide group={group} images={images} />}
        />
      )),
      ...otherChangeTexts(summary, t).map(([people, text], index) => (
        <li key={`other ${String(index)}`} className={css['change']}>
          <span className={css['what']}>{text}</span>{' '}
          <span className={css['count']}>{t('plan.fold.people', { count: people })}</span>
        </li>
      )),
    ],
    ROWS_SHOWN,
  )
  return (
    <>
      {shown.length > 0 && <ul className={css['changes']}>{shown}</ul>}
      {more}
      {summary.more !== undefined && <p>{t('plan.result.more', { count: summary.more })}</p>}
    </>
  )
}

/** A changed signature or block. Its differences are drawn once the row is opened. */
function ChangedRow<Group extends SignatureGroup | BlockGroup>({
  changed: { name, people, groups },
  textOf,
  difference,
}: {
  changed: ChangedItem<Group>
  textOf: (group: Group) => string
  difference: (group: Group) => ReactNode
}) {
  const t = useTexts()
  const id = useId()
  const [wasOpened, setOpened] = useState(false)
  const [shown, more] = useShowMore(groups, GROUPS_SHOWN, (left) =>
    t('plan.result.moreDifferences', { count: left }),
  )
  return (
    <li>
      <section aria-labelledby={id}>
        <details
          onToggle={({ currentTarget: { open } }) => {
            if (open) setOpened(true)
          }}
        >
          <summary className={css['change']}>
            <h3 id={id}>
              <Icon name="unfold" />
              {name}
            </h3>
            <span className={css['what']}>{differencesText(groups, textOf)}</span>{' '}
            <span className={css['count']}>{t('plan.fold.people', { count: people })}</span>
          </summary>
          {wasOpened && (
            <div className={`${sectionCss['section']} ${css['differences']}`}>
              {shown.map((group, index) => (
                <div key={index} className={sectionCss['section']}>
                  <AffectedPeople says={textOf(group)} group={group} />
                  {isRenderedGroup(group) ? (
                    difference(group)
                  ) : (
                    <p className={css['quiet']}>{t('plan.result.undrawn')}</p>
                  )}
                </div>
              ))}
              {more}
            </div>
          )}
        </details>
      </section>
    </li>
  )
}

function SideBySide({ group, images }: { group: SignatureGroup; images: readonly SignatureImage[] }) {
  const t = useTexts()
  const titleOf = (use: keyof Rendition, when: string) =>
    t('plan.result.frame', { name: group.name, use: t(`plan.use.${use}`), when })
  const [before, after] = [t('plan.result.before'), t('plan.result.after')]
  const uses = shownUses(group).map((use) => (
    <div key={use}>
      <h4>{t(`plan.use.${use}`)}</h4>
      <div className={css['pair']}>
        <ComparisonSide caption={before} html={group.before?.[use] ?? null} title={titleOf(use, before)} />
        <ComparisonSide
          caption={after}
          html={group.after?.[use] ?? null}
          title={titleOf(use, after)}
          images={images}
        />
      </div>
    </div>
  ))
  return (
    <>
      {group.sampleWriter && <p className={css['quiet']}>{t('plan.result.sampleWriter')}</p>}
      {uses}
    </>
  )
}

function BlockSideBySide({ group, images }: { group: BlockGroup; images: readonly SignatureImage[] }) {
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
    <div className={css['pair']}>
      <ComparisonSide {...about(t('plan.result.before'), before)} />
      <ComparisonSide {...about(t('plan.result.after'), after)} images={images} />
    </div>
  )
}
