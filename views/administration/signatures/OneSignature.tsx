import { useMemo } from 'react'
import { Planning } from '../../../streams/administration/plan/events.ts'
import {
  compileRelease,
  type ReleaseDocument,
  type Signature,
} from '../../../streams/organisation/release/release.ts'
import { defaultChoice } from '../../../streams/organisation/rules/rules.ts'
import { variableLabelsOf } from '../../../streams/organisation/release/selectors.ts'
import { explainSignatures, signatureReasons } from '../../../streams/organisation/rules/why.ts'
import { Design } from '../design/Design.tsx'
import { useDayText } from '../parts/formats.ts'
import { usePreviewContext } from '../parts/shown.ts'
import { useTexts } from '../text/texts.ts'
import { fieldName } from '../text/fieldName.ts'
import { reasonText } from '../text/why.ts'
import { OnePage } from './OnePage.tsx'
import { Rules } from './Rules.tsx'
import * as textCss from '../parts/Text.module.css'

/** One signature of the draft: its design, its rules or its source, beside a person's preview. */
export function OneSignature({ id }: { id: string }) {
  const t = useTexts()
  return (
    <OnePage
      area="signatures"
      untitled={t('frame.signatures')}
      gone={t('signatures.gone')}
      find={({ signatures }) => signatures.find((each) => each.id === id)}
      design={(signature, document, onSource) => (
        <Design signature={signature} document={document} onSource={onSource} />
      )}
      rules={(signature, document) => <Rules signature={signature} document={document} />}
      above={(signature, document) => <WhyOrWhyNot document={document} signature={signature} />}
      remove={{
        means: t('signatures.remove.means'),
        confirm: t('signatures.remove.confirm'),
        event: Planning.signatureRemoved({ signature: id }),
      }}
    />
  )
}

/** Explains why the preview's person has the signature or not. */
function WhyOrWhyNot({
  document,
  signature: { id, name },
}: {
  document: ReleaseDocument
  signature: Signature
}) {
  const t = useTexts()
  const dayText = useDayText()
  const { person, isSample, at } = usePreviewContext(document)
  const reason = useMemo(() => {
    const release = compileRelease('rules', { ...document, templates: {} })
    const due = defaultChoice(release, person, at)
    const explained = explainSignatures(release, person, at, due)
    const index = explained.findIndex(({ signature }) => signature === id)
    return signatureReasons(explained, due?.by ?? null)[index] ?? null
  }, [document, person, at, id])
  const labels = variableLabelsOf({ document })
  const nameOf = (field: string) => fieldName(field, labels, t)
  return (
    <p role="status" className={textCss['quiet']}>
      {isSample || reason === null ? '' : reasonText(name, reason, t, dayText, nameOf)}
    </p>
  )
}
