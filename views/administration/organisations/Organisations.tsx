import { useState } from 'react'
import { Organisations as Events } from '../../../streams/administration/organisations/events.ts'
import {
  filterOrganisations,
  type OrganisationFilter,
} from '../../../streams/administration/organisations/rules.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { lacksRole } from '../../../streams/administration/session/rules.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { Alert, OverseenOrganisation } from '../../../streams/organisation/figures/operating.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministration, useAdministrationState, useRecording } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { AreaPage } from '../parts/AreaPage.tsx'
import { Failure } from '../parts/Failure.tsx'
import { CheckField, Field } from '../parts/Field.tsx'
import { NotAllowed } from '../parts/NotAllowed.tsx'
import { shortReleaseId } from '../parts/ReleaseId.tsx'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'
import * as css from './Organisations.module.css'

const EVERYTHING: OrganisationFilter = { search: '', onlyAlerts: false }

/** The operator's area: the installation's organisations, and which of them need attention. */
export function Organisations() {
  const t = useTexts()
  const recording = useRecording()
  const { items, next, load } = useAdministrationState((state) => state.organisations)
  const failure = failureOf(load)
  if (failure && lacksRole(failure))
    return (
      <AreaPage area="organisations">
        <NotAllowed role="Signet.Operate" />
      </AreaPage>
    )
  const isReload = items !== null && next === null
  return (
    <AreaPage area="organisations">
      <p>{t('organisations.intro')}</p>
      {items && <Listed organisations={items} />}
      <Failure
        title={items === null ? 'load.failed' : isReload ? 'load.stale' : 'organisations.moreFailed'}
        failure={failure}
        onRetry={recording(Place.retryRequested())}
      />
      <p role="status">{load.status === 'pending' && t('load.loading')}</p>
      {next !== null && load.status === 'success' && (
        <div>
          <Button look="secondary" goesOn onPress={recording(Events.moreRequested())}>
            {t('organisations.more')}
          </Button>
        </div>
      )}
    </AreaPage>
  )
}

/** The loaded organisations that match the operator's search. */
function Listed({ organisations }: { organisations: readonly OverseenOrganisation[] }) {
  const t = useTexts()
  const { moment } = useFormats()
  const { at, next } = useAdministrationState((state) => state.organisations)
  const version = useAdministrationState(({ session }) => (session.status === 'in' ? session.me.version : ''))
  const [wanted, setWanted] = useState(EVERYTHING)
  const shown = filterOrganisations(organisations, wanted)
  return (
    <>
      {at !== null && (
        <p className={textCss['quiet']}>{t('organisations.asOf', { version, when: moment(at) })}</p>
      )}
      {organisations.length === 1 && next === null ? (
        <OnlyOwn />
      ) : (
        <div role="search" className={css['search']}>
          <Field
            label={t('organisations.search')}
            hint={next === null ? undefined : t('organisations.searchHint')}
            type="search"
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            value={wanted.search}
            onChange={({ target }) => setWanted({ ...wanted, search: target.value })}
          />
          <CheckField
            label={t('organisations.onlyAlerts')}
            isOn={wanted.onlyAlerts}
            onSwitch={(onlyAlerts) => setWanted({ ...wanted, onlyAlerts })}
          />
          <p role="status" className={textCss['quiet']}>
            {t('organisations.shown', { shown: shown.length, count: organisations.length })}
          </p>
        </div>
      )}
      {shown.length > 0 && <Table organisations={shown} />}
    </>
  )
}

function OnlyOwn() {
  const t = useTexts()
  const { documentation } = useAdministration()
  return (
    <p>
      {t('organisations.onlyOwn')}{' '}
      <a
        href={`${documentation}/operations.md#several-organisations`}
        target="_blank"
        hrefLang="en"
        rel="noreferrer"
        className={textCss['link']}
      >
        {t('organisations.docs')}
      </a>
    </p>
  )
}

const COLUMNS = ['organisation', 'release', 'people', 'lastSync', 'alerts'] as const

/**
 * On a narrow page, each row becomes a block with the column name above each value. The roles are explicit, because
 * some browsers drop a table's roles when its rows are blocks.
 */
function Table({ organisations }: { organisations: readonly OverseenOrganisation[] }) {
  const t = useTexts()
  return (
    <table role="table" aria-label={t('frame.organisations')} className={css['table']}>
      <thead role="rowgroup">
        <tr role="row">
          {COLUMNS.map((column) => (
            <th key={column} role="columnheader" scope="col">
              {t(`organisations.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {organisations.map((organisation) => (
          <Row key={organisation.id} organisation={organisation} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ organisation }: { organisation: OverseenOrganisation }) {
  const t = useTexts()
  const { count, moment } = useFormats()
  const { id, name, tenants, release, people, alerts } = organisation
  const column = (name: (typeof COLUMNS)[number]) => (
    <span className={css['label']} aria-hidden="true">
      {t(`organisations.column.${name}`)}
    </span>
  )
  return (
    <tr role="row">
      <th role="rowheader" scope="row">
        <strong>{name}</strong>{' '}
        <span className={`${textCss['quiet']} ${css['identity']}`}>
          <code>{id}</code> {tenants > 0 && t('organisations.tenants', { count: tenants })}
        </span>
      </th>
      <td role="cell">
        {column('release')}
        {release ? (
          <>
            {moment(release.at)} <code className={textCss['quiet']}>{shortReleaseId(release.id)}</code>
          </>
        ) : (
          <span className={textCss['quiet']}>{t('organisations.noRelease')}</span>
        )}
      </td>
      <td role="cell">
        {column('people')}
        {count(people)}
      </td>
      <td role="cell">
        {column('lastSync')}
        <LastSync organisation={organisation} />
      </td>
      <td role="cell">
        {column('alerts')}
        {alerts.length === 0 ? (
          <span className={textCss['quiet']}>{t('organisations.noAlerts')}</span>
        ) : (
          <ul className={css['alertList']}>
            {alerts.map((alert) => (
              <AlertWords key={alert} alert={alert} />
            ))}
          </ul>
        )}
      </td>
    </tr>
  )
}

function LastSync({ organisation: { directory, lastSync } }: { organisation: OverseenOrganisation }) {
  const t = useTexts()
  const { moment } = useFormats()
  if (lastSync)
    return (
      <>
        {moment(lastSync.at)}{' '}
        <span className={textCss['quiet']}>{t(`organisations.outcome.${lastSync.outcome}`)}</span>
      </>
    )
  return (
    <span className={textCss['quiet']}>
      {t(directory === null ? 'organisations.noDirectory' : 'organisations.noSync')}
    </span>
  )
}

/** Describes a problem and its solution. */
function AlertWords({ alert }: { alert: Alert }) {
  const t = useTexts()
  return (
    <li>
      <strong className={textCss['warning']}>{t(`organisations.alert.${alert}`)}</strong>{' '}
      {t(`organisations.action.${alert}`)}
    </li>
  )
}
