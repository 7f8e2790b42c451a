import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changesAnything,
  groupPlans,
  isRenderedGroup,
  MAX_DRAWN_CHARACTERS,
  MAX_MISSING_VARIABLES,
  shownUses,
  variableChanges,
  type SignatureAspect,
  type PersonPlan,
} from '../../../../streams/organisation/plan/plan.ts'
import type { BlockAspect, BlockChange } from '../../../../streams/organisation/plan/blockChange.ts'
import { PLAIN_FORMATS } from '../../../../streams/organisation/template/formats.ts'
import {
  type Block,
  compileRelease,
  type Condition,
  type Release,
  type ReleaseDocument,
  type GuardRule,
  type Selection,
  type Signature,
  type Variable,
} from '../../../../streams/organisation/release/release.ts'
import {
  portraitAddress,
  renderFrame,
  type SignatureKind,
  slottedSignature,
} from '../../../../streams/organisation/rendering/render.ts'
import {
  assignedSignatures,
  isBlockFor,
  recipientAudiences,
  sendersFor,
  defaultChoice,
  delegatedAddresses,
  guardFor,
  mayChooseDefault,
  windowOf,
} from '../../../../streams/organisation/rules/rules.ts'
import { enteredDays } from '../../../../streams/organisation/rules/openTimes.ts'
import { DAY_MS, dayOf } from '../../../../streams/organisation/release/names.ts'
import { withCorrections } from '../../../../streams/organisation/facts/corrections.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { block as anyBlock } from '../../../support/blocks.ts'
import { variableOf } from '../../../support/variables.ts'
import { runSteps } from '../../../../streams/kernel/steps.ts'
import { compareReleases, planFor, plannedFor } from '../../../support/planned.ts'
import { document as smallDocument, person as smallPerson } from '../arbitraries.ts'

const PICTURES = 'https://signet.example.com/images'
const NOON = Date.parse('2026-10-01T12:00:00Z')
const EVERYONE: Selection = { for: 'everyone', not: [] }

const person = (fields: Partial<PersonState> = {}): PersonState => ({
  id: 'p1',
  revision: 1,
  account: null,
  active: true,
  addresses: ['maria@northwind.example'],
  language: null,
  directory: { department: 'Sales', phone: '+49 30 1234' },
  groups: [],
  values: {},
  metadata: {},
  picture: null,
  directoryPicture: null,
  ...fields,
})

const signature = (fields: Partial<Signature> & Pick<Signature, 'id'>): Signature => ({
  name: fields.id,
  template: 'templates/corporate.html',
  reply: null,
  mobile: null,
  selection: EVERYONE,
  during: null,
  recipients: 'everyone',
  collection: null,
  ...fields,
})

const document = (fields: Partial<ReleaseDocument> = {}): ReleaseDocument => ({
  version: 1,
  organisation: 'Northwind',
  internal: ['northwind.example'],
  chooseDefault: EVERYONE,
  plan: { from: null, value: 'full' },
  variables: [variableOf('phone', { from: 'phone' })],
  signatures: [signature({ id: 'corporate' })],
  mailboxes: [],
  templates: { 'templates/corporate.html': '<p>{{phone}}</p>' },
  pictures: {},
  ...fields,
})

const release = (fields: Partial<ReleaseDocument> = {}): Release => compileRelease('r', document(fields))

const plan = (before: Release | null, after: Release, who = person()): PersonPlan =>
  planFor(compareReleases(before, after, PICTURES), who, new Map(), NOON)

const summaryOf = (before: Release | null, after: Release, people: readonly PersonState[]) => {
  const comparison = compareReleases(before, after, PICTURES)
  const groups = groupPlans(comparison, NOON)
  for (const each of people) runSteps(groups.adding(plannedFor(comparison, each, new Map(), NOON)))
  return groups.summary()
}

