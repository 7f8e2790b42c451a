import { act } from 'react'
import { describe, expect, test } from 'vitest'
import {
  ApprovalAnswering,
  ApprovalAsking,
  Approvals,
  StoredPlan,
} from '../../../streams/administration/approving/events.ts'
import { ReleasesLoad } from '../../../streams/administration/overview/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { PlannedPeople, Planning } from '../../../streams/administration/plan/events.ts'
import type { ApprovalOfPlan } from '../../../streams/wire/administration/approving.ts'
import type { Role } from '../../../streams/wire/administration/insight.ts'
import {
  ALEX,
  approvalOf,
  approvalsLoaded,
  askedOfMaria,
  atStoredPlan,
  FORMER_HASH,
  HASH,
  MARIA,
  planToApprove,
  storedPlanShown,
  wordOf,
} from '../../support/administration/approvals.ts'
import { releaseId, releases } from '../../support/administration/answers.ts'
import { draftOf, personPlan, planOf, releaseDocument } from '../../support/administration/plans.ts'
import { at, down } from '../../support/administration/story.ts'
import {
  all,
  body,
  button,
  field,
  fill,
  press,
  textOf,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'
import { part } from '../said.ts'

const { draw, go, recorded } = useAdministrationDrawing()

const { id } = planOf()
const planned = (
  approvals: readonly ApprovalOfPlan[],
  roles: readonly Role[] = ['Signet.Read', 'Signet.Publish'],
) => [
  ...at('/plan', { roles }),
  Planning.draftBegun({ draft: draftOf({ edited: ['templates/a.html'] }), findings: [] }),
  Planning.planRequested(),
  Planning.planned({ plan: planToApprove(), document: releaseDocument }),
  approvalsLoaded(...approvals),
]
const buttons = () => textOf('[data-sticky] button')
const submit = () => {
  act(() => {
    all('dialog form')[0]?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }))
  })
}

describe('a plan that needs an approval', () => {
  const given = approvalOf({ given: [wordOf(MARIA)] })

  test.each<readonly [what: string, approvals: readonly ApprovalOfPlan[], next: readonly string[]]>([
    ['nobody asked', [], ['Ask for the approval']],
    ['it is asked for', [approvalOf()], []],
    ['it is given', [given], ['Publish this plan']],
    ['the publisher gave it', [approvalOf({ given: [wordOf(ALEX)] })], []],
    ['it is refused', [approvalOf({ refused: wordOf(MARIA) })], ['Ask for the approval']],
    ['it lapsed', [{ ...given, hash: 'f'.repeat(32) }], ['Ask for the approval']],
  ])('offers the next step when %s', async (_, approvals, next) => {
    await draw(...planned(approvals))
    expect(buttons()).toEqual(['Plan again', ...next])
  })

  test('offers nothing to those who may not publish', async () => {
    await draw(...planned([], ['Signet.Read']))
    expect(buttons()).toEqual(['Plan again'])
    await go(...planned([given], ['Signet.Read']))
    expect(buttons()).toEqual(['Plan again'])
  })

  test('offers nothing before the approvals are known, which can be tried again', async () => {
    await draw(...planned([]).slice(0, -1))
    expect(buttons()).toEqual(['Plan again'])
    await go(...planned([]).slice(0, -1), Approvals.loadFailed({ failure: down }))
    expect(buttons()).toEqual(['Plan again'])
    press('Try again')
    expect(recorded).toEqual([Place.retryRequested()])
  })

  test('says that it was asked for until somebody answers', async () => {
    const done = ApprovalAsking.done({ approval: approvalOf() })
    const said = () => textOf('[role=status]').includes('The approval is asked for.')
    const asking = [...planned([]), ApprovalAsking.requested({ plan: id, note: '' }), done]
    await draw(...asking)
    expect(said()).toBe(true)
    await go(...asking, approvalsLoaded(given))
    expect(said()).toBe(false)
  })

  test('is asked for once, with a note', async () => {
    await draw(...planned([]))
    press('Ask for the approval')
    press('Cancel')
    expect(all('dialog')).toEqual([])
    press('Ask for the approval')
    fill(field('Note (optional)'), ' For Portugal ')
    submit()
    const asked = ApprovalAsking.requested({ plan: id, note: 'For Portugal' })
    expect(recorded).toEqual([asked])
    expect(all('dialog')).toEqual([])
    await go(...planned([]), asked)
    expect(button('Ask for the approval').getAttribute('aria-disabled')).toBe('true')
  })

  test('can be looked at again while it waits, and leads to what the others see', async () => {
    await draw(...planned([approvalOf()]))
    press('Look again')
    expect(recorded).toEqual([Approvals.lookedAgain()])
    expect(all(`main a[href$="/plan/${id}"]`)).toHaveLength(1)
    await go(...planned([approvalOf()]), Approvals.lookedAgain())
    expect(button('Look again').getAttribute('aria-disabled')).toBe('true')
  })

  test('says what is different since the approval', async () => {
    const lapsed = (over: Partial<ApprovalOfPlan>) => planned([{ ...given, hash: 'f'.repeat(32), ...over }])
    await draw(...lapsed({}))
    expect(body()).toContain('something else now than what was approved')
    for (const over of [{ people: 12 }, { groups: 1 }]) {
      await go(...lapsed(over))
      const { people, groups } = approvalOf(over)
      expect(body()).toContain(
        `The approved plan was for ${String(people)} people and ${String(groups)} kind${groups === 1 ? ' of change' : 's of changes'}. Now it is for 88 people and 6 kinds of changes.`,
      )
    }
  })
})

