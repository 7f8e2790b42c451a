import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { blockPreview } from '../../../streams/administration/plan/blockPreview.ts'
import {
  type Banner,
  type BannerAudience,
  type BannerPicture,
  bannerSize,
  linkAddress,
  MAX_BANNER_BYTES,
  MAX_BANNER_EDGE_PX,
  MAX_BANNER_WIDTH_PX,
  bannerNameOf,
  withBanner,
} from '../../../streams/administration/plan/banners.ts'
import {
  DEFAULT_SLOT,
  NEW_BLOCK_DEFAULTS,
  newBlockId,
  shownSlots,
} from '../../../streams/administration/plan/blocks.ts'
import type { Draft } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { draftImages } from '../../../streams/administration/plan/preview.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import {
  type Period,
  type Recipients,
  type ReleaseDocument,
  templatePathsOf,
} from '../../../streams/organisation/release/release.ts'
import { Button } from '../../shared/Button.tsx'
import { Dialog } from '../../shared/Dialog.tsx'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { useFirstInvalidFocus } from '../dom/firstWrong.ts'
import { useDisplayContext } from '../parts/shown.ts'
import { CheckField, ChoiceField, Field } from '../parts/Field.tsx'
import { DropZone, FileField } from '../parts/FileField.tsx'
import { Section } from '../parts/Section.tsx'
import { SignatureFrame } from '../parts/SignatureFrame.tsx'
import { PicturePicker } from '../pictures/PicturePicker.tsx'
import { PreviewPerson } from '../plan/PreviewPerson.tsx'
import { useTexts } from '../text/texts.ts'
import { ClickCountingField } from './Blocks.tsx'
import { BackToCards, DraftPage, DraftStatus } from '../plan/DraftPage.tsx'
import { MAX_NAME_CHARACTERS, PeriodField, RecipientsField, SelectionFields } from './RuleFields.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** The form that makes a banner from a picture, beside a preview of the signature with the banner. */
export function NewBanner() {
  const t = useTexts()
  return (
    <DraftPage area="blocks" title={t('signatures.blocks.banner.title')} act={<BackToCards area="blocks" />}>
      {(draft) => (
        <>
          <DraftStatus draft={draft} />
          {draft.document.signatures.length === 0 ? (
            <p>{t('signatures.blocks.banner.noSignature')}</p>
          ) : (
            <Form draft={draft} />
          )}
        </>
      )}
    </DraftPage>
  )
}

/** The valid values of the fields; undefined for an invalid field. */
type Given = Readonly<{
  /** Null until the user types a name; the default is the file's name. */
  name: string | null
  alt: string
  address: string
  during: Period | null | undefined
  recipients: Recipients | undefined
  slot: string | null
  into: string | null
  isCounted: boolean
}>

const NOTHING: Given = {
  name: null,
  alt: '',
  address: '',
  during: null,
  recipients: 'everyone',
  slot: null,
  into: null,
  isCounted: true,
}

/**
 * Makes the banner from the fields' values, and checks whether it can be added. `slots` are the slots that the
 * signatures show.
 */
function bannerOf(
  given: Given,
  { selection, isComplete }: BannerAudience,
  picture: BannerPicture | null,
  document: ReleaseDocument,
  slots: readonly string[],
) {
  const name = given.name ?? (picture ? bannerNameOf(picture.name) : '')
  const address = given.address.trim() === '' ? null : linkAddress(given.address)
  const isAddressWrong = given.address.trim() !== '' && address === null
  const templates = document.signatures
    .slice(0, 1)
    .flatMap((signature) => [...new Set(templatePathsOf(signature))])
  const into = slots.length > 0 ? null : (given.into ?? templates[0] ?? null)
  const banner: Banner = {
    name: name.trim(),
    alt: given.alt.trim(),
    address,
    into,
    slot: given.slot ?? slots[0] ?? DEFAULT_SLOT,
    selection,
    during: given.during ?? null,
    recipients: given.recipients ?? 'everyone',
    isCounted: (document.counting ?? false) && given.isCounted && address !== null,
  }
  const isRight =
    picture !== null &&
    banner.name !== '' &&
    banner.alt !== '' &&
    !isAddressWrong &&
    isComplete &&
    given.during !== undefined &&
    given.recipients !== undefined
  return { banner, isAddressWrong, isRight, name, templates }
}

