import { useObservableEagerState, useSubscription } from 'observable-hooks'
import { type ReactNode, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { QUIRKS } from '../mailbox/body.ts'
import { SIMULTANEOUS_CALLS } from '../mailbox/mailbox.ts'
import { CALL_NAMES } from '../mailbox/model.ts'
import { clientFaultsOf } from './controls.ts'
import { useControls } from './controlsContext.ts'
import * as css from './faults.module.css'
import { Icon } from '../design/Icon.tsx'
import * as design from '../design/design.module.css'
import {
  type LaunchMode,
  type ServerFault,
  LAUNCH_FAULTS,
  LAUNCH_MODES,
  MAILBOX_VERSIONS,
  MAX_DELAY_MS,
  countFaults,
  nameClientFault,
  nameServerFault,
  readClientFault,
  readServerFault,
} from './scenario.ts'
import type { ServerControl } from './servers.ts'

const MINUTE_MS = 60_000
/** The slider's first and highest value. The number beside it goes up to `MAX_DELAY_MS`. */
const DELAY_MS = { initial: 3_000, max: 15_000 }
/** The error code of a failing call, by default. */
const ERROR_CODE = 5_000

const LAUNCH_NAMES = {
  page: 'faults.launchPage',
  classic: 'faults.launchClassic',
  off: 'faults.launchOff',
} as const satisfies Record<LaunchMode, string>

/** The panel of faults. Each fault acts on the real service, mail client, connection or clock around the pane. */
export function Faults({ isWatched, onClose }: { isWatched: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const controls = useControls()
  const { service, identity, offline$, ahead$, mailbox } = controls
  const scenario = useObservableEagerState(controls.scenario$)
  const offline = useObservableEagerState(offline$)
  const ahead = useObservableEagerState(ahead$)
  const count = countFaults(scenario)
  const ids = { mailbox: useId(), atOnce: useId(), launch: useId() }

  useSubscription(controls.polling$)

  return (
    <section id="faults" className={`${css.panel} ${design.card}`} aria-label={t('faults.label')}>
      <header className={css.head}>
        <h2>{t('faults.label')}</h2>
        <button type="button" className={design.quiet} aria-label={t('faults.close')} onClick={onClose}>
          <Icon name="dismiss" />
        </button>
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
        <div className={css.field}>
          <label htmlFor={ids.atOnce}>{t('faults.atOnce')}</label>
          <select
            className={design.box}
            id={ids.atOnce}
            value={scenario.atOnce}
            onChange={({ target }) => mailbox.limitCalls(Number(target.value))}
          >
            {Array.from({ length: SIMULTANEOUS_CALLS + 1 }, (_, most) => (
              <option key={most}>{most}</option>
            ))}
          </select>
        </div>
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
      {isWatched && (
        <Group title={t('faults.clock')} hint={t('faults.clockHint')} isOpen>
          <div className={css.buttons}>
            {(
              [
                ['faults.minutes', 5 * MINUTE_MS],
                ['faults.hour', 60 * MINUTE_MS],
                ['faults.day', 24 * 60 * MINUTE_MS],
              ] as const
            ).map(([name, ms]) => (
              <button
                key={name}
                type="button"
                className={design.button}
                onClick={() => void controls.jump(ms)}
              >
                {t(name)}
              </button>
            ))}
          </div>
          <p role="status" className={css.hint}>
            {ahead > 0 && t('faults.ahead', { minutes: ahead / MINUTE_MS })}
          </p>
        </Group>
      )}
      <Group title={t('faults.kind')} hint={t('faults.kindHint')}>
        <div className={css.field}>
          <label htmlFor={ids.mailbox}>{t('faults.mailbox')}</label>
          <select
            className={design.box}
            id={ids.mailbox}
            value={scenario.mailboxVersion}
            onChange={({ target }) => controls.chooseMailboxVersion(target.value)}
          >
            {MAILBOX_VERSIONS.map((version) => (
              <option key={version}>{version}</option>
            ))}
          </select>
        </div>
        <div className={css.field}>
          <label htmlFor={ids.launch}>{t('faults.launch')}</label>
          <select
            className={design.box}
            id={ids.launch}
            aria-describedby={`${ids.launch}-hint`}
            value={scenario.launch}
            onChange={({ target }) =>
              controls.launchMode$.next(LAUNCH_MODES.find((mode) => mode === target.value) ?? scenario.launch)
            }
          >
            {LAUNCH_MODES.filter((mode) => isWatched || mode !== 'classic').map((mode) => (
              <option key={mode} value={mode}>
                {t(LAUNCH_NAMES[mode])}
              </option>
            ))}
          </select>
          <p id={`${ids.launch}-hint`} className={css.hint}>
            {t('faults.launchHint')}
          </p>
        </div>
        <Check
          label={t('faults.clientSignature')}
          hint={t('faults.clientSignatureHint')}
          checked={scenario.clientSignature}
          onChange={(on) => mailbox.act({ type: 'setClientSignature', on })}
        />
        {QUIRKS.map((quirk) => (
          <Check
            key={quirk}
            label={t(`faults.${quirk}`)}
            checked={scenario.quirks.includes(quirk)}
            onChange={(on) => mailbox.act({ type: 'setQuirk', quirk, on })}
          />
        ))}
      </Group>
    </section>
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
      {hint !== undefined && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
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
  const { t } = useTranslation()
  const { isReachable, calls, faults } = useObservableEagerState(server.state$)
  const [call, setCall] = useState('*')
  if (!isReachable) return <p className={css.hint}>{t('faults.notThere')}</p>
  const fault = faults.find((each) => each.call === call)?.fault ?? null
  const set = (wanted: ServerFault | null) => void server.setFault(call, wanted)
  return (
    <>
      <FaultChoice
        calls={calls}
        call={call}
        onCall={setCall}
        names={SERVER_FAULTS}
        chosen={fault && nameServerFault(fault)}
        onChoose={(name) => set(name === null ? null : readServerFault(name))}
      />
      <ul className={css.active}>
        {faults.map((each) => (
          <Active
            key={each.call}
            text={`${each.call} ${nameServerFault(each.fault)}`}
            onEnd={() => void server.setFault(each.call, null)}
          />
        ))}
      </ul>
    </>
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
  const [call, setCall] = useState('*')
  const fault = faults.find((each) => each.call === call)?.fault ?? null
  return (
    <>
      <FaultChoice
        calls={['*', ...CALL_NAMES]}
        call={call}
        onCall={setCall}
        names={CLIENT_FAULTS}
        chosen={fault && nameClientFault(fault)}
        onChoose={(name) => setClientFault(call, name === null ? null : readClientFault(name))}
      />
      <ul className={css.active}>
        {faults.map((each) => (
          <Active
            key={`${each.call} ${each.fault.kind}`}
            text={`${each.call} ${nameClientFault(each.fault)}`}
            onEnd={() => setClientFault(each.call, null)}
          />
        ))}
      </ul>
    </>
  )
}

function Active({ text, onEnd }: { text: string; onEnd: () => void }) {
  const { t } = useTranslation()
  return (
    <li>
      <code>{text}</code>
      <button
        type="button"
        className={design.quiet}
        aria-label={t('faults.end', { fault: text })}
        onClick={onEnd}
      >
        <Icon name="dismiss" />
      </button>
    </li>
  )
}

/** Chooses a call, its fault, and the delay of a slow one. `chosen` is the current name of the fault. */
function FaultChoice(props: {
  calls: readonly string[]
  call: string
  onCall: (call: string) => void
  names: Readonly<Record<string, string>>
  chosen: string | null
  onChoose: (name: string | null) => void
}) {
  const { calls, call, onCall, names, chosen, onChoose } = props
  const { t } = useTranslation()
  const ids = { call: useId(), fault: useId(), ms: useId() }
  const slow = chosen?.startsWith('slow-') ? Number(chosen.slice(5)) : null
  const name = slow === null ? (chosen ?? '') : 'slow'
  const chooseMs = (text: string) => {
    const ms = Math.round(Number(text))
    if (Number.isFinite(ms)) onChoose(`slow-${String(Math.min(MAX_DELAY_MS, Math.max(0, ms)))}`)
  }
  return (
    <>
      <div className={css.field}>
        <label htmlFor={ids.call}>{t('faults.call')}</label>
        <select
          id={ids.call}
          className={design.box}
          value={call}
          onChange={({ target }) => onCall(target.value)}
        >
          {calls.map((each) => (
            <option key={each} value={each}>
              {each === '*' ? t('faults.everyCall') : each}
            </option>
          ))}
        </select>
      </div>
      <div className={css.field}>
        <label htmlFor={ids.fault}>{t('faults.fault')}</label>
        <select
          className={design.box}
          id={ids.fault}
          value={name}
          onChange={({ target: { value } }) =>
            onChoose(value === '' ? null : value === 'slow' ? `slow-${String(DELAY_MS.initial)}` : value)
          }
        >
          <option value="">{t('faults.none')}</option>
          {Object.entries(names).map(([value, text]) => (
            <option key={value} value={value}>
              {t(text)}
            </option>
          ))}
          {name !== '' && !Object.hasOwn(names, name) && <option>{name}</option>}
        </select>
      </div>
      {slow !== null && (
        <div className={css.field}>
          <label htmlFor={ids.ms}>{t('faults.ms')}</label>
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
              id={ids.ms}
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
    </>
  )
}
