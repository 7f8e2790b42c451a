import type { OnePersonState } from '../../../streams/administration/people/reducer.ts'
import { failureOf } from '../../../streams/kernel/load.ts'
import {
  type ExplainedPerson,
  type ExplainedSlot,
  type SignatureReason,
  signatureReasons,
} from '../../../streams/organisation/rules/why.ts'
import { Notice } from '../../shared/Notice.tsx'
import { useAdministrationState } from '../parts/administration.tsx'
import { useDayText } from '../parts/formats.ts'
import { Loaded } from '../parts/Loaded.tsx'
import { Section } from '../parts/Section.tsx'
import { type Term, Terms } from '../parts/Terms.tsx'
import { type Translate, useTexts } from '../text/texts.ts'
import { fieldName } from '../text/fieldName.ts'
import { blockReasonText, noSignatureText, reasonText } from '../text/why.ts'
import { AsThisPerson } from './AsThisPerson.tsx'
import { CorrectingDialog, ValueActs } from './Correcting.tsx'
import { PersonalData } from './PersonalData.tsx'
import { SetByHand, sourceLines } from './SetByHand.tsx'
import * as sectionCss from '../parts/Section.module.css'
import * as textCss from '../parts/Text.module.css'
import * as css from './People.module.css'

/** A person's data, their signatures on any day, and the reasons for these signatures. */
export function OnePerson({ name }: { name: string }) {
  const one = useAdministrationState(({ onePerson }) => onePerson)
  return one && <Content one={one} name={name} />
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
          <Known one={one} explained={explained} />
          <CorrectingDialog one={one} explained={explained} name={name} />
          <AsThisPerson
            one={one}
            hasBlocks={(explained.blocks ?? []).length > 0}
            pinned={explained.person.corrections?.pinned?.signature}
          />
          <Why one={one} explained={explained} />
          <WhyBlocks one={one} explained={explained} />
          <PersonalData one={one} explained={explained} name={name} />
        </>
      )}
    </Loaded>
  )
}

/** The service's data about the person, and the person's own changes. */
function Known({ one, explained }: { one: OnePersonState; explained: ExplainedPerson }) {
  const { person, mailboxes, details, labels, namesLeft = [] } = explained
  const t = useTexts()
  const dayText = useDayText()
  const groups = person.groups.length > 0 ? person.groups : [t('people.one.noGroups')]
  return (
    <>
      <Terms
        look="facts"
        terms={[
          [t('people.one.status'), t(person.active ? 'people.one.active' : 'people.hasLeft')],
          [t('people.one.addresses'), ...person.addresses],
          [t('people.one.groups'), ...groups],
          ...(mailboxes.length > 0 ? [[t('people.one.mailboxes'), ...mailboxes] as const] : []),
        ]}
      />
      {details.length > 0 && (
        <Section title={t('people.one.details')}>
          <Terms
            look="facts"
            terms={details.map((detail) => [
              ...detailTerm(explained, detail, t),
              ...sourceLines(explained, detail, t, dayText),
            ])}
          />
        </Section>
      )}
      {namesLeft.map(({ path, label, address }) => (
        <Notice
          key={`${path} ${address}`}
          tone="warning"
          title={t('people.one.left', { label: label ?? fieldName(path, labels, t), address })}
        />
      ))}
      <SetByHand one={one} explained={explained} />
    </>
  )
}

/** A detail with the buttons to correct it. If the person changed it, the directory's value is below it. */
function detailTerm(
  explained: ExplainedPerson,
  detail: ExplainedPerson['details'][number],
  t: Translate,
): Term {
  const { path, label, value, replaces } = detail
  const none = t('people.one.noValue')
  const differs = t('people.one.differs', { value: replaces || none })
  return [
    label ?? fieldName(path, explained.labels, t),
    <span className={css['line']}>
      <span className={value === '' ? textCss['quiet'] : undefined}>{value || none}</span>
      <ValueActs explained={explained} detail={detail} />
    </span>,
    ...(replaces === null ? [] : [{ warning: differs }]),
  ]
}

/** Whether a rule decided, and not an administrator by hand. */
const isOfRule = ({ kind }: SignatureReason): boolean => kind !== 'pinned' && kind !== 'excluded'

