import { useState } from 'react'
import {
  boxesOf,
  type BoxSide,
  canCopy,
  pixelsIn,
  variablesOfItem,
} from '../../../streams/administration/design/acts.ts'
import { conditionsOf, elementOf, pictureIn } from '../../../streams/administration/design/outline.ts'
import { readRaster } from '../../../streams/html/raster.ts'
import { attributeOf } from '../../../streams/html/tokens.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { useChosenColour } from '../dom/chosenColour.ts'
import { useAdministrationState } from '../parts/administration.tsx'
import { CheckField, ChoiceField, Field } from '../parts/Field.tsx'
import { PicturePicker } from '../pictures/PicturePicker.tsx'
import { useTexts } from '../text/texts.ts'
import {
  placeOf,
  type SelectedItem,
  useDesign,
  useNamedValues,
  useSharersOf,
  useValueChoices,
  useWay,
} from './designed.ts'
import { useItemText } from './itemText.ts'
import { Pick } from './Pick.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Design.module.css'

const ALIGNMENTS = ['left', 'center', 'right'] as const
const SIDES: readonly BoxSide[] = ['top', 'right', 'bottom', 'left']

/** The selected item: where it is, what can be done with it, and its properties. */
export function ItemPanel({ onInsert }: { onInsert: (where: 'before' | 'after') => void }) {
  const t = useTexts()
  const { selected, subject } = useDesign()
  if (!selected)
    return (
      <aside data-goes-on tabIndex={-1} className={css['panel']} aria-label={t('design.panel.name')}>
        <p className={textCss['quiet']}>
          {t(subject.kind === 'block' ? 'design.block.nothing' : 'design.panel.nothing')}
        </p>
        <Button look="secondary" onPress={() => onInsert('after')}>
          {t('design.panel.insert')}
        </Button>
      </aside>
    )
  return <Selected key={selected.item.kind} selected={selected} onInsert={onInsert} />
}

function Selected({
  selected,
  onInsert,
}: {
  selected: SelectedItem
  onInsert: (where: 'before' | 'after') => void
}) {
  const t = useTexts()
  const { panel, act, select, stepOver, openSource, root, document } = useDesign()
  const { item, path, text, place } = selected
  const around = useWay(selected).slice(0, -1)
  const itemText = useItemText(document, 'seen')
  const sharers = useSharersOf()(path)
  const isPart = path !== root
  const names = [...new Set(sharers.map(({ name }) => name))]
  const [earlier, later] = [stepOver(-1), stepOver(1)]
  return (
    <aside
      ref={panel}
      data-goes-on
      tabIndex={-1}
      className={css['panel']}
      aria-label={t('design.panel.name')}
    >
      <nav aria-label={t('design.panel.where')}>
        <ol className={css['path']}>
          {around.map((step) => (
            <li key={`${step.path} ${String(step.item.from)} ${String(step.item.to)}`}>
              <button
                type="button"
                className={css['crumb']}
                onClick={() => select(placeOf(step.path, step.item))}
              >
                {itemText(step.text, step.item, step.siblings)}
              </button>
            </li>
          ))}
          <li aria-current="true">{itemText(text, item, selected.siblings)}</li>
        </ol>
      </nav>
      {(isPart || names.length > 1) && (
        <p className={textCss['quiet']}>{t('design.panel.shared', { count: names.length, path })}</p>
      )}
      <div className={css['acts']}>
        <Button
          look="secondary"
          small
          isOff={earlier === 0}
          onPress={() => act({ kind: 'move', by: earlier })}
        >
          {t(item.kind === 'cell' ? 'design.panel.toLeft' : 'design.panel.earlier')}
        </Button>
        <Button look="secondary" small isOff={later === 0} onPress={() => act({ kind: 'move', by: later })}>
          {t(item.kind === 'cell' ? 'design.panel.toRight' : 'design.panel.later')}
        </Button>
        <Button look="secondary" small isOff={!canCopy(text, item)} onPress={() => act({ kind: 'copy' })}>
          {t('design.panel.copy')}
        </Button>
        <Button look="secondary" small onPress={() => act({ kind: 'remove' })}>
          {t('design.panel.remove')}
        </Button>
        <Button look="secondary" small onPress={() => onInsert('before')}>
          {t('design.panel.insertBefore')}
        </Button>
        <Button look="secondary" small onPress={() => onInsert('after')}>
          {t('design.panel.insertAfter')}
        </Button>
      </div>
      {item.kind === 'picture' && <PictureFields selected={selected} />}
      <ValueFields selected={selected} />
      <ConditionField selected={selected} />
      {item.kind !== 'picture' && item.kind !== 'part' && item.kind !== 'slot' && (
        <BoxFields selected={selected} />
      )}
      <Button look="subtle" small onPress={() => openSource(place)}>
        {t('design.panel.source')}
      </Button>
    </aside>
  )
}

type Part = Readonly<{ selected: SelectedItem }>

