import { namesProblems } from '../../../streams/administration/plan/selectors.ts'
import type { PlanSummary } from '../../../streams/organisation/plan/plan.ts'
import type { UncoveredPeople } from '../../../streams/organisation/rules/coverage.ts'
import { useDayText, useFormats } from '../parts/formats.ts'
import { useShowMore } from '../parts/more.tsx'
import { Section } from '../parts/Section.tsx'
import { fieldName } from '../text/fieldName.ts'
import { useTexts } from '../text/texts.ts'
import { missingVariableTexts, uncoveredText } from '../text/plan.ts'
import * as css from './Plan.module.css'

const PEOPLE_NAMED = 10
const ROWS_SHOWN = 50

/** The people who have no signature in the new release or lack values, with reasons. One line if there are none. */
export function PlanCoverage({ summary }: { summary: PlanSummary }) {
  const t = useTexts()
  const { coverage, losing, missing } = summary
  const [shown, more] = useShowMore(missing, ROWS_SHOWN)
  if (!namesProblems(summary))
    return coverage && <p className={css['quiet']}>{t('plan.coverage.everyone')}</p>
  return (
    <Section title={t('plan.coverage.title')} heading="h3">
      {losing.map(({ people, sample }) => (
        <p key={sample.person}>{t('plan.result.losing', { count: people, address: sample.address })}</p>
      ))}
      {coverage && coverage.none.length > 0 && <Without none={coverage.none} />}
      {missing.length > 0 && (
        <ul className={css['list']}>
          {shown.map((each) => (
            <li key={`${each.signature} ${each.variables.join(' ')}`}>
              {t('plan.result.missing', {
                count: each.people,
                address: each.sample.address,
                name: each.name,
                variables: missingVariableTexts(each, t),
              })}
            </li>
          ))}
        </ul>
      )}
      {more}
    </Section>
  )
}

function Without({ none }: { none: readonly UncoveredPeople[] }) {
  const t = useTexts()
  const [shown, more] = useShowMore(none, ROWS_SHOWN)
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