describe('the plan of a release', () => {
  const field = (name: string, ...values: string[]): Condition => ({ by: 'field', field: name, values })

  // Few words each, so that releases share most of what they have, and one difference is often the only one.
  const arbitraryCondition: fc.Arbitrary<Condition> = fc.oneof(
    fc.constantFrom(field('department', 'Sales'), field('department', 'Sales', 'Legal')),
    fc.constant<Condition>({ by: 'group', values: ['emea'] }),
    fc.constantFrom<Condition>(
      { by: 'address', values: ['*@northwind.example'] },
      { by: 'address', values: ['*@elsewhere.example'] },
    ),
  )
  const arbitrarySelection: fc.Arbitrary<Selection> = fc.record({
    for: fc.oneof(
      fc.constant('everyone' as const),
      fc.array(fc.array(arbitraryCondition, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
    ),
    not: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      fc.array(fc.array(arbitraryCondition, { minLength: 1, maxLength: 1 }), { maxLength: 1 }),
    ),
  })
  const PATHS = ['templates/a.html', 'templates/b.html']
  const SLOTS = [
    '{{block banner}}',
    '{{#block banner}}<b>{{block}}</b>{{/block}}',
    '{{#block notice}}{{#if mobile}}{{block}}{{/if}}{{/block}}',
    '{{#if mobile}}{{block notice}}{{/if}}',
  ]
  const arbitraryText = fc
    .array(
      fc.constantFrom(
        '<p>Hi</p>',
        '{{phone}}',
        '{{tel phone}}',
        '{{display_name}}',
        '{{email}}',
        '{{picture_url}}',
        '{{first mobile phone}}',
        '{{#if mobile}}M{{mobile}}{{else}}-{{/if}}',
        '{{picture logo.png}}',
        '{{picture logo.png linked}}',
        '{{> legal}}',
        '+49',
        ...SLOTS,
      ),
      { maxLength: 3 },
    )
    .map((pieces) => pieces.join(''))
  const inBerlin = (from: string, to: string) => ({ from, to, timeZone: 'Europe/Berlin' })
  /** Over, open, later, later and longer, and the days of the second in another time zone. */
  const DAYS = [
    inBerlin('2026-08-01', '2026-09-30'),
    inBerlin('2026-09-01', '2026-11-30'),
    inBerlin('2026-11-01', '2026-12-31'),
    inBerlin('2026-12-01', '2027-06-30'),
    { ...inBerlin('2026-09-01', '2026-11-30'), timeZone: 'Asia/Tokyo' },
  ]
  const hoursUntil = (to: string) => ({
    spans: [{ days: [1, 2, 3, 4, 5], from: '08:00', to }],
    timeZone: 'Europe/Berlin',
  })
  const HOURS = [hoursUntil('12:00'), hoursUntil('18:00')]
  const ownDaysOf = (what: string, before: number) => ({
    from: `${what}_from`,
    to: `${what}_to`,
    before,
    timeZone: 'Europe/Berlin',
  })
  const OWN_DAYS = [ownDaysOf('absence', 0), ownDaysOf('travel', 7)]
  const threads = fc.constantFrom(undefined, undefined, 'first' as const, 'later' as const)
  const arbitrarySignature = (id: string): fc.Arbitrary<Signature> =>
    fc
      .record({
        id: fc.constant(id),
        name: fc.constantFrom('One', 'Two'),
        template: fc.constantFrom(...PATHS),
        reply: fc.constantFrom(null, ...PATHS),
        mobile: fc.constantFrom(null, ...PATHS),
        meeting: fc.constantFrom(null, ...PATHS),
        selection: arbitrarySelection,
        during: fc.constantFrom(
          null,
          null,
          { from: '2026-09-01', to: '2026-11-30', timeZone: 'Europe/Berlin' },
          { from: '2027-09-01', to: '2027-11-30', timeZone: 'Europe/Berlin' },
        ),
        recipients: fc.constantFrom(
          'everyone' as const,
          'external' as const,
          ['a.example'],
          ['x@a.example'],
          ['A'],
        ),
        collection: fc.constantFrom(null, 'Fairs'),
        thread: threads,
      })
      .map(({ meeting, thread, ...each }) => ({
        ...each,
        ...(meeting !== null && { meeting }),
        ...(thread && { thread }),
      }))
  const arbitraryBlock = (id: string): fc.Arbitrary<Block> =>
    fc
      .record({
        id: fc.constant(id),
        name: fc.constantFrom(id, 'One'),
        slot: fc.constantFrom('banner', 'banner', 'notice'),
        template: fc.constantFrom('templates/block.html', 'templates/c.html'),
        selection: fc.oneof(fc.constant(EVERYONE), arbitrarySelection),
        during: fc.constantFrom(null, ...DAYS),
        recipients: fc.constantFrom<Block['recipients']>(
          'everyone',
          'everyone',
          'external',
          ['a.example'],
          ['x@a.example'],
          ['A'],
        ),
        replies: fc.constantFrom(true, true, false),
        share: fc.constantFrom(100, 100, 50),
        thread: threads,
        hours: fc.constantFrom(undefined, undefined, ...HOURS),
        ownDays: fc.constantFrom(undefined, undefined, ...OWN_DAYS),
        isByMail: fc.boolean(),
      })
      .map(({ thread, hours, ownDays, isByMail, ...each }) => ({
        ...each,
        ...(thread && { thread }),
        ...(hours && { hours }),
        ...(ownDays && { ownDays }),
        ...(isByMail && each.share < 100 && { turns: 'mail' as const }),
      }))
  const arbitraryVariable = (path: string) =>
    fc.record({
      path: fc.constant(path),
      from: fc.constantFrom(null, 'phone', 'name'),
      value: fc.constantFrom(null, '+49', 'x'),
      edit: fc.boolean(),
      resync: fc.boolean(),
      hidden: fc.boolean(),
      label: fc.constant(null),
      group: fc.constant('rest'),
    })
  /** The variables with the days that people enter: by themselves, or in the directory. */
  const arbitraryDays = fc.tuple(
    ...OWN_DAYS.flatMap(({ from, to }) => [from, to]).map((path) =>
      fc.constantFrom(...[{ edit: true }, { from: path }].map((over) => variableOf(path, over))),
    ),
  )
  const arbitraryMailbox = (address: string) =>
    fc.record({
      address: fc.constant(address),
      selection: arbitrarySelection,
      values: fc.constantFrom({}, { phone: '1' }, { display_name: 'Desk' }, { first_name: 'Desk' }),
    })
  const arbitraryBlocks = fc
    .tuple(...['autumn', 'winter', 'careers'].map(arbitraryBlock))
    .chain((all) => fc.shuffledSubarray(all))
    .map((blocks) => (blocks.length > 0 ? { blocks } : {}))
  const arbitraryDocument: fc.Arbitrary<ReleaseDocument> = fc
    .tuple(
      arbitraryFrame(),
      arbitraryBlocks,
      fc.constantFrom<Pick<ReleaseDocument, 'counting'>>({}, {}, { counting: true }),
      fc.constantFrom<Pick<ReleaseDocument, 'linked'>>({}, {}, { linked: true }),
      fc.option(
        arbitrarySelection.map((selection): readonly GuardRule[] => [
          { missing: 'signature', selection, recipients: 'external' },
          { missing: 'signature', selection, recipients: ['A'] },
        ]),
      ),
    )
    .map(([frame, blocks, counting, linked, guard]) => ({
      ...frame,
      ...blocks,
      ...counting,
      ...linked,
      ...(guard && { guard }),
    }))
  function arbitraryFrame(): fc.Arbitrary<ReleaseDocument> {
    return fc.record({
      version: fc.constant(1 as const),
      organisation: fc.constant('Northwind'),
      internal: fc.constantFrom(['northwind.example'], ['northwind.example', 'northwind.test']),
      chooseDefault: arbitrarySelection,
      plan: fc.constant({ from: null, value: 'full' }),
      variables: fc
        .tuple(...['phone', 'mobile', 'display_name', 'first_name'].map(arbitraryVariable))
        .chain((all) => fc.tuple(fc.subarray(all), arbitraryDays))
        .map(([some, days]) => [...some, ...days]),
      signatures: fc
        .tuple(...['one', 'two', 'three'].map(arbitrarySignature))
        .chain((all) => fc.shuffledSubarray(all)),
      mailboxes: fc
        .tuple(...['desk@northwind.example', 'maria@northwind.example'].map(arbitraryMailbox))
        .chain((all) => fc.subarray(all)),
      templates: fc.record({
        'templates/a.html': arbitraryText,
        'templates/b.html': arbitraryText,
        'templates/legal.part.html': fc.constantFrom(
          ...['<i>Ltd</i>', '{{phone}}', '{{picture logo.png}}', '{{block notice}}'],
        ),
        'templates/block.html': fc.constantFrom('<hr>', '{{phone}}', '{{counted https://a.example/x}}'),
        'templates/c.html': fc.constantFrom('<hr>', '<br>'),
      }),
      lists: fc.constantFrom({ A: ['a.example'] }, { A: ['b.example', 'x@a.example'] }),
      pictures: fc.constantFrom({}, { 'logo.png': 'a'.repeat(32) }, { 'logo.png': 'b'.repeat(32) }),
    })
  }
  /** Often a release of which only some parts were edited. */
  const arbitraryPair = fc.tuple(arbitraryDocument, arbitraryDocument).chain(([before, other]) =>
    fc.oneof(
      fc.constant([null, other] as const),
      fc
        .subarray(Object.keys(other) as (keyof ReleaseDocument)[])
        .map(
          (edited) =>
            [before, { ...before, ...Object.fromEntries(edited.map((key) => [key, other[key]])) }] as const,
        ),
      fc.subarray([0, 1, 2]).map(
        (edited) =>
          [
            before,
            {
              ...before,
              signatures: before.signatures.map((each, index) =>
                edited.includes(index) ? (other.signatures.find(({ id }) => id === each.id) ?? each) : each,
              ),
            },
          ] as const,
      ),
    ),
  )
  const arbitraryPerson = (id: string, addresses: readonly string[]): fc.Arbitrary<PersonState> =>
    fc
      .record({
        department: fc.constantFrom('Sales', 'Legal', 'Law'),
        phone: fc.constantFrom('', '+49', '1'),
        groups: fc.constantFrom([], ['emea']),
        values: fc.constantFrom({}, { phone: '7' }, { mobile: '8' }),
        absence: fc.constantFrom({}, { absence_from: '2026-10-05', absence_to: '2026-10-09' }),
        corrected: fc.constantFrom({}, {}, { phone: { value: '2', by: 'a', at: 1, until: 'changed' } }),
        picture: fc.constantFrom(null, `${'c'.repeat(32)}.png`),
        master: fc.constantFrom(null, 'one-p1', 'two-p1', 'one-desk', 'gone-p1'),
        byHand: fc.constantFrom<object | null>(
          ...[null, null, null, { excluded: { by: 'a', at: 1, until: 'removed' } }],
          ...['one', 'two', 'gone'].map((each) => ({
            pinned: { signature: each, by: 'a', at: 1, until: 'removed' },
          })),
        ),
      })
      .map(({ department, phone, groups, values, absence, corrected, picture, master, byHand }) =>
        person({
          id,
          addresses,
          ...withCorrections({ directory: { department, phone, name: 'Maria' } }, (own) => ({
            ...own,
            ...byHand,
            fields: corrected,
          })),
          groups,
          values: { ...values, ...absence },
          picture,
          metadata: master === null ? {} : { defaultSignature: { master } },
        }),
      )
  const arbitraryPeople = fc.tuple(
    arbitraryPerson('p1', ['maria@northwind.example']),
    arbitraryPerson('desk', ['desk@northwind.example', 'maria@elsewhere.example']),
    arbitraryPerson('both', ['team@elsewhere.example', 'desk@northwind.example', 'maria@northwind.example']),
  )

  /** All that a person is answered of signatures: found without the plan. */
  const answered = (from: Release | null, who: PersonState, owners: ReadonlyMap<string, PersonState>) =>
    from === null
      ? { signatures: [], choice: null, delegated: [], mayChoose: false, guard: null }
      : {
          signatures: assignedSignatures(from, who, NOON).map((each) => {
            const render = (use: 'signature' | 'reply' | 'mobile' | 'meeting') =>
              renderFrame(from, each, use, who, {
                pictures: PICTURES,
                pictureUrl: portraitAddress(PICTURES, who.picture),
              })
            const html = (['signature', 'reply', 'mobile', 'meeting'] as const).map(render).join('')
            const sent = (below: string) =>
              [...html.matchAll(new RegExp(`/images/${below}([^/]+)/`, 'g'))].map(([, hash]) => hash)
            const told: Record<Exclude<SignatureAspect, 'linked' | 'attached'>, unknown> = {
              signature: render('signature'),
              reply: render('reply'),
              mobile: render('mobile'),
              meeting: render('meeting'),
              name: each.name,
              recipients: recipientAudiences(from, each),
              senders: sendersFor(each, who) ?? null,
              thread: each.thread,
              collection: each.collection,
            }
            return { id: each.id, told, attached: sent('(?!linked/)'), linked: sent('linked/') }
          }),
          choice: defaultChoice(from, who, NOON, owners)?.choice ?? null,
          delegated: delegatedAddresses(from, who),
          mayChoose: mayChooseDefault(from, who),
          guard: guardFor(from, who),
        }

  test('[SRV-18] tells for every person exactly what they are answered in another way', () => {
    fc.assert(
      fc.property(arbitraryPair, arbitraryPeople, ([old, now], people) => {
        const before = old && compileRelease('before', old)
        const after = compileRelease('after', now)
        const owners = new Map(people.map((each) => [each.id, each]))
        const comparison = compareReleases(before, after, PICTURES)
        for (const who of people) {
          const told = planFor(comparison, who, owners, NOON)
          const [was, is] = [answered(before, who, owners), answered(after, who, owners)]
          const [wasIds, isIds] = [was, is].map(({ signatures }) => signatures.map(({ id }) => id)) as [
            string[],
            string[],
          ]
          const changed = is.signatures.flatMap(({ id, ...now }) => {
            const old = was.signatures.find((each) => each.id === id)
            if (!old) return [{ kind: 'added', signature: id, aspects: [] as string[] }]
            const [oldTold, nowTold] = [old.told, now.told] as Readonly<Record<string, unknown>>[]
            const differing = Object.keys(now.told).filter(
              (aspect) => JSON.stringify(nowTold?.[aspect]) !== JSON.stringify(oldTold?.[aspect]),
            )
            const uses = differing.filter((aspect) =>
              ['signature', 'reply', 'mobile', 'meeting'].includes(aspect),
            )
            const aspects = [
              ...uses,
              ...(old.attached.some((hash) => now.linked.includes(hash) && !old.linked.includes(hash))
                ? ['linked']
                : []),
              ...(old.linked.some((hash) => now.attached.includes(hash) && !old.attached.includes(hash))
                ? ['attached']
                : []),
              ...differing.slice(uses.length),
            ]
            return aspects.length === 0 ? [] : [{ kind: 'changed', signature: id, aspects }]
          })
          const removed = wasIds
            .filter((id) => !isIds.includes(id))
            .map((id) => ({ kind: 'removed', signature: id, aspects: [] as string[] }))
          expect(
            told.signatures.map(({ kind, signature, aspects }) => ({ kind, signature, aspects })),
          ).toEqual([...changed, ...removed])
          expect(told.default?.from?.choice ?? null).toEqual(told.default && was.choice)
          expect(told.default?.to?.choice ?? null).toEqual(told.default && is.choice)
          expect(told.default !== null).toBe(JSON.stringify(was.choice) !== JSON.stringify(is.choice))
          expect(told.losesAll).toBe(wasIds.length > 0 && isIds.length === 0)
          expect(told.reordered).toBe(
            wasIds.filter((id) => isIds.includes(id)).join() !==
              isIds.filter((id) => wasIds.includes(id)).join(),
          )
          expect(told.mayChoose).toBe(was.mayChoose === is.mayChoose ? null : is.mayChoose)
          const isSameGuard = JSON.stringify(was.guard) === JSON.stringify(is.guard)
          const askedNow = was.guard === null ? 'added' : is.guard === null ? 'removed' : 'changed'
          expect(told.asked).toBe(isSameGuard ? undefined : askedNow)
          expect(told.mailboxes).toEqual({
            added: is.delegated.filter((each) => !was.delegated.includes(each)),
            removed: was.delegated.filter((each) => !is.delegated.includes(each)),
          })
          expect(changesAnything(told)).toBe(
            JSON.stringify(was) !== JSON.stringify(is) || told.blocks !== undefined,
          )
        }
      }),
    )
  })

  /** The moments from the plan on at which a period of one of the releases opens or ends. Between them nothing does. */
  const momentsOf = (...all: readonly (Release | null)[]): readonly number[] => [
    NOON,
    ...all
      .flatMap((each) => (each ? [...each.document.signatures, ...(each.document.blocks ?? [])] : []))
      .flatMap(({ during }) => {
        const { opens, closes } = (during && windowOf(during)) ?? { opens: 0, closes: 0 }
        return [opens, closes].filter((moment) => moment > NOON)
      }),
  ]
  /**
   * The person, and the same one with other days entered: for each kind of own days in the releases, some that are open
   * at a moment.
   */
  const entering = (
    all: readonly (Release | null)[],
    who: PersonState,
    at: number,
  ): readonly PersonState[] => {
    const blocks = all.flatMap((each) => each?.document.blocks ?? [])
    const kinds = OWN_DAYS.filter((kind) => blocks.some(({ ownDays }) => ownDays === kind))
    return [
      who,
      ...kinds.map((kind) => {
        const entered = Object.fromEntries(
          OWN_DAYS.flatMap((each) => [
            [each.from, each === kind ? dayOf(at - DAY_MS) : ''],
            [each.to, each === kind ? dayOf(at + 3 * DAY_MS) : ''],
          ]),
        )
        return {
          ...who,
          values: { ...who.values, ...entered },
          directory: { ...who.directory, ...entered },
        }
      }),
    ]
  }
  /** What a person is answered of the blocks in a use of a signature: found without the plan. */
  const slotsAt = (from: Release, each: Signature, use: SignatureKind, who: PersonState, at: number) => {
    const slotted = slottedSignature(
      from,
      each,
      use,
      who,
      {
        pictures: PICTURES,
        pictureUrl: portraitAddress(PICTURES, who.picture),
        countedUrl: (block, address) => (from.document.counting ? `/go/${block}` : address),
      },
      at,
    )
    let filled = 0
    return (slotted?.slots ?? []).map(({ name, start, end, candidates }) => {
      const place = start - filled
      filled += end - start
      return { name, place, candidates }
    })
  }
  const USES = ['signature', 'reply', 'mobile', 'meeting'] as const

  /** Releases whose signatures show blocks, of which some are edited: in one field, in their order, in a template. */
  const arbitraryBlockPair = fc
    .record({
      frame: arbitraryFrame(),
      other: arbitraryFrame(),
      slots: fc.array(fc.constantFrom(...SLOTS), { minLength: 2, maxLength: 4 }),
      blocks: fc.tuple(...['autumn', 'winter', 'careers'].map(arbitraryBlock)),
      edits: fc.tuple(...['autumn', 'winter', 'careers'].map(arbitraryBlock)),
      edited: fc.array(
        fc.constantFrom<keyof Block>(
          ...([
            'name',
            'slot',
            'template',
            'selection',
            'during',
            'recipients',
            'replies',
            'share',
            'thread',
            'turns',
            'turns',
            'hours',
            'ownDays',
            'ownDays',
          ] as const),
        ),
        { maxLength: 2 },
      ),
      isReversed: fc.boolean(),
      isCounting: fc.tuple(fc.boolean(), fc.boolean()),
      keys: fc.subarray(['templates', 'variables', 'mailboxes', 'pictures', 'signatures', 'lists'] as const, {
        maxLength: 2,
      }),
      isFirst: fc.nat(9),
    })
    .map(({ frame, other, slots, blocks, edits, edited, isReversed, isCounting, keys, isFirst }) => {
      const showing = (of: ReleaseDocument): ReleaseDocument => ({
        ...of,
        templates: Object.fromEntries(
          Object.entries(of.templates).map(([path, text]) => [
            path,
            PATHS.includes(path) ? `${text}${slots.join('')}` : text,
          ]),
        ),
      })
      const before: ReleaseDocument = {
        ...showing(frame),
        blocks,
        signatures: frame.signatures.map((each) => ({ ...each, selection: EVERYONE })),
        ...(isCounting[0] && { counting: true }),
      }
      const { counting: _, ...uncounted } = before
      const now = blocks.map((block, index) => ({
        ...block,
        ...Object.fromEntries(edited.map((key) => [key, edits[index]?.[key]])),
      }))
      const after: ReleaseDocument = {
        ...uncounted,
        ...Object.fromEntries(keys.map((key) => [key, showing(other)[key]])),
        blocks: isReversed && edited.length === 0 ? now.toReversed() : now,
        ...(isCounting[1] && { counting: true }),
      }
      return [isFirst === 0 ? null : before, after] as const
    })

  test('[BLOCK-8] tells for every person which blocks they get, and changes no other on any day', () => {
    fc.assert(
      fc.property(fc.oneof(arbitraryPair, arbitraryBlockPair), arbitraryPeople, ([old, now], people) => {
        const before = old && compileRelease('before', old)
        const after = compileRelease('after', now)
        const comparison = compareReleases(before, after, PICTURES)
        const moments = momentsOf(before, after)
        for (const who of people) {
          const { plan: told, reached } = plannedFor(comparison, who, new Map(), NOON)
          const gottenIn = (from: Release | null) =>
            new Set(
              moments.flatMap((at) =>
                (from ? assignedSignatures(from, who, at) : []).flatMap((each) =>
                  USES.flatMap((use) =>
                    entering([before, after], who, at).flatMap((one) =>
                      slotsAt(from!, each, use, one, at).flatMap(({ candidates }) =>
                        candidates.map(({ id }) => id),
                      ),
                    ),
                  ),
                ),
              ),
            )
          const [had, gets] = [gottenIn(before), gottenIn(after)]
          expect(new Set(reached)).toEqual(gets)

          const changed = new Set<string>()
          const namesAt = new Map<string, Set<string>>()
          const differing = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other)
          let differs = false
          for (const at of before ? moments : [])
            for (const each of assignedSignatures(after, who, at)) {
              const former = assignedSignatures(before!, who, at).find(({ id }) => id === each.id)
              const people = entering([before, after], who, at)
              const all = former ? USES.flatMap((use) => people.map((one) => [use, one] as const)) : []
              for (const [use, one] of all) {
                const [was, is] = [
                  slotsAt(before!, former!, use, one, at),
                  slotsAt(after, each, use, one, at),
                ]
                const frame = (from: Release, of: Signature) =>
                  renderFrame(from, of, use, who, {
                    pictures: PICTURES,
                    pictureUrl: portraitAddress(PICTURES, who.picture),
                  })
                const isMoved = frame(before!, former!) !== frame(after, each)
                const placed = (slots: typeof is) =>
                  slots
                    .filter(({ candidates }) => candidates.length > 0)
                    .map((slot) => (isMoved ? { ...slot, place: slot.name } : slot))
                if (differing(placed(was), placed(is))) differs = true
                for (const id of had) {
                  const own = (slots: typeof is) =>
                    placed(slots).flatMap(({ place, candidates }) =>
                      candidates.filter((candidate) => candidate.id === id).map((each) => [place, each]),
                    )
                  if (gets.has(id) && differing(own(was), own(is))) changed.add(id)
                }
                for (const { name, place } of was.concat(is)) {
                  const key = `${each.id} ${use} ${String(place)}`
                  namesAt.set(key, (namesAt.get(key) ?? new Set()).add(name))
                }
              }
            }
          const of = (kind: BlockChange['kind']) =>
            (told.blocks ?? []).filter((each) => each.kind === kind).map(({ block }) => block)
          expect(new Set(of('added'))).toEqual(new Set([...gets].filter((id) => !had.has(id))))
          expect(new Set(of('removed'))).toEqual(new Set([...had].filter((id) => !gets.has(id))))
          /** Slots beside another one, with no html between: their order can change, and no place in the html does. */
          const neighbours = new Set(
            [...namesAt.values()].filter(({ size }) => size > 1).flatMap((names) => [...names]),
          )
          /** Own days are told of a block even on days on which it does not stand. */
          const entersOtherDays = (id: string) => {
            const [was, is] = [before, after].map((from) => {
              const ownDays = from?.document.blocks?.find((each) => each.id === id)?.ownDays
              return from && ownDays && enteredDays(from, ownDays, who).period
            })
            return differing(was, is)
          }
          const besidesOrder = (told.blocks ?? []).filter(
            ({ kind, block, slot, aspects }) =>
              kind === 'changed' &&
              (changed.has(block) ||
                aspects.some(
                  (each) =>
                    each !== 'order' &&
                    !(each === 'places' && neighbours.has(slot)) &&
                    !(each === 'ownDays' && entersOtherDays(block)),
                )),
          )
          expect(new Set(besidesOrder.map(({ block }) => block))).toEqual(changed)
          for (const { kind, aspects } of told.blocks ?? [])
            expect(aspects.length > 0).toBe(kind === 'changed')
          if (told.blocks === undefined) expect(differs).toBe(false)
        }
      }),
    )
  })

  test('is empty for the release that is published', () => {
    fc.assert(
      fc.property(arbitraryDocument, arbitraryPeople, (same, people) => {
        const summary = summaryOf(compileRelease('r', same), compileRelease('r', same), people)
        expect(summary).toMatchObject({ people: 3, unchanged: 3, signatures: [], defaults: [], missing: [] })
        expect(variableChanges(same, same)).toEqual([])
      }),
    )
  })

  describe('notices a change of', () => {
    const desk = (values: Readonly<Record<string, string>>) => ({
      address: 'maria@northwind.example',
      selection: { for: [], not: [] },
      values,
    })
    const named = (text: string) => ({ 'templates/corporate.html': text })

    test.each<[what: string, before: Partial<ReleaseDocument>, after: Partial<ReleaseDocument>]>([
      ["a mailbox's values", { mailboxes: [desk({ phone: '1' })] }, { mailboxes: [desk({ phone: '2' })] }],
      ['the mailboxes', {}, { mailboxes: [desk({ phone: '2' })] }],
      [
        'a part',
        { templates: { ...named('{{> legal}}'), 'templates/legal.part.html': 'Ltd' } },
        { templates: { ...named('{{> legal}}'), 'templates/legal.part.html': 'plc' } },
      ],
      [
        'what the name falls back on',
        { templates: named('{{display_name}}'), variables: [variableOf('first_name', { value: 'M' })] },
        { templates: named('{{display_name}}'), variables: [variableOf('first_name', { value: 'N' })] },
      ],
    ])('%s', (_, before, after) => {
      expect(plan(release(before), release(after)).signatures).toEqual([
        { kind: 'changed', signature: 'corporate', name: 'corporate', aspects: ['signature'] },
      ])
    })
  })

  test('[PERSON-6] notices another entry of a list of recipients', () => {
    const of = (entries: readonly string[]) =>
      release({
        signatures: [signature({ id: 'corporate', recipients: ['A'] })],
        lists: { A: entries },
      })
    expect(plan(of(['a.example']), of(['a.example', 'b.example'])).signatures).toMatchObject([
      { signature: 'corporate', aspects: ['recipients'] },
    ])
    expect(plan(of(['a.example']), of(['a.example'])).signatures).toEqual([])
  })

  test.each<readonly [aspect: SignatureAspect, before: Partial<Signature>, after: Partial<Signature>]>([
    ['name', { name: 'One' }, { name: 'Two' }],
    ['recipients', {}, { recipients: 'external' }],
    ['thread', {}, { thread: 'first' }],
    ['thread', { thread: 'later' }, {}],
    ['collection', {}, { collection: 'Fairs' }],
    ['reply', {}, { reply: 'templates/corporate.html' }],
    ['mobile', { mobile: 'templates/corporate.html' }, {}],
    ['meeting', {}, { meeting: 'templates/corporate.html' }],
  ])('notices a change of the %s alone', (aspect, before, after) => {
    const of = (fields: Partial<Signature>) =>
      release({ signatures: [signature({ id: 'corporate', name: 'One', ...fields })] })
    expect(plan(of(before), of(after)).signatures).toEqual([
      { kind: 'changed', signature: 'corporate', name: after.name ?? 'One', aspects: [aspect] },
    ])
  })

  test('[PERSON-9] says that pictures are linked now, or attached again', () => {
    const of = (text: string, fields: Partial<ReleaseDocument> = {}) =>
      release({
        signatures: [signature({ id: 'corporate', reply: 'templates/reply.html' })],
        templates: { 'templates/corporate.html': '<p>A</p>', 'templates/reply.html': text },
        pictures: { 'a.png': 'h1', 'b.png': 'h2' },
        ...fields,
      })
    const [attached, linked] = [of('{{picture a.png}}'), of('{{picture a.png linked}}')]
    const aspects = (before: Release, after: Release) => plan(before, after).signatures[0]?.aspects
    expect(aspects(attached, linked)).toEqual(['reply', 'linked'])
    expect(aspects(linked, attached)).toEqual(['reply', 'attached'])
    expect(aspects(attached, of('{{picture a.png}}', { linked: true }))).toEqual(['reply', 'linked'])
    expect(aspects(attached, of('{{picture b.png linked}}'))).toEqual(['reply'])
    expect(
      aspects(
        of('{{picture a.png}}{{picture b.png linked}}'),
        of('{{picture a.png linked}}{{picture b.png}}'),
      ),
    ).toEqual(['reply', 'linked', 'attached'])
  })

  const shows = (text: string, fields: Partial<ReleaseDocument> = {}) =>
    release({
      templates: { 'templates/corporate.html': text, 'templates/p.part.html': '{{phone}}' },
      ...fields,
    })
  const vars = (...all: readonly (Partial<Variable> & Pick<Variable, 'path'>)[]) =>
    all.map((each) => variableOf(each.path, each))

  test.each<readonly [what: string, before: Release, after: Release, isChanged: boolean]>([
    [
      'the content of a picture',
      shows('{{picture a.png}}', { pictures: { 'a.png': 'h1' } }),
      shows('{{picture a.png}}', { pictures: { 'a.png': 'h2' } }),
      true,
    ],
    [
      'a picture that is attached no longer',
      shows('{{picture a.png}}', { pictures: { 'a.png': 'h1' } }),
      shows('{{picture a.png linked}}', { pictures: { 'a.png': 'h1' } }),
      true,
    ],
    [
      'one of the pictures of which none is attached any longer',
      shows('{{picture a.png}}', { pictures: { 'a.png': 'h1' } }),
      shows('{{picture a.png}}', { pictures: { 'a.png': 'h1' }, linked: true }),
      true,
    ],
    ['no picture, when none is attached any longer', shows('a'), shows('a', { linked: true }), false],
    [
      'a variable of a part',
      shows('{{> p}}', { variables: vars({ path: 'phone', value: '1' }) }),
      shows('{{> p}}', { variables: vars({ path: 'phone', value: '2' }) }),
      true,
    ],
    [
      'a variable of a condition',
      shows('{{#if fax}}a{{/if}}', { variables: vars({ path: 'fax' }) }),
      shows('{{#if fax}}a{{/if}}', { variables: vars({ path: 'fax', value: '2' }) }),
      true,
    ],
    [
      'no variable that is not shown',
      shows('a', { variables: vars({ path: 'phone', value: '1' }) }),
      shows('a', { variables: vars({ path: 'phone', value: '2' }) }),
      false,
    ],
    ['no link whose clicks are counted', shows('a'), shows('a', { counting: true }), false],
    [
      'no order of variables',
      shows('{{a}}{{b}}', { variables: vars({ path: 'a', value: '1' }, { path: 'b', value: '2' }) }),
      shows('{{a}}{{b}}', { variables: vars({ path: 'b', value: '2' }, { path: 'a', value: '1' }) }),
      false,
    ],
  ])('looks again at those who show %s', (_, before, after, isChanged) => {
    const { suspects } = compareReleases(before, after, PICTURES)
    expect([...suspects]).toEqual(isChanged ? ['corporate'] : [])
    expect(plan(before, after).signatures).toHaveLength(isChanged ? 1 : 0)
  })

  test('notices that clicks on a link of a block are counted, or no longer', () => {
    const link = (address: string) => `<a href="${address}">The fair</a>`
    const [plain, counted] = [link('https://a.example/x'), link('{{counted https://a.example/x}}')]
    const showing = (html: string, counting: boolean) =>
      release({
        blocks: [anyBlock({ template: 'templates/block.html' })],
        counting,
        templates: { 'templates/corporate.html': '{{block banner}}', 'templates/block.html': html },
      })
    const changes = (before: Release, after: Release) =>
      (plan(before, after).blocks ?? []).map(({ block, aspects }) => [block, aspects])
    const clicks = [['autumn', ['clicks']]]
    expect(changes(showing(counted, false), showing(counted, true))).toEqual(clicks)
    expect(changes(showing(counted, true), showing(counted, false))).toEqual(clicks)
    expect(changes(showing(plain, true), showing(counted, true))).toEqual(clicks)
    expect(changes(showing(plain, false), showing(counted, false))).toEqual([])
    expect(changes(showing(plain, false), showing(plain, true))).toEqual([])
  })

  test('compares the values of mailboxes whatever their order', () => {
    const desk = (values: Readonly<Record<string, string>>) =>
      release({ mailboxes: [{ address: 'desk@northwind.example', selection: EVERYONE, values }] })
    const differ = (one: Release, other: Release) => [...compareReleases(one, other, PICTURES).mailboxes]
    expect(differ(desk({ a: '1', b: '2' }), desk({ b: '2', a: '1' }))).toEqual([])
    expect(differ(desk({ a: '1', b: '2' }), desk({ a: '1', b: '3' }))).toEqual(['desk@northwind.example'])
    expect(differ(release(), desk({}))).toEqual(['desk@northwind.example'])
    const who = person({ addresses: ['maria@northwind.example', 'desk@northwind.example'] })
    expect(plan(desk({ phone: '1' }), desk({ phone: '2' }), who).signatures).toMatchObject([
      { aspects: ['signature'] },
    ])
  })

  test.each<readonly [change: Partial<PersonPlan>, changes: boolean]>([
    [{}, false],
    [{ signatures: [{ kind: 'added', signature: 'a', name: 'A', aspects: [] }] }, true],
    [{ default: { from: null, to: null, because: null } }, true],
    [{ reordered: true }, true],
    [{ mayChoose: false }, true],
    [{ mailboxes: { added: ['a'], removed: [] } }, true],
    [{ mailboxes: { added: [], removed: ['a'] } }, true],
    [{ blocks: [{ kind: 'added', block: 'a', name: 'A', slot: 'banner', aspects: [] }] }, true],
    [{ missing: [{ signature: 'a', name: 'A', variables: ['b'] }] }, false],
  ])('with %j changes something: %s', (change, changes) => {
    const nothing: PersonPlan = {
      person: 'p1',
      address: 'a',
      signatures: [],
      default: null,
      losesAll: false,
      reordered: false,
      mayChoose: null,
      mailboxes: { added: [], removed: [] },
      missing: [],
    }
    expect(changesAnything({ ...nothing, ...change })).toBe(changes)
  })

  test('misses no value of a list of which one is there, and none that is asked for', () => {
    const missing = (text: string) => plan(null, shows(text)).missing.flatMap(({ variables }) => variables)
    expect(missing('{{first fax phone}}')).toEqual([])
    expect(missing('{{first fax mobile}}')).toEqual(['fax or mobile'])
    expect(missing('{{#if fax}}{{first fax mobile}}{{/if}}')).toEqual([])
    expect(missing('{{> p}}{{fax}}')).toEqual(['fax'])
  })

  test('says why the new default is the default', () => {
    const autumn = signature({
      id: 'autumn',
      name: 'Autumn fair',
      selection: { for: [[field('department', 'Sales')]], not: [] },
    })
    const corporate = signature({ id: 'corporate', name: 'Corporate' })
    const told = plan(release({ signatures: [corporate] }), release({ signatures: [autumn, corporate] }))
    expect(told.default).toMatchObject({
      from: { name: 'Corporate' },
      to: { name: 'Autumn fair', choice: { master: 'autumn-p1' } },
      because: [field('department', 'Sales')],
    })
  })

  test('says that a user chose the new default', () => {
    const who = person({ metadata: { defaultSignature: { master: 'two-p1' } } })
    const signatures = [signature({ id: 'one' }), signature({ id: 'two' })]
    const locked = release({ signatures, chooseDefault: { for: [], not: [] } })
    expect(plan(locked, release({ signatures }), who)).toMatchObject({
      default: { to: { name: 'two' }, because: 'user' },
      mayChoose: true,
    })
  })

  test('counts the people who lose their only signature', () => {
    const none = release({ signatures: [] })
    expect(summaryOf(release(), none, [person(), person({ id: 'p2' })]).losing).toEqual([
      { people: 2, sample: { person: 'p1', address: 'maria@northwind.example' } },
    ])
  })

  describe('groups', () => {
    const people = Array.from({ length: 333 }, (_, index) =>
      person({
        id: `p${index}`,
        addresses: [`p${index}@northwind.example`],
        directory: { phone: index % 3 === 0 ? '' : `+49 ${index}` },
      }),
    )
    const bothPhones = ['phone', 'mobile'].map((path) => variableOf(path, { from: path }))
    const withText = (text: string) => release({ templates: { 'templates/corporate.html': text } })

    test('make one picture of the same change in the template, whatever the values are', () => {
      const summary = summaryOf(withText('<p>{{phone}}</p>'), withText('<p><b>{{phone}}</b></p>'), people)
      expect(summary.signatures).toHaveLength(1)
      expect(summary.signatures[0]).toMatchObject({
        kind: 'changed',
        aspects: ['signature'],
        people: 333,
        before: { signature: '<p></p>', reply: null },
        after: { signature: '<p><b></b></p>', reply: null },
      })
      expect(summary.unchanged).toBe(0)
    })

    test('make one picture of people who differ where the template does not', () => {
      const text = (shown: string) => withText(`${shown}{{#if mobile}}M{{/if}}`)
      const before = release({ ...text('{{phone}}').document, variables: bothPhones })
      const after = release({ ...text('<b>{{phone}}</b>').document, variables: bothPhones })
      const none = person({ id: 'p1', directory: {} })
      const both = person({ id: 'p2', directory: { phone: '1', mobile: '2' } })
      expect(summaryOf(before, after, [none, both]).signatures).toMatchObject([{ people: 2 }])
    })

    test('make two pictures of a template that changes in both branches', () => {
      const before = withText('{{#if phone}}tel {{phone}}{{else}}none{{/if}}')
      const after = withText('{{#if phone}}call {{phone}}{{else}}nothing{{/if}}')
      const summary = summaryOf(before, after, people)
      expect(summary.signatures.map((group) => group.people)).toEqual([222, 111])
      expect(summary.signatures[0]?.after?.signature).toBe('call +49 1')
      expect(summary.signatures[1]?.after?.signature).toBe('nothing')
    })

    test('name a changed value once', () => {
      const withLine = (value: string) =>
        release({
          variables: [variableOf('legal', { value })],
          templates: { 'templates/corporate.html': '<p>{{legal}}</p>' },
        })
      const summary = summaryOf(withLine('Ltd'), withLine('plc'), people)
      expect(summary.signatures.map((group) => group.people)).toEqual([333])
    })

    test('count those without a value that is shown without asking for it', () => {
      const asked = '{{#if phone}}{{tel phone}}{{/if}}{{first mobile fax}}'
      const summary = summaryOf(null, withText(`{{phone}}`), people)
      expect(summary.missing).toMatchObject([{ people: 111, name: 'corporate', variables: ['phone'] }])
      expect(summaryOf(null, withText(asked), people).missing).toMatchObject([
        { people: 333, variables: ['mobile or fax'] },
      ])
    })

    test('stay few however many looks there are', () => {
      const paths = Array.from({ length: 9 }, (_, index) => `v${index}`)
      const variables = paths.map((path) => variableOf(path, { from: path }))
      const text = (mark: string) => paths.map((path) => `{{#if ${path}}}${mark}${path}{{/if}}`).join('')
      const many = Array.from({ length: 512 }, (_, bits) =>
        person({
          id: `p${bits}`,
          directory: Object.fromEntries(paths.map((path, bit) => [path, (bits >> bit) % 2 ? 'x' : ''])),
        }),
      )
      const withMark = (mark: string) =>
        release({ variables, templates: { 'templates/corporate.html': text(mark) } })
      const summary = summaryOf(withMark('a'), withMark('b'), many)
      expect(summary.signatures).toHaveLength(201)
      expect(summary.signatures.reduce((sum, group) => sum + group.people, summary.unchanged)).toBe(512)
    })
  })

  describe('a summary', () => {
    const corporate = signature({ id: 'corporate', name: 'Corporate' })
    const fair = signature({ id: 'fair', name: 'Fair', template: 'templates/fair.html' })
    const templates = { 'templates/corporate.html': '<p>{{phone}}</p>', 'templates/fair.html': '<p>Fair</p>' }
    const of = (...signatures: readonly Signature[]) => release({ signatures, templates })
    const sales = person()
    const legal = person({
      id: 'p2',
      addresses: ['tom@northwind.example', 't@northwind.example'],
      directory: { department: 'Legal' },
    })
    const third = person({ id: 'p3', addresses: [] })
    const counted = (who: PersonState, people = 1) => ({
      people,
      sample: { person: who.id, address: who.addresses[0] ?? who.id },
    })

    test('has one line for each kind of change, the largest first, with its first person', () => {
      const forSales: Selection = { for: [[field('department', 'Sales')]], not: [] }
      const before = release({
        ...of({ ...fair, selection: { for: [[field('department', 'Legal')]], not: [] } }, corporate).document,
        chooseDefault: forSales,
        mailboxes: [{ address: 'a@northwind.example', selection: EVERYONE, values: {} }],
      })
      const after = release({
        ...of(corporate, { ...fair, selection: forSales }).document,
        chooseDefault: { for: [[field('department', 'Legal')]], not: [] },
        mailboxes: [
          { address: 'b@northwind.example', selection: forSales, values: {} },
          { address: 'c@northwind.example', selection: EVERYONE, values: {} },
        ],
      })
      expect(summaryOf(before, after, [legal, sales, person({ id: 'p4' })])).toEqual({
        people: 3,
        unchanged: 0,
        signatures: [
          {
            kind: 'added',
            signature: 'fair',
            name: 'Fair',
            aspects: [],
            before: null,
            ...counted(sales, 2),
            after: { signature: '<p>Fair</p>', reply: null, mobile: null, meeting: null },
          },
          {
            kind: 'removed',
            signature: 'fair',
            name: 'Fair',
            aspects: [],
            after: null,
            ...counted(legal),
            before: { signature: '<p>Fair</p>', reply: null, mobile: null, meeting: null },
          },
        ],
        defaults: [{ from: 'Fair', to: 'Corporate', because: 'everyone', ...counted(legal) }],
        losing: [],
        reordered: [],
        choosing: [
          { mayChoose: false, ...counted(sales, 2) },
          { mayChoose: true, ...counted(legal) },
        ],
        mailboxes: [
          { address: 'c@northwind.example', kind: 'added', ...counted(legal, 3) },
          { address: 'a@northwind.example', kind: 'removed', ...counted(legal, 3) },
          { address: 'b@northwind.example', kind: 'added', ...counted(sales, 2) },
        ],
        missing: [],
        coverage: {
          none: [],
          idle: [{ kind: 'signature', id: 'fair', name: 'Fair', people: 2, behind: 'Corporate' }],
          alike: [],
        },
      })
    })

    test('[MEET-6] says who is asked before sending, about what is missing or something else', () => {
      const asking = (...guard: readonly GuardRule[]) =>
        release({ ...of(corporate).document, ...(guard.length > 0 && { guard }) })
      const ofSales = { for: [[field('department', 'Sales')]], not: [] }
      const rule = (selection: Selection): GuardRule => ({
        missing: 'signature',
        selection,
        recipients: 'everyone',
      })
      expect(summaryOf(asking(), asking(rule(ofSales)), [sales, legal])).toMatchObject({
        unchanged: 1,
        asked: [{ kind: 'added', ...counted(sales) }],
      })
      expect(summaryOf(asking(rule(EVERYONE)), asking(rule(ofSales)), [sales, legal])).toMatchObject({
        unchanged: 1,
        asked: [{ kind: 'removed', ...counted(legal) }],
      })
      const inside: GuardRule = { missing: 'signature', selection: EVERYONE, recipients: ['a.example'] }
      expect(summaryOf(asking(rule(EVERYONE)), asking(inside), [sales, legal])).toMatchObject({
        unchanged: 0,
        asked: [{ kind: 'changed', ...counted(sales, 2) }],
      })
      expect(summaryOf(asking(inside), asking(inside), [sales])).not.toHaveProperty('asked')
    })

    test('says who loses every signature, and for whom others change their order', () => {
      expect(summaryOf(of(corporate, fair), of(fair, corporate), [third])).toMatchObject({
        unchanged: 0,
        signatures: [],
        defaults: [{ from: 'Corporate', to: 'Fair', because: 'everyone' }],
        reordered: [counted(third)],
        losing: [],
      })
      expect(summaryOf(of(corporate), of(), [sales, third])).toMatchObject({
        defaults: [{ from: 'Corporate', to: null, because: null, ...counted(sales, 2) }],
        losing: [counted(sales, 2)],
        reordered: [],
      })
      expect(summaryOf(null, of(), [sales])).toMatchObject({ unchanged: 0, losing: [], defaults: [] })
      const locked = release({ ...of().document, chooseDefault: { for: [], not: [] } })
      expect(summaryOf(null, locked, [sales])).toMatchObject({ people: 1, unchanged: 1 })
    })

    test('names the values that are missing once for each signature that is new or changed', () => {
      const text = '{{mobile}}{{tel fax}}{{first a b}}{{mobile}}{{#if phone}}{{phone}}{{/if}}{{email}}'
      const after = release({ templates: { 'templates/corporate.html': text, 'templates/fair.html': '' } })
      const missing = { signature: 'corporate', name: 'corporate', variables: ['mobile', 'fax', 'a or b'] }
      expect(summaryOf(null, after, [sales, third]).missing).toEqual([
        { ...missing, ...counted(sales) },
        { ...missing, variables: [...missing.variables, 'email'], ...counted(third) },
      ])
      expect(summaryOf(after, after, [sales]).missing).toEqual([])
    })

    test('names a default of a mailbox by its signature, without a reason', () => {
      const desk = person({ id: 'desk', addresses: ['desk@northwind.example'] })
      const who = person({ metadata: { defaultSignature: { master: 'fair-desk' } } })
      const owned = (...signatures: readonly Signature[]) =>
        release({
          ...of(...signatures).document,
          mailboxes: [{ address: 'desk@northwind.example', selection: EVERYONE, values: {} }],
        })
      const told = planFor(
        compareReleases(owned(corporate), owned(corporate, fair), PICTURES),
        who,
        new Map([['desk', desk]]),
        NOON,
      )
      expect(told.default).toEqual({
        from: { choice: { master: 'corporate-p1' }, name: 'Corporate' },
        to: { choice: { master: 'fair-desk' }, name: 'Fair' },
        because: 'user',
      })
    })
  })

  describe('blocks', () => {
    const SHOWN = '<p>{{phone}}</p>{{#block banner}}<b>{{block}}</b>{{/block}}'
    const block = (id: string, over: Partial<Block> = {}): Block =>
      anyBlock({ id, name: id, template: 'templates/block.html', ...over })
    const withBlocks = (blocks: readonly Block[], shown = SHOWN, text = '<hr>') =>
      release({
        templates: { 'templates/corporate.html': shown, 'templates/block.html': text },
        ...(blocks.length > 0 && { blocks }),
      })
    const changes = (before: Release | null, after: Release, who = person()) =>
      (plan(before, after, who).blocks ?? []).map(({ kind, block: id, aspects }) => [kind, id, ...aspects])
    const december = { from: '2026-12-01', to: '2026-12-31', timeZone: 'Europe/Berlin' }
    const winter = block('winter', { during: december })

    test('[BLOCK-8] are counted for the people who get them on any day from the plan on', () => {
      const forSales: Selection = { for: [[field('department', 'Sales')]], not: [] }
      const over = block('over', { during: { ...december, from: '2026-01-01', to: '2026-09-30' } })
      const sales = block('sales', {
        selection: forSales,
        recipients: 'external',
        share: 50,
        during: december,
      })
      const hidden = block('hidden')
      const elsewhere = block('elsewhere', { slot: 'nowhere' })
      const people = Array.from({ length: 40 }, (_, index) =>
        person({ id: `p${index}`, directory: { department: index < 30 ? 'Sales' : 'Legal' } }),
      )
      const { reach } = summaryOf(
        null,
        withBlocks([over, sales, winter, block('always'), hidden, elsewhere]),
        people,
      )
      const ofSales = people.filter((who) => isBlockFor(sales, who)).length
      expect(ofSales).toBeGreaterThan(0)
      expect(ofSales).toBeLessThan(30)
      expect(reach?.map((each) => [each.block, each.people])).toEqual([
        ['over', 0],
        ['sales', ofSales],
        ['winter', 40],
        ['always', 40],
        ['hidden', 0],
        ['elsewhere', 0],
      ])
      expect(reach?.[1]).toMatchObject({ during: december, recipients: 'external', replies: true, share: 50 })
      expect(summaryOf(null, withBlocks([]), people)).not.toHaveProperty('reach')
    })

    test('are planned before they open, without a change of the signature', () => {
      const told = plan(withBlocks([]), withBlocks([winter]))
      expect(told.signatures).toEqual([])
      expect(told.blocks).toEqual([
        { kind: 'added', block: 'winter', name: 'winter', slot: 'banner', aspects: [] },
      ])
      expect(plan(withBlocks([winter]), withBlocks([winter]))).not.toHaveProperty('blocks')
    })

    test('are planned for a signature that opens with them', () => {
      const later = (blocks: readonly Block[]) =>
        release({
          ...withBlocks(blocks).document,
          signatures: [
            signature({ id: 'fair', during: december }),
            signature({ id: 'plain', template: 'x' }),
          ],
        })
      expect(changes(later([]), later([winter]))).toEqual([['added', 'winter']])
      const january = { ...december, from: '2027-01-01', to: '2027-01-31' }
      expect(changes(later([]), later([block('late', { during: january })]))).toEqual([])
    })

    test('stand on other days behind a block that always stands', () => {
      expect(changes(withBlocks([block('always')]), withBlocks([winter, block('always')]))).toEqual([
        ['added', 'winter'],
        ['changed', 'always', 'days'],
      ])
      expect(changes(withBlocks([winter, block('always')]), withBlocks([block('always'), winter]))).toEqual([
        ['changed', 'always', 'days'],
        ['removed', 'winter'],
      ])
    })

    test('change with the html around them, with their order and with their place', () => {
      const both = [block('a', { recipients: 'external' }), block('b', { recipients: 'external' })]
      expect(changes(withBlocks(both), withBlocks(both, SHOWN.replaceAll('b>', 'i>')))).toEqual([
        ['changed', 'a', 'html'],
        ['changed', 'b', 'html'],
      ])
      expect(changes(withBlocks(both), withBlocks(both.toReversed()))).toEqual([
        ['changed', 'b', 'order'],
        ['changed', 'a', 'order'],
      ])
      const [slot, before] = ['{{block banner}}', '<p>{{phone}}</p>']
      expect(changes(withBlocks(both, before + slot), withBlocks(both, slot + before))).toEqual([
        ['changed', 'a', 'places'],
        ['changed', 'b', 'places'],
      ])
      // Text above the slot changes the signature alone.
      expect(
        changes(withBlocks(both, before + slot), withBlocks(both, `<p>New</p>${before}${slot}`)),
      ).toEqual([])
      const two = [block('a'), block('c', { slot: 'notice' })]
      const notice = '{{#block notice}}<u>{{block}}</u>{{/block}}'
      expect(
        changes(withBlocks(two, SHOWN + notice), withBlocks(two, SHOWN + notice.replaceAll('u>', 'i>'))),
      ).toEqual([['changed', 'c', 'html']])
    })

    test('do not change with the html around them where they are empty, for they have none', () => {
      const one = block('one')
      const [before, after] = [SHOWN, SHOWN.replaceAll('b>', 'i>')].map((shown) =>
        withBlocks([one], shown, '{{phone}}'),
      )
      expect(changes(before!, after!, person({ directory: {} }))).toEqual([])
      expect(changes(before!, after!, person({ directory: { phone: '+49' } }))).toEqual([
        ['changed', 'one', 'html'],
      ])
    })

    test('change for whom they are, for those who have them before and after, too', () => {
      const one = block('one')
      const forMaria = { for: [[{ by: 'person' as const, values: ['maria@northwind.example'] }]], not: [] }
      const ofSome = withBlocks([{ ...one, selection: forMaria }])
      expect(changes(withBlocks([one]), ofSome)).toEqual([['changed', 'one', 'people']])
      expect(changes(ofSome, withBlocks([one]))).toEqual([['changed', 'one', 'people']])
      const [inside, outside] = [99, 1].map((share) => withBlocks([{ ...one, share }]))
      expect(changes(withBlocks([one]), inside!)).toEqual([['changed', 'one', 'people']])
      expect(changes(withBlocks([one]), outside!)).toEqual([['removed', 'one']])
      const wider = { for: [...forMaria.for, [field('department', 'Legal')]], not: [] }
      expect(changes(ofSome, withBlocks([{ ...one, selection: wider }]))).toEqual([])
    })

    const weekdays = (to: string) => ({
      spans: [{ days: [1, 2, 3, 4, 5], from: '08:00', to }],
      timeZone: 'Europe/Berlin',
    })
    const daysOf = (what: string) => ({
      from: `${what}_from`,
      to: `${what}_to`,
      before: 0,
      timeZone: 'Europe/Berlin',
    })
    const byMail = (share: number) => ({ share, turns: 'mail' as const })

    test.each<readonly [aspect: BlockAspect, before: Partial<Block>, after: Partial<Block>]>([
      ['recipients', {}, { recipients: ['eva@a.example'] }],
      ['recipients', { recipients: ['eva@a.example'] }, { recipients: ['tom@a.example'] }],
      ['hours', {}, { hours: weekdays('18:00') }],
      ['hours', { hours: weekdays('18:00') }, { hours: weekdays('12:00') }],
      ['ownDays', {}, { ownDays: daysOf('absence') }],
      ['ownDays', { ownDays: daysOf('absence') }, { ownDays: daysOf('travel') }],
      ['thread', {}, { thread: 'later' }],
      ['share', {}, byMail(50)],
      ['share', byMail(50), byMail(1)],
    ])('change in their %s, and not without', (aspect, before, after) => {
      const [old, now] = [before, after].map((over) => withBlocks([block('one', over)]))
      expect(changes(old!, now!)).toEqual([['changed', 'one', aspect]])
      expect(changes(now!, withBlocks([block('one', after)]))).toEqual([])
    })

    test('change for those whose own days are other ones, by a variable or a mailbox', () => {
      const days = daysOf('absence')
      const entered = { absence_from: '2026-10-05', absence_to: '2026-10-09' }
      const of = (edit: boolean, values: Readonly<Record<string, string>> | null) =>
        release({
          ...withBlocks([block('one', { ownDays: days })]).document,
          variables: [days.from, days.to].map((path) => variableOf(path, { edit })),
          mailboxes: values ? [{ address: 'maria@northwind.example', selection: EVERYONE, values }] : [],
        })
      const away = person({ values: entered })
      expect(changes(of(true, null), of(false, null), away)).toEqual([['changed', 'one', 'ownDays']])
      expect(changes(of(true, null), of(false, null), person())).toEqual([])
      expect(changes(of(true, null), of(true, entered), person())).toEqual([['changed', 'one', 'ownDays']])
      expect(changes(of(true, null), of(true, entered), away)).toEqual([])
    })

    test('that stand in no replies are in the version for replies, which new messages may have, too', () => {
      const inReplyVersion = (blocks: readonly Block[]) =>
        release({
          ...withBlocks(blocks).document,
          signatures: [signature({ id: 'one', template: 'x', reply: 'templates/corporate.html' })],
        })
      expect(changes(inReplyVersion([]), inReplyVersion([block('new', { replies: false })]))).toEqual([
        ['added', 'new'],
      ])
    })

    test('make one group for each block and change, with the block of the sample before and after', () => {
      const people = [person(), person({ id: 'p2', addresses: ['tom@northwind.example'] })]
      const { blocks } = summaryOf(
        withBlocks([winter], SHOWN, '<i>{{phone}}</i>'),
        withBlocks([{ ...winter, recipients: 'external' }], SHOWN, '<u>{{phone}}</u>'),
        people,
      )
      expect(blocks).toEqual([
        {
          kind: 'changed',
          block: 'winter',
          name: 'winter',
          slot: 'banner',
          people: 2,
          aspects: ['html', 'recipients'],
          sample: { person: 'p1', address: 'maria@northwind.example' },
          before: {
            html: '<b><i>+49 30 1234</i></b>',
            during: december,
            recipients: 'everyone',
            replies: true,
          },
          after: {
            html: '<b><u>+49 30 1234</u></b>',
            during: december,
            recipients: 'external',
            replies: true,
          },
        },
      ])
    })

    test('are rendered for no person unless they can differ, and their rules are asked once for each person', () => {
      const asked = { rules: 0 }
      const watchedSelection: Selection = {
        get for() {
          asked.rules += 1
          return 'everyone' as const
        },
        not: [],
      }
      const read: string[] = []
      const watched = (text: string): Release => {
        const blocks = Array.from({ length: 12 }, (_, index) =>
          block(`b${index}`, { selection: watchedSelection, recipients: 'external' }),
        )
        const compiled = withBlocks(blocks, text + SHOWN)
        return { ...compiled, templateOf: (path) => (read.push(path), compiled.templateOf(path)) }
      }
      const comparison = compareReleases(watched('old'), watched('new'), PICTURES)
      planFor(comparison, person({ id: 'first' }), new Map(), NOON)
      asked.rules = 0
      read.length = 0
      const { plan: told, reached } = plannedFor(comparison, person(), new Map(), NOON)
      expect(told.blocks).toBeUndefined()
      expect(reached).toHaveLength(12)
      expect(asked.rules).toBe(1)
      expect(read).toEqual(['templates/corporate.html', 'templates/corporate.html'])
    })
  })

  test.each<
    readonly [
      what: string,
      group: Partial<Parameters<typeof shownUses>[0]>,
      uses: ReturnType<typeof shownUses>,
    ]
  >([
    ['new', { kind: 'added', after: { signature: '', reply: null, mobile: 'm' } }, ['signature', 'mobile']],
    [
      'removed',
      { kind: 'removed', before: { signature: 's', reply: 'r', mobile: null } },
      ['signature', 'reply'],
    ],
    [
      'changed',
      {
        aspects: ['reply', 'mobile', 'name'],
        before: { signature: 's', reply: 'r', mobile: null },
        after: { signature: 's', reply: null, mobile: null },
      },
      ['reply'],
    ],
    [
      'new, for meetings too,',
      { kind: 'added', after: { signature: '', reply: null, mobile: null, meeting: 'm' } },
      ['signature', 'meeting'],
    ],
    ['changed in its name', { aspects: ['name'], before: { signature: 's', reply: null, mobile: null } }, []],
  ])('a group that is %s is shown in the uses that there are', (_, group, uses) => {
    const counted = { people: 1, sample: { person: 'p1', address: 'a' } }
    const whole = {
      kind: 'changed',
      signature: 's',
      name: 'S',
      aspects: [],
      before: null,
      after: null,
    } as const
    expect(shownUses({ ...whole, ...counted, ...group })).toEqual(uses)
  })

  test('names variables that are added, removed or declared in another way', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((path) => variableOf(path)) as [Variable, Variable, Variable]
    expect(
      variableChanges(document({ variables: [a, b] }), document({ variables: [{ ...b, edit: true }, c] })),
    ).toEqual([
      { path: 'b', kind: 'changed' },
      { path: 'c', kind: 'added' },
      { path: 'a', kind: 'removed' },
    ])
  })

  describe('[ADOPT-9] values that are written', () => {
    const formats = {
      ...PLAIN_FORMATS,
      phone: (text: string, country: string) => (text.startsWith('0') ? `${country} ${text.slice(1)}` : text),
      qr: (text: string) => encodeURIComponent(text),
      card: (id: string) => `https://s.example/card/${id}.vcf`,
    }
    const formatted = (html: string, fields: Partial<ReleaseDocument> = {}) =>
      compileRelease('r', document({ templates: { 'templates/corporate.html': html }, ...fields }), formats)
    const changedFor = (before: Release, after: Release, directory: PersonState['directory']) =>
      plan(before, after, person({ directory })).signatures.flatMap(({ aspects }) => aspects)

    test('change for those whose number is written in another way', () => {
      const [before, after] = [formatted('<p>{{phone}}</p>'), formatted('<p>{{phone phone}}</p>')]
      expect(changedFor(before, after, { phone: '030', country: 'DE' })).toEqual(['signature'])
      expect(changedFor(before, after, { phone: '+49' })).toEqual([])
      const [group] = summaryOf(before, after, [
        person({ directory: { phone: '030', country: 'DE' } }),
      ]).signatures
      expect([group?.before?.signature, group?.after?.signature]).toEqual(['<p>030</p>', '<p>DE 30</p>'])
    })

    test('change with the variables of which an address, a card and a country are made', () => {
      const town = { variables: [variableOf('town', { from: 'city' })] }
      const fixed = { variables: [variableOf('town', { from: 'city', value: 'Bonn' })] }
      expect(changedFor(formatted('{{address}}', town), formatted('{{address}}', fixed), {})).toEqual([
        'signature',
      ])
      const land = [
        variableOf('phone', { from: 'phone' }),
        variableOf('land', { from: 'country', value: 'PT' }),
      ]
      expect(
        changedFor(formatted('{{phone phone}}'), formatted('{{phone phone}}', { variables: land }), {
          phone: '0',
        }),
      ).toEqual(['signature'])
      const card = '{{display_name}}{{phone}}{{qr vcard}}'
      const name = variableOf('display_name', { value: 'Mia' })
      const of = (from: string) =>
        formatted(card, { variables: [name, variableOf('phone', { from, value: '1' })] })
      expect(changedFor(of('businessPhones.0'), of('mobilePhone'), {})).toEqual(['signature'])
    })

    test('change with what allows the address of a card, for those who do not refuse', () => {
      const cards = { unless: 'no_card' }
      const of = (fields: Partial<ReleaseDocument>, refusal: Partial<Variable> = {}) =>
        formatted('<p>{{#if card}}{{card}}{{/if}}</p>', {
          variables: [variableOf('no_card', { edit: true, ...refusal })],
          ...fields,
        })
      expect(changedFor(of({}), of({ cards }), {})).toEqual(['signature'])
      expect(changedFor(of({ cards }), of({}), {})).toEqual(['signature'])
      expect(changedFor(of({ cards }), of({ cards }, { hidden: true }), {})).toEqual(['signature'])
      expect(changedFor(of({ cards }), of({ cards }, { value: 'yes' }), {})).toEqual(['signature'])
      expect(changedFor(of({ cards }), of({ cards }, { label: 'No card' }), {})).toEqual([])
      const refusing = person({ values: { no_card: 'x' } })
      expect(plan(of({}), of({ cards }), refusing).signatures).toEqual([])
      const [group] = summaryOf(of({}), of({ cards }), [
        refusing,
        ...['a', 'b'].map((id) => person({ id })),
      ]).signatures
      expect([group?.people, group?.before?.signature, group?.after?.signature]).toEqual([
        ...[2, '<p></p>', '<p>https://s.example/card/a.vcf</p>'],
      ])
    })

    test('change with the field of a manager', () => {
      const of = (from: string) =>
        formatted('{{manager.phone}}', { variables: [variableOf('phone', { from })] })
      expect(changedFor(of('jobTitle'), of('deck'), { 'manager.deck': '1' })).toEqual(['signature'])
      expect(changedFor(of('jobTitle'), of('deck'), { deck: '1' })).toEqual([])
    })
  })

  test('renders nothing that cannot differ', () => {
    const signatures = Array.from({ length: 20 }, (_, index) =>
      signature({ id: `s${index}`, template: `templates/${index}.html` }),
    )
    const texts = Object.fromEntries(signatures.map(({ template }) => [template, '{{phone}}']))
    const read = new Set<string>()
    const watched = (
      templates: Readonly<Record<string, string>>,
      fields: Partial<ReleaseDocument> = {},
    ): Release => {
      const compiled = release({ signatures, templates, ...fields })
      return { ...compiled, templateOf: (path) => (read.add(path), compiled.templateOf(path)) }
    }
    const comparison = compareReleases(
      watched(texts),
      // Cards change no template without their address.
      watched({ ...texts, 'templates/7.html': 'new {{phone}}' }, { cards: { unless: 'phone' } }),
      PICTURES,
    )
    read.clear()
    expect(planFor(comparison, person(), new Map(), NOON).signatures).toMatchObject([{ signature: 's7' }])
    expect([...read]).toEqual(['templates/7.html'])
  })
})

