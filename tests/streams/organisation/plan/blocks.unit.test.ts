import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  STRICTEST_CIRCUMSTANCES,
  type Candidate,
  type Circumstances,
  fillSlots,
  blockAppearsIn,
} from '../../../../streams/html/slots.ts'
import { runSteps } from '../../../../streams/kernel/steps.ts'
import {
  type Block,
  compileRelease,
  type ReleaseDocument,
  type Signature,
} from '../../../../streams/organisation/release/release.ts'
import {
  portraitAddress,
  renderBlock,
  renderFrame,
  renderSignature,
  slottedSignature,
} from '../../../../streams/organisation/rendering/render.ts'
import {
  candidatesIn,
  findingHiddenBlocks,
  fitsAllMessages,
  isBlockFor,
  isPeriodOpen,
  placeInShare,
  recipientAudiences,
  openTimesOf,
} from '../../../../streams/organisation/rules/rules.ts'
import { hasOpenTimes } from '../../../../streams/organisation/rules/openTimes.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import {
  parsePart,
  parseTemplate,
  type RenderContext,
  renderSlotted,
  renderTemplate,
} from '../../../../streams/organisation/template/template.ts'
import {
  document,
  person as anyPerson,
  release as anyRelease,
  signature as anySignature,
} from '../arbitraries.ts'
import { block } from '../../../support/blocks.ts'

const INSIDE = ['in.example']
const circumstances: fc.Arbitrary<Circumstances> = fc
  .record({
    isReply: fc.boolean(),
    recipients: fc.subarray(['in.example', 'out.example']),
    thread: fc.constantFrom('first', 'later'),
  })
  .map((message): Circumstances => (message.isReply ? message : { ...message, thread: 'first' }))

const candidate = (id: string, html: string, over: Partial<Candidate> = {}): Candidate => ({
  id,
  name: id,
  html,
  audiences: [],
  replies: true,
  everyone: true,
  closes: null,
  ...over,
})

type Blocks = Readonly<Record<string, readonly Candidate[]>>
const contextOf = (blocks: Blocks, values: RenderContext['values'] = {}): RenderContext => ({
  values,
  pictureUrl: (path) => path,
  blocksIn: (slot) => (Object.hasOwn(blocks, slot) ? (blocks[slot] ?? []) : []),
})
const read = (text: string, parts: Readonly<Record<string, string>> = {}) =>
  parseTemplate(text, new Map(Object.entries(parts)))
const slotted = (text: string, blocks: Blocks = {}, values: RenderContext['values'] = {}) =>
  renderSlotted(read(text).template, contextOf(blocks, values))
const problems = (text: string) => read(text).problems.map(({ at, code, name }) => [at, code, name])

