import { type SelfTestFindings, SelfTest } from '../../../streams/pane/selfTest/events.ts'
import type { LaunchOutcome } from '../../../streams/launch/events.ts'
import type { LaunchRecord } from '../../../streams/launch/record.ts'
import {
  type CheckAdvice,
  type SelfTestCheck,
  selfTestChecks,
  clockOffset,
  judgeCheck,
} from '../../../streams/pane/selfTest/rules.ts'
import { useAppState, useRecord, useRecording } from '../app.tsx'
import { Button } from '../../shared/Button.tsx'
import { Icon } from '../../shared/Icon.tsx'
import { Helpdesk, TechnicalLines } from '../../shared/Helpdesk.tsx'
import { explainFailure } from '../text/failure.ts'
import { type TextKey, type Translate, useTexts } from '../text/texts.ts'
import * as css from './Settings.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as textCss from '../../shared/Text.module.css'

const ADVICES: Readonly<Record<CheckAdvice, TextKey>> = {
  openOutlook: 'action.openOutlook',
  updateHost: 'action.updateHost',
  turnClientSignatureOff: 'selfTest.turnClientSignatureOff',
  deploy: 'selfTest.launchDeploy',
  allowStorage: 'selfTest.allowStorage',
  setClock: 'selfTest.setClock',
  compareClock: 'selfTest.compareClock',
  connection: 'action.connection',
  wait: 'action.wait',
  administrator: 'action.retryOrAdministrator',
  signIn: 'action.signInAgain',
}
const ICONS = { ok: 'inUse', attention: 'warning', failed: 'failed' } as const
/** The names of mail clients, which are not translated. */
const HOSTS: Readonly<Record<string, string>> = { outlook: 'Outlook', simulated: 'Playground' }
const SIGN_IN_METHODS: ReadonlyMap<string, TextKey> = new Map<string, TextKey>([
  ['nested', 'selfTest.byOutlook'],
  ['mailClient', 'selfTest.byOutlook'],
  ['dialog', 'selfTest.byWindow'],
  ['workAccount', 'selfTest.byWindow'],
])

const LAUNCHES: Readonly<Record<LaunchOutcome, TextKey>> = {
  inserted: 'selfTest.launchInserted',
  already: 'selfTest.launchAlready',
  leftToPerson: 'selfTest.launchLeft',
  none: 'selfTest.launchOff',
  signInNeeded: 'selfTest.launchSignIn',
  offline: 'selfTest.launchOffline',
  failed: 'selfTest.launchFailed',
  late: 'selfTest.launchFailed',
  superseded: 'selfTest.launchNone',
  itemGone: 'selfTest.launchNone',
}

/** How fast Signet inserted the signature automatically, from which source, and in which runtime. */
function launchDetail({ outcome, at, ms, age, runtime }: LaunchRecord, t: Translate): string {
  const source =
    age === null ? t('selfTest.launchFromService') : t('selfTest.launchFromCopy', { copy: at - ms - age })
  const where = t(runtime === 'page' ? 'selfTest.launchInPage' : 'selfTest.launchInClassic')
  // Rounded up to tenths of a second, because no insertion takes 0 s.
  const seconds = Math.ceil(ms / 100) / 10
  return outcome === 'inserted' ? `${t('selfTest.launchHow', { seconds, source })} · ${where}` : where
}

/** The finding of a check, in plain words. */
function findingText(check: SelfTestCheck, findings: SelfTestFindings, at: number, t: Translate): string {
  const { host, launch, storage, service, signIn } = findings
  const { result } = judgeCheck(check, findings, at)
  switch (check) {
    case 'host':
      return HOSTS[host.name] ?? t('selfTest.browser')
    case 'requirements':
      return t(result === 'ok' ? 'selfTest.hasAll' : 'selfTest.lacks')
    case 'clientSignature':
      if (host.clientSignature === null) return t('selfTest.clientSignatureUnknown')
      return t(host.clientSignature ? 'selfTest.clientSignatureOn' : 'selfTest.clientSignatureOff')
    case 'launch':
      if (launch === 'unknown') return t('selfTest.launchUnknown')
      return launch === null ? t('selfTest.launchNone') : t(LAUNCHES[launch.outcome], { at: launch.at })
    case 'storage':
      return t(
        storage.lasting === 'memory' || storage.session === 'memory' ? 'selfTest.memory' : 'selfTest.stored',
      )
    case 'clock': {
      const offset = clockOffset(findings, at)
      return offset === null
        ? t('selfTest.noDate')
        : t('selfTest.clockOffset', { count: Math.abs(Math.round(offset / 1000)) })
    }
    case 'service':
      if (service.failure) return t(explainFailure(service.failure, 'load').what)
      return t(result === 'ok' ? 'selfTest.responds' : 'selfTest.respondsSlowly')
    case 'signIn':
      return signIn.status === 'success' && signIn.expiresAt !== null
        ? t('selfTest.until', { until: signIn.expiresAt })
        : t('selfTest.signedOut')
  }
}

