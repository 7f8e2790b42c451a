import { useRef } from 'react'
import { Outlet } from 'react-router-dom'
import { Auth } from '../../streams/auth/events.ts'
import { placeAt } from '../../streams/router/routes.ts'
import { selectDefaultSignature } from '../../streams/defaults/selectors.ts'
import { failureOf } from '../../streams/kernel/load.ts'
import { selectProfile } from '../../streams/profile/selectors.ts'
import { selectListFailure } from '../../streams/signatures/selectors.ts'
import { useAppState, useRecord } from '../hooks/app.tsx'
import { useArrival } from '../hooks/dom/arrival.ts'
import { useRetry } from '../hooks/loading.ts'
import { useTexts } from '../text/texts.ts'
import { Button } from './Button.tsx'
import { LastUpdated } from './LastUpdated.tsx'
import { Fade } from './Fade.tsx'
import { FootProvider } from './Foot.tsx'
import { FailureNotice } from './Notice.tsx'
import { Icon } from './Icon.tsx'
import { Tabs } from './Tabs.tsx'
import * as css from './Shell.module.css'

/** Around every view: maintenance above, failed loads, and below the tabs, the last update and the account. */
export function Shell() {
  const main = useRef<HTMLElement>(null)
  useArrival(main)
  const page = useAppState(({ router }) => placeAt(router.path))
  return (
    <FootProvider>
      {(footOfView) => (
        <div className={css['shell']}>
          <Maintenance />
          <main ref={main} className={css['main']}>
            <NotLoaded />
            <Fade of={page} className={css['view']}>
              <Outlet />
            </Fade>
          </main>
          <footer className={css['foot']}>
            {footOfView}
            <Tabs />
            <div className={css['line']}>
              <LastUpdated />
              <Account />
            </div>
          </footer>
        </div>
      )}
    </FootProvider>
  )
}

function Maintenance() {
  const t = useTexts()
  const status = useAppState(({ maintenance }) => maintenance.status)
  return (
    status && (
      <header className={css['bar']}>
        <Icon name="maintenance" />
        <p>{t(status === 'active' ? 'maintenance.active' : 'maintenance.planned')}</p>
      </header>
    )
  )
}

/** That the default or the profile could not be loaded; the list reports its own failure. */
function NotLoaded() {
  const retry = useRetry()
  const signature = useAppState(selectDefaultSignature)
  const ofDefault = useAppState(({ defaults }) => failureOf(defaults.load))
  const ofProfile = useAppState(({ profile }) => failureOf(profile))
  const ofList = useAppState(selectListFailure)
  const failure = ofDefault ?? ofProfile
  // The list reports the same failure.
  if (!failure || failure.kind === ofList?.kind) return null
  const missing = signature ? 'notice.defaultStale' : 'notice.defaultFailed'
  return (
    <FailureNotice
      title={ofDefault ? missing : 'notice.profileFailed'}
      failure={failure}
      purpose="load"
      onRetry={retry}
    />
  )
}

/** The first letters of the first and last word of a name. */
const initials = (name: string): string =>
  Array.from(name.matchAll(/(?:^|\s)(\S)/gu), ([, letter = '']) => letter)
    .filter((_, index, { length }) => index === 0 || index === length - 1)
    .join('')
    .toLocaleUpperCase()

function Account() {
  const t = useTexts()
  const record = useRecord()
  const user = useAppState(({ mailbox }) => mailbox.user)
  const profile = useAppState(selectProfile)
  const isSignedIn = useAppState(({ auth }) => auth.status === 'success')
  const address = profile?.email ?? user?.email
  if (!isSignedIn || !address) return null
  const name = profile?.displayName || user?.displayName || address
  const letters = initials(name)
  const label = name === address ? name : `${name}, ${address}`
  return (
    <details className={css['account']}>
      {/* Microsoft's library handles the Tab key, and goes only to elements with a `tabindex`. */}
      <summary tabIndex={0} aria-label={`${letters}, ${label}`} title={name}>
        <span className={css['badge']} aria-hidden="true">
          {letters}
        </span>
        <Icon name="unfold" />
      </summary>
      <div className={css['menu']}>
        <p className={css['identity']}>
          <span>{name}</span>
          {name !== address && <span className={css['address']}>{address}</span>}
        </p>
        <Button
          look="secondary"
          onPress={() => {
            record(Auth.signOutRequested({ reason: { kind: 'person' } }))
          }}
        >
          {t('account.signOut')}
        </Button>
      </div>
    </details>
  )
}
