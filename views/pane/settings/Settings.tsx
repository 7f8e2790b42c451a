import { useId } from 'react'
import { Link } from 'react-router-dom'
import { Locale } from '../../../streams/pane/locale/events.ts'
import { languages } from '../../../streams/wire/languages.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import { LogExport } from '../../../streams/pane/logExport/events.ts'
import { Settings } from '../../../streams/message/settings/events.ts'
import { selectSwitchOutlivesPane } from '../../../streams/pane/settings/selectors.ts'
import type { UserSettings } from '../../../streams/message/settings/settings.ts'
import type { TelemetryPayload } from '../../../streams/pane/telemetry/events.ts'
import { selectSendsTelemetry, selectTelemetryPayload } from '../../../streams/pane/telemetry/selectors.ts'
import { useAppState, useRecord, useRecording } from '../app.tsx'
import { Button } from '../../shared/Button.tsx'
import { Helpdesk } from '../../shared/Helpdesk.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { FailureNotice } from '../frame/FailureNotice.tsx'
import { ResetSettings } from './ResetSettings.tsx'
import { LANGUAGE_NAMES } from '../text/languageNames.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import * as css from './Settings.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../../shared/Text.module.css'

type SwitchName = keyof UserSettings

const SWITCHES: Readonly<Record<SwitchName, readonly [text: TextKey, hint: TextKey]>> = {
  enableSignaturePush: ['settings.enableSignaturePush', 'settings.enableSignaturePushHint'],
  enableSilentSSO: ['settings.enableSilentSSO', 'settings.enableSilentSSOHint'],
  enableEmbedImages: ['settings.enableEmbedImages', 'settings.enableEmbedImagesHint'],
  enableVariablesResync: ['settings.enableVariablesResync', 'settings.enableVariablesResyncHint'],
  enableVariablesMissing: ['settings.enableVariablesMissing', 'settings.enableVariablesMissingHint'],
  enableVariablesAutosave: ['settings.enableVariablesAutosave', 'settings.enableVariablesAutosaveHint'],
  enableTelemetry: ['settings.enableTelemetry', 'settings.enableTelemetryHint'],
  enableLogs: ['settings.enableLogs', 'settings.enableLogsHint'],
}

/** The switches by their place on the page. */
const PLACES = {
  first: ['enableSignaturePush'],
  details: ['enableVariablesResync', 'enableVariablesMissing', 'enableVariablesAutosave'],
  advanced: ['enableSilentSSO', 'enableEmbedImages', 'enableTelemetry', 'enableLogs'],
} as const satisfies Record<string, readonly SwitchName[]>

const isUnread = (failure: Failure): boolean => failure.kind === 'storage' && failure.action === 'read'

/**
 * The settings. What few users need is folded: technical switches, the data that leaves this device, and the tools for
 * the helpdesk.
 */
export function View() {
  const t = useTexts()
  const recording = useRecording()
  const failure = useAppState(({ settings }) => settings.errors.at(-1) ?? null)
  return (
    <div className={stack['page']}>
      <h1>{t('settings.title')}</h1>
      {failure && (
        <FailureNotice
          title={isUnread(failure) ? 'settings.notRead' : 'settings.failed'}
          failure={failure}
          purpose={isUnread(failure) ? 'loadSettings' : 'saveSettings'}
          onRetry={null}
          act={
            <Button look="secondary" small onPress={recording(Settings.errorsCleared())}>
              {t('settings.clear')}
            </Button>
          }
        />
      )}
      <Switches names={PLACES.first} />
      <LanguageChoice />
      <section className={stack['gapL']}>
        <h2>{t('tab.details')}</h2>
        <Switches names={PLACES.details} />
      </section>
      <details className={css['advanced']}>
        {/* Microsoft's library handles the Tab key, and goes only to elements with a `tabindex`. */}
        <summary tabIndex={0}>
          <div>
            <h2>{t('settings.advanced')}</h2>
            <p className={textCss['small']}>{t('settings.advancedHint')}</p>
          </div>
          <Icon name="unfold" size={16} />
        </summary>
        <div className={stack['page']}>
          <Switches names={PLACES.advanced} />
          <Telemetry />
          <LogFile />
          <div className={css['field']}>
            <p className={textCss['small']}>{t('selfTest.purpose')}</p>
            <Link to="/app/settings/self-test">{t('selfTest.title')}</Link>
          </div>
        </div>
      </details>
      <ResetSettings />
      <p>
        <Link to="/about">{t('about.title')}</Link>
      </p>
    </div>
  )
}