function Form({ draft }: { draft: Draft }) {
  const t = useTexts()
  const record = useGesture()
  const reading = useAdministrationState(({ plan }) => plan.banner)
  const audience = useAdministrationState(({ plan }) => plan.audience)
  const [given, setGiven] = useState(NOTHING)
  /** How often the user tried to add the banner. */
  const [tries, setTries] = useState(0)
  const isTried = tries > 0
  const form = useRef<HTMLDivElement>(null)
  useFirstInvalidFocus(form, tries)
  const set = (changes: Partial<Given>) => setGiven((before) => ({ ...before, ...changes }))
  const picture = reading.status === 'success' ? reading.value : null
  const { document } = draft
  // Memoised, because `shownSlots` caches only the last templates. The preview uses others, so each key press would
  // parse these again.
  const slots = useMemo(() => shownSlots(document).map(({ slot }) => slot), [document])
  const isCounting = document.counting ?? false
  const made = bannerOf(given, audience, picture, document, slots)
  const { banner, isRight } = made
  return (
    <div className={css['sides']}>
      <div ref={form} className={css['rules']}>
        <p>{t('signatures.blocks.banner.intro')}</p>
        <Picture isMissing={isTried} />
        <Fields given={given} set={set} made={made} slots={slots} isCounting={isCounting} isTried={isTried} />
        <div className={stack['gapS']}>
          <div data-add>
            <Button
              look="primary"
              onPress={() => {
                setTries(tries + 1)
                if (isRight)
                  record(Planning.bannerAdded({ block: newBlockId(document, banner.name), banner }))
              }}
            >
              {t('signatures.blocks.banner.add')}
            </Button>
          </div>
          <p role="status" className={textCss['warning']}>
            {isTried && !isRight ? t('signatures.blocks.banner.incomplete') : ''}
          </p>
        </div>
      </div>
      <div className={`${stack['gapM']} ${css['side']}`}>
        <Section title={t('plan.preview.title')}>
          <PreviewPerson />
          {picture ? (
            <Preview draft={draft} banner={banner} picture={picture} />
          ) : (
            <p className={textCss['quiet']}>{t('signatures.blocks.banner.noPreview')}</p>
          )}
        </Section>
      </div>
    </div>
  )
}

/** The form's fields, except for the picture. */
function Fields({
  given,
  set,
  made,
  slots,
  isCounting,
  isTried,
}: {
  given: Given
  set: (changes: Partial<Given>) => void
  made: ReturnType<typeof bannerOf>
  slots: readonly string[]
  isCounting: boolean
  isTried: boolean
}) {
  const t = useTexts()
  const record = useGesture()
  const { banner } = made
  const missing = (text: string) =>
    isTried && text.trim() === '' ? t('signatures.blocks.problem.missing') : null
  return (
    <>
      <Field
        label={t('signatures.blocks.banner.alt')}
        hint={t('signatures.blocks.banner.altHint')}
        type="text"
        maxLength={MAX_NAME_CHARACTERS}
        value={given.alt}
        problem={missing(given.alt)}
        onChange={({ currentTarget: { value } }) => set({ alt: value })}
      />
      <Field
        label={t('signatures.blocks.banner.address')}
        hint={
          banner.address === null || banner.address === given.address.trim()
            ? t('signatures.blocks.banner.addressHint')
            : t('signatures.blocks.banner.addressWritten', { address: banner.address })
        }
        // Not `url`, because a browser regards such a field as invalid without a scheme.
        inputMode="url"
        autoComplete="off"
        value={given.address}
        problem={made.isAddressWrong ? t('signatures.blocks.problem.address') : null}
        onChange={({ currentTarget: { value } }) => set({ address: value })}
      />
      <ClickCountingField />
      {isCounting && banner.address !== null && (
        <CheckField
          label={t('signatures.blocks.banner.counted')}
          isOn={given.isCounted}
          onSwitch={(isCounted) => set({ isCounted })}
        />
      )}
      <SelectionFields
        selection={banner.selection}
        onChange={(selection, isComplete) => {
          record(Planning.audienceChosen({ audience: { selection, isComplete } }))
        }}
      />
      <PeriodField during={null} onChange={(during) => set({ during })} />
      <RecipientsField
        label={t('signatures.blocks.shownTo')}
        recipients="everyone"
        onChange={(recipients) => set({ recipients })}
      />
      {slots.length > 1 && (
        <ChoiceField
          label={t('signatures.blocks.slotLabel')}
          value={banner.slot}
          options={slots.map((slot) => [slot, slot] as const)}
          onChange={({ currentTarget: { value } }) => set({ slot: value })}
        />
      )}
      {banner.into !== null && (
        <ChoiceField
          label={t('signatures.blocks.banner.into')}
          hint={t('signatures.blocks.banner.intoHint')}
          value={banner.into}
          options={made.templates.map((path) => [path, path] as const)}
          onChange={({ currentTarget: { value } }) => set({ into: value })}
        />
      )}
      <Field
        label={t('signatures.rules.name')}
        hint={t('signatures.blocks.banner.nameHint')}
        type="text"
        maxLength={MAX_NAME_CHARACTERS}
        value={made.name}
        problem={missing(made.name)}
        onChange={({ currentTarget: { value } }) => set({ name: value })}
      />
    </>
  )
}

