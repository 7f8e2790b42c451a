import { useMemo, useState } from 'react'
import { templatesOf } from '../../../streams/administration/plan/draft.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import {
  compileRelease,
  type ReleaseDocument,
  type Signature,
} from '../../../streams/organisation/release.ts'
import { defaultChoice } from '../../../streams/organisation/rules.ts'
import { labelsOf } from '../../../streams/organisation/selectors.ts'
import { explain, reasonsOf } from '../../../streams/organisation/why.ts'
import { AskingButton } from '../../parts/Confirm.tsx'
import { Segments } from '../../parts/Segments.tsx'
import { useAdministrationState, useRecording } from '../hooks/administration.tsx'
import { useDayText } from '../hooks/formats.ts'
import { useShown } from '../hooks/shown.ts'
import { Section } from '../parts/Section.tsx'
import { DraftPreview } from '../plan/DraftPreview.tsx'
import { Findings } from '../plan/Findings.tsx'
import { Workbench } from '../plan/Workbench.tsx'
import { useTexts } from '../text/texts.ts'
import { fieldName } from '../text/fieldName.ts'
import { reasonText } from '../text/why.ts'
import { Back, DraftPage, Unpublished } from './DraftPage.tsx'
import { Rules } from './Rules.tsx'
import * as stack from '../../parts/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

type Side = 'rules' | 'template'

/** One signature of the draft: its rules or its templates, beside what a person gets. */
export function OneSignature({ id }: { id: string }) {
  const t = useTexts()
  const [side, setSide] = useState<Side>('rules')
  const name = useAdministrationState(
    ({ plan }) => plan.draft?.document.signatures.find((each) => each.id === id)?.name ?? null,
  )
  const findings = useAdministrationState(({ plan }) => plan.findings)
  // The templates are read again when the typing pauses, not with each key.
  const paused = useAdministrationState(({ plan }) => plan.debounced)
  return (
    <DraftPage
      area="signatures"
      title={name === null || name === '' ? t('frame.signatures') : name}
      act={<Back />}
    >
      {(draft) => {
        const signature = draft.document.signatures.find((each) => each.id === id)
        if (!signature) return <p>{t('signatures.gone')}</p>
        return (
          <>
            <Unpublished draft={draft} />
            <Findings findings={findings} />
            <div className={css['switch']} data-side>
              <Segments<Side>
                name={t('signatures.side.name')}
                texts={{ rules: t('signatures.side.rules'), template: t('signatures.side.template') }}
                chosen={side}
                onChoose={setSide}
              />
            </div>
            {side === 'rules' ? (
              <div className={css['sides']}>
                <div className={stack['gapL']}>
                  <Section title={t('signatures.side.rules')}>
                    <Rules signature={signature} document={draft.document} />
                  </Section>
                  <Remove signature={signature} />
                </div>
                <div className={`${stack['gapM']} ${css['side']}`}>
                  <WhyOrWhyNot document={draft.document} signature={signature} />
                  <DraftPreview />
                </div>
              </div>
            ) : (
              <div className={css['workbench']}>
                <Workbench first={paused ? templatesOf(paused, signature) : []} />
              </div>
            )}
          </>
        )
      }}
    </DraftPage>
  )
}

/** Says whether and why the person of the preview has the signature. */
function WhyOrWhyNot({
  document,
  signature: { id, name },
}: {
  document: ReleaseDocument
  signature: Signature
}) {
  const t = useTexts()
  const dayText = useDayText()
  const { person, isSample, at } = useShown(document)
  const reason = useMemo(() => {
    const release = compileRelease('rules', { ...document, templates: {} })
    const due = defaultChoice(release, person, at)
    const explained = explain(release, person, at, due)
    const index = explained.findIndex(({ signature }) => signature === id)
    return reasonsOf(explained, due?.by ?? null)[index] ?? null
  }, [document, person, at, id])
  const labels = labelsOf({ document })
  const nameOf = (field: string) => fieldName(field, labels, t)
  return (
    <p role="status" className={textCss['quiet']}>
      {isSample || reason === null ? '' : reasonText(name, reason, t, dayText, nameOf)}
    </p>
  )
}

function Remove({ signature: { id, name } }: { signature: Signature }) {
  const t = useTexts()
  const recording = useRecording()
  return (
    <div data-remove>
      <AskingButton
        look="secondary"
        title={t('signatures.remove.title', { name })}
        meaning={t('signatures.remove.means')}
        confirm={t('signatures.remove.confirm')}
        cancel={t('signatures.new.cancel')}
        onConfirm={recording(Planning.signatureRemoved({ signature: id }))}
      />
    </div>
  )
}
