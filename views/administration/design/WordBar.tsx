import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import type { LinkTarget } from '../../../streams/administration/design/acts.ts'
import { linkOf } from '../../../streams/administration/design/acts.ts'
import { Designing } from '../../../streams/administration/design/events.ts'
import { redo, undo } from '../../../streams/administration/design/history.ts'
import { fontFamily } from '../../../streams/administration/plan/acts.ts'
import { linkAddress } from '../../../streams/administration/plan/banners.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { useChosenColour } from '../dom/chosenColour.ts'
import { useToolbar } from '../dom/toolbar.ts'
import { useAdministrationState, useGesture, useRecording } from '../parts/administration.tsx'
import { ChoiceField, Field } from '../parts/Field.tsx'
import type { WordLook } from '../parts/frameContent.ts'
import { SearchDialog } from '../plan/SearchDialog.tsx'
import { useTexts } from '../text/texts.ts'
import { useDesign, useNamedValues, useValueChoices } from './designed.ts'
import { Pick } from './Pick.tsx'
import { useWordStyle, type WordToggle } from './wordStyle.ts'
import * as stack from '../../shared/Stack.module.css'
import * as css from './Design.module.css'

/** Fonts that every computer has. */
const SAFE_FONTS = ['Arial', 'Calibri', 'Georgia', 'Tahoma', 'Times New Roman', 'Trebuchet MS', 'Verdana']
const SIZES_PX = [10, 11, 12, 13, 14, 16, 18, 20, 24, 28, 32]

