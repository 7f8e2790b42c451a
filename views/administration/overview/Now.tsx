import { Link } from 'react-router-dom'
import { UNSIGNED_PEOPLE_PATH } from '../../../streams/administration/people/rules.ts'
import type { BlockClicks } from '../../../streams/organisation/figures/clicks.ts'
import type { Insight } from '../../../streams/organisation/figures/insight.ts'
import type { Overview } from '../../../streams/wire/administration/insight.ts'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { AreaPage } from '../parts/AreaPage.tsx'
import { ClickChart } from '../parts/ClickChart.tsx'
import { CountTable } from '../parts/CountTable.tsx'
import { LaunchTable } from '../parts/LaunchTable.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { isLongNote, NothingPublishedNotice, useReleaseName } from '../parts/ReleaseId.tsx'
import { Section } from '../parts/Section.tsx'
import { Terms } from '../parts/Terms.tsx'
import { useTexts } from '../text/texts.ts'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Now.module.css'

/** The area with the current release, its use, and open problems. */
export function Now() {
  const t = useTexts()
  const overview = useAdministrationState((state) => state.overview)
  const insight = useAdministrationState((state) => state.insight)
  return (
    <AreaPage area="now">
      <Loaded load={overview} role="Signet.Read">
        {(value) => <Published overview={value} />}
      </Loaded>
      <Section title={t('overview.now.inUse')}>
        <Loaded load={insight} role="Signet.Read">
          {(value) => <InUse insight={value} />}
        </Loaded>
      </Section>
    </AreaPage>
  )
}

const FIGURES = ['people', 'toldToday', 'mailboxes'] as const

function Published({ overview }: { overview: Overview }) {
  const t = useTexts()
  const { count, moment } = useFormats()
  const nameOf = useReleaseName()
  const { published, numbers, maintenance } = overview
  return (
    <>
      {maintenance && (
        <Notice tone={maintenance === 'active' ? 'warning' : 'info'}>
          <p>{t(`overview.now.maintenance.${maintenance}`)}</p>
          <p>
            <Link to="/maintenance">{t('frame.maintenance')}</Link>
          </p>
        </Notice>
      )}
      {published ? (
        <Section title={t('overview.now.release')}>
          {numbers && (
            <p>
              <strong>{nameOf({ ...published, ...numbers })}</strong>
            </p>
          )}
          {isLongNote(published.note) && <p>{published.note}</p>}
          <p>
            {t(published.rolledBack ? 'overview.now.rolledBackBy' : 'overview.now.publishedBy', {
              when: moment(published.at),
              who: published.by,
            })}
          </p>
          <p>
            <Link to="/history">{t('overview.now.toHistory')}</Link>
          </p>
        </Section>
      ) : (
        <NothingPublishedNotice />
      )}
      <Terms
        look="figures"
        terms={FIGURES.map((each) => [t(`overview.now.${each}`), count(overview[each])])}
      />
      <Section title={t('overview.now.problems')}>
        {overview.problems.length === 0 ? (
          <p>{t('overview.now.noProblems')}</p>
        ) : (
          <ul className={css['problems']}>
            {overview.problems.map(({ message, count: many }) => (
              <li key={message}>
                {t(`overview.now.problem.${message}`, { count: many })}{' '}
                {message === 'noSignature' ? (
                  <Link to={UNSIGNED_PEOPLE_PATH}>{t('overview.now.showPeople', { count: many })}</Link>
                ) : (
                  <Link to="/directory">{t('frame.directory')}</Link>
                )}
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

function InUse({ insight }: { insight: Insight }) {
  const t = useTexts()
  const { day } = useFormats()
  const { signatures, versions, clients, launches } = insight
  if (signatures.length + versions.length + clients.length === 0)
    return <p>{t('overview.now.nothingTold')}</p>
  return (
    <>
      <p className={textCss['quiet']}>{t('overview.now.inUseMeans', { since: day(insight.since) })}</p>
      <div className={css['tables']}>
        <CountTable
          caption={t('overview.now.signatures')}
          column={t('overview.now.signature')}
          rows={signatures.map(({ signature, name, people }) => ({ key: signature, name, people }))}
        />
        <CountTable
          caption={t('overview.now.versions')}
          column={t('overview.now.version')}
          rows={versions.map(({ version, people }) => ({ key: version, name: version, people }))}
        />
        <CountTable
          caption={t('overview.now.clients')}
          column={t('overview.now.client')}
          rows={clients.map(({ client, people }) => ({ key: client, name: client, people }))}
        />
        {launches.length > 0 && <LaunchTable launches={launches} />}
      </div>
      {versions.length + clients.length === 0 && <p>{t('overview.now.nothingTold')}</p>}
      <Clicks clicks={insight.clicks ?? null} />
    </>
  )
}

const COUNTING_SETTING = 'counting: true'
const COUNTED_EXAMPLE = '{{counted https://…}}'

/** A chart for each block; `clicks: null` means that the organisation does not count clicks. */
function Clicks({ clicks }: { clicks: readonly BlockClicks[] | null }) {
  const t = useTexts()
  return (
    <Section heading="h3" title={t('overview.now.clicks.title')}>
      {clicks === null ? (
        <p className={textCss['quiet']}>{t('overview.now.clicks.off', { setting: COUNTING_SETTING })}</p>
      ) : clicks.length === 0 ? (
        <p className={textCss['quiet']}>{t('overview.now.clicks.noLinks', { example: COUNTED_EXAMPLE })}</p>
      ) : (
        <>
          <p className={textCss['quiet']}>{t('overview.now.clicks.means')}</p>
          <ul className={`${sectionCss['list']} ${css['charts']}`}>
            {clicks.map(({ block, name, days }) => (
              <li key={block}>
                <h4>{name}</h4>
                <ClickChart days={days} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