/** A number in pixels. Acts when the field is left or Enter is pressed, so that each act is one step of undo. */
function PixelField({
  label,
  value,
  min = 0,
  max,
  onSet,
}: {
  label: string
  value: number | null
  min?: number
  max: number
  onSet: (px: number) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const finish = () => {
    const px = Math.round(Number(typed))
    if (typed !== null && typed.trim() !== '' && px >= min && px <= max && px !== value) onSet(px)
    setTyped(null)
  }
  return (
    <Field
      label={label}
      type="number"
      min={min}
      max={max}
      value={typed ?? (value === null ? '' : String(value))}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // The question that can follow must not get the key.
        event.preventDefault()
        finish()
      }}
    />
  )
}

function ColourField({
  label,
  colour,
  onChoose,
}: {
  label: string
  colour: string
  onChoose: (colour: string) => void
}) {
  return <Field label={label} type="color" {...useChosenColour(colour, onChoose)} />
}

/** The widest picture that fits a message on a phone in landscape. */
const MAX_PICTURE_PX = 1_200

function PictureFields({ selected: { item } }: Part) {
  const t = useTexts()
  const { document, act } = useDesign()
  const [isChoosing, setChoosing] = useState(false)
  const [alternative, setAlternative] = useState<string | null>(null)
  const contents = useAdministrationState(({ plan }) => plan.draft?.pictures)
  const image = elementOf(item)
  if (!image) return null
  const rasterOf = (path: string) => readRaster(contents?.[document.pictures[path] ?? '']?.base64 ?? '')
  const picture = pictureIn(image)
  const path = picture?.path ?? null
  const [width, height] = [pixelsIn(image, 'width'), pixelsIn(image, 'height')]
  const raster = path === null ? null : rasterOf(path)
  const written = attributeOf(image.tag, 'alt') ?? ''
  const heightFor = (px: number): number | null => {
    if (width !== null && height !== null) return Math.max(1, Math.round((height * px) / width))
    return raster ? Math.max(1, Math.round((raster.height * px) / raster.width)) : null
  }
  const describe = () => {
    if (alternative !== null && alternative !== written)
      act({ kind: 'alternative', text: alternative.trim() })
    setAlternative(null)
  }
  return (
    <div className={stack['gapS']}>
      <div className={css['acts']}>
        <Button look="primary" small onPress={() => setChoosing(true)}>
          {t('design.picture.replace')}
        </Button>
        {(document.brand?.logos ?? [])
          .filter((logo) => logo !== path)
          .map((logo) => (
            <Button
              key={logo}
              look="secondary"
              small
              onPress={() => act({ kind: 'picture', path: logo, size: rasterOf(logo) })}
            >
              {t('design.picture.logo', { path: logo })}
            </Button>
          ))}
      </div>
      <PixelField
        label={t('design.picture.width')}
        value={width}
        min={1}
        max={MAX_PICTURE_PX}
        onSet={(px) => act({ kind: 'size', width: px, height: heightFor(px) })}
      />
      <Field
        label={t('signatures.blocks.banner.alt')}
        hint={t('signatures.blocks.banner.altHint')}
        value={alternative ?? written}
        onChange={({ currentTarget: { value } }) => setAlternative(value)}
        onBlur={describe}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          describe()
        }}
      />
      {document.linked ? (
        <p className={textCss['quiet']}>{t('design.picture.allLinked')}</p>
      ) : (
        picture && (
          <CheckField
            label={t('design.picture.linked')}
            hint={t('design.picture.linkedHint')}
            isOn={picture.isLinked}
            onSwitch={(isLinked) => act({ kind: 'linkedPicture', isLinked })}
          />
        )
      )}
      {isChoosing && (
        <Dialog title={t('design.picture.replace')} onClose={() => setChoosing(false)}>
          <PicturePicker
            first={document.brand?.logos ?? []}
            selected={path}
            {...(width !== null && { shownWidth: width })}
            onChoose={(chosen, size) => {
              setChoosing(false)
              act({ kind: 'picture', path: chosen, size })
            }}
          />
        </Dialog>
      )}
    </div>
  )
}

/** The values that the item shows, each with the choice of another. */
function ValueFields({ selected: { item, text } }: Part) {
  const t = useTexts()
  const { document, act } = useDesign()
  const values = useValueChoices(document)
  if (['table', 'part', 'slot', 'picture'].includes(item.kind)) return null
  const names = variablesOfItem(text, item)
  if (names.length === 0 || names.length > 4) return null
  return (
    <div className={stack['gapS']}>
      {names.map((name, index) => (
        <Pick
          // Not the name: the button keeps the focus when it shows another value.
          key={index}
          isField
          label={t('design.panel.value')}
          shown={values.find((each) => each.value === name)?.text ?? name}
          choices={values.map((each) => ({ ...each, isCurrent: each.value === name }))}
          onChoose={(to) => act({ kind: 'value', from: name, to })}
        />
      ))}
    </div>
  )
}

const ALWAYS = ''

