import { useObservableEagerState } from 'observable-hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { languages } from '../../streams/locale/events.ts'
import { LANGUAGE_NAMES } from '../../views/text/languageNames.ts'
import { Icon } from './design/Icon.tsx'
import * as design from './design/design.module.css'
import { useMailboxState } from './mailClient/mailboxContext.ts'
import * as css from './playground.module.css'
import { type Profile, PROFILES } from './mailbox/profiles.ts'
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
} as const satisfies Record<Profile, string>

/** A panel that the bar opens and closes. */
type PanelToggle = Readonly<{ isOpen: boolean; onToggle: () => void }>

/** The playground's own bar: user, appearance, and panels. `timeline` is null where the page cannot watch the pane. */
export function PlaygroundBar(props: { faults: PanelToggle; timeline: PanelToggle | null }) {
  const { faults, timeline } = props
  const { t } = useTranslation()
  const controls = useControls()
  const { theme, language } = useObservableEagerState(controls.appearance$)
  const isPaneOpen = useObservableEagerState(controls.isPaneOpen$)
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
      <UserSelect />
      <EditionSelect />
      <label>
        <Icon name="language" />
        <span className={design.unseen}>{t('bar.language')}</span>
        <select
          className={design.box}
          value={language ?? ''}
          onChange={({ target }) =>
            controls.chooseLanguage(languages.find((each) => each === target.value) ?? null)
          }
        >
          <option value="">{t('bar.languageOwn')}</option>
          {languages.map((each) => (
            <option key={each} value={each} lang={each}>
              {LANGUAGE_NAMES[each]}
            </option>
          ))}
        </select>
      </label>
      <label>
        <Icon name="theme" />
        <span className={design.unseen}>{t('bar.theme')}</span>
        <select
          className={design.box}
          value={theme}
          onChange={({ target }) =>
            controls.appearance$.next({
              language,
              theme: THEME_CHOICES.find((each) => each === target.value) ?? theme,
            })
          }
        >
          {THEME_CHOICES.map((each) => (
            <option key={each} value={each}>
              {t(THEME_NAMES[each])}
            </option>
          ))}
        </select>
      </label>
      <span className={css.tools}>
        {!isPaneOpen && (
          <button type="button" className={css.tool} onClick={() => controls.showPane(true)}>
            {t('bar.openPane')}
          </button>
        )}
        <button type="button" className={css.tool} aria-expanded={faults.isOpen} onClick={faults.onToggle}>
          {faultCount === 0 ? t('bar.faults') : t('bar.faultsActive', { count: faultCount })}
        </button>
        {timeline && (
          <button
            type="button"
            className={css.tool}
            aria-expanded={timeline.isOpen}
            onClick={timeline.onToggle}
          >
            {t('bar.timeline')}
          </button>
        )}
        {/* A page of its own, with a sign-in of its own. */}
        <a className={css.tool} href="/administration.html" target="_blank" rel="noreferrer">
          {t('bar.administration')}
        </a>
        <CopyLink />
      </span>
    </header>
  )
}

function UserSelect() {
  const { t } = useTranslation()
  const { chooseUser } = useControls()
  const { accounts, person } = useMailboxState()
  return (
    <label>
      <Icon name="person" />
      <span className={design.unseen}>{t('bar.person')}</span>
      <select className={design.box} value={person} onChange={({ target }) => chooseUser(target.value)}>
        {accounts.map(({ address, name }) => (
          <option key={address} value={address}>
            {name || address}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Which Outlook the simulated one is. */
function EditionSelect() {
  const { t } = useTranslation()
  const { chooseEdition } = useControls()
  const { profile } = useMailboxState()
  return (
    <label>
      <Icon name="newMessage" />
      <span className={design.unseen}>{t('bar.edition')}</span>
      <select
        className={design.box}
        value={profile ?? ''}
        onChange={({ target }) => chooseEdition(PROFILES.find((each) => each === target.value) ?? null)}
      >
        {PROFILES.map((each) => (
          <option key={each} value={each}>
            {t(EDITION_NAMES[each])}
          </option>
        ))}
        <option value="">{t('bar.editionNone')}</option>
      </select>
    </label>
  )
}

/** Copies the address of the page, which holds the scenario. */
function CopyLink() {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<'bar.copied' | 'bar.notCopied' | null>(null)
  return (
    <span className={css.copy}>
      <button
        type="button"
        className={css.tool}
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
