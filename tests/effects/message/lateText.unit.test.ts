import { of } from 'rxjs'
import { expect, test } from 'vitest'
import { createLateTextTracker } from '../../../effects/message/lateText.ts'
import { INSERTED_SIGNATURE_KEY } from '../../../effects/message/mailbox.ts'
import { textFingerprint } from '../../../streams/html/message.ts'
import { createClock } from '../../support/clock.ts'
import { fakePorts } from '../../support/ports.ts'

const ITEM = 'item-1'
const OLD = 'Alex Martin\nOperations, Northwind Trading in Hamburg'
const NEW = 'Alex Martin\nHead of sales, Northwind Trading in Lisbon'

const recordOf = (text: string) =>
  JSON.stringify({
    combinedIds: 'c-1',
    hash: 'h-1',
    trace: { mark: 'm', words: textFingerprint(text), pictures: null, copies: [0, 0], seen: null },
  })

/** What a repair writes into a plain-text message, while another runtime may still write the new signature. */
function repair(body: string, recorded: string | null) {
  const clock = createClock(1_000_000)
  const ports = fakePorts(clock, 'a')
  const { host } = ports
  const setting = { marker: recordOf(NEW), words: textFingerprint(NEW), others: 0, at: 1_000_000 }
  host.bodyType.answers(of('text'))
  host.body.answers(of(body))
  host.allSessionData.answers(
    of({
      'lsi_setting_b-1': JSON.stringify([setting]),
      ...(recorded && { [INSERTED_SIGNATURE_KEY]: recorded }),
    }),
  )
  createLateTextTracker(ports).repair.run(ITEM, ports).subscribe()
  clock.advance(10_000)
  return ports.sent
    .filter(({ name, args }) => name === 'host.setBody' || args[1] === INSERTED_SIGNATURE_KEY)
    .map(({ args }) => args.slice(1))
}

test('a late text is recorded when it is in the message and the recorded signature is not', () => {
  const recorded = [[INSERTED_SIGNATURE_KEY, recordOf(NEW)]]
  expect(repair(`Hello\n\n${NEW}`, recordOf(OLD))).toEqual(recorded)
  expect(repair(`Hello\n\n${NEW}`, null)).toEqual(recorded)
})

test('a late text beside the recorded signature is removed', () => {
  expect(repair(`Hello\n\n${NEW}\n\n${OLD}`, recordOf(OLD))).toEqual([[`Hello\n\n${OLD}`, 'text']])
  expect(repair(`Hello\n\n${OLD}`, recordOf(OLD))).toEqual([])
})