/** Whether the item is always shown, or only while a value has text. */
function ConditionField({ selected: { item, text } }: Part) {
  const t = useTexts()
  const { document, act } = useDesign()
  const values = useNamedValues(document)
  const [condition] = conditionsOf(item)
  const current = condition?.names.join(' ') ?? ALWAYS
  const first = variablesOfItem(text, item)
  const names = [
    ...new Set([...(current === ALWAYS ? [] : [current]), ...first, ...values.map(({ name }) => name)]),
  ]
  if (condition && condition.otherwise !== null)
    return <p className={textCss['quiet']}>{t('design.panel.otherwise')}</p>
  const titleOf = (name: string) => values.find((each) => each.name === name)?.title ?? name
  const textFor = (all: string) =>
    all === ALWAYS
      ? t('design.panel.always')
      : t('design.panel.onlyWith', { name: all.split(' ').map(titleOf).join(', ') })
  return (
    <Pick
      isField
      label={t('design.panel.condition')}
      shown={textFor(current)}
      choices={[ALWAYS, ...names].map((all) => ({
        key: all,
        text: textFor(all),
        title: all,
        value: all,
        isCurrent: all === current,
      }))}
      onChoose={(all) => act({ kind: 'condition', names: all === ALWAYS ? [] : all.split(' ') })}
    />
  )
}

const styleValue = (style: string, property: string): string =>
  new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]*)`, 'i').exec(style)?.[1]?.trim() ?? ''

/** The four values of `padding` or of its sides, in pixels; null where they are not written in pixels. */
function paddingOf(style: string): Readonly<Record<BoxSide, number | null>> {
  const px = (value: string | undefined): number | null =>
    value !== undefined && /^\d+(?:px)?$/.test(value) ? Number.parseInt(value, 10) : null
  const [top, right = top, bottom = top, left = right] = styleValue(style, 'padding').split(/\s+/)
  const whole = { top, right, bottom, left }
  return Object.fromEntries(
    SIDES.map((side) => [side, px(styleValue(style, `padding-${side}`)) ?? px(whole[side])]),
  ) as Record<BoxSide, number | null>
}

function BoxFields({ selected }: Part) {
  const t = useTexts()
  const { act, document } = useDesign()
  const [side, setSide] = useState<BoxSide>('bottom')
  const [box] = boxesOf(selected)
  if (!box) return null
  const style = attributeOf(box.tag, 'style') ?? ''
  const padding = paddingOf(style)
  const align = ALIGNMENTS.find(
    (each) => each === (attributeOf(box.tag, 'align') ?? styleValue(style, 'text-align')),
  )
  const background = styleValue(style, 'background-color') || (attributeOf(box.tag, 'bgcolor') ?? '')
  const accent = Object.values(document.brand?.colours ?? {})[0] ?? '#0f6cbd'
  const line = /^(\d+)px\s+\w+\s+(#[\da-f]{3,6})/i.exec(styleValue(style, `border-${side}`))
  return (
    <details className={css['box']}>
      <summary>{t('design.box.title')}</summary>
      <div className={stack['gapS']}>
        <Pick
          isField
          label={t('design.box.align')}
          shown={t(`design.box.${align ?? 'asAround'}`)}
          choices={ALIGNMENTS.map((each) => ({
            key: each,
            text: t(`design.box.${each}`),
            value: each,
            isCurrent: each === align,
          }))}
          onChoose={(to) => act({ kind: 'align', to })}
        />
        <div className={css['rooms']}>
          {SIDES.map((each) => (
            <PixelField
              key={each}
              label={t(`design.box.room.${each}`)}
              value={padding[each]}
              max={200}
              onSet={(px) => act({ kind: 'room', side: each, px })}
            />
          ))}
        </div>
        <ColourField
          label={t('design.box.background')}
          colour={/^#[\da-f]{6}$/i.test(background) ? background : '#ffffff'}
          onChoose={(colour) => act({ kind: 'background', colour })}
        />
        <Button
          look="secondary"
          small
          isOff={background === ''}
          onPress={() => act({ kind: 'background', colour: null })}
        >
          {t('design.box.noBackground')}
        </Button>
        <ChoiceField
          label={t('design.box.borderSide')}
          value={side}
          options={SIDES.map((each) => [each, t(`design.box.side.${each}`)] as const)}
          onChange={({ currentTarget: { value } }) => setSide(value as BoxSide)}
        />
        <PixelField
          label={t('design.box.borderWidth')}
          value={line ? Number(line[1]) : 0}
          max={20}
          onSet={(px) => act({ kind: 'border', side, px, colour: line?.[2] ?? accent })}
        />
        <ColourField
          label={t('design.box.borderColour')}
          colour={/^#[\da-f]{6}$/i.test(line?.[2] ?? '') ? (line?.[2] ?? accent) : accent}
          onChoose={(colour) => act({ kind: 'border', side, px: line ? Number(line[1]) : 1, colour })}
        />
      </div>
    </details>
  )
}
