import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import type { LoggedEvent } from '../../streams/app/events.ts'
import { readLogFile, writeLogFile } from '../../streams/app/logFile.ts'
import { redactLog } from '../../streams/app/privacy.ts'
import { evolveApp } from '../../streams/app/state.ts'
import { Auth } from '../../streams/auth/events.ts'
import { replay } from '../../streams/kernel/store.ts'
import { Mailbox } from '../../streams/mailbox/events.ts'
import { ProfileEvents } from '../../streams/profile/events.ts'
import { Signatures } from '../../streams/signatures/events.ts'
import { Variables } from '../../streams/variables/events.ts'
import { eventOf } from '../support/arbitraries.ts'
import {
  cachedSignature,
  freshState,
  hostUser,
  image,
  listedSignature,
  logOf,
  message,
  profile,
  session,
  throughJson,
} from '../support/state.ts'

const logs = fc.array(eventOf(), { maxLength: 30 }).map((events) => logOf(...events))
const stage = { production: true, beta: false }
const about = { software: '1.2.3', stage }

const CANARY = 'canary-7f3a'
/** Everything of a person that events can carry, each with the canary in it. */
const personal: readonly LoggedEvent[] = [
  Mailbox.userRead({ user: hostUser({ displayName: CANARY, email: `${CANARY}@a.example` }) }),
  Auth.verified({ session: session({ userId: CANARY, email: `${CANARY}@a.example` }) }),
  ProfileEvents.loaded({
    profile: profile({
      id: CANARY,
      email: `${CANARY}@a.example`,
      displayName: CANARY,
      clientName: CANARY,
      pictureUrl: `https://a.example/${CANARY}.png`,
      delegations: [CANARY],
      metadata: { defaultSignature: null, others: { note: CANARY } },
    }),
  }),
  Mailbox.itemChanged({ item: { key: CANARY, mode: 'compose' } }),
  Mailbox.messageRead({
    itemKey: CANARY,
    message: message({
      from: { address: `${CANARY}@a.example`, name: CANARY },
      to: [{ address: `${CANARY}@b.example`, name: CANARY }],
      cc: [{ address: `x@${CANARY}.example`, name: 'x' }],
    }),
  }),
  Signatures.cacheLoaded({
    signature: cachedSignature({
      name: CANARY,
      userId: CANARY,
      html: `<p>${CANARY}</p>`,
      reply: CANARY,
      images: [image(`https://a.example/${CANARY}.png`, { name: CANARY, content: CANARY })],
    }),
  }),
  Signatures.pageLoaded({
    list: 'delegated',
    epoch: 0,
    page: {
      page: 1,
      total: 1,
      objects: [
        listedSignature({
          name: CANARY,
          email: `${CANARY}@a.example`,
          html: CANARY,
          audiences: [`${CANARY}.example`],
          collection: CANARY,
          variants: [{ code: 'reply', html: CANARY }],
        }),
      ],
    },
  }),
  Signatures.chosen({ uuid: `${CANARY}@a.example-1-0-master`, itemKey: CANARY }),
  Signatures.cacheFailed({ failure: { kind: 'http', status: 500, code: null, data: { detail: CANARY } } }),
  Signatures.cacheFailed({ failure: { kind: 'defect', message: CANARY } }),
  Variables.edited({ path: 'job_title', value: CANARY }),
  Variables.loaded({
    asked: 0,
    definitions: [],
    states: { id: CANARY, changedFields: [], originalData: { jobTitle: CANARY } },
    values: { job_title: CANARY },
  }),
]

describe('what may leave the machine', () => {
  it('[KNOW-2] an export holds nothing of a person, of a message or of a signature', () => {
    const file = writeLogFile(logOf(...personal), about)
    expect(file).not.toContain(CANARY)
    expect(file).toContain('person-1@example.invalid')
  })

  test.prop([logs])(
    '[KNOW-2] an imported log is the one that was exported, and replays to the same state',
    (log) => {
      const file = readLogFile(writeLogFile(log, about))
      if ('problem' in file) throw new Error(file.problem)
      expect(file.events).toEqual(throughJson(redactLog(log)))
      const inPane = replay(freshState(), evolveApp, redactLog(log))
      expect(throughJson(replay(freshState(), evolveApp, file.events))).toEqual(throughJson(inPane))
    },
  )

  test.prop([logs])('a redacted log comes to the same statuses, counts and places as the original', (log) => {
    const shape = ({
      auth,
      signatures,
      router,
      views,
      locale,
      profile: own,
    }: ReturnType<typeof freshState>) => ({
      auth: auth.status,
      own: [signatures.own.status, signatures.own.total, signatures.own.entries.length],
      delegated: [signatures.delegated.status, signatures.delegated.entries.map(({ status }) => status)],
      insertion: signatures.insertion?.status,
      hasDefault: signatures.default.signature !== null,
      router,
      views,
      locale,
      profile: own.status,
    })
    expect(shape(replay(freshState(), evolveApp, redactLog(log)))).toEqual(
      shape(replay(freshState(), evolveApp, log)),
    )
  })

  it('the same person has the same place throughout one export', () => {
    const [first, second] = redactLog(
      logOf<LoggedEvent>(
        Mailbox.userRead({ user: hostUser({ email: 'A@x.example' }) }),
        Auth.verified({ session: session({ email: 'a@x.example' }) }),
      ),
    )
    expect(first?.data).toMatchObject({ user: { email: 'person-1@example.invalid' } })
    expect(second?.data).toMatchObject({ session: { email: 'person-1@example.invalid' } })
  })
})

describe('a text that is no log', () => {
  it.each([
    ['{', { problem: 'notJson' }],
    ['[]', { problem: 'otherFile' }],
    ['{"format":"other","events":[]}', { problem: 'otherFile' }],
    ['{"format":"signet-log","version":99,"events":[],"stage":{}}', { problem: 'otherVersion' }],
    [
      '{"format":"signet-log","version":1,"stage":{},"events":[{"type":"app/started","data":{},"meta":{"seq":0,"at":0,"source":"app"}},{"type":"x/y","data":{},"meta":{"seq":1,"at":0,"source":"app"}}]}',
      { problem: 'brokenEvent', at: 1 },
    ],
  ])('is said to be none: %s', (text, problem) => {
    expect(readLogFile(text)).toEqual(problem)
  })
})
