import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import {
  type PaletteAction,
  performAction,
  variablesInSelection,
  fontFamily,
  networkIconOf,
  SOCIAL_NETWORKS,
  type TextSelection,
  type SocialLink,
} from '../../../streams/administration/plan/acts.ts'
import { bannerSize, linkAddress } from '../../../streams/administration/plan/banners.ts'
import { slotsInText } from '../../../streams/administration/plan/blocks.ts'
import { offeredFields, selectEditorWords } from '../../../streams/administration/plan/selectors.ts'
import type { Brand, ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { useToolbar } from '../dom/toolbar.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import { useDisplayContext } from '../parts/shown.ts'
import { Field } from '../parts/Field.tsx'
import { PicturePicker } from '../pictures/PicturePicker.tsx'
import { useTexts } from '../text/texts.ts'
import { type Choice, Choices } from './Choices.tsx'
import { SearchDialog } from './SearchDialog.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as css from './Workbench.module.css'

/** The palette's tools. The last three use the document's brand. */
const TOOLS = ['field', 'ifFilled', 'picture', 'slot', 'social', 'colour', 'font', 'logo'] as const
type Tool = (typeof TOOLS)[number]

const isOffered = (tool: Tool, brand: Brand | undefined): boolean => {
  if (tool === 'colour') return Object.keys(brand?.colours ?? {}).length > 0
  if (tool === 'font') return (brand?.fonts.length ?? 0) > 0
  return tool !== 'logo' || (brand?.logos.length ?? 0) > 0
}

type Given = Readonly<{
  document: ReleaseDocument
  text: string
  selected: TextSelection
  onAct: (act: PaletteAction) => void
}>

/**
 * The toolbar above the source. Each tool edits the text at the cursor or around the selection.
 *
 * @param document the draft's document in the preview
 */
export function Palette({ document, text, selected, onAct }: Given) {
  const t = useTexts()
  const [open, setOpen] = useState<Tool | null>(null)
  const { organisation, brand } = document
  const tools = TOOLS.filter((tool) => isOffered(tool, brand))
  const begin = (tool: Tool) => {
    const fields = variablesInSelection(text, selected)
    const [field, logo] = [fields[0], brand?.logos[0]]
    // If there is only one choice, no dialog asks for it.
    if (tool === 'ifFilled' && field !== undefined && fields.length === 1)
      onAct({ kind: 'ifFilled', name: field })
    else if (tool === 'logo' && logo !== undefined && brand?.logos.length === 1)
      onAct({ kind: 'picture', path: logo, alternative: organisation, width: null })
    else setOpen(tool)
  }
  const act = (chosen: PaletteAction) => {
    // Closes the dialog before the source gets the focus.
    flushSync(() => setOpen(null))
    onAct(chosen)
  }
  const dialog = { document, text, selected, onAct: act, onClose: () => setOpen(null) }
  return (
    <>
      <div {...useToolbar()} role="toolbar" aria-label={t('plan.palette.name')} className={css['palette']}>
        {tools.map((tool) => (
          <button
            key={tool}
            type="button"
            data-tool={tool}
            className={css['tool']}
            onClick={() => begin(tool)}
          >
            {t(`plan.palette.${tool}`)}
          </button>
        ))}
      </div>
      {(open === 'field' || open === 'ifFilled') && <FieldDialog kind={open} {...dialog} />}
      {(open === 'picture' || open === 'logo') && <PictureDialog tool={open} {...dialog} />}
      {open === 'slot' && <SlotDialog {...dialog} />}
      {open === 'social' && <SocialDialog {...dialog} />}
      {open === 'colour' && brand && <ColourDialog brand={brand} {...dialog} />}
      {open === 'font' && brand && <FontDialog brand={brand} {...dialog} />}
    </>
  )
}

type OfDialog = Given & Readonly<{ onClose: () => void }>

/** The fields with their values for the preview's person. The selection's fields come first. */
function FieldDialog({
  kind,
  document,
  text,
  selected,
  onAct,
  onClose,
}: OfDialog & { kind: 'field' | 'ifFilled' }) {
  const t = useTexts()
  const { person, pictures } = useDisplayContext(document)
  const first = kind === 'ifFilled' ? variablesInSelection(text, selected) : []
  const fields = offeredFields(document, person, pictures)
  return (
    <SearchDialog
      title={t(kind === 'field' ? 'plan.palette.fieldTitle' : 'plan.palette.ifFilledTitle')}
      choices={[
        ...fields.filter(({ name }) => first.includes(name)),
        ...fields.filter(({ name }) => !first.includes(name)),
      ].map(({ name, value }) => ({
        key: name,
        text: name,
        detail: value === '' ? t('plan.palette.empty') : value,
        value: { kind, name },
      }))}
      onChoose={onAct}
      onClose={onClose}
    />
  )
}

/** Asks for the alternative text, and for one of the draft's pictures. The brand's logos come first. */
export function PictureDialog({
  tool,
  document: { organisation, brand },
  onAct,
  onClose,
}: OfDialog & { tool: 'picture' | 'logo' }) {
  const t = useTexts()
  const [alternative, setAlternative] = useState(organisation)
  return (
    <Dialog title={t(`plan.palette.${tool}`)} onClose={onClose}>
      <Field
        label={t('signatures.blocks.banner.alt')}
        hint={t('signatures.blocks.banner.altHint')}
        value={alternative}
        onChange={({ currentTarget: { value } }) => setAlternative(value)}
      />
      <PicturePicker
        {...(brand && { first: brand.logos })}
        onChoose={(path, size) =>
          onAct({
            kind: 'picture',
            path,
            alternative: alternative.trim(),
            width: size && bannerSize(size).width,
          })
        }
      />
    </Dialog>
  )
}

/** The slots for blocks. A template can contain each slot only once. */
export function SlotDialog({ document, text, onAct, onClose }: OfDialog) {
  const t = useTexts()
  const { slots } = useAdministrationState(({ plan }) => selectEditorWords(plan))
  const shown = slotsInText(text, document)
  const free = slots.filter((slot) => !shown.includes(slot))
  return (
    <Dialog title={t('plan.palette.slot')} onClose={onClose}>
      {free.length === 0 ? (
        <p>{t(slots.length === 0 ? 'plan.palette.noSlots' : 'plan.palette.allSlots')}</p>
      ) : (
        <Choices<PaletteAction>
          label={t('signatures.blocks.slotLabel')}
          choices={free.map((name) => ({ key: name, text: name, value: { kind: 'slot', name } }))}
          onChoose={onAct}
        />
      )}
    </Dialog>
  )
}

/**
 * Asks for the addresses of the social links. Leaves out networks without an address. Shows a problem beside the
 * button, or at the first invalid address, which gets the focus.
 */
export function SocialDialog({ document, onAct, onClose }: OfDialog) {
  const t = useTexts()
  const [given, setGiven] = useState<Readonly<Record<string, string>>>({})
  const [isAsked, setAsked] = useState(false)
  const fields = useRef<HTMLDivElement>(null)
  const pictures = Object.keys(document.pictures).sort()
  const filled = SOCIAL_NETWORKS.filter(({ id }) => (given[id] ?? '').trim() !== '')
  const links = filled.flatMap(({ id, name }): SocialLink[] => {
    const address = linkAddress(given[id] ?? '')
    return address === null ? [] : [{ name, address, picture: networkIconOf(pictures, id) }]
  })
  const insert = () => {
    // Marks the invalid fields first, so that the first one can get the focus.
    flushSync(() => setAsked(true))
    fields.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
    if (links.length > 0 && links.length === filled.length) onAct({ kind: 'social', links })
  }
  return (
    <Dialog
      title={t('plan.palette.social')}
      onClose={onClose}
      act={
        <>
          <p role="status">{isAsked && filled.length === 0 && t('plan.palette.noLinks')}</p>
          <Button look="primary" onPress={insert}>
            {t('plan.palette.insert')}
          </Button>
        </>
      }
    >
      <div ref={fields} className={stack['gapS']}>
        <p>{t('plan.palette.socialHint')}</p>
        {SOCIAL_NETWORKS.map(({ id, name }) => {
          const address = given[id] ?? ''
          return (
            <Field
              key={id}
              label={name}
              hint={t(networkIconOf(pictures, id) === null ? 'plan.palette.asText' : 'plan.palette.asIcon')}
              problem={
                isAsked && address.trim() !== '' && linkAddress(address) === null
                  ? t('signatures.blocks.problem.address')
                  : null
              }
              inputMode="url"
              autoComplete="off"
              value={address}
              onChange={({ currentTarget: { value } }) => setGiven((before) => ({ ...before, [id]: value }))}
            />
          )
        })}
      </div>
    </Dialog>
  )
}

/** The brand's colours or fonts. If there are no words to style, the dialog explains this and stays open. */
function StyleDialog({
  title,
  label,
  choices,
  text,
  selected,
  onAct,
  onClose,
}: OfDialog & { title: string; label: string; choices: readonly Choice<PaletteAction>[] }) {
  const t = useTexts()
  const [isNowhere, setNowhere] = useState(false)
  const give = (act: PaletteAction) => {
    if (performAction(text, selected, act).edits.length > 0) onAct(act)
    else setNowhere(true)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <div className={stack['gapS']}>
        <p role="status">{isNowhere && t('plan.palette.noWords')}</p>
        <Choices label={label} choices={choices} onChoose={give} />
      </div>
    </Dialog>
  )
}

function ColourDialog({ brand, ...dialog }: OfDialog & { brand: Brand }) {
  const t = useTexts()
  return (
    <StyleDialog
      title={t('plan.palette.colour')}
      label={t('plan.palette.colours')}
      choices={Object.entries(brand.colours).map(([name, colour]) => ({
        key: name,
        text: name,
        detail: colour,
        colour,
        value: { kind: 'style', property: 'color', value: colour },
      }))}
      {...dialog}
    />
  )
}

function FontDialog({ brand, ...dialog }: OfDialog & { brand: Brand }) {
  const t = useTexts()
  return (
    <StyleDialog
      title={t('plan.palette.font')}
      label={t('plan.palette.fonts')}
      choices={brand.fonts.map((font) => ({
        key: font,
        text: font,
        value: { kind: 'style', property: 'font-family', value: fontFamily(font) },
      }))}
      {...dialog}
    />
  )
}