describe('a template with slots', () => {
  const SLOTS = ['a', 'b', 'c']
  const slot = fc.constantFrom(...SLOTS)
  const part = '<i>{{x}}{{block b}}</i>'
  const inSlot = fc
    .array(fc.constantFrom('<td>', '{{block}}', '{{#if x}}1{{else}}{{block}}{{/if}}', '{{x}}', '{{> plain}}'))
    .map((pieces) => `${pieces.join('')}{{block}}`)
  const template: fc.Arbitrary<string> = fc.letrec<{ html: string }>((tie) => ({
    html: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('', '<p>{{x}}</p>', '{{block}}', '{{> part}}', '{{> plain}}', 'z'),
      slot.map((name) => `{{block ${name}}}`),
      fc.tuple(slot, inSlot).map(([name, body]) => `{{#block ${name}}}${body}{{/block}}`),
      fc
        .tuple(fc.constantFrom('x', 'y'), tie('html'), tie('html'))
        .map(([name, yes, no]) => `{{#if ${name}}}${yes}{{else}}${no}{{/if}}`),
      fc.tuple(tie('html'), tie('html')).map((both) => both.join('')),
    ),
  })).html
  const candidates = fc
    .array(
      fc.record({
        html: fc.constantFrom('', '<b>1</b>', '2', '{{x}}', '{{block a}}'),
        audiences: fc.constantFrom([], INSIDE, ['!in.example']),
        replies: fc.boolean(),
      }),
      { maxLength: 3 },
    )
    .map((all) => all.map((one, index) => candidate(`b${index}`, one.html, one)))
  const blocks = fc.record({ a: candidates, b: candidates })
  const values = fc.record({ x: fc.constantFrom('', 'X'), block: fc.constantFrom('', 'variable') })
  const parts = new Map([
    ['part', part],
    ['plain', '-{{x}}-'],
  ])

  /** What a template becomes, by replacing its text: another way to the same html. */
  function expected(
    text: string,
    stands: (slot: string) => Candidate | undefined,
    of: RenderContext['values'],
  ): string {
    const standing: string[] = []
    const filled = (name: string, body: string): string => {
      const block = stands(name)
      if (block === undefined || block.html === '') return ''
      standing.push(block.html)
      return body.replaceAll('{{block}}', `\0${standing.length - 1}\0`)
    }
    const plain = text
      .replaceAll('{{> part}}', part)
      .replace(/\{\{#block (\w)\}\}([^]*?)\{\{\/block\}\}/g, (_, name: string, body: string) =>
        filled(name, body),
      )
      .replace(/\{\{block (\w)\}\}/g, (_, name: string) => filled(name, '{{block}}'))
    return renderTemplate(parseTemplate(plain, parts).template, {
      values: of,
      pictureUrl: () => '',
    }).replace(/\0(\d+)\0/g, (_, index: string) => standing[Number(index)] ?? '')
  }

  test('[BLOCK-1] shows in each slot the first block that fits, and nothing of a slot without one', () => {
    fc.assert(
      fc.property(template, blocks, values, circumstances, (text, all, of, message) => {
        const answer = renderSlotted(parseTemplate(text, parts).template, contextOf(all, of))
        const first = (name: string, within: Circumstances) =>
          (all as Blocks)[name]?.find((each) => blockAppearsIn(each, within))
        const filled = fillSlots(answer, message)
        expect(filled.html).toBe(expected(text, (name) => first(name, message), of))
        expect(answer.html).toBe(expected(text, (name) => first(name, STRICTEST_CIRCUMSTANCES), of))
        const { slots = [] } = answer
        expect(filled.blocks.map(({ id }) => id)).toEqual(
          slots.flatMap(({ name, candidates: own }) => {
            const standing = first(name, message)
            return own.find(({ id }) => id === standing?.id)?.html ? [standing?.id] : []
          }),
        )
      }),
      { numRuns: 500 },
    )
  })

  test('has its slots in order, each around what fits all messages', () => {
    fc.assert(
      fc.property(template, blocks, values, (text, all, of) => {
        const { html, slots = [] } = renderSlotted(parseTemplate(text, parts).template, contextOf(all, of))
        let from = 0
        for (const { start, end, candidates: own, name } of slots) {
          expect(start).toBeGreaterThanOrEqual(from)
          expect(html.slice(start, end)).toBe(
            own.find((each) => blockAppearsIn(each, STRICTEST_CIRCUMSTANCES))?.html ?? '',
          )
          expect(own.map(({ id }) => id)).toEqual((all as Blocks)[name]?.map(({ id }) => id))
          expect(own).not.toEqual([])
          from = end
        }
        expect(from).toBeLessThanOrEqual(html.length)
      }),
    )
  })

  test('answers without slots as without blocks', () => {
    expect(slotted('a{{x}}', { a: [candidate('1', 'x')] }, { x: '1' })).toEqual({ html: 'a1' })
    expect(slotted('a{{block b}}c{{#block d}}e{{block}}{{/block}}f')).toEqual({ html: 'acf' })
    expect(renderTemplate(read('a{{block b}}').template, { values: {}, pictureUrl: () => '' })).toBe('a')
  })

  test('[BLOCK-1] keeps what is around a block with the block', () => {
    const one = candidate('1', 'in', { audiences: INSIDE, closes: 5 })
    const answer = slotted('<t>{{#block b}}<r>{{block}}</r>{{/block}}</t>', { b: [one] })
    expect(answer).toEqual({
      html: '<t></t>',
      slots: [{ name: 'b', start: 3, end: 3, candidates: [{ ...one, html: '<r>in</r>' }] }],
    })
    expect(fillSlots(answer, { isReply: false, recipients: INSIDE }).html).toBe('<t><r>in</r></t>')
  })

  test('takes {{block}} outside of a slot for a variable, and {{block banner}} for a slot everywhere', () => {
    const text = '{{block}}{{#block a}}{{block}}{{/block}}{{block}}{{tel block}}{{block block}}'
    const kinds = read(text).template.placeholders.map(({ kind }) => kind)
    expect(kinds).toEqual(['text', 'slotStart', 'block', 'slotEnd', 'text', 'tel', 'slot'])
    expect(slotted(text, { a: [candidate('1', 'A')] }, { block: '7' }).html).toBe('7A77')
    expect(parsePart('{{block}}').template.placeholders.map(({ kind }) => kind)).toEqual(['text'])
  })

  test.each<readonly [text: string, found: readonly (readonly [number, string, string])[], html: string]>([
    [
      'x{{#block a}}y',
      [
        [1, 'slotWithoutBlock', 'a'],
        [1, 'unclosedSlot', 'a'],
      ],
      'xy',
    ],
    ['x{{#block a}}y{{block}}', [[1, 'unclosedSlot', 'a']], 'xyA'],
    ['x{{#block a}}y{{/block}}z', [[1, 'slotWithoutBlock', 'a']], 'xyz'],
    ['x{{/block}}y', [[1, 'unexpectedClose', '/block']], 'xy'],
    ['x{{#if v}}{{/block}}y{{/if}}', [[10, 'unexpectedClose', '/block']], 'xy'],
    ['x{{#block a}}{{block}}{{/if}}{{/block}}y', [[22, 'unexpectedClose', '/if']], 'xAy'],
    ['x{{#block a}}{{block}}{{else}}{{/block}}y', [[22, 'unexpectedElse', 'else']], 'xAy'],
    ['x{{#block a}}{{block}}{{block a}}{{/block}}y', [[22, 'slotInSlot', 'a']], 'xAy'],
    [
      'x{{#block a}}{{#block a}}{{block}}{{/block}}{{/block}}y',
      [
        [13, 'slotInSlot', 'a'],
        [13, 'slotWithoutBlock', 'a'],
      ],
      'xy',
    ],
    ['{{#block a}}{{block}}{{/block}}{{#block b}}{{block}}{{/block}}', [], 'AB'],
    ['{{#block}}', [[0, 'unknownPlaceholder', '#block']], ''],
    ['{{#block a b}}', [[0, 'unknownPlaceholder', '#block a b']], ''],
    ['{{block a-b}}', [[0, 'unknownPlaceholder', 'block a-b']], ''],
    ['{{block a b}}', [[0, 'unknownPlaceholder', 'block a b']], ''],
    ['{{/block a}}', [[0, 'unknownPlaceholder', '/block a']], ''],
    ['{{block gone}}', [], ''],
  ])('%j is told, and rendered', (text, found, html) => {
    expect(problems(text)).toEqual(found)
    const answer = slotted(text, { a: [candidate('1', 'A')], b: [candidate('2', 'B')] }, { v: '1' })
    expect(answer.html).toBe(html)
  })

  test('[BLOCK-7] empties the block that would make it longer than a reader takes, and has none after it', () => {
    const half = 'x'.repeat(500_000)
    const lengths = (text: string, ...all: readonly Candidate[]) =>
      slotted(text, { a: all, b: all }).slots?.map(({ candidates: own }) =>
        own.map(({ id, html }) => [id, html.length]),
      )
    const waiting = { audiences: INSIDE }
    const two = [candidate('1', half, waiting), candidate('2', half, waiting)]
    const both = [
      ['1', 500_000],
      ['2', 500_000],
    ]
    expect(lengths('{{block a}}', ...two)).toEqual([both])
    expect(lengths('{{block a}}', ...two, candidate('3', 'x'), candidate('4', 'x'))).toEqual([
      [...both, ['3', 0]],
    ])
    expect(lengths('{{block a}}{{block b}}', ...two)).toEqual([both, [['1', 0]]])
    expect(lengths('{{#block a}}x{{block}}{{/block}}', ...two)).toEqual([
      [
        ['1', 500_001],
        ['2', 0],
      ],
    ])
    let rendered = 0
    const endless = function* () {
      for (;;) yield candidate(String(rendered++), half)
    }
    const { template: of } = read('{{block a}}')
    expect(renderSlotted(of, { ...contextOf({}), blocksIn: endless }).slots?.[0]?.candidates).toHaveLength(3)
    expect(rendered).toBe(3)
  })
})

describe('an address that is counted', () => {
  const render = (text: string, countedUrl?: (address: string) => string) =>
    renderTemplate(read(text).template, { ...contextOf({}), ...(countedUrl && { countedUrl }) })

  test.each([
    ['{{counted https://a.example/?b=1&c=2}}', 'https://a.example/?b=1&c=2'],
    ['{{ counted  HTTP://a.example }}', 'HTTP://a.example'],
    // As it is copied from the markup of a link.
    ['{{counted https://a.example/?b=1&amp;c=2}}', 'https://a.example/?b=1&c=2'],
  ])('%s leads to %s', (text, address) => {
    expect(problems(text)).toEqual([])
    expect(read(text).template.placeholders).toEqual([
      { kind: 'counted', names: [address], at: 0, end: text.length },
    ])
    expect(render(text)).toBe(address.replaceAll('&', '&amp;'))
    expect(render(text, (given) => `https://s.example/go/${given.length}?"`)).toBe(
      `https://s.example/go/${address.length}?&quot;`,
    )
  })

  test.each([
    'mailto:a@b.example',
    'javascript:alert(1)',
    'a.example',
    'https://',
    'https://a b',
    "https://a'",
  ])('is not %s', (address) => {
    expect(problems(`{{counted ${address}}}`)).toEqual([[0, 'unknownPlaceholder', `counted ${address}`]])
  })
})

const [sample] = fc.sample(document, { seed: 1, numRuns: 1 }) as [ReleaseDocument]
const [someone] = fc.sample(anyPerson, { seed: 1, numRuns: 1 }) as [PersonState]
const [someSignature] = fc.sample(anySignature, { seed: 1, numRuns: 1 }) as [Signature]
const blockOf = (id: string, over: Partial<Block> = {}): Block =>
  block({ id, name: id, template: 'templates/banner.html', ...over })

describe('a share', () => {
  const people = Array.from({ length: 10_000 }, (_, index) => ({ ...someone, id: `person-${index}` }))
  const portion = (of: (person: PersonState) => boolean) => people.filter(of).length / 100

  test.each([1, 10, 25, 50, 75, 99, 100])('[BLOCK-4] of %i percent is of as many people', (share) => {
    for (const id of ['autumn', 'b', 'careers_2026']) {
      const block = blockOf(id, { share })
      expect(Math.abs(portion((person) => isBlockFor(block, person)) - share)).toBeLessThanOrEqual(2)
    }
    expect(portion((person) => isBlockFor(blockOf('all'), person))).toBe(100)
  })

  test('[BLOCK-4] has the same people every day, and in another program', () => {
    const block = blockOf('autumn', { share: 50 })
    const release = compileRelease('r', { ...sample, blocks: [block] })
    for (const person of people.slice(0, 50)) {
      const days = ['2026-01-01', '2026-01-02', '2026-11-26', '2030-02-28'].map((day) => Date.parse(day))
      const gets = days.map((at) => candidatesIn(release, 'banner', person, at).length)
      expect(gets).toEqual(days.map(() => (placeInShare(block, person) < 50 ? 1 : 0)))
    }
    // Kept as numbers: a person who changes sides would see both halves of a test.
    expect(people.slice(0, 4).map((person) => placeInShare(block, person))).toMatchInlineSnapshot(`
      [
        46.81,
        87.32,
        3.94,
        65.78,
      ]
    `)
  })

  test('[BLOCK-4] has fewer people than a larger one, and the same among them', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.nat(9_999), (share, index) => {
        const person = people[index] ?? someone
        if (!isBlockFor(blockOf('a', { share }), person)) return
        expect(isBlockFor(blockOf('a', { share: share + 1 }), person)).toBe(true)
      }),
    )
  })

  test('[BLOCK-4] of blocks that follow each other divides the rest', () => {
    const blocks = [blockOf('one', { share: 50 }), blockOf('two', { share: 50 }), blockOf('rest')]
    const release = compileRelease('r', { ...sample, blocks })
    const firstOf = (person: PersonState) => candidatesIn(release, 'banner', person, 0)[0]?.id
    const counts = ['one', 'two', 'rest'].map((id) => portion((person) => firstOf(person) === id))
    for (const [index, wanted] of [50, 25, 25].entries())
      expect(Math.abs((counts[index] ?? 0) - wanted)).toBeLessThanOrEqual(2)
  })
})

