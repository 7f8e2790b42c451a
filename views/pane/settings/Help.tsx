import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useApp, useAppState } from '../app.tsx'
import { useTitle } from '../dom/title.ts'
import { type TextKey, useTexts } from '../text/texts.ts'
import '../../shared/theme.css'
import '../../shared/page.css'
import * as css from './Help.module.css'
import * as stack from '../../shared/Stack.module.css'
import * as page from './Settings.module.css'

const QUESTIONS = ['why', 'choose', 'default', 'missing'] as const
const KEYS = ['Tab', 'Arrows', 'Versions', 'Ends', 'Letters', 'Enter', 'Menu', 'Escape'] as const

/** The news in this version, most important first. A new version replaces the list. */
const NEWS: readonly TextKey[] = ['help.newGroups', 'help.newRedo', 'help.newText']

/** The pane's help, for signed-in and signed-out users, with links to other pages. */
export function View() {
  const t = useTexts()
  const { version, supportUrl } = useApp()
  const isSignedIn = useAppState(({ auth }) => auth.status === 'success')
  return (
    <HelpPage version={version} supportUrl={supportUrl}>
      {isSignedIn && (
        <li>
          <Link to="/app/settings/self-test">{t('selfTest.title')}</Link>
        </li>
      )}
      <li>
        <Link to="/about">{t('about.title')}</Link>
      </li>
    </HelpPage>
  )
}

/** The help in a plain browser, where there is no pane. */
export function StandaloneHelp({
  version,
  supportUrl,
}: Readonly<{ version: string; supportUrl: string | null }>) {
  const t = useTexts()
  useTitle(t('help.title'))
  return (
    <main className={css['alone']}>
      <HelpPage version={version} supportUrl={supportUrl} />
    </main>
  )
}

/** Short answers, the keys, and the news. It needs only the texts; `children` are further links. */
function HelpPage({
  version,
  supportUrl,
  children,
}: {
  version: string
  supportUrl: string | null
  children?: ReactNode
}) {
  const t = useTexts()
  return (
    <div className={stack['page']}>
      <h1>{t('help.title')}</h1>
      {QUESTIONS.map((question) => (
        <section key={question} className={stack['gapXS']}>
          <h2>{t(`help.${question}`)}</h2>
          <p>
            {t(`help.${question}Answer`, {
              forNew: t('menu.makeDefault'),
              forReplies: t('menu.useForReplies'),
            })}
          </p>
        </section>
      ))}
      <ul className={css['links']}>
        {supportUrl !== null && (
          <li>
            <a href={supportUrl} target="_blank" rel="noopener noreferrer">
              {t('help.support')}
            </a>
          </li>
        )}
        {children}
      </ul>
      <section className={stack['gapXS']}>
        <h2 id="keys">{t('help.keys')}</h2>
        <table aria-labelledby="keys" className={css['keys']}>
          <tbody>
            {KEYS.map((key) => (
              <tr key={key}>
                <th scope="row">{t(`help.key${key}`)}</th>
                <td>{t(`help.does${key}`)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className={stack['gapXS']}>
        <h2>{t('help.news', { version })}</h2>
        <ul className={page['list']}>
          {NEWS.map((entry) => (
            <li key={entry}>{t(entry)}</li>
          ))}
        </ul>
      </section>
    </div>
  )
}
