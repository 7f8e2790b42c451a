import { type ReactNode, useId, useMemo } from 'react'
import { Link } from 'react-router-dom'
import { ADOPT_PATH } from '../../../streams/administration/plan/adopting.ts'
import { BRAND_PATH } from '../../../streams/administration/plan/brand.ts'
import {
  type FilteredCard,
  filterCards,
  isFiltering,
  isFilterOffered,
  offeredChoices,
  offeredFilter,
} from '../../../streams/administration/plan/cardFilter.ts'
import { changedItems, type Draft, isDraftChanged } from '../../../streams/administration/plan/draft.ts'
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
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { useDayText, useFormats } from '../parts/formats.ts'
import { type DisplayContext, useDisplayContext } from '../parts/shown.ts'
import { BeginDraft } from '../plan/Begin.tsx'
import { ExportFolder } from '../plan/DraftHead.tsx'
import { Findings } from '../plan/Findings.tsx'
import { PreviewPerson } from '../plan/PreviewPerson.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'
import { Card, type CardDrag, DuplicateButton } from './Card.tsx'
import { Filter } from './Filter.tsx'
import { MovableCards } from './Move.tsx'
import { DraftPage, DraftStatus } from '../plan/DraftPage.tsx'
import { NewItemButton } from './New.tsx'
import { periodText, recipientsText, selectionText, versionsText } from '../text/rules.ts'
import * as buttonCss from '../../shared/Button.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** The page with the draft's signatures as cards, each with its picture for a person and its rules. */
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
          <div className={css['states']}>
            <DraftStatus draft={draft} />
            <PreviewPerson />
          </div>
          <Findings findings={findings} heading="h2" />
          {document && <List draft={draft} document={document} />}
          {!isDraftChanged(draft) && <BeginDraft />}
          <ExportFolder source={isDraftChanged(draft) ? 'draft' : 'published'} />
        </>
      )}
    </DraftPage>
  )
}

type SignatureWithFigures = RenderedSignature & FilteredCard & Readonly<{ id: string; name: string }>

/** The signatures in the draft's order. Their pictures follow when the draft is rendered again. */
function List({ draft, document }: { draft: Draft; document: ReleaseDocument }) {
  const t = useTexts()
  const record = useGesture()
  const shown = useDisplayContext(document)
  const { person, writer, at, pictures, formats } = shown
  const rendered = useMemo(
    () => renderDraftSignatures(document, { person, writer, at }, pictures, formats),
    [document, person, writer, at, pictures, formats],
  )
  const ordered = useMemo(() => renderedInOrder(rendered, draft.document), [rendered, draft])
  const changed = useMemo(() => changedItems(draft, 'signatures'), [draft])
  const insight = useAdministrationState((state) => loadedValue(state.insight) ?? null)
  const filter = useAdministrationState(({ plan }) => plan.filter)
  const hint = useId()
  const labels = variableLabelsOf({ document })
  const nameOf = (field: string) => fieldName(field, labels, t)
  const all = ordered.map((each): SignatureWithFigures => ({
    ...each,
    id: each.signature.id,
    name: each.signature.name,
    whom: selectionText(each.signature.selection, t, nameOf),
    people:
      insight && (insight.signatures.find(({ signature }) => signature === each.signature.id)?.people ?? 0),
  }))
  const offered = offeredFilter(filter, all)
  const isOff = isFiltering(offered)
  const cards = filterCards(all, offered, at)
  if (all.length === 0) return <p>{t('signatures.none')}</p>
  return (
    <>
      {isFilterOffered(all) && (
        <Filter
          filter={offered}
          found={cards.length}
          of={all.length}
          choices={offeredChoices(all, offered, at)}
          onFilter={(chosen) => {
            record(Planning.cardsFiltered(chosen))
          }}
        />
      )}
      <p className={textCss['quiet']}>
        {t('signatures.order')}{' '}
        {all.length > 1 && <span id={hint}>{t(isOff ? 'signatures.move.off' : 'signatures.move.hint')}</span>}
      </p>
      <MovableCards
        all={all}
        shown={cards}
        isOff={isOff}
        hint={hint}
        onMove={(signature, to) => {
          record(Planning.signatureMoved({ signature, to }))
        }}
        draw={(card, drag, handle) => (
          <SignatureCard
            key={card.id}
            card={card}
            shown={shown}
            isChanged={changed.has(card.id)}
            drag={drag}
            acts={
              <>
                {handle}
                <DuplicateButton
                  name={card.name}
                  onPress={() => {
                    const name = copyName(card.name, draft.document.signatures)
                    const signature = newSignatureId(draft.document, name)
                    record(Planning.signatureAdded({ signature, name, like: card.id }))
                  }}
                />
              </>
            }
          />
        )}
      />
    </>
  )
}

function SignatureCard({
  card: { signature, html, isAssigned, isDefault, whom, people },
  shown: { images, isSample },
  isChanged,
  drag,
  acts,
}: {
  card: SignatureWithFigures
  shown: DisplayContext
  isChanged: boolean
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
      isChanged={isChanged}
      mark={
        !isSample &&
        (isDefault || !isAssigned) && (
          <span className={isDefault ? textCss['mark'] : textCss['quiet']}>
            {t(isDefault ? 'signatures.card.isDefault' : 'signatures.card.notAssigned')}
          </span>
        )
      }
      whom={whom}
      terms={[
        ...(signature.during === null
          ? []
          : [[t('signatures.rules.when'), periodText(signature.during, t, dayText)] as const]),
        ...(signature.recipients === 'everyone'
          ? []
          : [[t('signatures.rules.recipients'), recipientsText(signature.recipients, t)] as const]),
        ...(signature.thread
          ? [[t('signatures.rules.thread'), t(`signatures.thread.${signature.thread}`)] as const]
          : []),
        [t('signatures.card.versions'), versionsText(signature, t)],
        ...(signature.collection === null
          ? []
          : [[t('signatures.rules.collection'), signature.collection] as const]),
      ]}
      people={
        people !== null && (
          <p>
            {t('signatures.card.defaultOf')}{' '}
            {t('signatures.card.people', { count: people, people: count(people) })}
          </p>
        )
      }
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