/** A computed colour such as `rgb(15, 61, 94)` as `#0f3d5e`; black for others. */
function hexOf(colour: string): string {
  const [, red = '0', green = '0', blue = '0'] = /^rgba?\((\d+),\s*(\d+),\s*(\d+)/.exec(colour) ?? []
  return `#${[red, green, blue].map((each) => Number(each).toString(16).padStart(2, '0')).join('')}`
}

/**
 * The bar above the signature: undo and redo, and the look of the selected words or of all words in the selected item.
 *
 * @param look how the first of these words is drawn; null if they are not drawn
 */
export function WordBar({ look }: { look: WordLook | null }) {
  const t = useTexts()
  const recording = useRecording()
  const { document, selected, field } = useDesign()
  const [isLinking, setLinking] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const typing = useAdministrationState(({ plan }) => plan.design.typing)
  const canUndo = useAdministrationState(
    ({ plan }) => undo(plan.design.history, plan.draft?.document.templates ?? {}) !== null,
  )
  const canRedo = useAdministrationState(
    ({ plan }) => redo(plan.design.history, plan.draft?.document.templates ?? {}) !== null,
  )
  const { isOff, style, isOn, toggle } = useWordStyle(look)
  const toggleButton = (each: WordToggle, label: string, shown: ReactNode) => (
    <button
      type="button"
      className={css['tool']}
      aria-label={label}
      title={label}
      aria-pressed={isOn(each)}
      aria-disabled={isOff || undefined}
      // The words keep the focus and their selection.
      onMouseDown={(event) => event.preventDefault()}
      onClick={isOff ? undefined : () => toggle(each)}
    >
      {shown}
    </button>
  )
  const colour = useChosenColour(hexOf(look?.color ?? ''), (chosen) => style('color', chosen))
  const colours = Object.entries(document.brand?.colours ?? {})
  const fonts = [...new Set([...(document.brand?.fonts ?? []), ...SAFE_FONTS])]
  const shownFont = /^['"]?([^'",]+)/.exec(look?.fontFamily ?? '')?.[1] ?? ''
  const px = Math.round(Number.parseFloat(look?.fontSize ?? ''))
  const sizes = [...new Set([...SIZES_PX, ...(Number.isFinite(px) ? [px] : [])])].sort(
    (one, other) => one - other,
  )
  return (
    <>
      <div
        {...useToolbar()}
        role="toolbar"
        aria-label={t('design.bar.name')}
        className={css['bar']}
        data-keeps-typing
      >
        <button
          type="button"
          className={css['tool']}
          aria-label={t('design.bar.undo')}
          title={t('design.bar.undo')}
          aria-disabled={!canUndo || undefined}
          onClick={canUndo ? recording(Designing.undone()) : undefined}
        >
          <Icon name="undo" />
        </button>
        <button
          type="button"
          className={css['tool']}
          aria-label={t('design.bar.redo')}
          title={t('design.bar.redo')}
          aria-disabled={!canRedo || undefined}
          onClick={canRedo ? recording(Designing.redone()) : undefined}
        >
          <Icon name="redo" />
        </button>
        <span className={css['gap']} />
        {toggleButton('bold', t('design.bar.bold'), <b>{t('design.bar.boldLetter')}</b>)}
        {toggleButton('italic', t('design.bar.italic'), <i>{t('design.bar.italicLetter')}</i>)}
        {toggleButton('underline', t('design.bar.underline'), <u>{t('design.bar.underlineLetter')}</u>)}
        <span className={css['gap']} />
        <span className={css['colours']}>
          {colours.map(([name, colour]) => (
            <button
              key={name}
              type="button"
              className={css['tool']}
              aria-label={t('design.bar.brandColour', { name })}
              title={t('design.bar.brandColour', { name })}
              aria-disabled={isOff || undefined}
              onMouseDown={(event) => event.preventDefault()}
              onClick={isOff ? undefined : () => style('color', colour)}
            >
              <span className={css['swatch']} style={{ background: colour }} />
            </button>
          ))}
        </span>
        <input
          type="color"
          className={css['colour']}
          aria-label={t('design.bar.colour')}
          title={t('design.bar.colour')}
          disabled={isOff}
          {...colour}
        />
        <Pick
          label={t('design.bar.font')}
          shown={isOff ? '' : shownFont}
          isOff={isOff}
          choices={fonts.map((font) => ({
            ...{ key: font, text: font, value: font },
            isCurrent: font === shownFont,
          }))}
          onChoose={(font) => style('font-family', fontFamily(font))}
        />
        <Pick
          label={t('design.bar.size')}
          shown={isOff || !Number.isFinite(px) ? '' : t('design.bar.px', { px })}
          isOff={isOff}
          choices={sizes.map((size) => ({
            ...{ key: String(size), text: t('design.bar.px', { px: size }), value: size },
            isCurrent: size === px,
          }))}
          onChoose={(size) => style('font-size', `${String(size)}px`)}
        />
        <span className={css['gap']} />
        <button
          type="button"
          className={css['tool']}
          aria-disabled={selected === null || undefined}
          onClick={() => {
            if (selected) setLinking(true)
          }}
        >
          {t('design.bar.link')}
        </button>
        <button
          type="button"
          className={css['tool']}
          aria-disabled={typing === null || undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            if (typing) setChoosing(true)
          }}
        >
          {t('design.bar.value')}
        </button>
      </div>
      {isLinking && <LinkDialog onClose={() => setLinking(false)} />}
      {isChoosing && (
        <div data-keeps-typing>
          <ValueDialog
            onClose={(name) => {
              // Closes the dialog before the words get the focus.
              flushSync(() => setChoosing(false))
              field.current?.focus()
              if (name !== null) field.current?.insertValue(name)
            }}
          />
        </div>
      )}
    </>
  )
}

/** Asks for a value to insert into the words. */
function ValueDialog({ onClose }: { onClose: (name: string | null) => void }) {
  const t = useTexts()
  const { document } = useDesign()
  return (
    <SearchDialog
      title={t('design.bar.value')}
      choices={useValueChoices(document)}
      onChoose={onClose}
      onClose={() => onClose(null)}
    />
  )
}

type LinkKind = LinkTarget['kind']

/** Asks for the address of a link: typed, or a value of the person. */
function LinkDialog({ onClose }: { onClose: () => void }) {
  const t = useTexts()
  const record = useGesture()
  const { document, selected, act } = useDesign()
  const values = useNamedValues(document)
  const link = selected && linkOf(selected)
  const href = link?.tag.attributes.find(({ name }) => name === 'href')?.value ?? ''
  const [kind, setKind] = useState<LinkKind>('address')
  const [typed, setTyped] = useState(href.includes('{{') ? '' : href)
  const [isAsked, setAsked] = useState(false)
  const [name, setName] = useState(values[0]?.name ?? '')
  const address = webOrMailAddress(typed)
  const finish = (target: LinkTarget | null) => {
    onClose()
    record(Designing.typingEnded())
    act({ kind: 'link', target })
  }
  const use = () => {
    if (kind !== 'address') finish({ kind, name })
    else if (address === null) setAsked(true)
    else finish({ kind, address })
  }
  return (
    <Dialog
      title={t('design.link.title')}
      onClose={onClose}
      onSubmit={use}
      act={
        <>
          {link && (
            <Button look="secondary" onPress={() => finish(null)}>
              {t('design.link.remove')}
            </Button>
          )}
          <Button look="primary" submits>
            {t('design.link.use')}
          </Button>
        </>
      }
    >
      <div className={stack['gapS']}>
        <ChoiceField
          label={t('design.link.to')}
          value={kind}
          options={[
            ['address', t('design.link.address')],
            ['web', t('design.link.web')],
            ['mailto', t('design.link.mailto')],
            ['tel', t('design.link.tel')],
          ]}
          onChange={({ currentTarget: { value } }) => setKind(value as LinkKind)}
        />
        {kind === 'address' ? (
          <Field
            label={t('design.link.addressLabel')}
            hint={address === null || address === typed ? t('design.link.hint') : address}
            problem={isAsked && address === null ? t('signatures.blocks.problem.address') : null}
            inputMode="url"
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        ) : (
          <ChoiceField
            label={t('design.link.value')}
            value={name}
            options={values.map(({ name: of, title, value }) => [
              of,
              value === '' ? title : `${title} · ${value}`,
            ])}
            onChange={({ currentTarget: { value } }) => setName(value)}
          />
        )}
      </div>
    </Dialog>
  )
}

/** A typed address as a link needs it: `www.example.com` is a web address, `name@example.com` a mail address. */
function webOrMailAddress(typed: string): string | null {
  const text = typed.trim()
  if (/^[^\s@/:]+@[^\s@/:]+$/.test(text) && text.lastIndexOf('.') > text.indexOf('@')) return `mailto:${text}`
  return /^(?:mailto|tel):\S+$/i.test(text) ? text : linkAddress(text)
}
