import { act } from 'react'
import { describe, expect, test } from 'vitest'
import { Designing } from '../../../streams/administration/design/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Planning } from '../../../streams/administration/plan/events.ts'
import { handleValue } from '../../../streams/kernel/handle.ts'
import type { Block, ReleaseDocument, Selection } from '../../../streams/organisation/release/release.ts'
import { alex, bannerPicture, draftOf, releaseDocument } from '../../support/administration/plans.ts'
import { at } from '../../support/administration/story.ts'
import { block, withTheseBlocks } from '../../support/blocks.ts'
import {
  all,
  body,
  check,
  field,
  fill,
  press,
  problemOf,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'

const { recorded, draw, go } = useAdministrationDrawing()

const withSlots = {
  ...releaseDocument,
  templates: { ...releaseDocument.templates, 'templates/a.html': '{{block banner}}{{block notice}}' },
}
const document_ = withTheseBlocks(withSlots, [
  block(),
  block({ id: 'second', name: 'Second', template: 'templates/blocks/second.html' }),
])
const on = (path: string, document: ReleaseDocument = document_) => [
  ...at(path),
  Planning.draftRestored({ draft: null }),
  Planning.draftBegun({ draft: draftOf({ document }), findings: [] }),
  Planning.personRead({ person: alex }),
]
/** The page of a block begins with its design. */
const openRules = () => check('Rules')
const leave = (element: HTMLElement) => {
  act(() => {
    element.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  })
}

describe('the area Blocks', () => {
  test('lead to a banner, and to a new block that begins short or as a copy', async () => {
    await draw(...on('/blocks'))
    const links = all('a').filter(({ textContent }) => textContent === 'New banner')
    expect(links.map((link) => link.getAttribute('href'))).toEqual(['#/blocks/banner'])
    press('New block')
    fill(field('Name'), ' Notice ')
    press('Create')
    press('New block')
    fill(field('Name'), 'Copy')
    fill(field('Begin with'), 'second')
    press('Create')
    expect(recorded).toEqual([
      Planning.blockAdded({ block: 'notice', name: 'Notice', like: null }),
      Planning.blockAdded({ block: 'copy', name: 'Copy', like: 'second' }),
    ])
  })

  test('switch counting', async () => {
    await draw(...on('/blocks'))
    check('Count clicks')
    await go(...on('/blocks', { ...document_, counting: true }))
    check('Count clicks')
    expect(recorded).toEqual([
      Planning.countingSwitched({ isOn: true }),
      Planning.countingSwitched({ isOn: false }),
    ])
  })

  test('leave the switch of counting where it is on, also without blocks', async () => {
    const { blocks: _, ...empty } = document_
    const isOffered = () => body().includes('Count clicks')
    await draw(...on('/blocks', { ...empty, counting: true }))
    expect(isOffered()).toBe(true)
    // Switched off here, it stays and keeps the focus.
    await go(...on('/blocks', empty))
    expect(isOffered()).toBe(true)
    await draw(...on('/blocks', empty))
    expect(isOffered()).toBe(true)
    await draw(...at('/people'))
    await draw(...on('/blocks', empty))
    expect(isOffered()).toBe(false)
  })
})

test('a block that was just added has a preview when the typing pauses', async () => {
  const path = '/blocks/id/notice'
  const opened = [Place.changed({ path }), Place.entered({ path })]
  const added = [
    ...on('/signatures'),
    Planning.blockAdded({ block: 'notice', name: 'Notice', like: null }),
    ...opened,
  ]
  await draw(...added)
  openRules()
  expect(body()).toContain('Number 3 of 3 at its place')
  expect(body()).not.toContain('No signature uses this template.')
  await go(...added, Planning.paused())
  expect(body()).toContain('Not here: Autumn fair fits, too, and comes before it.')
})

test('a block that was just added has a design when the typing pauses and the person is known', async () => {
  const path = '/blocks/id/notice'
  const added = [
    ...on('/signatures'),
    Planning.blockAdded({ block: 'notice', name: 'Notice', like: null }),
    Place.changed({ path }),
    Place.entered({ path }),
  ]
  const bars = () => all('[aria-label="Look of the words"]')
  await draw(...added)
  expect([field('Design').checked, bars()]).toEqual([true, []])
  await go(...added.filter((event) => event.type !== 'plan/personRead'), Planning.paused())
  expect(bars()).toEqual([])
  await go(...added, Planning.paused())
  expect(bars()).toHaveLength(1)
  expect(body()).toContain(
    'Not here: Autumn fair fits, too, and comes before it. Here, it is shown by itself.',
  )
})

test('the design of a block leads to its source, in which the selected element is', async () => {
  const { template } = block()
  const place = { path: template, from: 0, to: '<p>Autumn fair</p>'.length }
  await draw(...on('/blocks/id/autumn'), Designing.selected({ place }))
  press('Edit in the source')
  expect(recorded).toEqual([Planning.wordChosen(place)])
  expect(field('Source').checked).toBe(true)
})

test('a signature that was just added has its design at once', async () => {
  const path = '/signatures/id/notes'
  const added = [
    ...on('/signatures'),
    Planning.signatureAdded({ signature: 'notes', name: 'Notes', like: null }),
    Place.changed({ path }),
    Place.entered({ path }),
  ]
  await draw(...added)
  expect(body()).toContain('New message · Alex Kim')
  expect(all('[aria-label="Look of the words"]')).toHaveLength(1)
})

describe('the rules of a block', () => {
  const changes = () =>
    recorded.map((event) => {
      if (event.type !== 'plan/blockChanged') throw new Error(event.type)
      expect(event.data.block).toBe('autumn')
      return event.data.changes
    })

  test('take what those of a signature take, and replies and a template', async () => {
    await draw(...on('/blocks/id/autumn'))
    openRules()
    fill(field('Name'), 'Fair ')
    fill(field('People'), 'some')
    fill(field('Groups'), 'sales')
    fill(field('Shown to'), 'external')
    fill(field('Time'), 'during')
    fill(field('First day'), '2026-10-01')
    fill(field('Time zone'), 'Europe/Berlin')
    fill(field('Last day'), '2026-10-31')
    check('Also in replies and forwards')
    fill(field('Template'), 'templates/blocks/second.html')
    expect(changes()).toEqual([
      { name: 'Fair' },
      { selection: { for: [[{ by: 'group', values: ['sales'] }]], not: [] } },
      { recipients: 'external' },
      { during: { from: '2026-10-01', to: '2026-10-31', timeZone: 'Europe/Berlin' } },
      { replies: false },
      { template: 'templates/blocks/second.html' },
    ])
  })

  test('have hours: weekdays, times and a time zone', async () => {
    await draw(...on('/blocks/id/autumn'))
    openRules()
    check('Only on some weekdays and hours')
    fill(field('Time zone'), 'Mars')
    expect(problemOf(field('Time zone'))).toContain('There is no such time zone.')
    fill(field('Time zone'), 'Europe/Berlin')
    check('Fri')
    fill(field('Until'), '07:00')
    expect(problemOf(field('Until'))).toContain('Choose a weekday')
    fill(field('Until'), '12:30')
    press('Add a time')
    press('Remove time 1')
    check('Only on some weekdays and hours')
    const hours = (...spans: readonly (readonly [readonly number[], string, string])[]) => ({
      hours: {
        spans: spans.map(([days, from, to]) => ({ days, from, to })),
        timeZone: 'Europe/Berlin',
      },
    })
    const short = [1, 2, 3, 4]
    expect(changes().slice(-6)).toEqual([
      hours([[...short, 5], '08:00', '18:00']),
      hours([short, '08:00', '18:00']),
      hours([short, '08:00', '12:30']),
      hours([short, '08:00', '12:30'], [[6], '08:00', '18:00']),
      hours([[6], '08:00', '18:00']),
      { hours: null },
    ])
  })

  test('have the two details in which each person enters days, and how early it opens', async () => {
    await draw(...on('/blocks/id/autumn'))
    openRules()
    fill(field('Days'), 'own')
    expect(body()).toContain('Own days need two details that people may change.')
    const variables = ['away_from', 'away_to'].map((path) => ({
      ...{ path, from: null, value: null, edit: true, resync: false, hidden: false, label: null },
      group: null,
    }))
    await draw(...on('/blocks/id/autumn', { ...document_, variables }))
    openRules()
    fill(field('Days'), 'own')
    const options = [...field('The detail with the first day').querySelectorAll('option')]
    const [, first = '', last = ''] = options.map(({ value }) => value)
    fill(field('Time zone'), 'Europe/Berlin')
    fill(field('The detail with the first day'), first)
    expect(problemOf(field('The detail with the last day'))).toContain('Choose two details.')
    fill(field('The detail with the last day'), last)
    fill(field('Days before'), '400')
    expect(problemOf(field('Days before'))).toContain('Write a whole number from 0 to 366.')
    fill(field('Days before'), '14')
    const own = (before: number) => ({
      ...{ during: null, hours: null },
      ownDays: { from: first, to: last, before, timeZone: 'Europe/Berlin' },
    })
    expect(changes()).toEqual([own(0), own(14)])
    expect([first, last]).toEqual(['away_from', 'away_to'])
  })

  test('have a share that is a whole number, and say what it means', async () => {
    await draw(...on('/blocks/id/autumn'))
    openRules()
    const share = field('Share in percent')
    expect(body()).toContain('All of these people')
    fill(share, '50')
    expect(body()).toContain('A stable half of these people: the same people every day')
    fill(share, '0')
    expect(problemOf(share)).toContain('Write a whole number from 1 to 100.')
    fill(share, '2.5')
    fill(share, '30')
    expect(problemOf(share)).toBeNull()
    expect(body()).toContain('A stable 30% of these people')
    expect(changes()).toEqual([{ share: 50 }, { share: 30 }])
  })

  test('share people or messages, which the form and the preview tell apart', async () => {
    const shared = (turns: Pick<Block, 'turns'>): ReleaseDocument => ({
      ...document_,
      blocks:
        document_.blocks?.map((each) => (each.id === 'autumn' ? { ...each, share: 30, ...turns } : each)) ??
        [],
    })
    await draw(...on('/blocks/id/autumn', document_))
    openRules()
    expect(body()).not.toContain('Share of')
    await draw(...at('/people'))
    await draw(...on('/blocks/id/autumn', shared({})))
    openRules()
    fill(field('Share of'), 'mail')
    await draw(...at('/people'))
    await draw(...on('/blocks/id/autumn', shared({ turns: 'mail' })))
    openRules()
    expect(body()).toContain('30% of these people’s messages, by chance. A message keeps it')
    expect(body()).toContain('It is in 30% of such messages, in Corporate, New message.')
    fill(field('Share of'), 'people')
    expect(changes()).toEqual([{ turns: 'mail' }, { turns: 'people' }])
  })

  test('have a place that signatures show, or another one with what to do in Design', async () => {
    await draw(...on('/blocks/id/autumn'))
    openRules()
    expect(body()).not.toContain('No signature has this place yet.')
    fill(field('Place in the signature'), 'notice')
    fill(field('Place in the signature'), '')
    const name = field('Name of the place')
    expect(problemOf(name)).toContain('Fill this in.')
    fill(name, '2nd')
    expect(problemOf(name)).toContain('“2nd” cannot be the name of a place')
    leave(name)
    const key = (pressed: string) => {
      act(() => {
        name.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }))
      })
    }
    fill(name, 'award')
    key('d')
    expect(problemOf(name)).toBeNull()
    const notShown = all('main p').find(({ textContent }) =>
      textContent.startsWith('No signature has this place'),
    )
    expect(notShown?.textContent).toContain('add “Place for banners”')
    expect(notShown?.getAttribute('role')).toBeNull()
    expect(changes()).toEqual([{ slot: 'notice' }])
    key('Enter')
    fill(name, 'awards')
    leave(name)
    fill(name, 'award')
    leave(name)
    expect(changes()).toEqual([{ slot: 'notice' }, { slot: 'award' }, { slot: 'awards' }, { slot: 'award' }])
    await go(
      ...on('/blocks/id/autumn'),
      Planning.blockChanged({ block: 'autumn', changes: { slot: 'award' } }),
    )
    expect(body()).toContain('No signature has this place yet. Open a signature in Design')
    expect(body()).toContain('Number 1 of 1 at its place')
  })

  test('move the block within its place', async () => {
    await draw(...on('/blocks/id/autumn'))
    openRules()
    press('Move earlier')
    press('Move later')
    expect(recorded).toEqual([Planning.blockMoved({ block: 'autumn', to: 1 })])
  })

  test('go with the block only after a question', async () => {
    await draw(...on('/blocks/id/autumn'))
    openRules()
    press('Remove this block')
    expect(recorded).toEqual([])
    act(() => {
      all('dialog button')
        .find(({ textContent }) => textContent === 'Remove this block')
        ?.click()
    })
    expect(recorded).toEqual([Planning.blockRemoved({ block: 'autumn' })])
  })

  test('are beside a message whose recipients are chosen', async () => {
    const outside = withTheseBlocks(withSlots, [block({ recipients: 'external' })])
    await draw(...on('/blocks/id/autumn', outside))
    openRules()
    press('Change what is shown')
    check('Someone outside')
    await go(...on('/blocks/id/autumn', outside), Planning.recipientsChosen({ recipients: 'external' }))
    check('No recipients yet')
    expect(recorded).toEqual([
      Planning.recipientsChosen({ recipients: 'external' }),
      Planning.recipientsChosen({ recipients: null }),
    ])
    await go(...on('/signatures/id/a', releaseDocument))
    expect(body()).not.toContain('Someone outside')
  })
})

