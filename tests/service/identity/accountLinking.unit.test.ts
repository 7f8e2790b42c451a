import { describe, expect, it } from 'vitest'
import { noDirectory } from '../../../src/service/directory/noDirectory.ts'
import { createAccountLinking } from '../../../src/service/identity/accountLinking.ts'
import type { VerifiedUser } from '../../../src/service/identity/tokens.ts'
import { mailboxAsOwner } from '../../../src/service/context/owners.ts'
import { compileRelease } from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'

// Decisions about one person over a store that a test makes up.

const ACCOUNT = { tenant: 't', oid: 'o' }
const person = (more: Partial<PersonState> = {}): PersonState => ({
  ...mailboxAsOwner('ann@x.example'),
  id: 'ann',
  revision: 1,
  account: ACCOUNT,
  ...more,
})
const release = compileRelease('r-1', {
  version: 1,
  organisation: 'Northwind',
  internal: [],
  plan: { from: null, value: 'full' },
  variables: [],
  chooseDefault: { for: [], not: [] },
  signatures: [],
  templates: {},
  pictures: {},
  mailboxes: [{ address: 'desk@x.example', selection: { for: 'everyone', not: [] }, values: {} }],
})

describe('a sign-in', () => {
  const user = (more: Partial<VerifiedUser> = {}): VerifiedUser => ({
    account: ACCOUNT,
    signInName: 'ann@x.example',
    isGuest: false,
    roles: [],
    ...more,
  })
  function signIn(
    email: string,
    found: Readonly<{ bound?: PersonState; named?: PersonState; current?: typeof release | null }>,
    who: VerifiedUser = user(),
  ) {
    const asked: unknown[] = []
    const { bound = null, named = null, current = release } = found
    const { signIn: ask } = createAccountLinking({
      store: {
        personByAccount: async (...account) => (asked.push(account), bound),
        personByAddress: async (address) => (asked.push(address), named),
      },
      people: {
        write: async (...written) => {
          asked.push(written)
          return person({ revision: 2 })
        },
      },
      releases: { current: () => current },
    })
    return ask(who, email).then(
      ({ revision }) => ({ revision, asked }),
      (error: unknown) => ({ error, asked }),
    )
  }
  const unknown = {
    code: 'unknown_user',
    message: 'The organisation does not know this account.',
  }
  const gone = { code: 'invalid_token', message: 'The person has left the organisation.' }
  const foreign = {
    code: 'invalid_token',
    message: 'The access token belongs to another mailbox.',
  }

  it('finds the person of the account, and asks for no other', async () => {
    const bound = person()
    expect(await signIn('Ann@X.example', { bound, named: person({ id: 'other' }) })).toEqual({
      revision: 1,
      asked: [['t', 'o']],
    })
    expect(await signIn('Desk@x.example', { bound })).toMatchObject({ revision: 1 })
  })

  it('knows a mailbox by its domain in Unicode and in ASCII', async () => {
    const both = ['ann@m\u00FCller.example', 'ann@xn--mller-kva.example']
    for (const stored of both)
      for (const email of both)
        expect(await signIn(email, { bound: person({ addresses: [stored] }) })).toMatchObject({ revision: 1 })
  })

  it('binds one without an account by the sign-in name', async () => {
    const named = person({ account: null })
    expect(await signIn('ann@x.example', { named })).toEqual({
      revision: 2,
      asked: [['t', 'o'], 'ann@x.example', ['ann', { type: 'bindAccount', account: ACCOUNT }, 'sign-in']],
    })
  })

  it.each<[string, Parameters<typeof signIn>, object, number]>([
    ['of no one', ['ann@x.example', {}], unknown, 2],
    ['of one with another account', ['ann@x.example', { named: person() }], unknown, 2],
    [
      'of a guest',
      ['ann@x.example', { named: person({ account: null }) }, user({ isGuest: true })],
      unknown,
      1,
    ],
    [
      'without a name',
      ['ann@x.example', { named: person({ account: null }) }, user({ signInName: '' })],
      unknown,
      1,
    ],
    ['of one who left', ['ann@x.example', { bound: person({ active: false }) }], gone, 1],
    ['for another mailbox', ['bob@x.example', { bound: person() }], foreign, 1],
    [
      'for a mailbox before the first release',
      ['desk@x.example', { bound: person(), current: null }],
      foreign,
      1,
    ],
    [
      'that would bind for another mailbox',
      ['bob@x.example', { named: person({ account: null }) }],
      foreign,
      2,
    ],
  ])('%s is refused', async (_, asking, error, questions) => {
    const answer = await signIn(...asking)
    expect(answer).toMatchObject({ error })
    expect(answer.asked).toHaveLength(questions)
  })
})

it('an organisation without a directory has no syncs', async () => {
  const without = noDirectory({ current: () => release })
  expect(await without.state()).toMatchObject({ kind: 'none', sources: [], isRunning: false, runs: [] })
  await expect(without.sync({ isTrial: true, mayDeactivate: false }, 'x')).rejects.toMatchObject({
    code: 'no_directory',
    message: 'The service is connected to no directory.',
  })
})