describe('a stored plan', () => {
  const hasAnswers = () => buttons()

  test.each<readonly [what: string, approvals: readonly ApprovalOfPlan[], answers: readonly string[]]>([
    ['who may approve', [askedOfMaria], ['Refuse', 'Approve']],
    ['who may not', [approvalOf()], []],
    ['where nobody asked', [], []],
    ['who approved', [{ ...askedOfMaria, given: [wordOf(MARIA)] }], ['Refuse']],
    ['who refused', [{ ...askedOfMaria, refused: wordOf(MARIA) }], ['Approve']],
    ['after another person refused', [{ ...askedOfMaria, refused: wordOf('j@northwind.example') }], []],
  ])('offers its answers to those %s', async (_, approvals, answers) => {
    await draw(...storedPlanShown(approvals))
    expect(hasAnswers()).toEqual(answers)
  })

  test.each([
    ['Approve', 'approve'],
    ['Refuse', 'refuse'],
  ] as const)('takes the answer %s with a note, for what was seen', async (name, answer) => {
    await draw(...storedPlanShown([askedOfMaria]))
    press(name)
    press('Cancel')
    press(name)
    fill(field('Note (optional)'), ' Not before the fair ')
    submit()
    const sent = ApprovalAnswering.requested({ plan: id, answer, hash: HASH, note: 'Not before the fair' })
    expect(recorded).toEqual([sent])
    await go(...storedPlanShown([askedOfMaria]), sent)
    expect(button(name).getAttribute('aria-disabled')).toBe('true')
  })

  test('takes back the question when the answer is no longer possible', async () => {
    await draw(...storedPlanShown([askedOfMaria]))
    press('Approve')
    expect(all('dialog')).toHaveLength(1)
    await go(...storedPlanShown([{ ...askedOfMaria, refused: wordOf('j@northwind.example') }]))
    expect(all('dialog')).toEqual([])
  })

  test('leads its author to Plan once it is approved, while it can be published', async () => {
    const shown = (approval: ApprovalOfPlan, current = releaseId('c')) => [
      ...atStoredPlan({}),
      StoredPlan.loaded({ value: { plan: planToApprove(), document: releaseDocument } }),
      ReleasesLoad.loaded({ value: releases({ current }) }),
      approvalsLoaded(approval),
    ]
    const leads = () => body().includes('Publish it here')
    const given = approvalOf({ given: [wordOf(MARIA)] })
    await draw(...shown(given))
    expect(leads()).toBe(true)
    for (const log of [
      shown(approvalOf()),
      shown({ ...given, author: MARIA }),
      shown({ ...given, hash: FORMER_HASH }),
      shown(given, releaseId('a')),
    ]) {
      await go(...log)
      expect(leads()).toBe(false)
    }
  })

  test('shows its own people', async () => {
    await draw(
      ...storedPlanShown([askedOfMaria]),
      PlannedPeople.shown({ plan: 'other', from: 0 }),
      PlannedPeople.pageLoaded({
        query: 'other',
        after: null,
        page: { people: [personPlan('p')], next: null },
      }),
    )
    act(() => {
      const details = part('For whom').querySelector('details')
      if (details) details.open = true
    })
    expect(recorded).toEqual([PlannedPeople.shown({ plan: id, from: 0 })])
    expect(part('For whom').querySelectorAll('table')).toHaveLength(0)
  })
})
