import {
  type Coverage,
  type IdleRule,
  isCoveredSignature,
  type UncoveredPeople,
} from '../../../streams/organisation/rules/coverage.ts'
import { useDayText, useFormats } from '../parts/formats.ts'
import { useShowMore } from '../parts/more.tsx'
import { FoldedSection } from '../parts/Section.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'
import { idleRuleTexts, uncoveredText } from '../text/plan.ts'
import * as css from './Plan.module.css'

const PEOPLE_NAMED = 10
const RULES_SHOWN = 50

/** The people without a signature in the new release, with reasons, and the rules that never decide. */
export function PlanCoverage({
  coverage: { none, idle, alike },
  isOpen,
}: {
  coverage: Coverage
  isOpen: boolean
}) {
  const t = useTexts()
  const without = none.reduce((sum, { people }) => sum + people, 0)
  const rules = idle.length + alike.length
  const counts = [
    without === 0 ? t('plan.coverage.everyone') : t('plan.fold.without', { count: without }),
    ...(rules === 0 ? [] : [t('plan.fold.rules', { count: rules })]),
  ]
  return (
    <FoldedSection title={t('plan.coverage.title')} counts={counts.join(' · ')} isOpen={isOpen}>
      {none.length === 0 ? <p>{t('plan.coverage.everyone')}</p> : <Without none={none} />}
      {idle.length > 0 && <NeverDeciding idle={idle} />}
      {alike.length > 0 && <Alike alike={alike} />}
    </FoldedSection>
  )
}

function Without({ none }: { none: readonly UncoveredPeople[] }) {
  const t = useTexts()
  const [shown, more] = useShowMore(none, RULES_SHOWN)
  return (
    <>
      <table className={css['table']}>
        <caption>{t('plan.coverage.without')}</caption>
        <thead>
          <tr>
            <th scope="col" className={css['count']}>
              {t('plan.result.people')}
            </th>
            <th scope="col">{t('plan.coverage.why')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((group) => (
            <WithoutGroup key={JSON.stringify(group.why)} group={group} />
          ))}
        </tbody>
      </table>
      {more}
    </>
  )
}

function WithoutGroup({ group: { why, people, first } }: { group: UncoveredPeople }) {
  const t = useTexts()
  const { count } = useFormats()
  const dayText = useDayText()
  const [shown, more] = useShowMore(first, PEOPLE_NAMED)
  const others = people - first.length
  return (
    <tr>
      <td className={css['count']}>{count(people)}</td>
      <td>
        {uncoveredText(why, t, dayText, (name) => fieldName(name, undefined, t))}
        <ul className={css['list']}>
          {shown.map(({ person, address }) => (
            <li key={person}>{address}</li>
          ))}
        </ul>
        {more}
        {!more && others > 0 && (
          <div className={css['quiet']}>{t('plan.coverage.others', { count: others })}</div>
        )}
      </td>
    </tr>
  )
}

function NeverDeciding({ idle }: { idle: readonly IdleRule[] }) {
  const t = useTexts()
  const [shown, more] = useShowMore(idleRuleTexts(idle, t), RULES_SHOWN)
  return (
    <>
      <h4>{t('plan.coverage.idle')}</h4>
      <ul className={css['list']}>
        {shown.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </ul>
      {more}
      {idle.some(isCoveredSignature) && <p className={css['quiet']}>{t('plan.coverage.chosen')}</p>}
    </>
  )
}

function Alike({ alike }: { alike: Coverage['alike'] }) {
  const t = useTexts()
  const [shown, more] = useShowMore(alike, RULES_SHOWN)
  return (
    <>
      <h4>{t('plan.coverage.alike')}</h4>
      <ul className={css['list']}>
        {shown.map(({ first, second }, index) => (
          <li key={`${String(index)} ${first} ${second}`}>{t('plan.coverage.same', { first, second })}</li>
        ))}
      </ul>
      {more}
    </>
  )
}
