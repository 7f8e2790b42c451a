import { type ReactNode, useState } from 'react'
import type { AdministrationGesture } from '../../../streams/administration/events.ts'
import { templatesOf } from '../../../streams/administration/plan/draft.ts'
import type { Block, ReleaseDocument, Signature } from '../../../streams/organisation/release/release.ts'
import { ConfirmFirstButton } from '../../shared/Confirm.tsx'
import { Segments } from '../../shared/Segments.tsx'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { Section } from '../parts/Section.tsx'
import { DraftPreview } from '../plan/DraftPreview.tsx'
import { Findings } from '../plan/Findings.tsx'
import { Workbench } from '../plan/Workbench.tsx'
import { useTexts } from '../text/texts.ts'
import { BackToCards, DraftPage, DraftStatus } from '../plan/DraftPage.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as css from './Signatures.module.css'

type Side = 'design' | 'rules' | 'template'

/**
 * The page of one signature or block of the draft: its design, its rules or its source, beside the preview.
 *
 * @param untitled the title of an item without a name
 * @param gone the text if the draft does not have the item
 * @param find finds the item in a document
 * @param design the visual editor, for the document in which the typing last paused; null if it lacks the item
 * @param above the content above the preview, beside the rules
 * @param below the content below the rules
 */
export function OnePage<One extends Signature | Block>({
  area,
  untitled,
  gone,
  find,
  design,
  rules,
  above,
  below,
  remove,
}: {
  area: 'signatures' | 'blocks'
  untitled: string
  gone: string
  find: (document: ReleaseDocument) => One | undefined
  design: (one: One, document: ReleaseDocument | null, onSource: () => void) => ReactNode
  rules: (one: One, document: ReleaseDocument) => ReactNode
  above?: (one: One, document: ReleaseDocument) => ReactNode
  below?: ReactNode
  remove: Readonly<{ means: string; confirm: string; event: AdministrationGesture }>
}) {
  const t = useTexts()
  const recording = useRecording()
  const [side, setSide] = useState<Side>('design')
  const name = useAdministrationState(({ plan }) => plan.draft && find(plan.draft.document)?.name)
  const findings = useAdministrationState(({ plan }) => plan.findings)
  // Parses the templates only when the typing pauses, not on each key press.
  const paused = useAdministrationState(({ plan }) => plan.debounced)
  return (
    <DraftPage area={area} title={name || untitled} act={<BackToCards area={area} />}>
      {(draft) => {
        const one = find(draft.document)
        if (!one) return <p>{gone}</p>
        return (
          <>
            <div className={css['top']} data-side>
              <Segments<Side>
                name={t('signatures.side.name')}
                texts={{
                  design: t('signatures.side.design'),
                  rules: t('signatures.side.rules'),
                  template: t('signatures.side.template'),
                }}
                chosen={side}
                onChoose={setSide}
              />
              <DraftStatus draft={draft} />
            </div>
            <Findings findings={findings} heading="h2" own={templatesOf(draft.document, one)} />
            {side === 'design' ? (
              design(one, paused && find(paused) ? paused : null, () => setSide('template'))
            ) : side !== 'template' ? (
              <div className={css['sides']}>
                <div className={stack['gapL']}>
                  <Section title={t('signatures.side.rules')}>{rules(one, draft.document)}</Section>
                  {below}
                  <div data-remove>
                    <ConfirmFirstButton
                      look="danger"
                      title={t('signatures.remove.title', { name: one.name })}
                      meaning={remove.means}
                      confirm={remove.confirm}
                      cancel={t('signatures.new.cancel')}
                      onConfirm={recording(remove.event)}
                    />
                  </div>
                </div>
                <div className={`${stack['gapM']} ${css['side']}`}>
                  {above?.(one, draft.document)}
                  <DraftPreview />
                </div>
              </div>
            ) : (
              <div className={css['workbench']}>
                <Workbench first={paused ? templatesOf(paused, one) : []} />
              </div>
            )}
          </>
        )
      }}
    </DraftPage>
  )
}