describe('the form for a banner', () => {
  const read = [
    Planning.pictureChosen({ picture: { handle: '<handle>' } }),
    Planning.pictureRead({ picture: bannerPicture }),
  ]
  const ALT = 'What the picture says'
  const ADDRESS = 'Address to which it leads'
  const made = () =>
    recorded.flatMap((event) => (event.type === 'plan/bannerAdded' ? [event.data.banner] : []))

  test('reads the picture that is dropped or chosen', async () => {
    await draw(...on('/blocks/banner'))
    const file = new File(['x'], 'a.png')
    const drop = (files: readonly File[]) => {
      const event = new Event('drop', { bubbles: true })
      Object.assign(event, { dataTransfer: { types: ['Files'], files, items: [] } })
      act(() => {
        all('[data-over]')[0]?.dispatchEvent(event)
      })
    }
    drop([])
    expect(recorded).toEqual([])
    drop([file])
    const chosen = field('Choose a picture')
    // The field says which picture it is, also when it was dropped.
    expect(chosen).toMatchObject({ files: [file] })
    Object.defineProperty(chosen, 'files', { value: [file] })
    act(() => {
      chosen.dispatchEvent(new Event('change', { bubbles: true }))
    })
    expect(chosen).toMatchObject({ files: [file] })
    expect(recorded.map((event) => event.type)).toEqual(['plan/pictureChosen', 'plan/pictureChosen'])
    for (const event of recorded)
      expect(event.type === 'plan/pictureChosen' && handleValue(event.data.picture)).toBe(file)
  })

  test('makes a banner when all of it is right, and not before', async () => {
    await draw(...on('/blocks/banner'))
    press('Add the banner')
    expect(made()).toEqual([])
    expect(body()).toContain('Something is missing or wrong.')
    expect([ALT, 'Name', 'Choose a picture'].map((label) => problemOf(field(label)))).toEqual([
      'Fill this in.',
      'Fill this in.',
      'Fill this in.',
    ])
    expect(document.activeElement).toBe(field('Choose a picture'))
    await go(...on('/blocks/banner'), ...read)
    expect(field('Name').value).toBe('Autumn fair')
    fill(field(ALT), ' Autumn fair, 5 October ')
    fill(field(ADDRESS), 'http://www.northwind.example')
    expect(problemOf(field(ADDRESS))).toContain('This is not a web address with https')
    press('Add the banner')
    expect(document.activeElement).toBe(field(ADDRESS))
    fill(field(ADDRESS), ' https://www.northwind.example/fair ')
    expect(body()).not.toContain('The link leads to')
    fill(field(ADDRESS), ' www.northwind.example/fair ')
    expect(body()).toContain('The link leads to https://www.northwind.example/fair.')
    fill(field('Time'), 'during')
    press('Add the banner')
    fill(field('First day'), '2026-10-01')
    fill(field('Last day'), '2026-10-31')
    fill(field('Time zone'), 'Europe/Berlin')
    fill(field('Shown to'), 'domains')
    press('Add the banner')
    expect(made()).toEqual([])
    fill(field('Domains, addresses and lists of recipients'), 'quay.example')
    fill(field('Place in the signature'), 'notice')
    press('Add the banner')
    expect(made()).toEqual([
      {
        name: 'Autumn fair',
        alt: 'Autumn fair, 5 October',
        slot: 'notice',
        into: null,
        address: 'https://www.northwind.example/fair',
        isCounted: false,
        selection: { for: 'everyone', not: [] },
        during: { from: '2026-10-01', to: '2026-10-31', timeZone: 'Europe/Berlin' },
        recipients: ['quay.example'],
      },
    ])
    expect(body()).not.toContain('Something is missing or wrong.')
  })

  test('needs neither an address nor a period', async () => {
    await draw(...on('/blocks/banner'), ...read)
    fill(field(ALT), 'Fair')
    fill(field('Name'), ' ')
    press('Add the banner')
    fill(field('Name'), 'Fair 2026')
    press('Add the banner')
    expect(made()).toEqual([
      {
        name: 'Fair 2026',
        alt: 'Fair',
        address: null,
        isCounted: false,
        selection: { for: 'everyone', not: [] },
        slot: 'banner',
        into: null,
        during: null,
        recipients: 'everyone',
      },
    ])
  })

  test('asks for whom it is, with the rules of a signature', async () => {
    const chosen = () =>
      recorded.flatMap((event) => (event.type === 'plan/audienceChosen' ? [event.data.audience] : []))
    const audience = (selection: Selection, isComplete: boolean) =>
      Planning.audienceChosen({ audience: { selection, isComplete } })
    const everyone: Selection = { for: 'everyone', not: [] }
    const sales: Selection = { for: [[{ by: 'group', values: ['sales'] }]], not: [] }
    const begun = [...on('/blocks/banner'), ...read]
    await draw(...begun)
    fill(field(ALT), 'Fair')
    fill(field('People'), 'some')
    await go(...begun, audience(everyone, false))
    press('Add the banner')
    expect(document.activeElement).toBe(field('Groups'))
    fill(field('Groups'), 'sales')
    await go(...begun, audience(sales, true))
    press('Add the banner')
    press('Add a rule')
    await go(...begun, audience(sales, false))
    fill(field('Groups'), 'sales\nsupport')
    press('Add the banner')
    expect(chosen()).toEqual([
      { selection: everyone, isComplete: false },
      { selection: sales, isComplete: true },
      { selection: sales, isComplete: false },
      { selection: { for: [[{ by: 'group', values: ['sales', 'support'] }]], not: [] }, isComplete: false },
    ])
    expect(made().map(({ selection }) => selection)).toEqual([sales])
  })

  test('offers to count clicks on its link while clicks are counted', async () => {
    const counting = { ...document_, counting: true }
    await draw(...on('/blocks/banner', counting), ...read)
    fill(field(ALT), 'Fair')
    expect(body()).not.toContain('Count clicks on this banner')
    fill(field(ADDRESS), 'https://a.example')
    press('Add the banner')
    check('Count clicks on this banner')
    press('Add the banner')
    fill(field(ADDRESS), '')
    press('Add the banner')
    expect(made().map(({ isCounted }) => isCounted)).toEqual([true, false, false])
    await go(...on('/blocks/banner'), ...read)
    fill(field(ADDRESS), 'https://a.example')
    expect(body()).not.toContain('Count clicks on this banner')
    check('Count clicks')
    expect(recorded.at(-1)).toEqual(Planning.countingSwitched({ isOn: true }))
  })

  test('makes a place in a template of the default signature when no signature has one', async () => {
    const signatures = releaseDocument.signatures.map((each) => ({ ...each, reply: 'templates/b.html' }))
    await draw(...on('/blocks/banner', { ...releaseDocument, signatures }), ...read)
    expect(body()).toContain('Adding the banner makes one at the end of this template')
    expect(body()).toContain('Shown in Corporate, New message.')
    fill(field(ALT), 'Fair')
    press('Add the banner')
    fill(field('Template for the banner'), 'templates/b.html')
    expect(body()).toContain('Shown in Corporate, Reply.')
    press('Add the banner')
    expect(made().map(({ slot, into }) => [slot, into])).toEqual([
      ['banner', 'templates/a.html'],
      ['banner', 'templates/b.html'],
    ])
  })
})
