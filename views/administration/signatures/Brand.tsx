import { useRef, useState } from 'react'
import {
  type BrandChange,
  brandEdit,
  brandOf,
  brandUse,
  colourNameProblem,
  fontProblem,
  lowContrast,
  MAIL_SAFE_FONTS,
  typedColour,
} from '../../../streams/administration/plan/brand.ts'
import { hexColour } from '../../../streams/administration/plan/brandColours.ts'
import type { Draft } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import type { Brand } from '../../../streams/organisation/release/release.ts'
import { Button } from '../../shared/Button.tsx'
import { Confirm } from '../../shared/Confirm.tsx'
import { useFirstInvalidFocus } from '../dom/firstWrong.ts'
import { useGesture } from '../parts/administration.tsx'
import { CheckField, ChoiceField, Field } from '../parts/Field.tsx'
import { Section } from '../parts/Section.tsx'
import { useTexts } from '../text/texts.ts'
import { BackToCards, DraftPage, DraftStatus } from '../plan/DraftPage.tsx'
import {
  type BrandQuestion,
  type Followable,
  FollowQuestion,
  type OfBrandForm,
  RemoveButton,
} from './BrandForm.tsx'
import { Logos } from './Logos.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Brand.module.css'

/** The page with the form for the brand of the draft. */
export function BrandPage() {
  const t = useTexts()
  return (
    <DraftPage area="signatures" title={t('signatures.brand.title')} act={<BackToCards />}>
      {(draft) => <Form draft={draft} />}
    </DraftPage>
  )
}

function Form({ draft }: { draft: Draft }) {
  const t = useTexts()
  const record = useGesture()
  const [said, setSaid] = useState('')
  const [question, setQuestion] = useState<BrandQuestion | null>(null)
  const { document } = draft
  const brand = brandOf(document)
  const change = (made: BrandChange, result: string) => {
    const edit = brandEdit(document, made)
    if (edit) record(Planning.brandChanged({ edit }))
    setSaid(result)
  }
  const changeFollowed = (followable: Followable) => {
    const use = brandUse(document, followable.part)
    if (use.places > 0) setQuestion({ ...followable, use })
    else change(followable.change(false), t('signatures.brand.done.changed', { name: followable.name }))
  }
  return (
    <>
      <DraftStatus draft={draft} />
      <div>
        <p>{t('signatures.brand.intro')}</p>
        <p role="status" className={css['status']}>
          {said}
        </p>
      </div>
      <Colours brand={brand} change={change} changeFollowed={changeFollowed} />
      <Fonts brand={brand} change={change} />
      <Logos document={document} change={change} changeFollowed={changeFollowed} />
      <Section title={t('signatures.brand.pictures.title')}>
        <CheckField
          label={t('signatures.brand.pictures.linked')}
          hint={t('signatures.brand.pictures.linkedHint')}
          isOn={document.linked ?? false}
          onSwitch={(isOn) => record(Planning.linkingSwitched({ isOn }))}
        />
      </Section>
      {question && (
        <FollowQuestion
          question={question}
          onClose={() => setQuestion(null)}
          onAnswer={(isFollowed) => {
            setQuestion(null)
            const { name, use } = question
            change(
              question.change(isFollowed),
              isFollowed
                ? t('signatures.brand.done.followed', {
                    name,
                    places: t('signatures.brand.follow.places', { count: use.places }),
                  })
                : t('signatures.brand.done.changed', { name }),
            )
          }}
        />
      )}
    </>
  )
}

/** A colour of the brand. */
type NamedColour = Readonly<{ name: string; colour: string }>

function Colours({ brand, change, changeFollowed }: OfBrandForm & { brand: Brand }) {
  const t = useTexts()
  const [open, setOpen] = useState<NamedColour | 'new' | null>(null)
  const colours = Object.entries(brand.colours).map(([name, colour]): NamedColour => ({ name, colour }))
  const save = (before: NamedColour | null, { name, colour }: NamedColour) => {
    setOpen(null)
    if (before === null)
      change({ kind: 'colourAdded', name, colour }, t('signatures.brand.done.added', { name }))
    else if (colour !== before.colour)
      changeFollowed({
        part: { colour: before.colour },
        name,
        change: (isFollowed) => ({ kind: 'colourChanged', from: before.name, name, colour, isFollowed }),
      })
    else if (name !== before.name)
      change(
        { kind: 'colourChanged', from: before.name, name, colour, isFollowed: false },
        t('signatures.brand.done.changed', { name }),
      )
  }
  return (
    <Section title={t('signatures.brand.colours.title')}>
      {colours.length === 0 ? (
        <p className={textCss['quiet']}>{t('signatures.brand.colours.none')}</p>
      ) : (
        <ul className={`${sectionCss['list']} ${css['rows']}`}>
          {colours.map((each) => (
            <li key={each.name} className={css['row']}>
              <span aria-hidden="true" className={css['swatch']} style={{ background: each.colour }} />
              <p className={css['name']}>
                {each.name} <span className={textCss['quiet']}>{each.colour}</span>
              </p>
              <div className={stack['buttons']} data-change>
                <Button
                  look="secondary"
                  small
                  label={t('signatures.brand.changeOne', { name: each.name })}
                  onPress={() => setOpen(each)}
                >
                  {t('signatures.brand.change')}
                </Button>
                <RemoveButton
                  name={each.name}
                  onRemove={(result) => change({ kind: 'colourRemoved', name: each.name }, result)}
                />
              </div>
              <ContrastWarning colour={each.colour} />
            </li>
          ))}
        </ul>
      )}
      <div data-add-colour>
        <Button look="secondary" goesOn onPress={() => setOpen('new')}>
          {t('signatures.brand.colours.add')}
        </Button>
      </div>
      {open !== null && (
        <ColourDialog
          brand={brand}
          before={open === 'new' ? null : open}
          onSave={(after) => save(open === 'new' ? null : open, after)}
          onClose={() => setOpen(null)}
        />
      )}
    </Section>
  )
}

