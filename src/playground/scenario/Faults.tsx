import { useObservableEagerState, useSubscription } from 'observable-hooks'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QUIRKS } from '../mailbox/body.ts'
import { MAX_SIMULTANEOUS_CALLS } from '../mailbox/callFaults.ts'
import { CALL_NAMES } from '../mailbox/model.ts'
import { clientFaultsOf } from './clientFaults.ts'
import { useControls } from './controlsContext.ts'
import * as css from './faults.module.css'
import { IconButton } from '../design/IconButton.tsx'
import * as design from '../design/design.module.css'
import {
  type LaunchMode,
  LAUNCH_FAULTS,
  LAUNCH_MODES,
  MAILBOX_VERSIONS,
  MAX_DELAY_MS,
  countFaults,
  clientFaultName,
  serverFaultName,
  readClientFault,
  readServerFault,
} from './scenario.ts'
import type { ServerControl } from './servers.ts'

const MINUTE_MS = 60_000
/** The slider's initial and highest value. The number field beside it accepts values up to `MAX_DELAY_MS`. */
const DELAY_MS = { initial: 3_000, max: 15_000 }
/** The default error code for a failing call. */
const ERROR_CODE = 5_000

const LAUNCH_NAMES = {
  page: 'faults.launchPage',
  classic: 'faults.launchClassic',
  off: 'faults.launchOff',
} as const satisfies Record<LaunchMode, string>

