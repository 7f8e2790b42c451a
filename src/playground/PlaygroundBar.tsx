import { useObservableEagerState } from 'observable-hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '../../streams/wire/languages.ts'
import { LANGUAGE_NAMES } from '../../views/pane/text/languageNames.ts'
import { Icon, type IconName } from './design/Icon.tsx'
import * as design from './design/design.module.css'
import { useMailboxState } from './mailClient/mailboxContext.ts'
import * as css from './playground.module.css'
import { type ClientProfile, CLIENT_PROFILES } from './mailbox/profiles.ts'
import { useControls } from './scenario/controlsContext.ts'
import { THEME_CHOICES, type ThemeChoice, countFaults } from './scenario/scenario.ts'

const THEME_NAMES = {
  system: 'bar.themeSystem',
  light: 'bar.themeLight',
  dark: 'bar.themeDark',
} as const satisfies Record<ThemeChoice, string>

const EDITION_NAMES = {
  web: 'bar.editionWeb',
  classic: 'bar.editionClassic',
  mac: 'bar.editionMac',
  ios: 'bar.editionIos',
  android: 'bar.editionAndroid',
} as const satisfies Record<ClientProfile, string>

const TOOL = `${design.button} ${css.tool}`

/** The state of a panel, and a function that toggles it. */
type PanelToggle = Readonly<{ isOpen: boolean; onToggle: () => void }>

/**
 * The playground's own bar: user, appearance and panels. In a one-column layout, everything below its first line is
 * folded under `options` to leave room for the message. `timeline` is null if the page cannot watch the pane.
 */
export function PlaygroundBar(props: {
  options: PanelToggle
  faults: PanelToggle
  timeline: PanelToggle | null
}) {
  const { options, faults, timeline } = props
  const { t } = useTranslation()
  const controls = useControls()
  const { theme, language } = useObservableEagerState(controls.appearance$)
  const isPaneOpen = useObservableEagerState(controls.isPaneOpen$)
  const { accounts, person, profile } = useMailboxState()
  const faultCount = countFaults(useObservableEagerState(controls.scenario$))
  return (
    <header className={css.bar} aria-label={t('bar.label')}>
      <span className={design.mark} aria-hidden="true" />
      <h1>{t('title')}</h1>
      {isPaneOpen && (
        <a className={css.skip} href="#pane">
          {t('bar.toPane')}
        </a>
      )}
      <button
        type="button"
        className={`${TOOL} ${css.fold}`}
        aria-expanded={options.isOpen}
        onClick={options.onToggle}
      >
        {t('bar.options')}
      </button>
      <BarSelect
        icon="person"
        label={t('bar.person')}
        value={person}
        choices={accounts.map(({ address, name }) => [address, name || address])}
        onChoose={controls.chooseUser}
      />
      <BarSelect
        icon="newMessage"
        label={t('bar.edition')}
        value={profile ?? ''}
        choices={[
          ...CLIENT_PROFILES.map((each) => [each, t(EDITION_NAMES[each])] as const),
          ['', t('bar.editionNone')],
        ]}
        onChoose={(chosen) => controls.chooseEdition(chosen || null)}
      />
      <BarSelect
        icon="language"
        label={t('bar.language')}
        value={language ?? ''}
        choices={[
          ['', t('bar.languageOwn')],
          ...languages.map((each) => [each, LANGUAGE_NAMES[each], each] as const),
        ]}
        onChoose={(chosen) => controls.chooseLanguage(chosen || null)}
      />
      <BarSelect
        icon="theme"
        label={t('bar.theme')}
        value={theme}
        choices={THEME_CHOICES.map((each) => [each, t(THEME_NAMES[each])])}
        onChoose={(chosen) => controls.appearance$.next({ language, theme: chosen })}
      />
      <span className={css.tools}>
        {!isPaneOpen && (
          <button type="button" className={TOOL} onClick={() => controls.showPane(true)}>
            {t('bar.openPane')}
          </button>
        )}
        <button type="button" className={TOOL} aria-expanded={faults.isOpen} onClick={faults.onToggle}>
          {faultCount === 0 ? t('bar.faults') : t('bar.faultsActive', { count: faultCount })}
        </button>
        {timeline && (
          <button type="button" className={TOOL} aria-expanded={timeline.isOpen} onClick={timeline.onToggle}>
            {t('bar.timeline')}
          </button>
        )}
        {/* A separate page with its own sign-in. */}
        <a className={TOOL} href="/administration.html" target="_blank" rel="noreferrer">
          {t('bar.administration')}
        </a>
        <CopyLink />
      </span>
    </header>
  )
}

/** A select with an icon, and a label for screen readers. A choice's `lang` is the language of its text. */
function BarSelect<Value extends string>({
  icon,
  label,
  value,
  choices,
  onChoose,
}: Readonly<{
  icon: IconName
  label: string
  value: Value
  choices: readonly (readonly [value: Value, text: string, lang?: string])[]
  onChoose: (value: Value) => void
}>) {
  return (
    <label>
      <Icon name={icon} />
      <span className={design.unseen}>{label}</span>
      <select
        className={design.box}
        value={value}
        onChange={({ target }) => {
          const chosen = choices.find(([each]) => each === target.value)
          if (chosen) onChoose(chosen[0])
        }}
      >
        {choices.map(([each, text, lang]) => (
          <option key={each} value={each} lang={lang}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Copies the page's address, which contains the scenario. */
function CopyLink() {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<'bar.copied' | 'bar.notCopied' | null>(null)
  return (
    <span className={css.copy}>
      <button
        type="button"
        className={TOOL}
        onClick={() => {
          navigator.clipboard.writeText(location.href).then(
            () => setOutcome('bar.copied'),
            () => setOutcome('bar.notCopied'),
          )
        }}
      >
        {t('bar.copyLink')}
      </button>
      <span role="status" className={outcome === 'bar.copied' ? css.copied : css.notCopied}>
        {outcome && t(outcome)}
      </span>
    </span>
  )
}
