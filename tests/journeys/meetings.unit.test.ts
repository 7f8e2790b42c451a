import { describe, expect, it } from 'vitest'
import { composeBody } from '../../src/playground/mailbox/body.ts'
import { CLIENT_PROFILES } from '../../src/playground/mailbox/profiles.ts'
import { contentIds } from '../../streams/html/message.ts'
import { Insertion } from '../../streams/message/insertion/events.ts'
import type { PaneGesture } from '../../streams/pane/events.ts'
import { startLaunch } from '../support/launch.ts'
import { openPane, type Pane, type PaneOptions, type World } from '../support/pane.ts'
import { cachedSignature, candidate, image, listedSignature, masterId, withSlot } from '../support/state.ts'

// Signatures in meetings, of the pane and of launch events with the pane closed.

const LOGO = 'https://images.northwind.example/logo.png'
const WORDS = 'Alex Kim invites you, Northwind'
const meeting = { name: 'Invitation', combinedIds: 'c-meeting', html: `<p>${WORDS}</p><img src="${LOGO}">` }
const standard = cachedSignature({ meeting, images: [image(LOGO)] })
/** As Teams writes it. */
const TEAMS =
  '<div class="me-email-text"><div style="margin-bottom:24px">________________________________________________________________________________</div><div><span class="me-email-text">Microsoft Teams</span></div><div><a href="https://teams.microsoft.com/l/meetup-join/19%3ameeting_A" id="meet_invite_block.action.join_link">Join the meeting now</a></div></div>'
const TEAMS_TEXT =
  '________________________________________________________________________________\nMicrosoft Teams\nJoin the meeting now<https://teams.microsoft.com/l/meetup-join/19%3ameeting_A>'
/** Signatures are set in meetings by the clients of some editions only. */
const EDITIONS = [null, ...CLIENT_PROFILES.filter((each) => each !== 'ios' && each !== 'android')]

const opened = (options: PaneOptions = {}): Pane => {
  const pane = openPane({
    standard,
    own: [listedSignature({ name: 'Short', combinedIds: 'c-short' })],
    ...options,
  })
  pane.clock.advance(5_000)
  return pane
}
/** A mailbox whose pane was open before, so that there is a copy; the pane is closed. */
const withCopy = (options: PaneOptions = {}): World => {
  const pane = opened(options)
  pane.app.stop()
  return pane
}
const begin = (world: World, type: 'newMeeting' | 'openMeeting' = 'newMeeting') => {
  world.mailbox.act({ type })
  world.clock.advance(3_000)
}
const bodyOf = (world: World) => composeBody(world.message())
const countIn = (world: World, words: string) => bodyOf(world).split(words).length - 1
const writes = ({ mailbox }: World) =>
  mailbox.calls.filter(({ name }) => name === 'body.setSignatureAsync' || name === 'body.setAsync').length
const expectSignature = (world: World) => {
  expect(countIn(world, WORDS)).toBe(1)
  const { attachments } = world.message()
  expect(attachments.map(({ contentId }) => contentId)).toEqual([...contentIds(bodyOf(world))])
  expect(attachments).toHaveLength(1)
}