/** The technical part of a check's finding; null when there is none. */
function detailText(
  check: SelfTestCheck,
  { host, launch, storage, service, signIn }: SelfTestFindings,
  t: Translate,
) {
  switch (check) {
    case 'host':
      return [host.name, host.version, host.platform].filter(Boolean).join(' · ')
    case 'requirements': {
      const sets = Object.entries(host.requirementSets).map(([name, version]) => `${name} ${version}`)
      return sets.length === 0 ? t('selfTest.none') : sets.join(' · ')
    }
    case 'launch':
      return launch === null || launch === 'unknown' ? null : launchDetail(launch, t)
    case 'storage':
      return [...new Set([storage.lasting, storage.session])].join(' · ')
    case 'service': {
      const { call, status, ms, failure } = service
      if (failure?.kind === 'malformed') return [call, failure.at, `${String(ms)} ms`].join(' · ')
      const answer =
        status === null ? t('selfTest.noAnswer', { call, ms }) : t('selfTest.answered', { call, status, ms })
      return [answer, failure?.kind === 'http' ? failure.code : failure?.kind].filter(Boolean).join(' · ')
    }
    case 'signIn': {
      if (signIn.status !== 'success') return signIn.status
      const by =
        signIn.method === null
          ? 'selfTest.restored'
          : (SIGN_IN_METHODS.get(signIn.method) ?? 'selfTest.byOutlook')
      return [t(by), signIn.method].filter(Boolean).join(' · ')
    }
    case 'clientSignature':
    case 'clock':
      return null
  }
}

/** Checks whether Signet has what it needs, and shows what to do. The result contains no personal data. */
export function View() {
  const t = useTexts()
  const record = useRecord()
  const { isRunning, result: latest } = useAppState(({ selfTest }) => selfTest)
  const { findings = null, endedAt = 0 } = latest ?? {}
  const lines = findings
    ? selfTestChecks.map((check) => {
        const { result, advice } = judgeCheck(check, findings, endedAt)
        const name = t(`selfTest.${check}`)
        const finding = findingText(check, findings, endedAt, t)
        const detail = detailText(check, findings, t)
        return { check, result, name, finding, detail, advice: advice && t(ADVICES[advice]) }
      })
    : []
  const isWell = lines.every(({ result }) => result === 'ok')
  const asText = () =>
    [
      `${t('selfTest.title')}, ${new Date(endedAt).toISOString()}`,
      ...lines.flatMap(({ result, name, finding, detail, advice }) => [
        `${t(`selfTest.${result}`)}: ${name}: ${finding}`,
        ...(detail === null ? [] : [`  ${detail}`]),
        ...(advice ? [`  ${advice}`] : []),
      ]),
    ].join('\n')
  return (
    <div className={stack['page']}>
      <h1>{t('selfTest.title')}</h1>
      <p>{t('selfTest.purpose')}</p>
      <div>
        <Button
          look="primary"
          onPress={() => {
            if (!isRunning) record(SelfTest.requested())
          }}
        >
          {t(findings === null ? 'selfTest.run' : 'selfTest.runAgain')}
        </Button>
      </div>
      <p role="status">
        {isRunning ? t('selfTest.running') : findings && t(isWell ? 'selfTest.passed' : 'selfTest.issues')}
      </p>
      {findings && (
        <>
          <ul className={css['checks']} aria-busy={isRunning}>
            {lines.map(({ check, result, name, finding, advice }) => (
              <li key={check} className={css[result]}>
                <Icon name={ICONS[result]} size={20} />
                <div>
                  <h2>
                    {name}: {t(`selfTest.${result}`)}
                  </h2>
                  <p className={textCss['small']}>{finding}</p>
                  {advice && <p>{advice}</p>}
                </div>
              </li>
            ))}
          </ul>
          <Helpdesk>
            <TechnicalLines
              lines={lines.flatMap(({ name, detail }) => (detail === null ? [] : [[name, detail] as const]))}
            />
          </Helpdesk>
          <CopyButton text={asText} />
        </>
      )}
    </div>
  )
}

function CopyButton({ text }: { text: () => string }) {
  const t = useTexts()
  const recording = useRecording()
  const { status } = useAppState(({ selfTest }) => selfTest.copy)
  return (
    <div className={css['field']}>
      <Button look="secondary" onPress={recording(() => SelfTest.copyRequested({ text: text() }))}>
        {t('selfTest.copy')}
      </Button>
      <p role="status" className={textCss['small']}>
        {status === 'success' && t('selfTest.copied')}
        {status === 'fail' && t('what.clipboard')}
      </p>
    </div>
  )
}
