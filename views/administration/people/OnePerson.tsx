import { Link } from 'react-router-dom'
import { useId } from 'react'
import type { OnePersonState } from '../../../streams/administration/people/reducer.ts'
import { zoneOf } from '../../../streams/administration/people/rules.ts'
import type { AdministrationState } from '../../../streams/administration/state.ts'
import { failureOf, valueOf } from '../../../streams/kernel/load.ts'
import { type Explained, reasonsOf } from '../../../streams/organisation/why.ts'
import { Notice } from '../../parts/Notice.tsx'
import { useAdministrationState } from '../hooks/administration.tsx'
import { useDayText } from '../hooks/formats.ts'
import { AreaPage } from '../parts/AreaPage.tsx'
import { Loaded } from '../parts/Loaded.tsx'
import { useTexts } from '../text/texts.ts'
import { reasonText } from '../text/why.ts'
import { AsThisPerson } from './AsThisPerson.tsx'
import { PersonalData } from './PersonalData.tsx'
import * as textCss from '../parts/Text.module.css'
import * as css from './People.module.css'

/** The name of the person whose page is shown, as far as it is known. */
const selectName = ({ onePerson, people }: AdministrationState): string => {
  if (onePerson === null) return ''
  const { person, explained } = onePerson
  const known = valueOf(explained)
  const listed = people.items?.find(({ id }) => id === person)
  return known?.name || known?.person.addresses[0] || listed?.name || listed?.address || person
}

/** One person: what is known of them, their signatures on any day, and why they have them. */
export function OnePerson() {
  const t = useTexts()
  const one = useAdministrationState(({ onePerson }) => onePerson)
  const name = useAdministrationState(selectName)
  return (
    <AreaPage
      area="people"
      title={name === '' ? t('frame.people') : name}
      act={
        <Link to="/people" className={textCss['link']}>
          {t('people.one.back')}
        </Link>
      }
    >
      {one && <Content one={one} name={name} />}
    </AreaPage>
  )
}

function Content({ one, name }: { one: OnePersonState; name: string }) {
  const t = useTexts()
  const failure = failureOf(one.explained)
  if (failure?.kind === 'http' && failure.status === 404)
    return (
      <Notice tone="info" title={t('people.one.failed')} urgent>
        <p>{t('people.one.notFound')}</p>
      </Notice>
    )
  return (
    <Loaded load={one.explained} role="Signet.Read">
      {(explained) => (
        <>
          <Known explained={explained} />
          <AsThisPerson one={one} />
          <Why one={one} explained={explained} />
          <PersonalData one={one} explained={explained} name={name} />
        </>
      )}
    </Loaded>
  )
}

/** What the service knows of the person, and what the person changed. */
function Known({ explained: { person, mailboxes, details } }: { explained: Explained }) {
  const t = useTexts()
  const headingId = useId()
  return (
    <>
      <dl className={css['facts']}>
        <div>
          <dt>{t('people.one.status')}</dt>
          <dd>{t(person.active ? 'people.one.active' : 'people.hasLeft')}</dd>
        </div>
        <div>
          <dt>{t('people.one.addresses')}</dt>
          {person.addresses.map((address) => (
            <dd key={address}>{address}</dd>
          ))}
        </div>
        <div>
          <dt>{t('people.one.groups')}</dt>
          {person.groups.length === 0 && <dd>{t('people.one.noGroups')}</dd>}
          {person.groups.map((group) => (
            <dd key={group}>{group}</dd>
          ))}
        </div>
        {mailboxes.length > 0 && (
          <div>
            <dt>{t('people.one.mailboxes')}</dt>
            {mailboxes.map((address) => (
              <dd key={address}>{address}</dd>
            ))}
          </div>
        )}
      </dl>
      {details.length > 0 && (
        <section className={css['section']} aria-labelledby={headingId}>
          <h2 id={headingId}>{t('people.one.details')}</h2>
          <dl className={css['facts']}>
            {details.map(({ path, label, value, replaces }) => (
              <div key={path}>
                <dt>{label ?? path}</dt>
                <dd>
                  {value === '' ? <span className={textCss['quiet']}>{t('people.one.noValue')}</span> : value}
                </dd>
                {replaces !== null && (
                  <dd className={textCss['warning']}>
                    {t('people.one.differs', { value: replaces === '' ? t('people.one.noValue') : replaces })}
                  </dd>
                )}
              </div>
            ))}
          </dl>
        </section>
      )}
    </>
  )
}

/** One sentence for each signature of the release: those that the person has, and folded away why not the others. */
function Why({ one, explained }: { one: OnePersonState; explained: Explained }) {
  const t = useTexts()
  const dayText = useDayText()
  const headingId = useId()
  const { signatures } = explained
  const by = explained.default?.by ?? null
  const isElsewhere = by === 'user' && !signatures.some(({ isDefault }) => isDefault)
  const lines = reasonsOf(signatures, by).map((reason, index) => ({
    reason,
    signature: signatures[index]?.signature ?? '',
    name: signatures[index]?.name ?? '',
    has: reason.kind === 'default' || reason.kind === 'has',
  }))
  const others = lines.filter(({ has }) => !has)
  return (
    <section
      className={css['section']}
      aria-labelledby={headingId}
      aria-busy={one.explained.status === 'pending'}
    >
      <h2 id={headingId}>{t('people.why.title')}</h2>
      <p className={textCss['quiet']}>
        {one.day === null
          ? t('people.why.now')
          : t('people.why.asOf', { day: dayText(one.day), zone: zoneOf(explained) })}
      </p>
      {signatures.length === 0 && <p>{t('people.why.none')}</p>}
      {isElsewhere && <p>{t('people.why.defaultElsewhere')}</p>}
      <ul className={css['lines']}>
        {lines
          .filter(({ has }) => has)
          .map(({ signature, name, reason }) => (
            <li key={signature}>{reasonText(name, reason, t, dayText)}</li>
          ))}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>{t('people.why.others')}</summary>
          <ul className={css['lines']}>
            {others.map(({ signature, name, reason }) => (
              <li key={signature} data-has={false}>
                {reasonText(name, reason, t, dayText)}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
