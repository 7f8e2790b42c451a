import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readFolder } from '../../../src/folder/readFolder.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { Plan, ReleaseHistory } from '../../../streams/wire/administration/publishing.ts'
import { overPostgres } from '../../support/databases.ts'
import { askAdministration } from './administrator.ts'
import { ALEX, type Running, start } from '../running.ts'

// `editors` of signet.yaml: who may publish a change of a signature, a block, or all else.

overPostgres('[PERSON-11] the editors of a part', (open) => {
  let running: Running
  let alex: string
  let first: ReleaseDocument

  beforeAll(async () => {
    const folder = join(import.meta.dirname, '../../../src/service/demonstration/signatures')
    const { document } = await readFolder(folder)
    const signatures = document.signatures.map((each) =>
      each.id === 'padrao' ? { ...each, editors: ['Portugal'] } : each,
    )
    first = { ...document, signatures, editors: ['Brand team'] }
    running = await start({ open })
    alex = await running.mailClientToken(ALEX)
    await publish(await plan(first))
  })
  afterAll(() => running.stop())

  const ask = <Body>(method: string, path: string, body?: unknown) =>
    askAdministration<Body>(running.url, alex, method, path, body)
  const plan = async (document: ReleaseDocument) => (await ask<Plan>('POST', '/plans', { document })).body
  const publish = ({ id }: Plan) => ask<ReleaseHistory>('POST', '/releases', { plan: id })
  const withText = (text: string): ReleaseDocument => ({
    ...first,
    templates: { ...first.templates, 'templates/padrao.html': `<p>${text}</p>` },
  })
  async function becomeMemberOf(groups: readonly string[]) {
    await running.signIn(ALEX)
    const person = await running.context.store.personByAddress(ALEX)
    if (person === null) throw new Error('nobody')
    const { addresses, language, directory: fields, directoryPicture: picture } = person
    const record = { addresses, account: null, language, fields, groups, picture }
    await running.context.people.write(person.id, { type: 'importRecord', record }, 'test')
  }

  it('publish its changes, and nobody else does, whatever the draft says of them', async () => {
    const own = await plan(withText('one'))
    const name = first.signatures.find(({ id }) => id === 'padrao')?.name ?? ''
    expect(own.edited).toEqual([{ kind: 'signature', id: 'padrao', name, editors: ['Portugal'] }])
    const before = running.context.releases.current()?.id
    const { editors: _, ...open } = withText('one')
    const free = { ...open, signatures: open.signatures.map(({ editors: _e, ...each }) => each) }
    expect(await publish(await plan(free))).toMatchObject({
      status: 403,
      body: {
        code: 'not_editor',
        message: `You may not publish these changes: the signature "${name}" (only Portugal); what all signatures share (only Brand team).`,
      },
    })
    expect(running.context.releases.current()?.id).toBe(before)
    await becomeMemberOf(['Portugal'])
    expect((await publish(own)).status).toBe(201)
    expect((await publish(own)).status).toBe(201)
    expect(await publish(await plan({ ...withText('one'), organisation: 'Other' }))).toMatchObject({
      status: 403,
      body: { code: 'not_editor' },
    })
  })
})