const hiddenIn = (of: ReleaseDocument) => runSteps(findingHiddenBlocks(of))
const moment = fc.constantFrom('2026-01-15', '2026-02-10', '2026-03-10').map((day) => Date.parse(day))

describe('the blocks of a signature', () => {
  const addresses = (of: PersonState) => ({
    pictures: 'https://s.example/images',
    pictureUrl: portraitAddress('https://s.example/images', of.picture),
  })

  test('[BLOCK-1] are in each slot the first that fits person, moment and message', () => {
    fc.assert(
      fc.property(anyRelease, anyPerson, moment, circumstances, (release, person, at, written) => {
        const message = { ...written, at }
        const [signature] = release.document.signatures
        fc.pre(signature !== undefined)
        const answer = slottedSignature(release, signature, 'signature', person, addresses(person), at)
        fc.pre(answer !== null)
        const stands = (block: Block) =>
          isPeriodOpen(block.during, at) &&
          isBlockFor(block, person) &&
          (block.thread === undefined || block.thread === message.thread) &&
          blockAppearsIn(
            {
              audiences: recipientAudiences(release, block),
              replies: block.replies,
              ...(hasOpenTimes(block) && { open: openTimesOf(release, block, person, at) ?? [] }),
            },
            message,
          )
        const first = release.document.blocks?.find((block) => block.slot === 'banner' && stands(block))
        const { html, blocks } = fillSlots(answer, message)
        const own = first ? (renderBlock(release, first, person, addresses(person)) ?? '') : ''
        expect(blocks.map(({ id }) => id)).toEqual(first && own !== '' ? [first.id] : [])
        const frame = renderFrame(release, signature, 'signature', person, addresses(person)) ?? ''
        expect(html).toBe(own === '' ? frame : `${frame}<div>${own}</div>`)
        const of = renderSignature(release, signature, 'signature', person, addresses(person), at, message)
        expect(of).toBe(html)
      }),
      { numRuns: 300 },
    )
  })

  test('of all moments are those of each, in order', () => {
    fc.assert(
      fc.property(anyRelease, anyPerson, moment, (release, person, at) => {
        const all = candidatesIn(release, 'banner', person, null)
        const then = candidatesIn(release, 'banner', person, at)
        expect(all.filter((block) => then.includes(block))).toEqual(then)
      }),
    )
  })

  test.each(['internal', 'external'] as const)(
    'of an organisation without domains of its own leave out those for %s recipients, and hide none behind them',
    (recipients) => {
      const blocks = [blockOf('some', { recipients }), blockOf('all')]
      const idsIn = (internal: readonly string[], at: number | null) =>
        candidatesIn(compileRelease('r', { ...sample, internal, blocks }), 'banner', someone, at).map(
          ({ id }) => id,
        )
      for (const at of [0, null]) {
        expect(idsIn(INSIDE, at)).toEqual(['some', 'all'])
        expect(idsIn([], at)).toEqual(['all'])
      }
      expect([...hiddenIn({ ...sample, internal: [], blocks }).keys()]).toEqual([])
      expect(
        fitsAllMessages({ document: { ...sample, internal: [] } }, blockOf('some', { recipients })),
      ).toBe(false)
    },
  )

  const signature: Signature = { ...someSignature, id: 's', template: 'templates/a.html' }
  const releaseOf = (...blocks: readonly Block[]) =>
    compileRelease('r', {
      ...sample,
      signatures: [signature],
      templates: {
        'templates/a.html': '<p>A</p>{{#block banner}}<div>{{block}}</div>{{/block}}',
        'templates/banner.html': '<a href="{{counted https://a.example/}}">B</a>',
        'templates/other.html': 'C',
      },
      blocks,
    })

  test('[BLOCK-7] leave the slot of one that cannot be rendered empty, and keep the signature whole', () => {
    const release = releaseOf(
      blockOf('bad'),
      blockOf('gone', { template: 'templates/gone.html' }),
      blockOf('good', { template: 'templates/other.html' }),
    )
    const failures: unknown[] = []
    const error = new Error('no link')
    const of = (blocks: readonly Block[]) =>
      slottedSignature(
        compileRelease('r', { ...release.document, blocks }),
        signature,
        'signature',
        someone,
        {
          ...addresses(someone),
          countedUrl: () => {
            throw error
          },
        },
        0,
        (...told) => failures.push(told),
      )
    const [bad, gone, good] = release.document.blocks as [Block, Block, Block]
    const answer = of([{ ...bad, recipients: ['x.example'] }, { ...gone, recipients: ['y.example'] }, good])
    const filledFor = (domain: string) =>
      answer && fillSlots(answer, { isReply: false, recipients: [domain] })
    const htmlFor = (domain: string) => filledFor(domain)?.html
    expect(answer?.html).toBe('<p>A</p><div>C</div>')
    expect(['x.example', 'y.example', 'z.example'].map(htmlFor)).toEqual([
      '<p>A</p>',
      '<p>A</p>',
      '<p>A</p><div>C</div>',
    ])
    expect(filledFor('x.example')?.blocks).toEqual([])
    expect(failures).toEqual([['bad', error]])
    expect(of([bad])?.html).toBe('<p>A</p>')
  })

  test('count clicks with the id of the block', () => {
    const counted = slottedSignature(
      releaseOf(blockOf('autumn')),
      signature,
      'signature',
      someone,
      {
        ...addresses(someone),
        countedUrl: (block, address) => `https://s.example/${block}/${address.length}`,
      },
      0,
    )
    expect(counted?.html).toContain('href="https://s.example/autumn/18"')
  })

  test('say for whom and until when they are', () => {
    const during = { from: '2026-01-01', to: '2026-01-31', timeZone: 'Europe/Berlin' }
    const some = { for: [[{ by: 'person' as const, values: [someone.addresses[0] ?? ''] }]], not: [] }
    const answer = slottedSignature(
      releaseOf(
        blockOf('some', { selection: some, recipients: ['x.example'] }),
        blockOf('half', { share: 99, replies: false }),
        blockOf('all', { name: 'For all', during, recipients: 'external' }),
      ),
      signature,
      'signature',
      someone,
      addresses(someone),
      Date.parse('2026-01-15T12:00:00Z'),
    )
    expect(answer?.slots?.[0]?.candidates.map(({ html: _, ...told }) => told)).toEqual([
      {
        id: 'some',
        name: 'some',
        audiences: ['x.example'],
        replies: true,
        everyone: false,
        closes: null,
      },
      { id: 'half', name: 'half', audiences: [], replies: false, everyone: false, closes: null },
      {
        id: 'all',
        name: 'For all',
        audiences: ['!in.example'],
        replies: true,
        everyone: true,
        closes: Date.parse('2026-01-31T23:00:00Z'),
      },
    ])
  })
})

