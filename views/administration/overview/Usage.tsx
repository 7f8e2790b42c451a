import { Link } from 'react-router-dom'
import type { Load } from '../../../streams/kernel/load.ts'
import type { BlockClicks } from '../../../streams/organisation/figures/clicks.ts'
import type { Insight } from '../../../streams/organisation/figures/insight.ts'
import { TELEMETRY_KEPT_MS } from '../../../streams/organisation/figures/reported.ts'
import { DAY_MS } from '../../../streams/organisation/release/names.ts'
import type { Overview } from '../../../streams/wire/administration/insight.ts'
import { ClickChart } from '../parts/ClickChart.tsx'
import { CountTable } from '../parts/CountTable.tsx'
import { useFormats } from '../parts/formats.ts'
import { LaunchTable } from '../parts/LaunchTable.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { Section } from '../parts/Section.tsx'
import { type Term, Terms } from '../parts/Terms.tsx'
import { mailAppName } from '../text/mailApp.ts'
import { useTexts } from '../text/texts.ts'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './Usage.module.css'

/** Who has the release: people with and without a signature, and what is known of their add-ins. */
export function Usage({ overview, insight }: { overview: Overview; insight: Load<Insight> }) {
  const t = useTexts()
  const { count } = useFormats()
  const days = count(TELEMETRY_KEPT_MS / DAY_MS)
  const figures: readonly Term[] = [
    [t('overview.now.people'), count(overview.people)],
    [t('overview.now.toldToday'), count(overview.toldToday)],
    ...(overview.told === undefined
      ? []
      : [[t('overview.now.told', { days }), count(overview.told)] as const]),
    [t('overview.now.mailboxes'), count(overview.mailboxes)],
  ]
  return (
    <div className={css['usage']}>
      {overview.published !== null && overview.people > 0 && <SignedShare overview={overview} />}
      <Terms look="figures" terms={figures} />
      <Loaded load={insight} role="Signet.Read">
        {(value) => <Counts insight={value} />}
      </Loaded>
    </div>
  )
}

/** The people with and without a signature, as parts of one bar. */
function SignedShare({ overview: { people, problems, keptWithout = 0 } }: { overview: Overview }) {
  const t = useTexts()
  const unsigned = problems.find(({ message }) => message === 'noSignature')?.count ?? 0
  const signed = Math.max(0, people - unsigned - keptWithout)
  return (
    <div className={css['share']}>
      <div className={css['parts']} aria-hidden="true">
        {signed > 0 && <span className={css['signed']} style={{ flexGrow: signed }} />}
        {unsigned > 0 && <span className={css['unsigned']} style={{ flexGrow: unsigned }} />}
        {keptWithout > 0 && <span className={css['kept']} style={{ flexGrow: keptWithout }} />}
      </div>
      <ul className={sectionCss['list']}>
        <li>
          <span className={css['signed']} aria-hidden="true" />
          {t('overview.now.signed', { count: signed })}
        </li>
        {unsigned > 0 && (
          <li>
            <span className={css['unsigned']} aria-hidden="true" />
            {t('overview.now.problem.noSignature', { count: unsigned })}
          </li>
        )}
        {keptWithout > 0 && (
          <li className={textCss['quiet']}>
            <span className={css['kept']} aria-hidden="true" />
            {t('overview.now.keptWithout', { count: keptWithout })}
          </li>
        )}
      </ul>
    </div>
  )
}

/** Tables of counts. All their bars have one scale, on which a full bar stands for all people. */
function Counts({ insight }: { insight: Insight }) {
  const t = useTexts()
  const { day } = useFormats()
  const { people, signatures, versions, clients, launches } = insight
  if (signatures.length + versions.length + clients.length === 0)
    return <p>{t('overview.now.nothingTold')}</p>
  return (
    <>
      <p className={textCss['quiet']}>
        {t('overview.now.inUseMeans', { since: day(insight.since) })}{' '}
        {t('overview.now.scale', { count: people })}
      </p>
      <div className={css['tables']}>
        <div>
          <CountTable
            caption={t('overview.now.signatures')}
            column={t('overview.now.signature')}
            rows={signatures.map(({ signature, name, people }) => ({ key: signature, name, people }))}
            scale={people}
          />
          <CountTable
            caption={t('overview.now.versions')}
            column={t('overview.now.version')}
            rows={versions.map(({ version, people }) => ({ key: version, name: version, people }))}
            scale={people}
          />
        </div>
        <div>
          <CountTable
            caption={t('overview.now.clients')}
            column={t('overview.now.client')}
            rows={clients.map(({ client, people }) => ({
              key: client,
              name: mailAppName(client, t),
              people,
            }))}
            scale={people}
          />
          {launches.length > 0 && <LaunchTable launches={launches} scale={people} />}
          {versions.length + clients.length === 0 && <p>{t('overview.now.nothingTold')}</p>}
        </div>
      </div>
      <Clicks clicks={insight.clicks ?? null} />
    </>
  )
}

/** A chart for each block; `clicks: null` means that the organisation does not count clicks. */
function Clicks({ clicks }: { clicks: readonly BlockClicks[] | null }) {
  const t = useTexts()
  return (
    <Section heading="h3" title={t('overview.now.clicks.title')}>
      {clicks === null ? (
        <p className={textCss['quiet']}>
          {t('overview.now.clicks.off', { label: t('signatures.blocks.counting.label') })}{' '}
          <Link to="/blocks">{t('frame.blocks')}</Link>
        </p>
      ) : clicks.length === 0 ? (
        <p className={textCss['quiet']}>{t('overview.now.clicks.noLinks')}</p>
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
