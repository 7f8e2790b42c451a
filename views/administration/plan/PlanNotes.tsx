import { dayAt } from '../../../streams/administration/people/rules.ts'
import { type IdleRule, isCoveredSignature } from '../../../streams/organisation/rules/coverage.ts'
import type { FolderFinding, Plan } from '../../../streams/wire/administration/publishing.ts'
import { useShowMore } from '../parts/more.tsx'
import { FoldedSection } from '../parts/Section.tsx'
import { idleRuleTexts } from '../text/plan.ts'
import { useTexts } from '../text/texts.ts'
import { Findings } from './Findings.tsx'
import * as css from './Plan.module.css'

const LINES_SHOWN = 50

/**
 * What the administrator may know before publishing, folded: warnings of the check, rules that never decide, variables,
 * and signatures whose period is over. Nothing if there is none.
 */
export function PlanNotes({
  plan,
  warnings,
}: {
  /** Undefined until the plan is made. */
  plan: Plan | undefined
  warnings: readonly FolderFinding[]
}) {
  const t = useTexts()
  const { idle = [], alike = [] } = plan?.summary.coverage ?? {}
  const over = plan ? endedSignatures(plan) : []
  const variables = plan?.variables ?? []
  const idleTexts = idleRuleTexts(idle, t)
  const notes = warnings.length + idleTexts.length + alike.length + variables.length + over.length
  if (notes === 0) return null
  return (
    <FoldedSection title={t('plan.result.notes', { notes })} heading="h2">
      <Findings findings={warnings} />
      <Lines title={t('plan.coverage.idle')} lines={idleTexts} />
      {idle.some((each: IdleRule) => isCoveredSignature(each)) && (
        <p className={css['quiet']}>{t('plan.coverage.chosen')}</p>
      )}
      <Lines title={t('plan.coverage.alike')} lines={alike.map((each) => t('plan.coverage.same', each))} />
      <Lines
        title={t('plan.result.variables')}
        lines={variables.map(({ path, kind }) => `${path}: ${t(`plan.variable.${kind}`)}`)}
      />
      <Lines
        title={t('plan.result.closed')}
        lines={over.map(({ name, during: { from, to, timeZone } }) =>
          t('plan.result.window', { name, from, to, timeZone }),
        )}
      />
    </FoldedSection>
  )
}

const endedSignatures = ({ at, closed }: Plan): Plan['closed'] =>
  closed.filter(({ during: { to, timeZone } }) => to < dayAt(at, timeZone))

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  const [shown, more] = useShowMore(lines, LINES_SHOWN)
  if (lines.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul className={css['list']}>
        {shown.map((line, index) => (
          <li key={index}>{line}</li>
        ))}
      </ul>
      {more}
    </>
  )
}
