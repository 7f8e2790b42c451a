import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import {
  type DailyClicks,
  REPORTED_DAYS,
  MIN_REPORTED_CLICKS,
  findingCountedLinks,
  firstReportedDay,
  reportingClicks,
} from '../../../../streams/organisation/figures/clicks.ts'
import { runSteps } from '../../../../streams/kernel/steps.ts'
import { dayOf } from '../../../../streams/organisation/release/names.ts'
import {
  type Block,
  compileRelease,
  type ReleaseDocument,
} from '../../../../streams/organisation/release/release.ts'
import { block as anyBlock } from '../../../support/blocks.ts'
import { northwind } from '../../../support/northwind.ts'

const AT = Date.parse('2026-11-26T23:59:59.999Z')

const block = (id: string, template = `templates/${id}.html`): Block =>
  anyBlock({ id, name: `Named ${id}`, template })
const documentOf = (
  blocks: readonly Block[],
  templates: ReleaseDocument['templates'],
  counting = true,
): ReleaseDocument => ({
  ...northwind.document,
  blocks,
  templates,
  ...(counting && { counting }),
})
const counted = (address: string) => `<a href="{{counted ${address}}}">`
const fair = documentOf([block('fair')], { 'templates/fair.html': counted('https://x.example/') })

const clicksTold = (of: ReleaseDocument | null, stored: readonly DailyClicks[], at: number) =>
  runSteps(reportingClicks(of && compileRelease('r', of), stored, at))
const countedAddresses = (of: ReleaseDocument) => runSteps(findingCountedLinks(compileRelease('r', of)))

const blockId = fc.constantFrom('fair', 'gone', 'old')
const stored: fc.Arbitrary<readonly DailyClicks[]> = fc.uniqueArray(
  fc.record({
    day: fc.integer({ min: 0, max: REPORTED_DAYS }).map((ago) => dayOf(AT - ago * 86_400_000)),
    block: blockId,
    clicks: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 2 ** 31 - 1 })),
  }),
  { selector: ({ day, block: of }) => `${day} ${of}` },
)

describe('[BLOCK-9] of the clicks of a day', () => {
  test.prop([stored])(
    'fewer than five are not told as a number, and all others are once the day is over',
    (all) => {
      const told = clicksTold(fair.counting === true ? fair : null, all, AT) ?? []
      const numbers = told.flatMap(({ block: of, days }) =>
        days.flatMap((each) => ('clicks' in each ? [{ day: each.day, block: of, clicks: each.clicks }] : [])),
      )
      expect(numbers.every(({ clicks }) => clicks >= 5)).toBe(true)
      expect(MIN_REPORTED_CLICKS).toBe(5)
      const by = (one: DailyClicks, other: DailyClicks) =>
        one.day + one.block < other.day + other.block ? -1 : 1
      const over = all.filter(({ day, clicks }) => day !== dayOf(AT) && clicks >= 5)
      expect(numbers.toSorted(by)).toEqual(over.toSorted(by))
    },
  )

  test.prop([stored])('nothing is told while the day is not over', (all) => {
    const before = all.filter(({ day }) => day !== dayOf(AT))
    expect(clicksTold(fair, all, AT)).toEqual(clicksTold(fair, before, AT))
  })

  test.prop([stored])('none and a few are told alike', (all) => {
    const many = all.filter(({ clicks }) => clicks >= 5)
    expect(clicksTold(fair, all, AT)).toEqual(clicksTold(fair, many, AT))
  })
})

describe('what is told of clicks', () => {
  it('are the last 90 days of a block that are over, the earliest first, with the name of the block', () => {
    const [told, ...more] = clicksTold(fair, [{ day: '2026-11-25', block: 'fair', clicks: 5 }], AT) ?? []
    expect(more).toEqual([])
    expect([told?.block, told?.name, told?.days.length]).toEqual(['fair', 'Named fair', 90])
    expect(firstReportedDay(AT)).toBe('2026-08-28')
    expect(told?.days[0]).toEqual({ day: '2026-08-28', fewerThan: 5 })
    expect(told?.days.slice(-2)).toEqual([
      { day: '2026-11-24', fewerThan: 5 },
      { day: '2026-11-25', clicks: 5 },
    ])
  })

  it('has blocks with counted addresses in the order of the release, then those that had clicks', () => {
    const document = documentOf([block('b'), block('plain'), block('a')], {
      'templates/a.html': counted('https://x.example/'),
      'templates/b.html': counted('https://x.example/') + counted('https://y.example/'),
      'templates/plain.html': '<a href="https://x.example/">',
    })
    const of = (id: string, clicks: number) => ({ day: '2026-11-25', block: id, clicks })
    const told = clicksTold(document, [of('old', 5), of('few', 4), of('gone', 9), of('a', 5)], AT)
    expect(told?.map(({ block: id, name, days }) => [id, name, days.length])).toEqual([
      ['b', 'Named b', 0],
      ['a', 'Named a', 90],
      ['gone', 'gone', 90],
      ['old', 'old', 90],
    ])
  })

  it('[BLOCK-10] is nothing when the organisation does not count', () => {
    const { counting: _, ...off } = fair
    expect(clicksTold(off, [{ day: '2026-11-25', block: 'fair', clicks: 50 }], AT)).toBeNull()
    expect(clicksTold(null, [], AT)).toBeNull()
  })
})

describe('the counted addresses of a document', () => {
  it('are those of the templates of blocks and of their parts, each once for a block', () => {
    const templates = {
      'templates/a.html': `${counted('https://x.example/?a=1&b=2')}{{> more}}${counted('https://x.example/?a=1&b=2')}`,
      'templates/more.part.html': `{{#if phone}}${counted('https://y.example/')}{{/if}}`,
      'templates/signature.html': counted('https://z.example/'),
    }
    const blocks = [block('a'), block('b', 'templates/a.html'), block('c', 'templates/none.html')]
    const both = ['https://x.example/?a=1&b=2', 'https://y.example/']
    expect(countedAddresses(documentOf(blocks, templates))).toEqual(
      ['a', 'b'].flatMap((id) => both.map((address) => ({ block: id, address }))),
    )
    expect(countedAddresses(documentOf(blocks, templates, false))).toEqual([])
  })

  it('are read in steps, one for each block, and not at all when the organisation does not count', () => {
    const read: string[] = []
    const stepsOf = (counting: boolean) => {
      const release = compileRelease(
        'r',
        documentOf([block('a'), block('b')], { 'templates/a.html': '', 'templates/b.html': '' }, counting),
      )
      const templateOf = (path: string) => {
        read.push(path)
        return release.templateOf(path)
      }
      return [...findingCountedLinks({ ...release, templateOf })].length
    }
    expect([stepsOf(false), read]).toEqual([0, []])
    expect([stepsOf(true), read]).toEqual([2, ['templates/a.html', 'templates/b.html']])
  })

  it('are the first 10,000, however many blocks share a long template', () => {
    const many = Array.from({ length: 4_000 }, (_, index) => counted(`https://x.example/${String(index)}`))
    const blocks = ['a', 'b', 'c'].map((id) => block(id, 'templates/long.html'))
    const found = countedAddresses(documentOf(blocks, { 'templates/long.html': many.join('') }))
    expect([found.length, found.at(-1)]).toEqual([10_000, { block: 'c', address: 'https://x.example/1999' }])
  })
})
