import { type ReactNode, useId, useMemo, useState } from 'react'
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
import { changedItems, type Draft } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { copyName } from '../../../streams/administration/plan/items.ts'
import { variableLabelsOf } from '../../../streams/organisation/release/selectors.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { useDayText } from '../parts/formats.ts'
import { type DisplayContext, useDisplayContext } from '../parts/shown.ts'
import { CheckField } from '../parts/Field.tsx'
import { Section } from '../parts/Section.tsx'
import { DraftPage, DraftStatus } from '../plan/DraftPage.tsx'
import { Findings } from '../plan/Findings.tsx'
import { PreviewPerson } from '../plan/PreviewPerson.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'
import type { FieldNameOf } from '../text/why.ts'
import { Card, type CardDrag, DuplicateButton } from './Card.tsx'
import { MovableCards } from './Move.tsx'
import { NewItemButton } from './New.tsx'
import { blockOpenText, recipientsText, selectionText, shareText } from '../text/rules.ts'
import * as buttonCss from '../../shared/Button.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** The page with the draft's blocks as cards, grouped by slot. */
export function BlockCards() {
  const t = useTexts()
  const document = useAdministrationState(({ plan }) => plan.debounced)
  const findings = useAdministrationState(({ plan }) => plan.findings)
  return (
    <DraftPage
      area="blocks"
      act={
        document && (
          <div className={stack['buttons']} data-new>
            <Link to={BANNER_PATH} className={buttonCss['primary']}>
              {t('signatures.blocks.banner.title')}
            </Link>
            <NewBlock document={document} />
          </div>
        )
      }
    >
      {(draft) => (
        <>
          <div className={css['states']}>
            <DraftStatus draft={draft} />
            {blocksOf(draft.document).length > 0 && <PreviewPerson />}
          </div>
          <Findings findings={findings} heading="h2" />
          {document && <Slots draft={draft} document={document} />}
        </>
      )}
    </DraftPage>
  )
}

function NewBlock({ document }: { document: ReleaseDocument }) {
  const t = useTexts()
  const record = useGesture()
  return (
    <NewItemButton
      title={t('signatures.blocks.new.title')}
      means={t('signatures.blocks.new.means')}
      short={t('signatures.blocks.new.short')}
      others={blocksOf(document)}
      onCreate={(name, like) => {
        record(Planning.blockAdded({ block: newBlockId(document, name), name, like }))
      }}
    />
  )
}

/** The slots in the draft's order. The pictures of the blocks follow when the draft is rendered again. */
function Slots({ draft, document }: { draft: Draft; document: ReleaseDocument }) {
  const t = useTexts()
  const shown = useDisplayContext(document)
  const { person, writer, pictures, formats } = shown
  const rendered = useMemo(
    () => renderDraftBlocks(document, { person, writer }, pictures, formats),
    [document, person, writer, pictures, formats],
  )
  const slots = useMemo(() => blocksBySlot(draft.document), [draft])
  const hint = useId()
  const all = blocksOf(draft.document)
  const isCounting = draft.document.counting ?? false
  // The switch stays visible and keeps the focus when it is turned off here, even without blocks.
  const [wasCounting] = useState(isCounting)
  return (
    <>
      <p className={textCss['quiet']}>
        {t(all.length === 0 ? 'signatures.blocks.none' : 'signatures.blocks.order')}{' '}
        {slots.some(({ blocks }) => blocks.length > 1) && <span id={hint}>{t('signatures.move.hint')}</span>}
      </p>
      {all.length > 0 &&
        slots.map((slot) => (
          <Slot key={slot.slot} slot={slot} draft={draft} rendered={rendered} shown={shown} hint={hint} />
        ))}
      {(all.length > 0 || isCounting || wasCounting) && <ClickCountingField />}
    </>
  )
}

function Slot({
  slot: { slot, templates, blocks },
  draft,
  rendered,
  shown,
  hint,
}: {
  slot: SlotOfBlocks
  draft: Draft
  rendered: readonly RenderedBlock[]
  shown: DisplayContext
  hint: string
}) {
  const t = useTexts()
  const record = useGesture()
  const changed = useMemo(() => changedItems(draft, 'blocks'), [draft])
  const labels = variableLabelsOf(draft)
  const cards = blocks.map((block) => ({
    html: null,
    isForPerson: true,
    ...rendered.find((each) => each.block.id === block.id),
    ...{ id: block.id, name: block.name, block },
  }))
  return (
    <Section title={t('signatures.blocks.slot', { slot })}>
      {templates.length === 0 && <p className={textCss['warning']}>{t('signatures.blocks.notShown')}</p>}
      {cards.length === 0 ? (
        <p className={textCss['quiet']}>{t('signatures.blocks.empty')}</p>
      ) : (
        <MovableCards
          all={cards}
          hint={hint}
          onMove={(block, to) => {
            record(Planning.blockMoved({ block, to }))
          }}
          draw={(card, drag, handle) => (
            <BlockCard
              key={card.id}
              card={card}
              shown={shown}
              nameOf={(field) => fieldName(field, labels, t)}
              isChanged={changed.has(card.id)}
              drag={drag}
              acts={
                <>
                  {handle}
                  <DuplicateButton
                    name={card.name}
                    onPress={() => {
                      const name = copyName(card.name, blocksOf(draft.document))
                      const block = newBlockId(draft.document, name)
                      record(Planning.blockAdded({ block, name, like: card.id }))
                    }}
                  />
                </>
              }
            />
          )}
        />
      )}
    </Section>
  )
}

function BlockCard({
  card: { block, html, isForPerson },
  shown: { images, isSample, at },
  nameOf,
  isChanged,
  drag,
  acts,
}: {
  card: RenderedBlock
  shown: DisplayContext
  nameOf: FieldNameOf
  isChanged: boolean
  drag: CardDrag
  acts: ReactNode
}) {
  const t = useTexts()
  const dayText = useDayText()
  const { id, name, selection, during, recipients, replies, share, thread } = block
  return (
    <Card
      name={name}
      path={blockPath(id)}
      heading="h3"
      html={html}
      images={images}
      isChanged={isChanged}
      mark={
        !isSample &&
        !isForPerson && <span className={textCss['quiet']}>{t('signatures.card.notAssigned')}</span>
      }
      whom={selectionText(selection, t, nameOf)}
      terms={[
        [t('signatures.rules.when'), blockOpenText(block, periodState(during, at), t, dayText)],
        [t('signatures.rules.recipients'), recipientsText(recipients, t)],
        ...(thread ? [[t('signatures.rules.thread'), t(`signatures.thread.${thread}`)] as const] : []),
        ...(replies ? [] : [[t('signatures.blocks.replies'), t('signatures.blocks.notInReplies')] as const]),
        ...(share === 100 ? [] : [[t('signatures.blocks.share'), shareText(block, t)] as const]),
      ]}
      acts={acts}
      drag={drag}
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