/** The faults panel. Each fault acts on the real service, mail client, connection or clock around the pane. */
export function Faults({ isWatched, onClose }: { isWatched: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const controls = useControls()
  const { service, identity, offline$, ahead$, mailbox } = controls
  const scenario = useObservableEagerState(controls.scenario$)
  const offline = useObservableEagerState(offline$)
  const ahead = useObservableEagerState(ahead$)
  const count = countFaults(scenario)

  useSubscription(controls.polling$)

  return (
    <section id="faults" className={`${css.panel} ${design.card}`} aria-label={t('faults.label')}>
      <header className={css.head}>
        <h2>{t('faults.label')}</h2>
        <IconButton icon="dismiss" label={t('faults.close')} onClick={onClose} />
        <p role="status">{t('faults.count', { count })}</p>
        <button
          type="button"
          className={design.button}
          disabled={count === 0 && ahead === 0}
          onClick={() => void controls.clear()}
        >
          {t('faults.clear')}
        </button>
      </header>
      <Group title={t('faults.service')} hint={t('faults.serviceHint')} isOpen>
        <ServerFaults server={service} />
      </Group>
      <Group title={t('faults.outlook')} hint={t('faults.outlookHint')} isOpen>
        <ClientFaults />
        <Choice
          label={t('faults.atOnce')}
          value={String(scenario.atOnce)}
          choices={Array.from({ length: MAX_SIMULTANEOUS_CALLS + 1 }, (_, most) => [
            String(most),
            String(most),
          ])}
          onChoose={(most) => mailbox.limitCalls(Number(most))}
        />
        <Check
          label={t('faults.switch')}
          hint={t('faults.switchHint')}
          checked={scenario.switchesDuringNext}
          onChange={(on) => mailbox.switchDuringNext(on)}
        />
      </Group>
      <Group title={t('faults.connection')} hint={t('faults.connectionHint')} isOpen>
        {isWatched && (
          <Check label={t('faults.offline')} checked={offline} onChange={(on) => offline$.next(on)} />
        )}
        <p className={css.hint}>{t('faults.signInHint')}</p>
        <ServerFaults server={identity} />
      </Group>
      <Group title={t('faults.launchFaults')} hint={t('faults.launchFaultsHint')}>
        {LAUNCH_FAULTS.filter((fault) => isWatched || fault !== 'noStorage').map((fault) => (
          <Check
            key={fault}
            label={t(`faults.${fault}`)}
            checked={scenario.launchFaults.includes(fault)}
            onChange={(on) => controls.setLaunchFault(fault, on)}
          />
        ))}
      </Group>
      {isWatched && <ClockControls />}
      <ClientKind isWatched={isWatched} />
    </section>
  )
}

/** Moves the clocks ahead. */
function ClockControls() {
  const { t } = useTranslation()
  const controls = useControls()
  const ahead = useObservableEagerState(controls.ahead$)
  return (
    <Group title={t('faults.clock')} hint={t('faults.clockHint')} isOpen>
      <div className={css.buttons}>
        {(
          [
            ['faults.minutes', 5 * MINUTE_MS],
            ['faults.hour', 60 * MINUTE_MS],
            ['faults.day', 24 * 60 * MINUTE_MS],
          ] as const
        ).map(([name, ms]) => (
          <button key={name} type="button" className={design.button} onClick={() => void controls.jump(ms)}>
            {t(name)}
          </button>
        ))}
      </div>
      <p role="status" className={css.hint}>
        {ahead > 0 && t('faults.ahead', { minutes: ahead / MINUTE_MS })}
      </p>
    </Group>
  )
}

/** Chooses the kind of mail client: its version, launch events, own signature and quirks. */
function ClientKind({ isWatched }: { isWatched: boolean }) {
  const { t } = useTranslation()
  const controls = useControls()
  const scenario = useObservableEagerState(controls.scenario$)
  return (
    <Group title={t('faults.kind')} hint={t('faults.kindHint')}>
      <Choice
        label={t('faults.mailbox')}
        value={scenario.mailboxVersion}
        choices={MAILBOX_VERSIONS.map((version) => [version, version])}
        onChoose={controls.chooseMailboxVersion}
      />
      <Choice
        label={t('faults.launch')}
        hint={t('faults.launchHint')}
        value={scenario.launch}
        choices={LAUNCH_MODES.filter((mode) => isWatched || mode !== 'classic').map((mode) => [
          mode,
          t(LAUNCH_NAMES[mode]),
        ])}
        onChoose={(chosen) =>
          controls.launchMode$.next(LAUNCH_MODES.find((mode) => mode === chosen) ?? scenario.launch)
        }
      />
      <Check
        label={t('faults.clientSignature')}
        hint={t('faults.clientSignatureHint')}
        checked={scenario.clientSignature}
        onChange={(on) => controls.mailbox.act({ type: 'setClientSignature', on })}
      />
      {QUIRKS.map((quirk) => (
        <Check
          key={quirk}
          label={t(`faults.${quirk}`)}
          checked={scenario.quirks.includes(quirk)}
          onChange={(on) => controls.mailbox.act({ type: 'setQuirk', quirk, on })}
        />
      ))}
    </Group>
  )
}

function Group(props: { title: string; hint: string; isOpen?: boolean; children: ReactNode }) {
  const { title, hint, isOpen = false, children } = props
  return (
    <details className={css.group} open={isOpen}>
      <summary>
        <h3>{title}</h3>
      </summary>
      <fieldset aria-label={title}>
        <p className={css.hint}>{hint}</p>
        {children}
      </fieldset>
    </details>
  )
}

function Check(props: { label: string; hint?: string; checked: boolean; onChange: (on: boolean) => void }) {
  const { label, hint, checked, onChange } = props
  const id = useId()
  return (
    <div className={css.check}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <Hint id={`${id}-hint`}>{hint}</Hint>
    </div>
  )
}

const SERVER_FAULTS = {
  slow: 'faults.slow',
  down: 'faults.down',
  '401': 'faults.status401',
  '404': 'faults.status404',
  '500': 'faults.status500',
  '503': 'faults.status503',
  malformed: 'faults.malformed',
  wrongShape: 'faults.wrongShape',
  empty: 'faults.empty',
  html: 'faults.html',
} as const

function ServerFaults({ server }: { server: ServerControl }) {
  const { isReachable, calls, faults } = useObservableEagerState(server.state$)
  return (
    <CallFaults
      calls={isReachable ? calls : []}
      names={SERVER_FAULTS}
      faults={faults.map(({ call, fault }) => ({ call, name: serverFaultName(fault) }))}
      onChoose={(call, name) => void server.setFault(call, name === null ? null : readServerFault(name))}
    />
  )
}

const CLIENT_FAULTS = {
  slow: 'faults.slow',
  silent: 'faults.silent',
  [`fails-${String(ERROR_CODE)}`]: 'faults.fails',
  twice: 'faults.twice',
} as const

function ClientFaults() {
  const { setClientFault, mailbox } = useControls()
  const faults = clientFaultsOf(useObservableEagerState(mailbox.faultState$).faults)
  return (
    <CallFaults
      calls={['*', ...CALL_NAMES]}
      names={CLIENT_FAULTS}
      faults={faults.map(({ call, fault }) => ({ call, name: clientFaultName(fault) }))}
      onChoose={(call, name) => setClientFault(call, name === null ? null : readClientFault(name))}
    />
  )
}

/** Chooses a call, its fault, and a slow call's delay; lists the chosen faults. If there are no calls, shows a hint. */
function CallFaults(props: {
  calls: readonly string[]
  names: Readonly<Record<string, string>>
  faults: readonly Readonly<{ call: string; name: string }>[]
  /** `name: null` ends the call's fault. */
  onChoose: (call: string, name: string | null) => void
}) {
  const { calls, names, faults, onChoose } = props
  const { t } = useTranslation()
  const id = useId()
  const [call, setCall] = useState('*')
  if (calls.length === 0) return <p className={css.hint}>{t('faults.notThere')}</p>
  const chosen = faults.find((each) => each.call === call)?.name ?? ''
  const slow = chosen.startsWith('slow-') ? Number(chosen.slice(5)) : null
  const name = slow === null ? chosen : 'slow'
  const chooseMs = (text: string) => {
    const ms = Math.round(Number(text))
    if (Number.isFinite(ms)) onChoose(call, `slow-${String(Math.min(MAX_DELAY_MS, Math.max(0, ms)))}`)
  }
  const choose = (value: string) => {
    if (value === 'slow') chooseMs(String(DELAY_MS.initial))
    else onChoose(call, value === '' ? null : value)
  }
  return (
    <>
      <Choice
        label={t('faults.call')}
        value={call}
        choices={calls.map((each) => [each, each === '*' ? t('faults.everyCall') : each])}
        onChoose={setCall}
      />
      <Choice
        label={t('faults.fault')}
        value={name}
        choices={[
          ['', t('faults.none')],
          ...Object.entries(names).map(([value, text]) => [value, t(text)] as const),
          ...(name === '' || Object.hasOwn(names, name) ? [] : [[name, name] as const]),
        ]}
        onChoose={choose}
      />
      {slow !== null && (
        <div className={css.field}>
          <label htmlFor={id}>{t('faults.ms')}</label>
          <span className={css.slow}>
            <input
              type="range"
              aria-label={t('faults.ms')}
              min={0}
              max={DELAY_MS.max}
              step={250}
              value={Math.min(DELAY_MS.max, slow)}
              onChange={({ target }) => chooseMs(target.value)}
            />
            <input
              id={id}
              type="number"
              className={design.box}
              min={0}
              max={MAX_DELAY_MS}
              step={100}
              value={slow}
              onChange={({ target }) => chooseMs(target.value)}
            />
          </span>
        </div>
      )}
      <ul className={css.active}>
        {faults.map((each) => {
          const text = `${each.call} ${each.name}`
          return (
            <li key={text}>
              <code>{text}</code>
              <IconButton
                icon="dismiss"
                label={t('faults.end', { fault: text })}
                onClick={() => onChoose(each.call, null)}
              />
            </li>
          )
        })}
      </ul>
    </>
  )
}

function Hint({ id, children }: { id: string; children: string | undefined }) {
  if (children === undefined) return null
  return (
    <p id={id} className={css.hint}>
      {children}
    </p>
  )
}

/** A labelled select with a hint below it. */
function Choice(props: {
  label: string
  hint?: string
  value: string
  choices: readonly (readonly [value: string, text: string])[]
  onChoose: (value: string) => void
}) {
  const { label, hint, value, choices, onChoose } = props
  const id = useId()
  return (
    <div className={css.field}>
      <label htmlFor={id}>{label}</label>
      <select
        className={design.box}
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        onChange={({ target }) => onChoose(target.value)}
      >
        {choices.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
      <Hint id={`${id}-hint`}>{hint}</Hint>
    </div>
  )
}
