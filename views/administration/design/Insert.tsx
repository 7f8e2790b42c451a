import { useState } from 'react'
import type { NewElement } from '../../../streams/administration/design/elements.ts'
import type { PaletteAction } from '../../../streams/administration/plan/acts.ts'
import { bannerSize, linkAddress } from '../../../streams/administration/plan/banners.ts'
import { blocksOf } from '../../../streams/administration/plan/blocks.ts'
import { readRaster } from '../../../streams/html/raster.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { useAdministrationState } from '../parts/administration.tsx'
import { Field } from '../parts/Field.tsx'
import { Choices } from '../plan/Choices.tsx'
import { PictureDialog, SlotDialog, SocialDialog } from '../plan/Palette.tsx'
import { SearchDialog } from '../plan/SearchDialog.tsx'
import { useTexts } from '../text/texts.ts'
import { useDesign, useValueChoices } from './designed.ts'
import * as stack from '../../shared/Stack.module.css'

/** The elements that a person can insert, the most frequent first. */
const KINDS = [
  'text',
  'valueLine',
  'picture',
  'button',
  'social',
  'divider',
  'space',
  'columns',
  'code',
  'slot',
] as const
type Kind = (typeof KINDS)[number]

const SPACE_PX = 12
const ACCENT = '#0f6cbd'
const LINE_COLOUR = '#c8c8c8'
const NOWHERE = { from: 0, to: 0 }

/** Asks which element to insert beside the selected item, and what it needs. */
export function Insert({ where, onClose }: { where: 'before' | 'after'; onClose: () => void }) {
  const t = useTexts()
  const { document, root, subject, selected, act } = useDesign()
  const [kind, setKind] = useState<Kind | null>(null)
  const contents = useAdministrationState(({ plan }) => plan.draft?.pictures)
  const accent = Object.values(document.brand?.colours ?? {})[0] ?? ACCENT
  /** A block has no slots of its own. */
  const isInBlock =
    subject.kind === 'block' || blocksOf(document).some(({ template }) => template === selected?.path)
  const insert = (element: NewElement) => {
    onClose()
    act({ kind: 'insert', where, element })
  }
  const choose = (chosen: Kind) => {
    if (chosen === 'text') insert({ kind: 'text', text: t('design.insert.newText') })
    else if (chosen === 'divider') insert({ kind: 'divider', colour: LINE_COLOUR })
    else if (chosen === 'space') insert({ kind: 'space', height: SPACE_PX })
    else if (chosen === 'columns')
      insert({ kind: 'columns', texts: [t('design.insert.newText'), t('design.insert.newText')] })
    else setKind(chosen)
  }
  /** What the palette's dialogs make, as a new element. */
  const insertAction = (action: PaletteAction) => {
    if (action.kind === 'social') insert({ kind: 'social', links: action.links })
    else if (action.kind === 'slot') insert({ kind: 'slot', name: action.name })
    else if (action.kind === 'picture') {
      const raster = readRaster(contents?.[document.pictures[action.path] ?? '']?.base64 ?? '')
      const size = raster ? bannerSize(raster) : { width: action.width, height: null }
      insert({ kind: 'picture', path: action.path, alternative: action.alternative, ...size })
    }
  }
  const dialog = {
    document,
    text: document.templates[root] ?? '',
    selected: NOWHERE,
    onAct: insertAction,
    onClose,
  }
  if (kind === 'picture') return <PictureDialog tool="picture" {...dialog} />
  if (kind === 'social') return <SocialDialog {...dialog} />
  if (kind === 'slot') return <SlotDialog {...dialog} />
  if (kind === 'button') return <ButtonDialog colour={accent} onInsert={insert} onClose={onClose} />
  if (kind === 'code') return <CodeDialog onInsert={insert} onClose={onClose} />
  if (kind === 'valueLine') return <ValueDialog onInsert={insert} onClose={onClose} />
  return (
    <Dialog title={t(`design.insert.${where}`)} onClose={onClose}>
      <Choices<Kind>
        label={t('design.insert.elements')}
        choices={KINDS.filter((each) => each !== 'slot' || !isInBlock).map((each) => ({
          key: each,
          text: t(`design.insert.${each}`),
          detail: t(`design.insert.about.${each}`),
          value: each,
        }))}
        onChoose={choose}
      />
    </Dialog>
  )
}

type OfDialog = Readonly<{ onInsert: (element: NewElement) => void; onClose: () => void }>

function ButtonDialog({ colour, onInsert, onClose }: OfDialog & { colour: string }) {
  const t = useTexts()
  const [text, setText] = useState('')
  const [typed, setTyped] = useState('')
  const [isAsked, setAsked] = useState(false)
  const address = linkAddress(typed)
  return (
    <Dialog
      title={t('design.insert.button')}
      onClose={onClose}
      onSubmit={() => {
        if (address === null || text.trim() === '') setAsked(true)
        else onInsert({ kind: 'button', text: text.trim(), address, colour })
      }}
      act={
        <Button look="primary" submits>
          {t('plan.palette.insert')}
        </Button>
      }
    >
      <div className={stack['gapS']}>
        <Field
          label={t('design.insert.buttonText')}
          problem={isAsked && text.trim() === '' ? t('signatures.problem.empty') : null}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <Field
          label={t('design.link.addressLabel')}
          hint={t('design.link.hint')}
          problem={isAsked && address === null ? t('signatures.blocks.problem.address') : null}
          inputMode="url"
          autoComplete="off"
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
      </div>
    </Dialog>
  )
}

function CodeDialog({ onInsert, onClose }: OfDialog) {
  const t = useTexts()
  const [typed, setTyped] = useState('')
  const text = typed.trim()
  const address = linkAddress(text)
  const isWrong = text !== '' && address === null
  return (
    <Dialog
      title={t('design.insert.code')}
      onClose={onClose}
      onSubmit={() => {
        if (!isWrong) onInsert({ kind: 'code', address, alternative: t('design.insert.codeAlternative') })
      }}
      act={
        <Button look="primary" submits isOff={isWrong}>
          {t('plan.palette.insert')}
        </Button>
      }
    >
      <Field
        label={t('design.insert.codeAddress')}
        hint={t('design.insert.codeHint')}
        problem={isWrong ? t('signatures.blocks.problem.address') : null}
        inputMode="url"
        autoComplete="off"
        value={typed}
        onChange={({ currentTarget: { value } }) => setTyped(value)}
      />
    </Dialog>
  )
}

function ValueDialog({ onInsert, onClose }: OfDialog) {
  const t = useTexts()
  const { document } = useDesign()
  return (
    <SearchDialog
      title={t('design.insert.valueLine')}
      choices={useValueChoices(document)}
      onChoose={(name) => onInsert({ kind: 'valueLine', name })}
      onClose={onClose}
    />
  )
}
