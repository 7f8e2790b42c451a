import { useId } from 'react'
import { Link } from 'react-router-dom'
import { RulesFileEdits, RulesFileApplying } from '../../../streams/administration/plan/events.ts'
import { RULES_FILE_PATH } from '../../../streams/administration/plan/signatures.ts'
import { SIGNET_FILE } from '../../../streams/organisation/release/paths.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministrationState, useRecording } from '../parts/administration.tsx'
import { Answer } from '../parts/Answer.tsx'
import { Failure } from '../parts/Failure.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Section } from '../parts/Section.tsx'
import { DraftPictures } from '../pictures/DraftPictures.tsx'
import { Findings } from '../plan/Findings.tsx'
import { Workbench } from '../plan/Workbench.tsx'
import { useTexts } from '../text/texts.ts'
import { BackToCards, DraftPage, DraftStatus } from '../plan/DraftPage.tsx'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Signatures.module.css'

/** The draft's files: all templates in the editor, a link to the rules file, and the pictures. */
export function Files() {
  const t = useTexts()
  const findings = useAdministrationState(({ plan }) => plan.findings)
  return (
    <DraftPage area="signatures" title={t('signatures.files')} act={<BackToCards />}>
      {(draft) => (
        <>
          <DraftStatus draft={draft} />
          <p>
            <Link to={RULES_FILE_PATH} className={textCss['link']}>
              {SIGNET_FILE}
            </Link>{' '}
            {t('signatures.file.means')}
          </p>
          <Findings findings={findings} />
          <Workbench />
          <DraftPictures draft={draft} />
        </>
      )}
    </DraftPage>
  )
}

/** Edits the draft's signet.yaml as text. */
export function RulesFilePage() {
  const t = useTexts()
  const load = useAdministrationState(({ rulesFile }) => rulesFile.load)
  return (
    <DraftPage area="signatures" title={SIGNET_FILE} act={<BackToCards />}>
      {(draft) => (
        <>
          <DraftStatus draft={draft} />
          <p>{t('signatures.file.intro')}</p>
          <Loaded load={load} role="Signet.Read">
            {() => <Text />}
          </Loaded>
        </>
      )}
    </DraftPage>
  )
}

function Text() {
  const t = useTexts()
  const id = useId()
  const recording = useRecording()
  const { load, typed, taking, findings } = useAdministrationState(({ rulesFile }) => rulesFile)
  const text = typed ?? loadedValue(load) ?? ''
  const take = recording(RulesFileApplying.requested({ yaml: text }))
  return (
    <Section title={t('signatures.file.title')}>
      <div className={stack['gapS']}>
        <label htmlFor={id} className={textCss['quiet']}>
          {t('plan.editor.fieldHint')}
        </label>
        <textarea
          id={id}
          className={css['text']}
          spellCheck={false}
          autoCapitalize="off"
          value={text}
          onChange={recording(({ currentTarget: { value } }) => RulesFileEdits.typed({ text: value }))}
        />
      </div>
      <div>
        <Button look="primary" isOff={typed === null || taking.status === 'pending'} onPress={take}>
          {t('signatures.file.take')}
        </Button>
      </div>
      <Answer
        status={taking.status}
        pending={<p>{t('signatures.file.reading')}</p>}
        success={<p>{t('signatures.file.taken')}</p>}
        failure={<Failure title="signatures.file.failed" failure={failureOf(taking)} onRetry={take} />}
      />
      <Findings findings={findings} />
    </Section>
  )
}