/** One sentence for each signature of the release. Collapses the signatures that the person does not have. */
function Why({ one, explained }: { one: OnePersonState; explained: ExplainedPerson }) {
  const t = useTexts()
  const dayText = useDayText()
  const { signatures, none = null, labels, places = {} } = explained
  const nameOf = (field: string) => fieldName(field, labels, t)
  const by = explained.default?.by ?? null
  const isElsewhere = by === 'user' && !signatures.some(({ isDefault }) => isDefault)
  const lines = signatureReasons(signatures, by).map((reason, index) => ({
    reason,
    signature: signatures[index]?.signature ?? '',
    name: signatures[index]?.name ?? '',
    has: ['default', 'has', 'pinned'].includes(reason.kind),
  }))
  const others = lines.filter(({ has }) => !has)
  return (
    <Section title={t('people.why.title')} isBusy={one.explained.status === 'pending'}>
      {none && (
        <p>
          <strong>{t('people.none.title')}</strong> {noSignatureText(none, t, dayText, nameOf)}
        </p>
      )}
      <p className={textCss['quiet']}>
        {one.day === null
          ? t('people.why.now')
          : t('people.why.asOf', { day: dayText(one.day), zone: one.zone })}
      </p>
      {signatures.length > 0 && Object.keys(places).length > 0 && (
        <p className={textCss['quiet']}>{t('people.why.lines')}</p>
      )}
      {signatures.length === 0 && none === null && <p>{t('people.none.noneInRelease')}</p>}
      {isElsewhere && <p>{t('people.why.defaultElsewhere')}</p>}
      <ul className={sectionCss['lines']}>
        {lines
          .filter(({ has }) => has)
          .map(({ signature, name, reason }) => (
            <li key={signature}>
              {reasonText(name, reason, t, dayText, nameOf)}
              {isOfRule(reason) && <Place places={places} of={`signatures.${signature}`} />}
            </li>
          ))}
      </ul>
      {others.length > 0 && (
        <details>
          <summary>{t('people.why.others')}</summary>
          <ul className={sectionCss['lines']}>
            {others.map(({ signature, name, reason }) => (
              <li key={signature} className={textCss['quiet']}>
                {reasonText(name, reason, t, dayText, nameOf)}
                {isOfRule(reason) && <Place places={places} of={`signatures.${signature}`} />}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  )
}

/** The deciding rule's line in signet.yaml; nothing if an older service does not send it. */
function Place({ places = {}, of }: { places: ExplainedPerson['places']; of: string }) {
  const t = useTexts()
  const { line } = places[of] ?? {}
  if (line === undefined) return null
  return (
    <>
      {' '}
      <span className={textCss['quiet']}>{t('people.why.place', { line: String(line) })}</span>
    </>
  )
}

/** The release's slots with their blocks; nothing if the release has no blocks. */
function WhyBlocks({
  one,
  explained: { blocks = [], labels, places },
}: {
  one: OnePersonState
  explained: ExplainedPerson
}) {
  const t = useTexts()
  if (blocks.length === 0) return null
  return (
    <Section title={t('people.why.blocks.title')} isBusy={one.explained.status === 'pending'}>
      <p className={textCss['quiet']}>{t('people.why.blocks.meaning')}</p>
      {blocks.map((slot) => (
        <Slot key={slot.slot} slot={slot} labels={labels} places={places} />
      ))}
    </Section>
  )
}

/** One sentence for each block of a slot, in order. Collapses the blocks that the slot cannot show. */
function Slot({
  slot: { slot, blocks },
  labels,
  places,
}: {
  slot: ExplainedSlot
  labels: ExplainedPerson['labels']
  places: ExplainedPerson['places']
}) {
  const t = useTexts()
  const dayText = useDayText()
  const line = ({ block, name, reason }: ExplainedSlot['blocks'][number]) => (
    <li key={block}>
      {blockReasonText(name, reason, t, dayText, (field) => fieldName(field, labels, t))}
      <Place places={places} of={`blocks.${block}`} />
    </li>
  )
  const standing = blocks.filter(({ reason }) => reason.kind === 'mayStand')
  const others = blocks.filter(({ reason }) => reason.kind !== 'mayStand')
  return (
    <Section title={t('people.why.blocks.slot', { slot })} heading="h3">
      {standing.length === 0 ? (
        <p>{t('people.why.blocks.none')}</p>
      ) : (
        <ol className={sectionCss['lines']}>{standing.map(line)}</ol>
      )}
      {others.length > 0 && (
        <details>
          <summary>{t('people.why.blocks.others')}</summary>
          <ul className={`${sectionCss['lines']} ${textCss['quiet']}`}>{others.map(line)}</ul>
        </details>
      )}
    </Section>
  )
}
