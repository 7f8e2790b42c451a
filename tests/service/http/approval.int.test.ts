import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFolder } from '../../../src/folder/readFolder.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { ApprovalOfPlan } from '../../../streams/wire/administration/approving.ts'
import type { AuditPage } from '../../../streams/wire/administration/insight.ts'
import type { Plan, ReleaseHistory } from '../../../streams/wire/administration/publishing.ts'
import { overPostgres } from '../../support/databases.ts'
import { askAdministration } from './administrator.ts'
import { ALEX, MARIA, type Running, start, TESS } from '../running.ts'

// `approval` of signet.yaml: what a service publishes only after a second person's yes.

overPostgres('[PERSON-10] the approval of a publish', (open) => {
  let running: Running
  let alex: string
  let maria: string
  let first: ReleaseDocument

  beforeAll(async () => {
    const folder = join(import.meta.dirname, '../../../src/service/demonstration/signatures')
    const { document } = await readFolder(folder)
    first = { ...document, approval: { by: ['Directors'] } }
    running = await start({ open })
    alex = await running.mailClientToken(ALEX)
    maria = await running.mailClientToken(MARIA)
    // The demonstration's release needs no approval yet.
    await publish(await plan(first))
  })
  afterAll(() => running.stop())

  const ask = <Body>(token: string, method: string, path: string, body?: unknown) =>
    askAdministration<Body>(running.url, token, method, path, body)
  const plan = async (document: ReleaseDocument) =>
    (await ask<Plan>(alex, 'POST', '/plans', { document })).body
  const publish = ({ id }: Plan) => ask<ReleaseHistory>(alex, 'POST', '/releases', { plan: id })
  const answer = (token: string, { id, approval }: Plan, said: 'approve' | 'refuse', note = '') =>
    ask<ApprovalOfPlan>(token, 'POST', `/plans/${id}/approval`, {
      answer: said,
      hash: approval?.hash,
      note,
    })
  const listed = async (token: string) =>
    (await ask<Readonly<{ approvals: readonly ApprovalOfPlan[] }>>(token, 'GET', '/approvals')).body.approvals
  const withText = (text: string): ReleaseDocument => ({
    ...first,
    templates: { ...first.templates, 'templates/padrao.html': `<p>${text}</p>` },
  })
  async function become(address: string, groups: readonly string[]) {
    await running.signIn(address)
    const person = await running.context.store.personByAddress(address)
    if (person === null) throw new Error('nobody')
    const { addresses, language, directory: fields, directoryPicture: picture } = person
    const record = { addresses, account: null, language, fields, groups, picture }
    await running.context.people.write(person.id, { type: 'importRecord', record }, 'test')
  }

  it('is asked for, given by somebody of the group, and told to both and in the audit', async () => {
    const planned = await plan(withText('one'))
    expect(planned.approval).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      by: ['Directors'],
    })
    expect(await publish(planned)).toMatchObject({ status: 409, body: { code: 'approval_missing' } })
    const asked = await ask<ApprovalOfPlan>(alex, 'POST', `/plans/${planned.id}/approval/request`, {
      note: 'For Portugal',
    })
    expect(asked.body).toMatchObject({
      author: ALEX,
      asked: { by: ALEX, note: 'For Portugal' },
      people: 1,
      mayApprove: false,
    })
    expect(await answer(maria, planned, 'approve')).toMatchObject({
      status: 403,
      body: { code: 'not_approver' },
    })
    // No rule is about the new group, so the plan stays the same.
    await become(MARIA, ['Directors'])
    expect((await listed(maria)).map(({ plan: id, mayApprove }) => [id, mayApprove])).toEqual([
      [planned.id, true],
    ])
    expect((await answer(maria, planned, 'approve', 'Fine')).body.given).toMatchObject([
      { by: MARIA, note: 'Fine' },
    ])
    expect((await publish(planned)).status).toBe(201)
    expect(await listed(alex)).toEqual([])
    const { facts } = (await ask<AuditPage>(alex, 'GET', '/audit')).body
    expect(
      facts
        .filter(({ type }) => type.includes('approval'))
        .map(({ type, actor, note }) => [type, actor, note]),
    ).toEqual([
      ['organisation/approvalGiven', MARIA, 'Fine'],
      ['organisation/approvalAsked', ALEX, 'For Portugal'],
    ])
  })

  it('lapses when a person leaves whom the plan changes', async () => {
    const everyone = { for: 'everyone', not: [] } as const
    const forAll = {
      ...first,
      signatures: first.signatures.map((each) =>
        each.template === 'templates/padrao.html' ? { ...each, selection: everyone } : each,
      ),
    }
    const planned = await plan(forAll)
    await answer(maria, planned, 'approve')
    const tess = await running.context.store.personByAddress(TESS)
    await running.context.people.erase(tess?.id ?? '', 'test')
    expect(await publish(planned)).toMatchObject({ status: 409, body: { code: 'approval_lapsed' } })
    const again = await plan(forAll)
    expect(again.id).toBe(planned.id)
    await answer(maria, again, 'approve')
    expect((await publish(again)).status).toBe(201)
  })

  it('that is refused publishes nothing', async () => {
    const planned = await plan(withText('three'))
    await answer(maria, planned, 'refuse', 'Too early')
    expect(await publish(planned)).toMatchObject({
      status: 409,
      body: {
        code: 'approval_refused',
        message: `${MARIA} refused this plan ("Too early"): change it, or ask for approval again.`,
      },
    })
  })
})