/** The number of bytes in a megabyte, as shown to users. */
const MEGABYTE = 1024 * 1024

/** A field for dropping or choosing the picture, and the result. */
function Picture({ isMissing }: { isMissing: boolean }) {
  const t = useTexts()
  const record = useGesture()
  const reading = useAdministrationState(({ plan }) => plan.banner)
  /** Whether the picture is a file, and not from the draft. */
  const [isFile, setFile] = useState(false)
  const take = ([file]: FileList) => {
    setFile(true)
    if (file) record(Planning.pictureChosen({ picture: createHandle(file) }))
  }
  const field = useRef<HTMLInputElement>(null)
  const [isPicking, setPicking] = useState(false)
  const drop = ({ files }: DataTransfer) => {
    if (!field.current) return
    // As if the user had chosen the file: the field shows its name, too.
    field.current.files = files
    field.current.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const problem =
    reading.status === 'refused'
      ? t(`signatures.blocks.refused.${reading.refusal}`, {
          megabytes: MAX_BANNER_BYTES / MEGABYTE,
          edge: MAX_BANNER_EDGE_PX,
        })
      : isMissing && reading.status === 'idle'
        ? t('signatures.blocks.problem.missing')
        : null
  return (
    <>
      <DropZone onDrop={drop}>
        <p>
          {t('signatures.blocks.banner.drop', {
            megabytes: MAX_BANNER_BYTES / MEGABYTE,
            wide: 2 * MAX_BANNER_WIDTH_PX,
          })}
        </p>
        <FileField
          label={t('signatures.blocks.banner.picture')}
          accept="image/png,image/jpeg,image/gif,image/webp"
          problem={problem}
          ref={field}
          isCurrent={isFile}
          onChoose={take}
        />
        <div data-pick>
          <Button look="secondary" onPress={() => setPicking(true)}>
            {t('signatures.blocks.banner.fromDraft')}
          </Button>
        </div>
        <p role="status">
          {reading.status === 'pending' && t('signatures.blocks.banner.reading')}
          {reading.status === 'success' && <PictureText picture={reading.value} />}
        </p>
      </DropZone>
      {isPicking && (
        <Dialog title={t('signatures.blocks.banner.fromDraft')} onClose={() => setPicking(false)}>
          <PicturePicker
            onChoose={(path) => {
              setPicking(false)
              setFile(false)
              record(Planning.draftPictureChosen({ path }))
            }}
          />
        </Dialog>
      )}
    </>
  )
}

function PictureText({ picture: { name, raster } }: { picture: BannerPicture }) {
  const t = useTexts()
  const { width, height } = raster
  const shown = bannerSize(raster)
  return t('signatures.blocks.banner.read', {
    name,
    width,
    height,
    shownWidth: shown.width,
    shownHeight: shown.height,
  })
}

/** The signature with the banner, for one of its people, on a day in its period and in a message to its recipients. */
function Preview({ draft, banner, picture }: { draft: Draft; banner: Banner; picture: BannerPicture }) {
  const t = useTexts()
  const { person, at, pictures, formats } = useDisplayContext(draft.document)
  // The preview of typed texts is deferred, so that typing stays fast.
  const { alt, address, slot, into, isCounted } = useDeferredValue(banner)
  const { preview, images } = useMemo(() => {
    const { selection, during, recipients } = NEW_BLOCK_DEFAULTS
    const shown = { name: '', alt, address, slot, into, isCounted, selection, during, recipients }
    const { id, ...made } = withBanner(draft, shown, picture)
    const [first] = draft.document.signatures
    const use = into !== null && first?.template !== into && first?.reply === into ? 'reply' : 'signature'
    return {
      preview: blockPreview(made.document, id, { person, at, use, recipients: null }, pictures, formats),
      images: draftImages(made.document, made.pictures, pictures),
    }
  }, [draft, alt, address, slot, into, isCounted, picture, person, at, pictures, formats])
  const html = preview?.html ?? preview?.alone ?? null
  return (
    <>
      <p role="status">
        {preview?.signature
          ? t('plan.preview.as', {
              name: preview.signature.name,
              use: t(`plan.use.${preview.signature.kind}`),
            })
          : ''}
      </p>
      {html !== null && <SignatureFrame html={html} images={images} title={t('plan.preview.frame')} />}
    </>
  )
}
