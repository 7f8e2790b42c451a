import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import {
  ATTENTION_PATHS,
  attentionOf,
  type AttentionReason,
} from '../../../streams/administration/overview/attention.ts'
import { failureOf, loadedValue } from '../../../streams/kernel/load.ts'
import type { Overview } from '../../../streams/wire/administration/insight.ts'
import { Icon } from '../../shared/Icon.tsx'
import { useAdministrationState } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { AreaPage } from '../parts/AreaPage.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { isLongNote, useReleaseName } from '../parts/ReleaseId.tsx'
import { Section } from '../parts/Section.tsx'
import { type TextKey, useTexts } from '../text/texts.ts'
import { Ahead } from './Ahead.tsx'
import { Usage } from './Usage.tsx'
import { WaitingApprovals } from './WaitingApprovals.tsx'
import * as buttonCss from '../../shared/Button.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Now.module.css'

/** The area that says whether everything is well, what is published, and who has it. */
export function Now() {
  const t = useTexts()
  const overview = useAdministrationState((state) => state.overview)
  const insight = useAdministrationState((state) => state.insight)
  if (loadedValue(overview) === undefined && failureOf(overview) === null)
    return (
      <AreaPage area="now">
        <Room />
      </AreaPage>
    )
  return (
    <AreaPage area="now">
      <Loaded load={overview} role="Signet.Read">
        {(value) => (
          <>
            <State overview={value} />
            <WaitingApprovals />
            <div className={css['out']}>
              <Card>
                <Published overview={value} />
              </Card>
              {value.published && value.changing && (
                <Card>
                  <Ahead changing={value.changing} />
                </Card>
              )}
            </div>
            <Section title={t('overview.now.inUse')}>
              <Usage overview={value} insight={insight} />
            </Section>
          </>
        )}
      </Loaded>
    </AreaPage>
  )
}

const Card = ({ children }: { children: ReactNode }) => <div className={css['card']}>{children}</div>

/** The room of the content while it loads, so that nothing moves when it arrives. */
function Room() {
  const t = useTexts()
  return (
    <>
      <p role="status" className={`${css['state']} ${textCss['quiet']}`}>
        {t('load.loading')}
      </p>
      <div className={css['out']} aria-hidden="true">
        <div className={css['room']} />
        <div className={css['room']} />
      </div>
      <div className={css['room']} aria-hidden="true" />
    </>
  )
}

/** What is to be done, and the words of the link to it. */
const ATTENTION_TEXTS: Readonly<Record<AttentionReason, readonly [what: TextKey, act: TextKey]>> = {
  inMaintenance: ['overview.now.maintenance.active', 'frame.maintenance'],
  nothingPublished: ['overview.now.nothing', 'overview.now.toPlan'],
  noPeople: ['overview.now.noPeople', 'frame.people'],
  noSignature: ['overview.now.problem.noSignature', 'overview.now.showPeople'],
  directoryFailed: ['overview.now.problem.directoryFailed', 'frame.directory'],
  directoryNeedsLeave: ['overview.now.problem.directoryNeedsLeave', 'frame.directory'],
  maintenancePlanned: ['overview.now.maintenance.planned', 'frame.maintenance'],
}

/** Says whether everything is well, and lists what needs attention. */
function State({ overview }: { overview: Overview }) {
  const t = useTexts()
  const id = useId()
  const attention = attentionOf(overview)
  const isWell = attention.length === 0
  return (
    <section className={css['state']} data-well={isWell} aria-labelledby={id}>
      <h2 id={id}>
        <span className={css['sign']}>
          <Icon name={isWell ? 'inUse' : 'warning'} />
        </span>
        {isWell ? t('overview.now.well') : t('overview.now.attention', { count: attention.length })}
      </h2>
      {!isWell && (
        <ul className={sectionCss['list']}>
          {attention.map(({ reason, count }) => {
            const [what, act] = ATTENTION_TEXTS[reason]
            return (
              <li key={reason}>
                <span>{t(what, { count })}</span>{' '}
                <Link to={ATTENTION_PATHS[reason]} className={buttonCss['secondary']}>
                  {t(act, { count })}
                </Link>
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

/** The current release: its name, its note, when and by whom. */
function Published({ overview: { published, numbers } }: { overview: Overview }) {
  const t = useTexts()
  const { moment } = useFormats()
  const nameOf = useReleaseName()
  return (
    <Section title={t('overview.now.release')}>
      {published === null ? (
        <p className={textCss['quiet']}>{t('overview.now.nothingAction')}</p>
      ) : (
        <>
          <p className={textCss['quiet']}>{t('overview.now.releaseMeans')}</p>
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
        </>
      )}
    </Section>
  )
}
