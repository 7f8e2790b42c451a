import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import { BANNER_PATH } from '../../../streams/administration/plan/banners.ts'
import { renderDraftBlocks, type RenderedBlock } from '../../../streams/administration/plan/blockPreview.ts'
import { periodState } from '../../../streams/organisation/rules/rules.ts'
import {
  blockPath,
  blocksBySlot,
  blocksOf,
  newBlockId,
  type SlotOfBlocks,
} from '../../../streams/administration/plan/blocks.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { copyName } from '../../../streams/administration/plan/items.ts'
import { variableLabelsOf } from '../../../streams/organisation/release/selectors.ts'
import type { Block, ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { useDayText } from '../parts/formats.ts'
import { type DisplayContext, useDisplayContext } from '../parts/shown.ts'
import { CheckField } from '../parts/Field.tsx'
import { Section } from '../parts/Section.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'
import type { FieldNameOf } from '../text/why.ts'
import { Card, DuplicateButton } from './Card.tsx'
import { NewItemButton } from './New.tsx'
import {
  blockPeriodText,
  slotPlaceholderOf,
  recipientsText,
  selectionText,
  shareText,
} from '../text/rules.ts'
import * as buttonCss from '../../shared/Button.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** The draft's blocks as cards, grouped by slot. */
export function Blocks({ document }: { document: ReleaseDocument }) {
  const t = useTexts()
  const record = useGesture()
  const shown = useDisplayContext(document)
  const { person, pictures, formats } = shown
  const all = useMemo(
    () => renderDraftBlocks(document, person, pictures, formats),
    [document, person, pictures, formats],
  )
  const slots = useMemo(() => blocksBySlot(document), [document])
  const isCounting = document.counting ?? false
  // The switch stays visible and keeps the focus when it is turned off here, even without blocks.
  const [wasCounting] = useState(isCounting)
  const labels = variableLabelsOf({ document })
  const nameOf = (field: string) => fieldName(field, labels, t)
  const add = (name: string, like: string | null) => {
    record(Planning.blockAdded({ block: newBlockId(document, name), name, like }))
  }
  return (
    <Section title={t('signatures.blocks.title')}>
      <p className={textCss['quiet']}>
        {t(all.length === 0 ? 'signatures.blocks.none' : 'signatures.blocks.order')}
      </p>
      <div className={stack['buttons']} data-new-block>
        <Link to={BANNER_PATH} className={buttonCss['secondary']}>
          {t('signatures.blocks.banner.title')}
        </Link>
        <NewItemButton
          title={t('signatures.blocks.new.title')}
          means={t('signatures.blocks.new.means')}
          short={t('signatures.blocks.new.short')}
          others={blocksOf(document)}
          onCreate={add}
        />
      </div>
      {all.length > 0 && (
        <div className={stack['gapL']}>
          {slots.map((slot) => (
            <Slot
              key={slot.slot}
              slot={slot}
              pictures={all.filter(({ block }) => block.slot === slot.slot)}
              shown={shown}
              nameOf={nameOf}
              onDuplicate={({ id, name }) => add(copyName(name, blocksOf(document)), id)}
            />
          ))}
        </div>
      )}
      {(all.length > 0 || isCounting || wasCounting) && <ClickCountingField />}
    </Section>
  )
}

function Slot({
  slot: { slot, templates },
  pictures,
  shown,
  nameOf,
  onDuplicate,
}: {
  slot: SlotOfBlocks
  pictures: readonly RenderedBlock[]
  shown: DisplayContext
  nameOf: FieldNameOf
  onDuplicate: (block: Block) => void
}) {
  const t = useTexts()
  return (
    <div className={stack['gapS']}>
      <h3>{t('signatures.blocks.slot', { slot })}</h3>
      {templates.length === 0 && (
        <p className={textCss['warning']}>
          {t('signatures.blocks.notShown', { placeholder: slotPlaceholderOf(slot) })}
        </p>
      )}
      {pictures.length === 0 ? (
        <p className={textCss['quiet']}>{t('signatures.blocks.empty')}</p>
      ) : (
        <ol className={`${sectionCss['list']} ${css['cards']}`}>
          {pictures.map((picture) => (
            <BlockCard
              key={picture.block.id}
              picture={picture}
              shown={shown}
              nameOf={nameOf}
              onDuplicate={() => onDuplicate(picture.block)}
            />
          ))}
        </ol>
      )}
    </div>
  )
}

function BlockCard({
  picture: { block, html, isForPerson },
  shown: { images, isSample, at },
  nameOf,
  onDuplicate,
}: {
  picture: RenderedBlock
  shown: DisplayContext
  nameOf: FieldNameOf
  onDuplicate: () => void
}) {
  const t = useTexts()
  const dayText = useDayText()
  const { id, name, selection, during, recipients, replies, share } = block
  return (
    <Card
      name={name}
      path={blockPath(id)}
      heading="h4"
      html={html}
      images={images}
      mark={
        !isSample &&
        !isForPerson && <span className={textCss['quiet']}>{t('signatures.card.notAssigned')}</span>
      }
      terms={[
        [t('signatures.rules.for'), selectionText(selection, t, nameOf)],
        [t('signatures.rules.when'), blockPeriodText(during, periodState(during, at), t, dayText)],
        [t('signatures.rules.recipients'), recipientsText(recipients, t)],
        ...(replies ? [] : [[t('signatures.blocks.replies'), t('signatures.blocks.notInReplies')] as const]),
        ...(share === 100 ? [] : [[t('signatures.blocks.share'), shareText(share, t)] as const]),
      ]}
      acts={<DuplicateButton name={name} onPress={onDuplicate} />}
    />
  )
}

/** A switch that turns the counting of clicks on or off for the whole organisation. */
export function ClickCountingField() {
  const t = useTexts()
  const recording = useRecording()
  const isOn = useAdministrationState(({ plan }) => plan.draft?.document.counting ?? false)
  return (
    <CheckField
      label={t('signatures.blocks.counting.label')}
      hint={t('signatures.blocks.counting.means')}
      isOn={isOn}
      onSwitch={recording((to) => Planning.countingSwitched({ isOn: to }))}
    />
  )
}