/** Warns that a colour is too light for text on white; nothing for other colours. */
function ContrastWarning({ colour }: { colour: string }) {
  const t = useTexts()
  const ratio = lowContrast(colour)
  if (ratio === null) return null
  return (
    // Rounded down, so that 4.49 is not 4.5.
    <p className={`${textCss['warning']} ${css['warning']}`}>
      {t('signatures.brand.colours.contrast', { ratio: Math.floor(ratio * 10) / 10, least: 4.5 })}
    </p>
  )
}

/** The longest name of a colour or font. */
const MAX_NAME_CHARACTERS = 64
/** The colour in the picker while the text is no colour. */
const NO_COLOUR = '#000000'

/**
 * The name and the value of a new or changed colour.
 *
 * @param before null for a new colour
 */
function ColourDialog({
  brand,
  before,
  onSave,
  onClose,
}: {
  brand: Brand
  before: NamedColour | null
  onSave: (after: NamedColour) => void
  onClose: () => void
}) {
  const t = useTexts()
  const shown = before === null ? '' : (hexColour(before.colour) ?? before.colour)
  const [name, setName] = useState(before?.name ?? '')
  const [typed, setTyped] = useState(shown)
  const [tries, setTries] = useState(0)
  const form = useRef<HTMLDivElement>(null)
  useFirstInvalidFocus(form, tries)
  const given = typedColour(typed)
  const isSame = typed === shown || (given !== null && given === typedColour(shown))
  // A colour that stays the same keeps its notation, such as `navy`.
  const colour = before !== null && isSame ? before.colour : given
  const problem = colourNameProblem(brand, name.trim(), before?.name ?? null)
  return (
    <Confirm
      title={
        before === null
          ? t('signatures.brand.colours.add')
          : t('signatures.brand.changeOne', { name: before.name })
      }
      confirm={t('signatures.brand.save')}
      cancel={t('signatures.new.cancel')}
      isForm
      onClose={onClose}
      onConfirm={() => {
        setTries(tries + 1)
        if (problem === null && colour !== null) onSave({ name: name.trim(), colour })
      }}
    >
      <div ref={form} className={stack['gapM']}>
        <Field
          label={t('signatures.rules.name')}
          type="text"
          maxLength={MAX_NAME_CHARACTERS}
          value={name}
          problem={
            problem !== null && (tries > 0 || name.trim() !== '')
              ? t(`signatures.brand.problem.${problem}`)
              : null
          }
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <div className={css['colour']}>
          <Field
            label={t('signatures.brand.colours.picker')}
            type="color"
            value={given ?? NO_COLOUR}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
          <Field
            label={t('signatures.brand.colours.hex')}
            hint={t('signatures.brand.colours.hexHint')}
            type="text"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            problem={
              colour === null && (tries > 0 || typed.trim() !== '')
                ? t('signatures.brand.problem.colour')
                : null
            }
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        </div>
        <div role="status" className={css['contrast']}>
          {colour !== null && <ContrastWarning colour={colour} />}
        </div>
      </div>
    </Confirm>
  )
}

/** The value of the choice "another font": empty, because no font has an empty name. */
const OTHER = ''

function Fonts({ brand, change }: Pick<OfBrandForm, 'change'> & { brand: Brand }) {
  const t = useTexts()
  const [chosen, setChosen] = useState<string | null>(null)
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const free = MAIL_SAFE_FONTS.filter((font) => fontProblem(brand, font) === null)
  const choices = [...free, OTHER]
  const choice = choices.find((each) => each === chosen) ?? choices[0] ?? OTHER
  const font = choice === OTHER ? typed.trim() : choice
  const problem = fontProblem(brand, font)
  const add = () => {
    setTried(true)
    if (problem !== null) return
    setTried(false)
    setTyped('')
    change({ kind: 'fontAdded', font }, t('signatures.brand.done.added', { name: font }))
  }
  return (
    <Section title={t('signatures.brand.fonts.title')}>
      {brand.fonts.length === 0 ? (
        <p className={textCss['quiet']}>{t('signatures.brand.fonts.none')}</p>
      ) : (
        <ul className={`${sectionCss['list']} ${css['rows']}`}>
          {brand.fonts.map((each) => (
            <li key={each} className={css['row']}>
              <p className={css['name']} style={{ fontFamily: `'${each}', var(--fontFamilyBase)` }}>
                {each}
              </p>
              <RemoveButton
                name={each}
                onRemove={(result) => change({ kind: 'fontRemoved', font: each }, result)}
              />
            </li>
          ))}
        </ul>
      )}
      <ChoiceField
        label={t('signatures.brand.fonts.choose')}
        hint={t('signatures.brand.fonts.hint')}
        value={choice}
        options={choices.map((each) => [each, each === OTHER ? t('signatures.brand.fonts.other') : each])}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      />
      {choice === OTHER && (
        <Field
          label={t('signatures.brand.fonts.name')}
          hint={t('signatures.brand.fonts.nameHint')}
          type="text"
          maxLength={MAX_NAME_CHARACTERS}
          value={typed}
          problem={
            problem !== null && (isTried || font !== '') ? t(`signatures.brand.problem.${problem}`) : null
          }
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
      )}
      <div>
        <Button look="secondary" goesOn onPress={add}>
          {t('signatures.brand.fonts.add')}
        </Button>
      </div>
    </Section>
  )
}