const Switches = ({ names }: { names: readonly SwitchName[] }) => (
  <div className={stack['gapL']}>
    {names.map((name) => (
      <Switch key={name} name={name} />
    ))}
  </div>
)

function Switch({ name }: { name: SwitchName }) {
  const t = useTexts()
  const recording = useRecording()
  const id = useId()
  const [text, hint] = SWITCHES[name]
  const isOn = useAppState(({ settings }) => settings[name])
  const outlivesPane = useAppState((state) => selectSwitchOutlivesPane(state, name))
  return (
    <div className={css['switch']}>
      <label htmlFor={id}>{t(text)}</label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-describedby={`${id}-hint`}
        onChange={recording(({ currentTarget }) =>
          Settings.updateRequested({ changes: { [name]: currentTarget.checked } }),
        )}
      />
      <p id={`${id}-hint`} className={textCss['small']}>
        {t(hint)}
        {!outlivesPane && ` ${t('settings.untilClosed')}`}
      </p>
    </div>
  )
}

function LanguageChoice() {
  const t = useTexts()
  const record = useRecord()
  const id = useId()
  const language = useAppState(({ locale }) => locale.requested ?? locale.language)
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{t('settings.language')}</label>
      <select
        id={id}
        value={language}
        onChange={({ currentTarget }) => {
          const chosen = languages.find((each) => each === currentTarget.value)
          if (chosen) record(Locale.languageRequested({ language: chosen }))
        }}
      >
        {languages.map((each) => (
          <option key={each} value={each} lang={each}>
            {LANGUAGE_NAMES[each]}
          </option>
        ))}
      </select>
    </div>
  )
}

/** The text for each part of the telemetry payload. */
const SENT = {
  package: 'settings.sentPackage',
  context: 'settings.sentContext',
  settings: 'settings.sentSettings',
  beta: 'settings.sentBeta',
  navigator: 'settings.sentNavigator',
} as const satisfies Record<keyof TelemetryPayload, TextKey>

/** Describes the telemetry payload in words, and shows the payload itself, before it is sent. */
function Telemetry() {
  const t = useTexts()
  const id = useId()
  const payload = useAppState(selectTelemetryPayload)
  const isSent = useAppState(selectSendsTelemetry)
  if (!payload) return null
  return (
    <section aria-labelledby={id} className={css['sent']}>
      <h2 id={id}>{t('settings.sent')}</h2>
      <p className={textCss['small']}>{t(isSent ? 'settings.sentAtSignIn' : 'settings.sentNever')}</p>
      <ul className={css['list']}>
        {Object.values(SENT).map((key) => (
          <li key={key}>{t(key)}</li>
        ))}
      </ul>
      <Helpdesk>
        <pre tabIndex={0} aria-label={t('settings.sent')}>
          {JSON.stringify(payload, null, 2)}
        </pre>
      </Helpdesk>
    </section>
  )
}

function LogFile() {
  const t = useTexts()
  const recording = useRecording()
  const logExport = useAppState((state) => state.logExport)
  const save = recording(LogExport.requested())
  return (
    <div className={css['field']}>
      <p className={textCss['small']}>{t('settings.logMeaning')}</p>
      <Button look="secondary" onPress={save}>
        {t('settings.log')}
      </Button>
      <p role="status" className={textCss['small']}>
        {logExport.status === 'success' && t('settings.logSaved')}
      </p>
      <FailureNotice
        title="settings.logFailed"
        failure={failureOf(logExport)}
        purpose="saveLog"
        onRetry={save}
      />
    </div>
  )
}