describe('a person whom publishing changes', () => {
  const limits: ReleaseDocument['limits'] = { people: { most: 1, of: 'people' } }
  const oneDay = (day: string) => ({ from: day, to: day, timeZone: 'UTC' })
  const isChanged = (
    before: ReleaseDocument,
    after: ReleaseDocument,
    who = person(),
    owners: readonly PersonState[] = [],
  ) =>
    plannedFor(
      compareReleases(compileRelease('a', before), compileRelease('b', after), PICTURES),
      who,
      new Map(owners.map((owner) => [owner.id, owner])),
      NOON,
    ).isChanged

  const corporate = signature({ id: 'corporate' })
  const fair = signature({ id: 'fair', during: oneDay('2026-10-02') })
  const early = signature({ id: 'early', during: oneDay('2026-09-01') })
  const other = { template: 'templates/other.html' }
  const templates = { ...document().templates, 'templates/other.html': '<p>Other</p>' }
  const releaseOf = (...signatures: readonly Signature[]) => document({ signatures, templates, limits })

  test.each<[string, boolean, readonly Signature[], readonly Signature[]]>([
    ['a signature from tomorrow on', true, [corporate], [fair, corporate]],
    ['no signature from tomorrow on', true, [fair, corporate], [corporate]],
    [
      'a signature from tomorrow on that is for other people',
      false,
      [corporate],
      [{ ...fair, selection: { for: [[{ by: 'group', values: ['x'] }]], not: [] } }, corporate],
    ],
    ['a signature of former days', false, [corporate], [early, corporate]],
    ['a signature whose days ended otherwise', false, [corporate], [corporate, early]],
    [
      'another last day',
      true,
      [signature({ id: 'corporate', during: { ...oneDay('2026-12-31'), from: '2026-01-01' } })],
      [signature({ id: 'corporate', during: { ...oneDay('2026-10-01'), from: '2026-01-01' } })],
    ],
    [
      'another first day, which is over',
      false,
      [signature({ id: 'corporate', during: { ...oneDay('2026-12-31'), from: '2026-01-01' } })],
      [signature({ id: 'corporate', during: { ...oneDay('2026-12-31'), from: '2026-02-01' } })],
    ],
    ['another template from tomorrow on', true, [fair, corporate], [{ ...fair, ...other }, corporate]],
    ['the same from tomorrow on', false, [fair, corporate], [fair, corporate]],
    ['another order from tomorrow on', true, [fair, corporate], [corporate, fair]],
  ])('[ADOPT-13] is one who gets %s: %s', (_, changes, before, after) => {
    expect(isChanged(releaseOf(...before), releaseOf(...after))).toBe(changes)
  })

  const until = (day: string) => ({ from: '2026-01-01', to: day, timeZone: 'UTC' })
  const desk = person({ id: 'desk', addresses: ['desk@northwind.example'], groups: ['desk'] })
  /** A signature of a mailbox until a day, beside one's own. */
  const ofDesk = (day: string, ...own: readonly Signature[]) =>
    document({
      signatures: [
        ...own,
        signature({
          id: 'desk',
          during: until(day),
          selection: { for: [[{ by: 'group', values: ['desk'] }]], not: [] },
        }),
      ],
      mailboxes: [{ address: 'desk@northwind.example', selection: EVERYONE, values: {} }],
      limits,
    })
  const forReplies = person({ metadata: { defaultSignature: { reply: 'desk-desk' } } })

  test('[ADOPT-13] is one whose chosen signature of a mailbox ends on another day', () => {
    const chosen = person({ metadata: { defaultSignature: { master: 'desk-desk' } } })
    const [long, short] = [ofDesk('2026-12-31', corporate), ofDesk('2026-10-01', corporate)]
    expect([
      isChanged(long, short, chosen, [desk]),
      isChanged(long, short, forReplies, [desk]),
      isChanged(long, short, person(), [desk]),
      isChanged(long, long, chosen, [desk]),
    ]).toEqual([true, true, false, false])
  })

  test.each([
    [null, '2026-10-01', false],
    ['2026-11-30', '2026-11-30', false],
    ['2026-11-30', '2026-11-29', true],
  ])(
    '[ADOPT-13] with signatures until %s and one chosen for replies until %s instead of December: %s',
    (last, to, changes) => {
      const own = last === null ? [] : [{ ...corporate, during: until(last) }]
      const [before, after] = [ofDesk('2026-12-31', ...own), ofDesk(to, ...own)]
      expect(isChanged(before, after, forReplies, [desk])).toBe(changes)
    },
  )

  test('[ADOPT-13] is each one for whom a plan of a later day has a change, and no other one', () => {
    const days = ['2026-01-01', '2026-01-15', '2026-02-01', '2026-02-10']
    const AT = Date.parse('2026-01-15T12:00:00Z')
    const during = fc.option(
      fc
        .tuple(fc.constantFrom(...days), fc.constantFrom(...days))
        .map((both) => both.toSorted())
        .map(([from = '', to = '']) => ({ from, to, timeZone: 'UTC' })),
    )
    const edit = fc.record(
      { during, name: fc.constant('Other'), meeting: fc.constant('templates/b.html') },
      { requiredKeys: [] },
    )
    const edits = fc.array(fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, edit), {
      minLength: 4,
      maxLength: 4,
    })
    let later = 0
    fc.assert(
      fc.property(smallDocument, edits, smallPerson, (base, changes, who) => {
        const isBackwards = ({ during: days }: Signature) => days !== null && days.from > days.to
        const before = { ...base, limits, signatures: base.signatures.filter((each) => !isBackwards(each)) }
        const signatures = before.signatures.map((each, index) => ({ ...each, ...changes[index] }))
        const comparison = compareReleases(
          compileRelease('a', before),
          compileRelease('b', { ...before, signatures }),
          PICTURES,
        )
        const desk = person({ id: 'desk', addresses: ['desk@in.example'] })
        const at = (moment: number) => plannedFor(comparison, who, new Map([['desk', desk]]), moment)
        const moments = [...before.signatures, ...signatures].flatMap((each) => {
          const window = each.during && windowOf(each.during)
          return window ? [window.opens, window.closes] : []
        })
        const { isChanged: is, plan: now } = at(AT)
        const isEver = [AT, ...moments.filter((moment) => moment > AT)].some((moment) =>
          changesAnything(at(moment).plan),
        )
        expect(is).toBe(isEver)
        if (is && !changesAnything(now)) later += 1
      }),
      { numRuns: 300 },
    )
    expect(later).toBeGreaterThan(0)
  })
})

