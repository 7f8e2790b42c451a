import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import { ADOPT_PATH } from '../../../streams/administration/plan/adopting.ts'
import { BANNER_PATH } from '../../../streams/administration/plan/banners.ts'
import { BRAND_PATH } from '../../../streams/administration/plan/brand.ts'
import { isDraftChanged } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import {
  renderDraftSignatures,
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
import type { ReleaseDocument, Signature } from '../../../streams/organisation/release/release.ts'
import { useAdministrationState, useGesture } from '../parts/administration.tsx'
import { useDayText, useFormats } from '../parts/formats.ts'
import { type DisplayContext, useDisplayContext } from '../parts/shown.ts'
import { BeginDraft } from '../plan/Begin.tsx'
import { ExportFolder } from '../plan/DraftHead.tsx'
import { Findings } from '../plan/Findings.tsx'
import { PreviewPerson } from '../plan/PreviewPerson.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'
import type { FieldNameOf } from '../text/why.ts'
import { Blocks } from './Blocks.tsx'
import { Card } from './Card.tsx'
import { DraftPage, UnpublishedNotice } from '../plan/DraftPage.tsx'
import { NewItemButton } from './New.tsx'
import { periodText, recipientsText, selectionText, versionsText } from '../text/rules.ts'
import * as buttonCss from '../../shared/Button.module.css'
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
          {document && <List document={document} />}
          {document && <Blocks document={document} />}
          {!isDraftChanged(draft) && <BeginDraft />}
          <ExportFolder source={isDraftChanged(draft) ? 'draft' : 'published'} />
        </>
      )}
    </DraftPage>
  )
}

function List({ document }: { document: ReleaseDocument }) {
  const t = useTexts()
  const shown = useDisplayContext(document)
  const { person, at, pictures, formats } = shown
  const all = useMemo(
    () => renderDraftSignatures(document, { person, at }, pictures, formats),
    [document, person, at, pictures, formats],
  )
  const insight = useAdministrationState((state) => loadedValue(state.insight) ?? null)
  if (all.length === 0) return <p>{t('signatures.none')}</p>
  const labels = variableLabelsOf({ document })
  const nameOf = (field: string) => fieldName(field, labels, t)
  return (
    <>
      <p className={textCss['quiet']}>{t('signatures.order')}</p>
      <ol className={`${sectionCss['list']} ${css['cards']}`}>
        {all.map((each) => (
          <SignatureCard
            key={each.signature.id}
            picture={each}
            shown={shown}
            nameOf={nameOf}
            people={
              insight &&
              (insight.signatures.find(({ signature }) => signature === each.signature.id)?.people ?? 0)
            }
          />
        ))}
      </ol>
    </>
  )
}

function SignatureCard({
  picture: { signature, html, isAssigned, isDefault },
  shown: { images, isSample },
  nameOf,
  people,
}: {
  picture: RenderedSignature
  shown: DisplayContext
  nameOf: FieldNameOf
  /** How many people have it as their default in the published release; null while unknown. */
  people: number | null
}) {
  const t = useTexts()
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
        ...useRuleTerms(signature, nameOf),
        ...(people === null
          ? []
          : [
              [
                t('signatures.card.defaultOf'),
                t('signatures.card.people', { count: people, people: count(people) }),
              ] as const,
            ]),
      ]}
    />
  )
}

function useRuleTerms(signature: Signature, nameOf: FieldNameOf) {
  const t = useTexts()
  const dayText = useDayText()
  return [
    [t('signatures.rules.for'), selectionText(signature.selection, t, nameOf)],
    [t('signatures.rules.when'), periodText(signature.during, t, dayText)],
    [t('signatures.rules.recipients'), recipientsText(signature.recipients, t)],
    [t('signatures.card.versions'), versionsText(signature, t)],
    ...(signature.collection === null
      ? []
      : [[t('signatures.rules.collection'), signature.collection] as const]),
  ] as const
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
