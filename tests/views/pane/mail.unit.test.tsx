import fc from 'fast-check'
import { BehaviorSubject } from 'rxjs'
import { expect, test } from 'vitest'
import type { AppState } from '../../../streams/pane/state.ts'
import { Profile } from '../../../streams/message/profile/events.ts'
import { AppProvider } from '../../../views/pane/app.tsx'
import { AskAdministrator } from '../../../views/pane/frame/AskAdministrator.tsx'
import { mailtoAddress } from '../../../views/pane/text/mail.ts'
import { createClock } from '../../support/clock.ts'
import { profile, signedInWriting, stateAfter } from '../../support/state.ts'
import { all, useDrawing } from '../drawing.tsx'

const { render } = useDrawing()

const ask = (state: AppState) => {
  render(
    <AppProvider
      value={{
        state$: new BehaviorSubject(state),
        record: () => undefined,
        loadSanitizer: () => new Promise(() => undefined),
        imageOrigins: [],
        time: createClock(),
        viewOf: () => null,
        version: '0.0.0',
        supportUrl: null,
      }}
    >
      <AskAdministrator />
    </AppProvider>,
  )
  const [link] = all('a')
  return { link, mail: read(link?.getAttribute('href') ?? '') }
}

/** A mail as a mail program reads it from its address (RFC 6068). */
function read(address: string) {
  const [, subject = '', body = ''] = /^mailto:\?subject=([^&#?]*)&body=([^&#?]*)$/.exec(address) ?? []
  return { subject: decodeURIComponent(subject), body: decodeURIComponent(body) }
}

const text = fc.string({ unit: 'binary', maxLength: 150 })
const halves = fc.array(fc.constantFrom('\uD83D', '\uDE00', 'a', '&body=', '%0A', '\r', '\n', '+', '#'))
/** Half a character becomes U+FFFD. */
const whole = (value: string) => Buffer.from(value).toString()
const lines = (value: string) => whole(value).replace(/\r\n?|\n/g, '\r\n')

test('any text survives in the address of a mail', () => {
  fc.assert(
    fc.property(
      text,
      fc.oneof(
        text,
        halves.map((parts) => parts.join('')),
      ),
      (subject, body) => {
        const mail = read(mailtoAddress({ subject: subject.slice(0, 40), body: body.slice(0, 100) }))
        expect(mail.body).toBe(lines(body.slice(0, 100)))
        expect(mail.subject).toBe(whole(subject.slice(0, 40)).replace(/\s+/g, ' ').trim())
      },
    ),
  )
})

test('the address of a mail is never too long to open; what is cut is cut at the end', () => {
  const long = fc.string({ unit: 'binary', maxLength: 4_000, size: 'max' })
  fc.assert(
    fc.property(long, long, (subject, body) => {
      const address = mailtoAddress({ subject, body })
      expect(address.length).toBeLessThanOrEqual(2_000)
      const mail = read(address)
      for (const [part, complete] of [
        [mail.body, lines(body)],
        [mail.subject, whole(subject).replace(/\s+/g, ' ').trim()],
      ] as const)
        if (part !== complete) expect(part.endsWith('…') && complete.startsWith(part.slice(0, -1))).toBe(true)
    }),
  )
})

test('a mail that is too long fills its address', () => {
  const address = mailtoAddress({ subject: 'a'.repeat(3_000), body: 'é'.repeat(3_000) })
  expect(address.length).toBeGreaterThan(1_990)
  expect(read(address).subject).toHaveLength(592)
})

test('someone without signatures asks for one by a prepared mail, which names their address', () => {
  const { link, mail } = ask(stateAfter(...signedInWriting('item-1'), Profile.loaded({ value: profile() })))
  expect(link?.textContent).toBe('Ask for a signature')
  expect(link?.getAttribute('target')).toBe('_blank')
  expect(mail.subject).toBe('A signature for my email')
  expect(mail.body).toMatch(/^Hello,\r\n\r\nI don’t have a signature yet/)
  expect(mail.body).toContain(`\r\n\r\nMy address: ${profile().email}\r\n\r\n`)
})

test('without a known address the prepared mail names none', () => {
  const { mail } = ask(stateAfter(...signedInWriting('item-1')))
  expect(mail.body).toContain('Could you set one up for me?\r\n\r\nThank you')
})
