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
  ['of a government', `<p>${LINE}</p>${link('https://gov.teams.microsoft.us/l/meetup-join/19')}`],
  [
    'with a protected link',
    `<p>${LINE}</p>${link('https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fteams.microsoft.com%2Fl%2Fmeetup-join%2F19')}`,
  ],
  ['of one’s own room in Zoom', `<p>${STROKES}</p>${link('https://northwind.zoom.us/my/alex')}`],
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

  test.each([['<p>&nbsp;</p>'], ['<div><br></div>'], ['<p><img src="cid:a.png"></p>']])(
    '[MEET-3] stands below an empty line of the author: %s',
    (line) => {
      const [, block = ''] = BLOCKS[0] ?? []
      for (const [before, after] of [
        ['<div class="WordSection1">', '</div>'],
        ['<html><body lang="EN"><div>', '</div></body></html>'],
      ] as const)
        expect(onlineMeetingIn(before + line + block + after, 'html')).toBe((before + line).length)
    },
  )

  test('[MEET-3] is none in a signature of Signet, and none far below a line', () => {
    const [before, room] = [`<p>${LINE}</p><p>Slides</p>`, `<div>Alex ${link(JOIN)}</div>`]
    const signature = { start: before.length, end: before.length + room.length }
    expect(onlineMeetingIn(before + room, 'html')).toBe(0)
    expect(onlineMeetingIn(before + room, 'html', [signature])).toBeNull()
    const text = `${LINE}\nSlides\nAlex: ${JOIN}`
    expect(onlineMeetingIn(text, 'text')).toBe(0)
    expect(onlineMeetingIn(text, 'text', [{ start: text.indexOf('Alex'), end: text.length }])).toBeNull()
    const far = Array.from({ length: 6 }, (_, index) => `point ${String(index)}`)
    expect(onlineMeetingIn(`<p>${LINE}</p><p>${far.join('</p><p>')}</p>${link(JOIN)}`, 'html')).toBeNull()
    expect(onlineMeetingIn([LINE, ...far, JOIN].join('\n'), 'text')).toBeNull()
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
