import { type ReactNode, useId, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { ADOPT_PATH } from '../../../streams/administration/plan/adopting.ts'
import { BANNER_PATH } from '../../../streams/administration/plan/banners.ts'
import { BRAND_PATH } from '../../../streams/administration/plan/brand.ts'
import {
  areDefaultsKnown,
  type FilteredCard,
  filterCards,
  isFiltering,
  isFilterOffered,
  offeredFilter,
} from '../../../streams/administration/plan/cardFilter.ts'
import { isDraftChanged } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { copyName } from '../../../streams/administration/plan/items.ts'
import {
  renderDraftSignatures,
  renderedInOrder,
  type RenderedSignature,
} from '../../../streams/administration/plan/preview.ts'
import { GALLERY_PATH } from '../../../streams/administration/plan/taken.ts'
import {
  DRAFT_FILES_PATH,
  newSignatureId,
  signaturePath,
} from '../../../streams/administration/plan/signatures.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { variableLabelsOf } from '../../../streams/organisation/release/selectors.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import { useItemInSight, useListDrag } from '../dom/listDrag.ts'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { useDayText, useFormats } from '../parts/formats.ts'
import { type DisplayContext, useDisplayContext } from '../parts/shown.ts'
import { BeginDraft } from '../plan/Begin.tsx'
import { ExportFolder } from '../plan/DraftHead.tsx'
import { Findings } from '../plan/Findings.tsx'
import { PreviewPerson } from '../plan/PreviewPerson.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'
import { Blocks } from './Blocks.tsx'
import { Card, type CardDrag, DuplicateButton } from './Card.tsx'
import { Filter } from './Filter.tsx'
import { MoveDialog, MoveHandle } from './Move.tsx'
import { DraftPage, UnpublishedNotice } from '../plan/DraftPage.tsx'
import { NewItemButton } from './New.tsx'
import { periodText, recipientsText, selectionText, versionsText } from '../text/rules.ts'
import * as buttonCss from '../../shared/Button.module.css'
import * as sharedTextCss from '../../shared/Text.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** The draft's signatures as cards, each with its picture for a person and its rules. */
export function Cards() {
  const t = useTexts()
  const document = useAdministrationState(({ plan }) => plan.debounced)
  const findings = useAdministrationState(({ plan }) => plan.findings)
  return (
    <DraftPage
      area="signatures"
      act={
        <div className={stack['buttons']} data-new>
          {document && <NewSignature document={document} />}
          {document && (
            <Link to={GALLERY_PATH} className={buttonCss['secondary']}>
              {t('signatures.gallery.title')}
            </Link>
          )}
          {document && (
            <Link to={ADOPT_PATH} className={buttonCss['secondary']}>
              {t('signatures.adopt.title')}
            </Link>
          )}
          {document && (
            <Link to={BANNER_PATH} className={buttonCss['secondary']}>
              {t('signatures.blocks.banner.title')}
            </Link>
          )}
          {document && (
            <Link to={BRAND_PATH} className={buttonCss['secondary']}>
              {t('signatures.brand.title')}
            </Link>
          )}
          <Link to={DRAFT_FILES_PATH} className={textCss['link']}>
            {t('signatures.files')}
          </Link>
        </div>
      }
    >
      {(draft) => (
        <>
          <UnpublishedNotice draft={draft} />
          <Findings findings={findings} heading="h2" />
          <PreviewPerson />
          {document && <List draft={draft.document} document={document} />}
          {document && <Blocks document={document} />}
          {!isDraftChanged(draft) && <BeginDraft />}
          <ExportFolder source={isDraftChanged(draft) ? 'draft' : 'published'} />
        </>
      )}
    </DraftPage>
  )
}

type SignatureWithFigures = RenderedSignature & FilteredCard

/** The signatures in the draft's order. Their pictures follow when the draft is rendered again. */
function List({ draft, document }: { draft: ReleaseDocument; document: ReleaseDocument }) {
  const t = useTexts()
  const record = useGesture()
  const shown = useDisplayContext(document)
  const { person, at, pictures, formats } = shown
  const rendered = useMemo(
    () => renderDraftSignatures(document, { person, at }, pictures, formats),
    [document, person, at, pictures, formats],
  )
  const ordered = useMemo(() => renderedInOrder(rendered, draft), [rendered, draft])
  const insight = useAdministrationState((state) => loadedValue(state.insight) ?? null)
  const filter = useAdministrationState(({ plan }) => plan.filter)
  const list = useRef<HTMLOListElement>(null)
  const hint = useId()
  /** The signature that was moved last. A dragged one is in sight already. */
  const [moved, setMoved] = useState<Readonly<{ id: string; isDragged: boolean }> | null>(null)
  const [asked, setAsked] = useState<string | null>(null)
  const labels = variableLabelsOf({ document })
  const nameOf = (field: string) => fieldName(field, labels, t)
  const all = ordered.map((each): SignatureWithFigures => ({
    ...each,
    whom: selectionText(each.signature.selection, t, nameOf),
    people:
      insight && (insight.signatures.find(({ signature }) => signature === each.signature.id)?.people ?? 0),
  }))
  const offered = offeredFilter(filter, all)
  const isOff = isFiltering(offered)
  const cards = filterCards(all, offered, at)
  const indexOf = (id: string | undefined) => all.findIndex(({ signature }) => signature.id === id)
  const move = (from: number, to: number, isDragged: boolean) => {
    const card = all[from]
    const place = Math.max(0, Math.min(all.length - 1, to))
    if (card === undefined || place === from) return
    setMoved({ id: card.signature.id, isDragged })
    record(Planning.signatureMoved({ signature: card.signature.id, to: place }))
  }
  const { dragging, dragOf } = useListDrag(isOff, (from, to) => move(from, to, true))
  const movedTo = indexOf(moved?.id)
  useItemInSight(list, moved?.isDragged === false ? moved.id : null, movedTo)
  const askedAt = indexOf(asked ?? undefined)
  const askedCard = all[askedAt]
  if (all.length === 0) return <p>{t('signatures.none')}</p>
  return (
    <>
      {isFilterOffered(all) && (
        <Filter
          filter={offered}
          found={cards.length}
          of={all.length}
          knowsDefaults={areDefaultsKnown(all)}
          onFilter={(chosen) => {
            setMoved(null)
            record(Planning.cardsFiltered(chosen))
          }}
        />
      )}
      <div className={textCss['quiet']}>
        <p>{t('signatures.order')}</p>
        {all.length > 1 && <p id={hint}>{t(isOff ? 'signatures.move.off' : 'signatures.move.hint')}</p>}
      </div>
      <p role="status" className={sharedTextCss['unseen']}>
        {all[movedTo] &&
          t('signatures.move.moved', {
            name: all[movedTo].signature.name,
            position: movedTo + 1,
            of: all.length,
          })}
      </p>
      {cards.length > 0 && (
        <ol ref={list} className={`${sectionCss['list']} ${css['cards']}`} {...dragging}>
          {cards.map((each, index) => (
            <SignatureCard
              key={each.signature.id}
              card={each}
              shown={shown}
              drag={dragOf(index)}
              acts={
                <>
                  {all.length > 1 && (
                    <MoveHandle
                      name={each.signature.name}
                      hint={hint}
                      isOff={isOff}
                      onStep={(step) => move(index, index + step, false)}
                      onAsk={() => setAsked(each.signature.id)}
                    />
                  )}
                  <DuplicateButton
                    name={each.signature.name}
                    onPress={() => {
                      const name = copyName(each.signature.name, draft.signatures)
                      const signature = newSignatureId(draft, name)
                      record(Planning.signatureAdded({ signature, name, like: each.signature.id }))
                    }}
                  />
                </>
              }
            />
          ))}
        </ol>
      )}
      {askedCard && (
        <MoveDialog
          name={askedCard.signature.name}
          index={askedAt}
          of={all.length}
          onMove={(to) => move(askedAt, to, false)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

function SignatureCard({
  card: { signature, html, isAssigned, isDefault, whom, people },
  shown: { images, isSample },
  drag,
  acts,
}: {
  card: SignatureWithFigures
  shown: DisplayContext
  drag: CardDrag
  acts: ReactNode
}) {
  const t = useTexts()
  const dayText = useDayText()
  const { count } = useFormats()
  return (
    <Card
      name={signature.name}
      path={signaturePath(signature.id)}
      heading="h2"
      html={html}
      images={images}
      mark={
        !isSample &&
        (isDefault || !isAssigned) && (
          <span className={isDefault ? textCss['mark'] : textCss['quiet']}>
            {t(isDefault ? 'signatures.card.isDefault' : 'signatures.card.notAssigned')}
          </span>
        )
      }
      terms={[
        [t('signatures.rules.for'), whom],
        [t('signatures.rules.when'), periodText(signature.during, t, dayText)],
        [t('signatures.rules.recipients'), recipientsText(signature.recipients, t)],
        [t('signatures.card.versions'), versionsText(signature, t)],
        ...(signature.collection === null
          ? []
          : [[t('signatures.rules.collection'), signature.collection] as const]),
        ...(people === null
          ? []
          : [
              [
                t('signatures.card.defaultOf'),
                t('signatures.card.people', { count: people, people: count(people) }),
              ] as const,
            ]),
      ]}
      acts={acts}
      drag={drag}
    />
  )
}

function NewSignature({ document }: { document: ReleaseDocument }) {
  const t = useTexts()
  const record = useGesture()
  return (
    <NewItemButton
      isFirst
      title={t('signatures.new.title')}
      means={t('signatures.new.means')}
      short={t('signatures.new.short')}
      others={document.signatures}
      onCreate={(name, like) => {
        record(Planning.signatureAdded({ signature: newSignatureId(document, name), name, like }))
      }}
    />
  )
}