describe('a plan is not longer than what it plans', () => {
  const TEMPLATE = 'templates/corporate.html'
  const signatures = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      signature({ id: `s${String(index)}`, name: `S ${String(index)}` }),
    )
  const people = (count: number, of: (index: number) => Partial<PersonState>) =>
    Array.from({ length: count }, (_, index) =>
      person({ id: `p${String(index)}`, addresses: [`p${String(index)}@northwind.example`], ...of(index) }),
    )

  test('signatures of one large template are counted, and drawn while there is room', () => {
    const before = release({ signatures: signatures(100), templates: { [TEMPLATE]: 'a'.repeat(60_000) } })
    const after = release({ signatures: signatures(100), templates: { [TEMPLATE]: 'b'.repeat(60_000) } })
    const { signatures: groups } = summaryOf(before, after, [person()])
    expect(groups).toHaveLength(100)
    expect(groups.filter(isRenderedGroup).length).toBeGreaterThan(30)
    expect(groups.filter(isRenderedGroup).length).toBeLessThan(100)
    // A group has both sides or none: one alone would say that there is no other.
    expect(groups.every((group) => (group.before === null) === (group.after === null))).toBe(true)
    expect(JSON.stringify(groups).length).toBeLessThan(MAX_DRAWN_CHARACTERS + 500_000)
  })

  test('blocks of large templates are counted, and drawn while there is room', () => {
    const path = 'templates/block.html'
    const blocks = Array.from({ length: 60 }, (_, index): Block => ({
      id: `b${String(index)}`,
      name: `B ${String(index)}`,
      slot: `slot${String(index)}`,
      template: path,
      selection: EVERYONE,
      during: null,
      recipients: 'everyone',
      replies: true,
      share: 100,
    }))
    const frame = blocks.map(({ slot }) => `{{block ${slot}}}`).join('')
    const withText = (text: string) =>
      release({ blocks, templates: { [TEMPLATE]: frame, [path]: text.repeat(100_000) } })
    const { blocks: groups = [] } = summaryOf(withText('a'), withText('b'), [person()])
    expect(groups).toHaveLength(60)
    expect(groups.filter(isRenderedGroup).length).toBeGreaterThan(20)
    expect(groups.filter(isRenderedGroup).length).toBeLessThan(60)
  })

  test('groups beyond two million characters are not listed, and what would be in them is counted', () => {
    const paths = Array.from({ length: 12 }, (_, index) => `value_${String(index)}`)
    const after = release({
      signatures: signatures(40),
      variables: paths.map((path) => variableOf(path, { from: path })),
      templates: { [TEMPLATE]: paths.map((path) => `{{${path}}}`).join('') },
    })
    const all = people(400, (index) => ({
      directory: Object.fromEntries(paths.map((path, bit) => [path, (index >> bit) % 2 === 1 ? 'x' : ''])),
    }))
    const summary = summaryOf(null, after, all)
    expect(JSON.stringify(summary.missing).length).toBeLessThan(2_100_000)
    const listed = summary.missing.reduce((sum, each) => sum + each.people, 0)
    expect(summary.missing.length).toBeLessThan(400 * 40)
    expect(listed + (summary.more ?? 0)).toBe(400 * 40)
    expect(summaryOf(null, after, all.slice(0, 3)).more).toBeUndefined()
  })

  test('of many missing values of a signature the first are named, and the others counted', () => {
    const paths = Array.from({ length: MAX_MISSING_VARIABLES + 7 }, (_, index) => `value_${String(index)}`)
    const after = release({
      variables: paths.map((path) => variableOf(path, { from: path })),
      templates: { [TEMPLATE]: paths.map((path) => `{{${path}}}`).join('') },
    })
    expect(plan(null, after).missing).toEqual([
      {
        signature: 'corporate',
        name: 'corporate',
        more: 7,
        variables: paths.slice(0, MAX_MISSING_VARIABLES),
      },
    ])
    const filled = person({ directory: Object.fromEntries(paths.slice(7).map((path) => [path, 'x'])) })
    expect(plan(null, after, filled).missing[0]).not.toHaveProperty('more')
  })

  test('people who see other differences are still told apart up to the limit, and counted beyond it', () => {
    const paths = Array.from({ length: 9 }, (_, index) => `value_${String(index)}`)
    const withText = (text: string) =>
      release({
        variables: paths.map((path) => variableOf(path, { from: path })),
        templates: { [TEMPLATE]: paths.map((path) => `{{#if ${path}}}${path}${text}{{/if}}`).join('') },
      })
    const all = people(511, (index) => ({
      directory: Object.fromEntries(
        paths.map((path, bit) => [path, ((index + 1) >> bit) % 2 === 1 ? 'x' : '']),
      ),
    }))
    const { signatures: groups } = summaryOf(withText('a'), withText('b'), all)
    expect(groups).toHaveLength(201)
    expect(groups.reduce((sum, each) => sum + each.people, 0)).toBe(511)
    // The same people once more are in the same groups.
    const again = summaryOf(withText('a'), withText('b'), [...all, ...all]).signatures
    expect(again.map((each) => each.people)).toEqual(groups.map((each) => 2 * each.people))
  })
})
