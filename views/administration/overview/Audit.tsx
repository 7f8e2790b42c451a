import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { AuditLog as AuditEvents } from '../../../streams/administration/overview/events.ts'
import { personPath } from '../../../streams/administration/people/rules.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { lacksRole } from '../../../streams/administration/session/rules.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import type { AuditFact } from '../../../streams/organisation/facts/audit.ts'
import { Button } from '../../shared/Button.tsx'
import { useAdministrationState, useRecording, useHasRole } from '../parts/administration.tsx'
import { useFormats } from '../parts/formats.ts'
import { AreaPage } from '../parts/AreaPage.tsx'
import { Failure } from '../parts/Failure.tsx'
import { NotAllowed } from '../parts/NotAllowed.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'
import * as textCss from '../parts/Text.module.css'
import * as sectionCss from '../parts/Section.module.css'
import * as css from './Audit.module.css'

/** The area with the audit log: which administrator changed what, page by page. */
export function Audit() {
  const t = useTexts()
  const recording = useRecording()
  const { items: facts, next, load } = useAdministrationState((state) => state.audit)
  const failure = failureOf(load)
  if (failure && lacksRole(failure))
    return (
      <AreaPage area="audit">
        <NotAllowed role="Signet.Audit" />
      </AreaPage>
    )
  return (
    <AreaPage area="audit">
      <p>{t('overview.audit.intro')}</p>
      {facts && (facts.length > 0 ? <Facts facts={facts} /> : <p>{t('overview.audit.empty')}</p>)}
      <Failure
        title={facts ? 'overview.audit.moreFailed' : 'load.failed'}
        failure={failure}
        onRetry={recording(Place.retryRequested())}
      />
      <p role="status">{load.status === 'pending' && t('load.loading')}</p>
      {next !== null && load.status === 'success' && (
        <div>
          <Button look="secondary" goesOn onPress={recording(AuditEvents.moreRequested())}>
            {t('overview.audit.more')}
          </Button>
        </div>
      )}
    </AreaPage>
  )
}

function Facts({ facts }: { facts: readonly AuditFact[] }) {
  return (
    <ol className={`${sectionCss['list']} ${css['facts']}`}>
      {facts.map((fact, index) => (
        <Fact key={index} fact={fact} />
      ))}
    </ol>
  )
}

function Fact({ fact }: { fact: AuditFact }) {
  const t = useTexts()
  const { t: translate, i18n } = useTranslation()
  const { moment } = useFormats()
  const { people, labels } = useAdministrationState((state) => state.audit)
  const { actor, person, fields, note, type } = fact
  const key = `overview.audit.type.${type.replace('/', '.')}`
  const self = person === actor && people && Object.hasOwn(people, actor) ? people[actor] : undefined
  return (
    <li>
      <p className={textCss['quiet']}>{moment(fact.at)}</p>
      <div>
        {/* A newer service may send facts that this page does not know. */}
        {i18n.exists(key) ? translate(key) : <code>{type}</code>}
        {person !== null && (
          <>
            {' '}
            <Named person={person} isErasure={type === 'person/erased'} />
          </>
        )}
        {fields.length > 0 && (
          <p className={textCss['quiet']}>
            {t('overview.audit.fields', { fields: fields.map((field) => fieldName(field, labels, t)) })}
          </p>
        )}
        {note !== null && note !== '' && <p className={textCss['quiet']}>{note}</p>}
      </div>
      <p className={textCss['quiet']}>
        {t('overview.audit.by', { who: self ? self.name || self.address : actor })}
      </p>
    </li>
  )
}

/** A person in the audit log, by name and address; an erased person by id, because nothing else is known. */
function Named({ person, isErasure }: { person: string; isErasure: boolean }) {
  const t = useTexts()
  const mayRead = useHasRole('Signet.Read')
  const people = useAdministrationState(({ audit }) => audit.people)
  const known = people && Object.hasOwn(people, person) ? people[person] : undefined
  if (known) {
    const { name, address } = known
    const words = name === '' ? address : `${name} (${address})`
    return mayRead ? (
      <Link to={personPath(person)} className={textCss['link']}>
        {words}
      </Link>
    ) : (
      words
    )
  }
  return (
    <>
      <code>{person}</code>
      {people && !isErasure && ` ${t('overview.audit.erasedSince')}`}
    </>
  )
}