describe.each(EDITIONS)('in the client %s', (edition) => {
  it('[MEET-1] a new meeting has the signature for meetings once, with its picture, with the pane open', () => {
    const pane = opened({ edition })
    begin(pane)
    expectSignature(pane)
    expect(pane.app.state$.value.insertion.inMessage).toMatchObject({
      combinedIds: 'c-meeting',
      code: 'meeting',
    })
  })

  it('[MEET-1] a new meeting has the signature for meetings with the pane closed', () => {
    const world = withCopy({ edition })
    world.mailbox.act({ type: 'newMeeting' })
    world.clock.advance(100)
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(5_000)
    expectSignature(world)
    expect(launched.outcome()).toBe('inserted')
  })

  it('an empty meeting has a line above the signature, in which the author can write', () => {
    const pane = opened({ edition })
    begin(pane)
    const { body } = pane.message()
    // Where the client sets the signature, the author's text has a place of its own.
    if (body.signature !== '') return expect(body.author).toBe('')
    expect(body.author.indexOf('<p><br></p>')).toBe(0)
    // Another signature comes in the place of the first: there is no second line.
    pane.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    expect(bodyOf(pane).match(/<p[^>]*><br><\/p>/g)).toHaveLength(1)
  })

  it('[MEET-2] a meeting that exists is left as it is, until the organiser chooses', () => {
    const pane = opened({ edition })
    const before = writes(pane)
    begin(pane, 'openMeeting')
    expect(writes(pane)).toBe(before)
    pane.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    expect(countIn(pane, 'Alex Kim, Northwind')).toBe(1)
  })

  it.each(['newMessage', 'recipientsChanged'] as const)(
    '[MEET-1] [MEET-2] a saved meeting has a signature when Outlook says that it is new: %s',
    (kind) => {
      const world = withCopy({ edition })
      world.mailbox.act({ type: 'newMeeting' })
      world.mailbox.act({ type: 'save' })
      world.clock.advance(100)
      const before = writes(world)
      const launched = startLaunch(world, kind)
      world.clock.advance(5_000)
      const isNew = kind === 'newMessage'
      expect(launched.outcome()).toBe(isNew ? 'inserted' : 'none')
      if (isNew) expectSignature(world)
      else expect(writes(world)).toBe(before)
    },
  )

  it('[MEET-2] a change of the attendees changes nothing in a meeting that exists', () => {
    const world = withCopy({ edition })
    world.mailbox.act({ type: 'openMeeting' })
    world.clock.advance(100)
    const before = writes(world)
    world.mailbox.act({ type: 'setRecipients', to: [{ address: 'tess@fabrikam.example', name: '' }] })
    const launched = startLaunch(world, 'recipientsChanged')
    world.clock.advance(5_000)
    expect([launched.outcome(), writes(world)]).toEqual(['none', before])
  })

  it('[MEET-2] the next meeting of a series keeps the signature of the series, also where another version has blocks', () => {
    const long = withSlot('<p>Alex Kim, with a banner</p>', candidate())
    const variants = [{ code: 'meeting', html: meeting.html }]
    const own = [listedSignature({ name: 'Invitation', combinedIds: 'c-meeting', ...long, variants })]
    const pane = opened({ edition, own })
    pane.mailbox.act({ type: 'newMeeting', when: { start: 0, end: 1, isWeekly: true } })
    pane.clock.advance(3_000)
    pane.mailbox.act({ type: 'save' })
    expectSignature(pane)
    const before = writes(pane)
    pane.mailbox.act({ type: 'openOccurrence', date: 2 })
    pane.clock.advance(3_000)
    expect(pane.message()).toMatchObject({ exceptionOf: expect.any(String) as string })
    expect(writes(pane)).toBe(before)
    expectSignature(pane)
  })

  it('[MEET-3] [MEET-4] the signature stands below the words and above the block of an online meeting', () => {
    for (const isBefore of [true, false]) {
      const pane = opened({ edition })
      pane.mailbox.act({ type: 'newMeeting' })
      pane.mailbox.act({ type: 'typed', author: '<p>We meet on Friday.</p>' })
      const arrive = () => pane.mailbox.act({ type: 'onlineMeetingArrives', block: TEAMS })
      if (isBefore) arrive()
      pane.clock.advance(3_000)
      if (!isBefore) arrive()
      pane.clock.advance(3_000)
      expectSignature(pane)
      const body = bodyOf(pane)
      const places = ['We meet on Friday.', WORDS, '____', 'Join the meeting now'].map((each) =>
        body.indexOf(each),
      )
      expect(places).toEqual([...places].sort((one, other) => one - other))
      expect(places).not.toContain(-1)
    }
  })

  it('[MEET-1] [MEET-4] another signature, none and Undo leave the words and the block of the online meeting', () => {
    const pane = opened({ edition })
    begin(pane)
    pane.mailbox.act({ type: 'typed', author: `<p>We meet on Friday.</p>${pane.message().body.author}` })
    pane.mailbox.act({ type: 'onlineMeetingArrives', block: TEAMS })
    const act = (event: PaneGesture) => {
      pane.app.record(event)
      pane.clock.advance(3_000)
      expect(countIn(pane, 'We meet on Friday.')).toBe(1)
      expect(countIn(pane, 'Join the meeting now')).toBe(1)
      const body = bodyOf(pane)
      return [WORDS, 'Alex Kim, Northwind'].map((words) => {
        expect(body.indexOf(words)).toBeLessThan(body.indexOf('____'))
        return countIn(pane, words)
      })
    }
    const itemKey = pane.itemKey()
    expect(act(Insertion.chosen({ entryId: masterId(1, 0), itemKey }))).toEqual([0, 1])
    expect(act(Insertion.undoRequested({ itemKey }))).toEqual([1, 0])
    expect(act(Insertion.noneChosen({ itemKey }))).toEqual([0, 0])
    expect(act(Insertion.undoRequested({ itemKey }))).toEqual([1, 0])
  })

  it('[MEET-3] in plain text, the signature stands below the words and above the block', () => {
    const pane = opened({ edition })
    pane.mailbox.act({ type: 'newMeeting' })
    pane.mailbox.act({ type: 'setBodyType', bodyType: 'text' })
    pane.mailbox.act({ type: 'typed', author: 'We meet on Friday.' })
    pane.mailbox.act({ type: 'onlineMeetingArrives', block: TEAMS_TEXT })
    pane.clock.advance(3_000)
    const body = bodyOf(pane)
    const places = ['We meet on Friday.', WORDS, '____', 'Join the meeting now'].map((each) =>
      body.indexOf(each),
    )
    expect(places).toEqual([...places].sort((one, other) => one - other))
    expect(places).not.toContain(-1)
    expect(countIn(pane, WORDS)).toBe(1)
  })

  it('[MEET-3] stands above a block that arrives while it is set', () => {
    let isIn = false
    const pane = opened({
      edition,
      client: (client) => ({
        ...client,
        call: (name, args, done) => {
          client.call(name, args, done)
          if (name !== 'addFileAttachmentFromBase64Async' || isIn || !client.currentItem()?.isMeeting) return
          isIn = true
          pane.mailbox.act({ type: 'onlineMeetingArrives', block: TEAMS })
        },
      }),
    })
    begin(pane)
    expect(isIn).toBe(true)
    expectSignature(pane)
    expect(bodyOf(pane).indexOf(WORDS)).toBeLessThan(bodyOf(pane).indexOf('____'))
    expect(countIn(pane, 'Join the meeting now')).toBe(1)
  })

  it('[MEET-4] keeps what is typed after the write, also when the body cannot be read again', () => {
    let isDeaf = false
    const write = edition === 'web' ? 'body.setAsync' : 'body.setSignatureAsync'
    const pane = opened({
      edition,
      client: (client) => ({
        ...client,
        call: (name, args, done) => {
          if (name === 'body.getAsync' && isDeaf)
            return done({ ok: false, error: { code: 5001, name: 'Internal Error', message: '' } })
          client.call(name, args, (reply) => {
            if (client.currentItem()?.isMeeting && name === write && reply.ok && !isDeaf) {
              isDeaf = true
              const { author } = pane.message().body
              pane.mailbox.act({ type: 'typed', author: `<p>We meet on Friday.</p>${author}` })
            }
            done(reply)
          })
        },
      }),
    })
    begin(pane)
    expect(isDeaf).toBe(true)
    expect(countIn(pane, 'We meet on Friday.')).toBe(1)
    expect(countIn(pane, WORDS)).toBe(1)
  })

  it('[MEET-4] takes a line of the author and a link in the signature for no block', () => {
    const room = `<p>${WORDS}</p><p><a href="https://northwind.webex.com/meet/alex">My room</a></p>`
    const pane = opened({
      edition,
      standard: cachedSignature({ meeting: { ...meeting, html: room }, images: [] }),
    })
    begin(pane)
    const line = `<p>Agenda</p><p>${'_'.repeat(40)}</p><p>Please bring slides.</p>`
    pane.mailbox.act({ type: 'typed', author: line + pane.message().body.author })
    pane.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
    pane.clock.advance(3_000)
    const body = bodyOf(pane)
    expect(countIn(pane, 'Alex Kim, Northwind')).toBe(1)
    expect(body.indexOf('Alex Kim, Northwind')).toBeGreaterThan(body.indexOf('Please bring slides.'))
  })

  it('[MEET-1] has what the organiser chooses before the meeting is read', () => {
    const pane = opened({ edition })
    pane.mailbox.delay('loadCustomPropertiesAsync', 2_000)
    pane.mailbox.act({ type: 'newMeeting' })
    pane.clock.advance(100)
    expect(pane.app.state$.value.mailbox.message).toBeNull()
    pane.app.record(Insertion.chosen({ entryId: masterId(1, 0), itemKey: pane.itemKey() }))
    pane.clock.advance(10_000)
    expect([countIn(pane, 'Alex Kim, Northwind'), countIn(pane, WORDS)]).toEqual([1, 0])
  })

  it('[MEET-2] in the calendar of another mailbox, nothing is written without the event of new meetings', () => {
    const pane = opened({ edition })
    const before = writes(pane)
    pane.mailbox.act({ type: 'newMeeting' })
    pane.mailbox.act({ type: 'setFrom', from: { address: 'sales@northwind.example', name: 'Sales' } })
    pane.clock.advance(3_000)
    expect(writes(pane)).toBe(before)
  })

  it('[MEET-2] a saved meeting with attendees is left as it is, whatever event Outlook raises for it', () => {
    const world = withCopy({ edition })
    world.mailbox.act({ type: 'openMeeting' })
    world.mailbox.act({ type: 'setRecipients', to: [{ address: 'tess@fabrikam.example', name: '' }] })
    world.clock.advance(100)
    const before = writes(world)
    const launched = startLaunch(world, 'newMessage')
    world.clock.advance(5_000)
    expect([launched.outcome(), writes(world)]).toEqual(['none', before])
  })

  it('[MEET-4] in plain text, No signature and Undo add no lines', () => {
    const pane = opened({ edition })
    pane.mailbox.act({ type: 'newMeeting' })
    pane.mailbox.act({ type: 'setBodyType', bodyType: 'text' })
    pane.mailbox.act({ type: 'typed', author: 'We meet on Friday.' })
    pane.clock.advance(3_000)
    const itemKey = pane.itemKey()
    const round = () => {
      for (const event of [Insertion.noneChosen({ itemKey }), Insertion.undoRequested({ itemKey })]) {
        pane.app.record(event)
        pane.clock.advance(3_000)
      }
      return bodyOf(pane)
    }
    const once = round()
    expect(once.split(WORDS)).toHaveLength(2)
    expect(round()).toBe(once)
  })
})