test('a block in some of the messages leaves the others to the next block', () => {
  const blocks = [
    block({ id: 'some', share: 30, turns: 'mail' }),
    block({ id: 'all' }),
    block({ id: 'none' }),
  ]
  const candidates = candidatesIn(compileRelease('r', { ...sample, blocks }), 'banner', someone, 0)
  expect(candidates.map(({ id }) => id)).toEqual(['some', 'all'])
})

describe('[BLOCK-12] a block that is never reached', () => {
  const within = (from: string, to: string, timeZone = 'UTC') => ({ during: { from, to, timeZone } })
  const german = { selection: { for: [[{ by: 'group' as const, values: ['sales'] }]], not: [] } }
  const hidden = (...blocks: readonly Block[]) =>
    [...hiddenIn({ ...sample, internal: INSIDE, blocks, lists: { A: ['a.b'], B: ['a.b'] } })].map(
      ([id, by]) => [id, by.id],
    )

  test.each<readonly [what: string, earlier: Partial<Block>, later: Partial<Block>, isHidden: boolean]>([
    ['for everyone, always', {}, { ...german, ...within('2026-01-01', '2026-01-02'), share: 5 }, true],
    ['in another slot', {}, { slot: 'other' }, false],
    ['with a share', { share: 99 }, {}, false],
    ['with a share of messages', { share: 99, turns: 'mail' }, {}, false],
    ['for all messages', {}, { share: 99, turns: 'mail' }, true],
    ['for some', german, {}, false],
    ['for the same people', german, german, true],
    ['but not for some', { selection: { for: 'everyone', not: german.selection.for } }, {}, false],
    ['for some recipients', { recipients: 'external' }, {}, false],
    ['for the same recipients', { recipients: 'external' }, { recipients: 'external' }, true],
    ['for other recipients', { recipients: 'external' }, { recipients: 'internal' }, false],
    ['for recipients by their names', { recipients: 'internal' }, { recipients: INSIDE }, true],
    [
      'for the same recipients and others',
      { recipients: ['x.example', 'IN.example'] },
      { recipients: INSIDE },
      true,
    ],
    [
      'for the same recipients in another order',
      { recipients: ['a.b', 'c.d'] },
      { recipients: ['c.d', 'a.b'] },
      true,
    ],
    [
      'for some of its recipients',
      { recipients: INSIDE },
      { recipients: ['x.example', 'in.example'] },
      false,
    ],
    ['for some recipients, itself for all', { recipients: INSIDE }, {}, false],
    ['for the domain of its recipients', { recipients: ['a.b'] }, { recipients: ['x@a.b', 'a.b'] }, true],
    ['for the domain of some of them', { recipients: ['a.b'] }, { recipients: ['x@a.b', 'y@c.d'] }, false],
    ['for one of the domain', { recipients: ['x@a.b'] }, { recipients: ['a.b'] }, false],
    ['for the same list', { recipients: ['A', 'a.b'] }, { recipients: ['A'] }, true],
    ['for a list of the same entries', { recipients: ['A'] }, { recipients: ['B'] }, false],
    ['for the domain of a list', { recipients: ['a.b'] }, { recipients: ['A'] }, false],
    ['for the same messages of a thread', { thread: 'later' }, { thread: 'later' }, true],
    ['for all messages of a thread', {}, { thread: 'later' }, true],
    ['for first messages, itself only in new ones', { thread: 'first' }, { replies: false }, true],
    ['for later messages, itself only in new ones', { thread: 'later' }, { replies: false }, false],
    ['for other messages of a thread', { thread: 'first' }, { thread: 'later' }, false],
    ['for some messages of a thread, itself for all', { thread: 'first' }, {}, false],
    [
      'for recipients outside of more domains',
      { recipients: ['!in.example', '!b.c'] },
      { recipients: 'external' },
      false,
    ],
    [
      'for recipients outside of fewer domains',
      { recipients: 'external' },
      { recipients: ['!b.c', '!in.example'] },
      false,
    ],
    ['not in replies', { replies: false }, {}, false],
    ['not in replies, as the later one', { replies: false }, { replies: false }, true],
    ['in a period', within('2026-01-01', '2026-01-31'), {}, false],
    ['in a longer period', within('2026-01-01', '2026-01-31'), within('2026-01-01', '2026-01-30'), true],
    [
      'in a period that ends earlier',
      within('2026-01-01', '2026-01-30'),
      within('2026-01-01', '2026-01-31'),
      false,
    ],
    [
      'in a period that begins later',
      within('2026-01-02', '2026-01-31'),
      within('2026-01-01', '2026-01-31'),
      false,
    ],
    [
      'in a period of another zone',
      within('2026-01-01', '2026-01-31'),
      within('2026-01-01', '2026-01-31', 'Europe/Berlin'),
      false,
    ],
  ])('stands behind one %s', (_, earlier, later, isHidden) => {
    const told = hidden(blockOf('earlier', earlier), blockOf('later', later))
    expect(told).toEqual(isHidden ? [['later', 'earlier']] : [])
    expect(hidden(blockOf('later', later))).toEqual([])
  })

  test('stands in no message in which the one before it does not, whatever the recipients of both', () => {
    const domains = ['in.example', 'out.example', 'third.example']
    const audiences = fc.subarray([...domains, '!in.example', '!out.example'])
    fc.assert(
      fc.property(audiences, audiences, fc.subarray(domains), (earlier, later, written) => {
        fc.pre(hidden(blockOf('a', { recipients: earlier }), blockOf('b', { recipients: later })).length > 0)
        const stands = (recipients: readonly string[]) =>
          blockAppearsIn({ audiences: recipients, replies: true }, { isReply: false, recipients: written })
        expect([stands(earlier), stands(later)]).not.toEqual([false, true])
      }),
    )
  })

  test('is told with the first that always stands there', () => {
    expect(hidden(blockOf('a'), blockOf('b'), blockOf('c'))).toEqual([
      ['b', 'a'],
      ['c', 'a'],
    ])
    expect(hiddenIn({ ...sample, blocks: [] })).toEqual(new Map())
  })

  test('never stands in its slot', () => {
    fc.assert(
      fc.property(anyRelease, anyPerson, moment, circumstances, (release, person, at, message) => {
        const told = hiddenIn(release.document)
        const [block] = candidatesIn(release, 'banner', person, at).filter((each) =>
          blockAppearsIn(
            {
              audiences: recipientAudiences(release, each),
              replies: each.replies,
              ...(each.thread && { thread: each.thread }),
            },
            message,
          ),
        )
        expect(told.has(block?.id ?? '')).toBe(false)
        for (const [id, by] of told) {
          const ids = release.document.blocks?.map((each) => each.id) ?? []
          expect(ids.indexOf(by.id)).toBeLessThan(ids.indexOf(id))
        }
      }),
      { numRuns: 500 },
    )
  })
})
