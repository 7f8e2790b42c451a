import { useMemo, useState } from 'react'
import {
  type BlockChanges,
  blocksBySlot,
  blocksOf,
  parseShare,
  type SlotOfBlocks,
} from '../../../streams/administration/plan/blocks.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { isVariableName } from '../../../streams/organisation/release/names.ts'
import type { Block, ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { BlockDesign } from '../design/BlockDesign.tsx'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { ClickChart } from '../parts/ClickChart.tsx'
import { CheckField, ChoiceField, Field } from '../parts/Field.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import {
  SelectionFields,
  NameField,
  PositionField,
  RecipientsField,
  ThreadField,
  templateOptions,
} from './RuleFields.tsx'
import { BlockTimes } from './BlockTimes.tsx'
import { OnePage } from './OnePage.tsx'
import { shareText } from '../text/rules.ts'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** One block of the draft: its design, its rules or its source, beside a message with the block. */
export function OneBlock({ id }: { id: string }) {
  const t = useTexts()
  return (
    <OnePage
      area="blocks"
      untitled={t('frame.blocks')}
      gone={t('signatures.blocks.gone')}
      find={(document) => blocksOf(document).find((each) => each.id === id)}
      design={(block, document, onSource) => (
        <BlockDesign block={block} document={document} onSource={onSource} />
      )}
      rules={(block, document) => <BlockRules block={block} document={document} />}
      below={<Clicks block={id} />}
      remove={{
        means: t('signatures.blocks.remove.means'),
        confirm: t('signatures.blocks.remove.confirm'),
        event: Planning.blockRemoved({ block: id }),
      }}
    />
  )
}

/** The clicks on the block's links in the published release; nothing for a block without counted links. */
function Clicks({ block }: { block: string }) {
  const t = useTexts()
  const clicks = useAdministrationState(
    ({ insight }) => loadedValue(insight)?.clicks?.find((each) => each.block === block) ?? null,
  )
  if (clicks === null) return null
  return (
    <Section title={t('signatures.blocks.clicks')}>
      <p className={textCss['quiet']}>{t('overview.now.clicks.means')}</p>
      <ClickChart days={clicks.days} />
    </Section>
  )
}

type Change = (changes: BlockChanges) => void

/** The form of a block's rules. Each field changes the draft at once, as in the form of a signature. */
function BlockRules({ block, document }: { block: Block; document: ReleaseDocument }) {
  const t = useTexts()
  const record = useGesture()
  const change: Change = (changes) => {
    record(Planning.blockChanged({ block: block.id, changes }))
  }
  const slots = useMemo(() => blocksBySlot(document), [document])
  const inSlot = slots.find(({ slot }) => slot === block.slot)?.blocks ?? []
  const index = inSlot.indexOf(block)
  return (
    <div className={css['rules']}>
      <NameField name={block.name} onChange={(name) => change({ name })} />
      <SlotOf block={block} slots={slots} change={change} />
      <PositionField
        says={t('signatures.blocks.position', { position: index + 1, of: inSlot.length })}
        index={index}
        of={inSlot.length}
        onMove={(to) => {
          record(Planning.blockMoved({ block: block.id, to }))
        }}
      />
      <SelectionFields
        selection={block.selection}
        onChange={(selection) => {
          if (selection !== block.selection) change({ selection })
        }}
      />
      <Share block={block} change={change} />
      <BlockTimes block={block} variables={document.variables} change={change} />
      <RecipientsField
        label={t('signatures.blocks.shownTo')}
        recipients={block.recipients}
        onChange={(recipients) => {
          if (recipients !== undefined) change({ recipients })
        }}
      />
      <ThreadField thread={block.thread} onChange={(thread) => change({ thread })} />
      <CheckField
        label={t('signatures.blocks.inReplies')}
        isOn={block.replies}
        onSwitch={(replies) => change({ replies })}
      />
      <TemplateOf block={block} document={document} change={change} />
    </div>
  )
}

type Part = Readonly<{ block: Block; change: Change }>

/** The value of the choice "another slot": empty, because no slot has an empty name. */
const OTHER = ''

function SlotOf({ block: { slot }, slots, change }: Part & { slots: readonly SlotOfBlocks[] }) {
  const t = useTexts()
  const [isOther, setOther] = useState(false)
  const [name, setName] = useState('')
  // The sentence below already describes the typed name, so that nothing moves when the field loses the focus.
  const meant = isOther && isVariableName(name) ? name : slot
  const isShown = slots.some((each) => each.slot === meant && each.templates.length > 0)
  const take = () => {
    if (isVariableName(name) && name !== slot) change({ slot: name })
  }
  return (
    <div className={stack['gapS']}>
      <ChoiceField
        label={t('signatures.blocks.slotLabel')}
        value={isOther ? OTHER : slot}
        options={[
          ...slots.map((each) => [each.slot, each.slot] as const),
          [OTHER, t('signatures.blocks.otherSlot')],
        ]}
        onChange={({ currentTarget: { value } }) => {
          setOther(value === OTHER)
          setName('')
          if (value !== OTHER) change({ slot: value })
        }}
      />
      {isOther && (
        <Field
          label={t('signatures.blocks.slotName')}
          type="text"
          maxLength={100}
          value={name}
          problem={
            name === ''
              ? t('signatures.problem.empty')
              : isVariableName(name)
                ? null
                : t('signatures.blocks.problem.slot', { value: name })
          }
          onChange={({ currentTarget: { value } }) => setName(value.trim())}
          onBlur={take}
          onKeyDown={({ key }) => {
            if (key === 'Enter') take()
          }}
        />
      )}
      {!isShown && <p className={textCss['warning']}>{t('signatures.blocks.notShown')}</p>}
    </div>
  )
}

function Share({ block, change }: Part) {
  const t = useTexts()
  const { share, turns = 'people' } = block
  const [text, setText] = useState(String(share))
  const read = parseShare(text)
  return (
    <>
      <Field
        label={t('signatures.blocks.shareLabel')}
        hint={shareText({ ...block, share: read ?? share }, t)}
        type="number"
        min={1}
        max={100}
        step={1}
        value={text}
        problem={read === null ? t('signatures.blocks.problem.share') : null}
        onChange={({ currentTarget: { value } }) => {
          setText(value)
          const after = parseShare(value)
          if (after !== null) change({ share: after })
        }}
      />
      {share < 100 && (
        <ChoiceField
          label={t('signatures.blocks.turnsLabel')}
          value={turns}
          options={(['people', 'mail'] as const).map((each) => [each, t(`signatures.blocks.turns.${each}`)])}
          onChange={({ currentTarget: { value } }) => change({ turns: value as 'people' | 'mail' })}
        />
      )}
    </>
  )
}

function TemplateOf({ block: { template }, document, change }: Part & { document: ReleaseDocument }) {
  const t = useTexts()
  return (
    <ChoiceField
      label={t('signatures.blocks.template')}
      value={template}
      options={templateOptions(document, template)}
      onChange={({ currentTarget: { value } }) => change({ template: value })}
    />
  )
}
