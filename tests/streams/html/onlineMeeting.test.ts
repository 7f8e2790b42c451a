import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onlineMeetingIn } from '../../../streams/html/onlineMeeting.ts'
import { MARKUP_SIGNS } from '../../support/arbitraries.ts'
import { cases } from '../../support/cases.ts'

const LINE = '_'.repeat(80)
const STROKES = '─'.repeat(10)
const JOIN = 'https://teams.microsoft.com/l/meetup-join/19%3ameeting_A'
const link = (address: string) => `<p><a href="${address}">Join</a></p>`

/** Blocks as clients write them, and as they return them. */
const BLOCKS: readonly (readonly [what: string, html: string])[] = [
  ['of Teams', `<div class="me-email-text"><div>${LINE}</div><div>Microsoft Teams</div>${link(JOIN)}</div>`],
  ['of Teams, renamed', `<div class="x_me-email-text"><div>Microsoft Teams</div>${link(JOIN)}</div>`],
  [
    'of Teams, by its id',
    `<div><div>${LINE}</div><div><a id="meet_invite_block.action.join_link">Join</a></div></div>`,
  ],
  ['of Teams, in a table', `<table><tbody><tr><td><p>${LINE}</p>${link(JOIN)}</td></tr></tbody></table>`],
  ['of Teams, without marks', `<p>${LINE}</p><p>Microsoft Teams</p>${link(JOIN)}`],
  ['of Teams for one’s own', `<p>${LINE}</p>${link('https://teams.live.com/meet/9312')}`],
  ['of Teams in the new cloud', `<p>${LINE}</p>${link('https://teams.cloud.microsoft/l/meetup-join/19')}`],
  ['of Zoom', `<p>${STROKES}</p><p>Alex invites you</p>${link('https://us02web.zoom.us/j/123')}`],
  ['of Zoom, without a host of its own', `<p>${STROKES}</p>${link('https://zoom.us/j/123')}`],
  [
    'of Webex',
    `<p>-- Do not delete or change any of the following text. --</p>${link('https://northwind.webex.com/j.php?MTID=1')}`,
  ],
]
/** What an author may write that is no block. */
const OTHERS = [
  '<p>We meet on Friday.</p>',
  `<p>${LINE}</p>`,
  `<p>My own room: <a href="${JOIN}">here</a></p>`,
  '<p><br></p>',
  '<div>Agenda<ul><li>One</li></ul></div>',
  '<p class="me">Me</p>',
]
const htmlOf = (pool: readonly string[]) =>
  fc.array(fc.constantFrom(...pool), { maxLength: 4 }).map((parts) => parts.join(''))
/** No line with a link below it, and none right above the block: both look like a block. */
const above = fc.oneof(
  htmlOf(OTHERS.filter((each) => !each.includes(JOIN))).map((html) => `${html}<p>Agenda</p>`),
  htmlOf(OTHERS.filter((each) => !each.includes(LINE))),
)

describe('the block of an online meeting', () => {
  test.each(BLOCKS)('[MEET-3] is found where it begins: %s', (_, block) => {
    fc.assert(
      fc.property(above, htmlOf(OTHERS), (before, after) => {
        expect(onlineMeetingIn(`${before}${block}${after}`, 'html')).toBe(before.length)
        const page = `<html><head></head><body>${before}`
        expect(onlineMeetingIn(`${page}${block}</body></html>`, 'html')).toBe(page.length)
      }),
      cases(60),
    )
  })

  test('[MEET-3] without one, a line and a link of the author are none', () => {
    fc.assert(
      fc.property(above, (html) => {
        expect(onlineMeetingIn(html, 'html')).toBeNull()
      }),
      cases(60),
    )
  })

  test('[MEET-3] in plain text begins with its line', () => {
    const block = `${LINE}\r\nMicrosoft Teams\r\nJoin: ${JOIN}`
    expect(onlineMeetingIn(`We meet.\r\n\r\n${block}`, 'text')).toBe('We meet.\r\n\r\n'.length)
    expect(onlineMeetingIn(`${LINE}\nNotes\n${block}`, 'text')).toBe(`${LINE}\nNotes\n`.length)
    expect(onlineMeetingIn(block, 'text')).toBe(0)
    expect(onlineMeetingIn(`We meet at ${JOIN}`, 'text')).toBeNull()
    expect(onlineMeetingIn(`${LINE}\nNotes`, 'text')).toBeNull()
    expect(onlineMeetingIn('', 'text')).toBeNull()
  })

  test('[MEET-3] in any body is null or a place in it, where no tag is open', () => {
    const pieces = fc.constantFrom(
      ...MARKUP_SIGNS,
      ...OTHERS,
      LINE,
      link(JOIN),
      ...BLOCKS.map(([, html]) => html),
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), fc.constantFrom('html', 'text'), (parts, type) => {
        const body = parts.join('')
        const place = onlineMeetingIn(body, type)
        if (place === null) return
        expect(place).toBeGreaterThanOrEqual(0)
        expect(place).toBeLessThan(body.length)
        if (type === 'html') expect(onlineMeetingIn(body.slice(place), 'html')).toBe(0)
      }),
      cases(300),
    )
  })
})
