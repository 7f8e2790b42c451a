import { act } from 'react'
import { describe, expect, test } from 'vitest'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import { InsightLoad } from '../../../streams/administration/overview/events.ts'
import { Place } from '../../../streams/administration/place/events.ts'
import { Fitting, Planning, Suggestions } from '../../../streams/administration/plan/events.ts'
import { RulesFile, RulesFileEdits, RulesFileApplying } from '../../../streams/administration/plan/events.ts'
import type { SignatureChanges } from '../../../streams/administration/plan/signatures.ts'
import type { FoundPerson } from '../../../streams/wire/administration/people.ts'
import type { FolderFinding } from '../../../streams/wire/administration/publishing.ts'
import { galleryTemplate } from '../../../streams/organisation/release/gallery.ts'
import type { Selection } from '../../../streams/organisation/release/release.ts'
import { insight } from '../../support/administration/answers.ts'
import { alex, draftOf, planOf, releaseDocument } from '../../support/administration/plans.ts'
import { at, down } from '../../support/administration/story.ts'
import {
  all,
  body,
  button,
  check,
  field,
  fill,
  press,
  problemOf,
  useAdministrationDrawing,
} from './drawingAdministration.tsx'
import { outline } from '../outline.ts'

const { recorded, draw, go } = useAdministrationDrawing()

const on = (path: string, draft = draftOf()) => [
  ...at(path),
  Planning.draftRestored({ draft: null }),
  Planning.draftBegun({ draft, findings: [] }),
  Planning.personRead({ person: alex }),
]
const changed = (changes: SignatureChanges, signature = 'b') =>
  Planning.signatureChanged({ signature, changes })
const cards = () => all('main ol > li').map((card) => outline(card))

describe('the notice of unpublished changes', () => {
  const draft = draftOf({ edited: ['templates/a.html'] })
  const plan = [
    Planning.planRequested(),
    Planning.planned({ plan: planOf(), document: releaseDocument }),
  ] as const
  const toPlan = Place.linkFollowed({ to: '/plan' })

  test.each(['/signatures', '/signatures/files', '/signatures/gallery', '/blocks', '/signatures/brand'])(
    'leads from %s to the plan in one act',
    async (path) => {
      await draw(...on(path))
      expect(body()).toContain('Everything here is published.')
      expect(body()).not.toContain('See what would change')
      await go(...on(path, draft))
      press('See what would change')
      expect(recorded).toEqual([Planning.planRequested(), toPlan])
    },
  )

  test('leads to the plan that is there, unless the draft has changed since', async () => {
    await draw(...on('/signatures', draft), ...plan)
    press('See what would change')
    expect(recorded).toEqual([toPlan])
    await go(...on('/signatures', draft), ...plan, changed({ name: 'Sales team' }))
    press('See what would change')
    expect(recorded).toEqual([toPlan, Planning.planRequested(), toPlan])
  })
})

describe('the cards', () => {
  test('say for each signature for whom, when and for which recipients it is, and who has it', async () => {
    const told = InsightLoad.loaded({
      value: { ...insight(), signatures: [{ signature: 'a', name: 'Corporate', people: 4_210 }] },
    })
    const rules = changed({
      selection: {
        for: [
          [
            { by: 'group', values: ['sales', 'service'] },
            { by: 'field', field: 'country', values: ['DE'] },
          ],
          [{ by: 'address', values: ['*@in.example'] }],
        ],
        not: [[{ by: 'person', values: ['ana@in.example'] }]],
      },
      during: { from: '2026-09-01', to: '2026-11-30', timeZone: 'Europe/Berlin' },
      recipients: ['quay.example', 'pier.example'],
      collection: 'campaigns',
      mobile: 'templates/a.html',
    })
    await draw(...on('/signatures', draftOf({ original: releaseDocument })), told, rules, Planning.paused())
    expect(cards()).toEqual([
      [
        '## Corporate → #/signatures/id/a Default',
        'For whom: Everyone',
        'Versions: New message',
        '[Move Corporate]',
        '[Duplicate Corporate]',
        'Default of 4,210 people',
      ],
      [
        '## Sales → #/signatures/id/b Not for this person Changed',
        'For whom: Members of sales or service and Country: DE or Addresses like *@in.example, except ana@in.example',
        'When: From September 1, 2026 to November 30, 2026',
        'Recipients: Recipients at quay.example or pier.example',
        'Versions: New message, Reply, and Mobile message',
        'Heading in the pane: campaigns',
        '[Move Sales]',
        '[Duplicate Sales]',
        'Default of 0 people',
      ],
    ])
    expect(body()).toContain('You see changes that are not published yet.')
    await go(...on('/signatures'), Planning.sampleChosen())
    expect(cards().map(([name]) => name)).toEqual([
      '## Corporate → #/signatures/id/a',
      '## Sales → #/signatures/id/b',
    ])
    expect(body()).not.toContain('Default of')
    expect(body()).not.toContain('not published.')
  })

  test('show today, whatever day the preview of a template has', async () => {
    const during = { from: '2026-10-01', to: '2026-10-01', timeZone: 'Europe/Berlin' }
    const period = [Planning.signatureChanged({ signature: 'a', changes: { during } }), Planning.paused()]
    await draw(...on('/signatures'), ...period)
    const today = cards().map(([name]) => name)
    await go(...on('/signatures'), ...period, Planning.dayChosen({ day: '2026-10-01' }))
    expect(cards().map(([name]) => name)).toEqual(today)
    // On that day the first card would be the default.
    expect(today[0]).not.toContain('Default')
  })

  test('lead to a new signature, which has a name and begins short or as a copy', async () => {
    await draw(...on('/signatures'))
    press('New signature')
    press('Create')
    expect(problemOf(field('Name'))).toContain('Fill this in.')
    expect(recorded).toEqual([])
    fill(field('Name'), '  Autumn ')
    expect(problemOf(field('Name'))).toBeNull()
    press('Create')
    press('New signature')
    fill(field('Name'), 'Copy')
    fill(field('Begin with'), 'b')
    press('Create')
    expect(recorded).toEqual([
      Planning.signatureAdded({ signature: 'autumn', name: 'Autumn', like: null }),
      Planning.signatureAdded({ signature: 'copy', name: 'Copy', like: 'b' }),
    ])
    expect(all('dialog')).toEqual([])
  })

  test('lead to the gallery, whose templates are for the draft', async () => {
    await draw(...on('/signatures'))
    expect(body()).toContain('Gallery')
    await go(...on('/signatures/gallery'))
    expect(all('main li h2').map((each) => each.textContent)).toEqual([
      ...['Plain', 'Classic', 'Compact', 'Portrait', 'Bold', 'Legal notice'],
    ])
    press('Use Classic')
    expect(recorded).toEqual([
      Planning.templateTaken({
        signature: 'classic',
        taken: { ...galleryTemplate('classic', releaseDocument), name: 'Classic' },
      }),
    ])
  })

  test('are replaced by a folder only while nothing is changed', async () => {
    await draw(...on('/signatures'))
    expect(body()).toContain('Begin from a folder')
    expect(button('Save what is published as a folder')).toBeTruthy()
    await go(...on('/signatures'), changed({ name: 'New' }))
    expect(body()).not.toContain('Begin from a folder')
    expect(button('Save the draft as a folder')).toBeTruthy()
  })
})

describe('the rules of a signature', () => {
  const drawRules = async (...events: readonly AdministrationEvent[]) => {
    await draw(...events)
    check('Rules')
  }
  const changes = () =>
    recorded.map((event) => {
      if (event.type !== 'plan/signatureChanged') throw new Error(event.type)
      expect(event.data.signature).toBe('b')
      return event.data.changes
    })

  test('take a name, unless it is empty', async () => {
    await drawRules(...on('/signatures/id/b'))
    fill(field('Name'), ' ')
    expect([recorded, problemOf(field('Name'))]).toEqual([
      [],
      'Fill this in. Until then, the draft keeps what it had.',
    ])
    fill(field('Name'), 'Sales team ')
    expect(changes()).toEqual([{ name: 'Sales team' }])
    expect(field('Name').value).toBe('Sales team ')
    expect(problemOf(field('Name'))).toBeNull()
  })

  test('move the signature in the order, up to its ends', async () => {
    await drawRules(...on('/signatures/id/b'))
    press('Move later')
    press('Move earlier')
    expect(recorded).toEqual([Planning.signatureMoved({ signature: 'b', to: 0 })])
    await go(...on('/signatures/id/b'), Planning.signatureMoved({ signature: 'b', to: 0 }))
    expect(body()).toContain('Place 1 of 2 in the order')
    press('Move earlier')
    press('Move later')
    expect(recorded).toHaveLength(2)
    expect(recorded[1]).toEqual(Planning.signatureMoved({ signature: 'b', to: 1 }))
  })

  test('say for whom it is: for everyone, or for groups of conditions', async () => {
    await drawRules(...on('/signatures/id/b'))
    const selection = releaseDocument.signatures[1]?.selection
    fill(field('People'), 'everyone')
    expect(changes()).toEqual([{ selection: { ...selection, for: 'everyone' } }])
    fill(field('People'), 'some')
    expect(recorded).toHaveLength(1)
    recorded.length = 0
    fill(field('Groups'), 'sales\n service ')
    expect(changes()).toEqual([
      { selection: { for: [[{ by: 'group', values: ['sales', 'service'] }]], not: [] } },
    ])
    press('And another condition')
    // The first condition is by group already, and the second has no value yet.
    expect(problemOf(field('Condition', 1))).toContain('This rule has such a condition already.')
    fill(field('Condition', 1), 'field')
    expect(problemOf(field('Field of the directory'))).toContain('Fill this in.')
    fill(field('Field of the directory'), 'country')
    expect(recorded).toHaveLength(1)
    fill(field('Values of the field'), 'DE')
    const both = [
      { by: 'group', values: ['sales', 'service'] },
      { by: 'field', field: 'country', values: ['DE'] },
    ] as const
    expect(changes().at(-1)).toEqual({ selection: { for: [both], not: [] } })
    press('Or another rule')
    fill(field('Condition', 2), 'person')
    fill(field('Addresses of people'), 'Ana@in.example')
    expect(problemOf(field('Addresses of people'))).toBe(
      '“Ana@in.example” is not an address in lower-case letters.',
    )
    fill(field('Addresses of people'), 'ana@in.example')
    const third = [{ by: 'person', values: ['ana@in.example'] }]
    expect(changes().at(-1)).toEqual({ selection: { for: [both, third], not: [] } })
    act(() => {
      all('main fieldset fieldset')[1]?.querySelector<HTMLElement>('button')?.click()
    })
    expect(changes().at(-1)).toEqual({ selection: { for: [both], not: [] } })
  })

  test('compare a field of the person or of the manager, and ask for the language', async () => {
    await drawRules(...on('/signatures/id/b'))
    const latest = () => changes().at(-1)?.selection?.for
    fill(field('Condition'), 'field')
    fill(field('Field of the directory'), 'employeeHireDate')
    fill(field('Comparison'), 'before')
    expect(all('main fieldset textarea').length).toBe(0)
    expect(problemOf(field('Day'))).toBe('Choose a day.')
    fill(field('Day'), '2026-01-01')
    const hired = { by: 'test', field: 'employeeHireDate', tests: [{ is: 'before', day: '2026-01-01' }] }
    expect(latest()).toEqual([[hired]])
    fill(field('Comparison'), 'any')
    expect(latest()).toEqual([[{ ...hired, tests: [{ is: 'any' }] }]])
    press('And another condition')
    fill(field('Condition', 1), 'managerField')
    fill(field('Field of the directory', 1), 'jobTitle')
    fill(field('Comparison', 1), 'starts')
    fill(field('Texts, in capital or small letters'), 'Head of\nDirector')
    press('And another condition')
    fill(field('Condition', 2), 'language')
    fill(field('Languages, for example de or pt-BR'), 'German!')
    expect(problemOf(field('Languages, for example de or pt-BR'))).toBe(
      '“German!” is not a language such as de or pt-BR.',
    )
    fill(field('Languages, for example de or pt-BR'), 'de')
    const wanted = [
      { ...hired, tests: [{ is: 'any' }] },
      {
        by: 'manager',
        conditions: [
          { ...hired, field: 'jobTitle', tests: [{ is: 'starts', values: ['Head of', 'Director'] }] },
        ],
      },
      { by: 'language', values: ['de'] },
    ]
    expect(latest()).toEqual([wanted])
    fill(field('Name'), 'Leaders')
    expect(changes().at(-1)).toEqual({ name: 'Leaders' })
  })

  test('say how many people fit when all of them are complete, and count again on request', async () => {
    const selection: Selection = { for: [[{ by: 'group', values: ['sales'] }]], not: [] }
    const page = [...on('/signatures/id/b'), Fitting.shown({ selection })]
    const failed = [...page, Fitting.loadFailed({ failure: { kind: 'network' } })]
    await drawRules(...page)
    expect(body()).toContain('Counting people…')
    await go(...page, Fitting.loaded({ value: { people: 1_200, of: 3_400 } }))
    expect(body()).toContain('Fits 1,200 of 3,400 people.')
    press('Add a rule')
    expect(body()).not.toContain('Fits 1,200')
    expect(body()).toContain('When the rules are complete, this line counts the people who fit.')
    press('Remove the condition')
    expect(body()).toContain('Fits 1,200 of 3,400 people.')
    await go(...failed)
    expect(body()).toContain('The people could not be counted.')
    press('Try again')
    expect(recorded.at(-1)).toEqual(Place.retryRequested())
  })

  describe('find values in the directory', () => {
    const values = ['Sales', 'Service', 'After-sales'].map((value, at) => ({ value, people: 30 - at }))
    const page = on('/signatures/id/b')
    const sought = (search: string) => Suggestions.sought({ field: 'group', search })
    const found = (search: string) => [...page, sought(search), Suggestions.loaded({ value: { values } })]
    const search = () => field('Find in the directory')
    const options = () => all('[role=option]').map((option) => outline(option).join())
    const active = () => document.getElementById(search().getAttribute('aria-activedescendant') ?? '')
    const key = (pressed: string) => {
      act(() => {
        search().dispatchEvent(
          new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }),
        )
      })
    }
    const lines = () => field<HTMLTextAreaElement>('Groups').value

    test('with the keyboard: arrows, Enter and Escape', async () => {
      await drawRules(...page)
      act(() => search().focus())
      expect(recorded).toEqual([sought('')])
      await go(...found(''))
      expect([search().getAttribute('aria-expanded'), options()]).toEqual(['false', []])
      key('ArrowDown')
      expect(search().getAttribute('aria-expanded')).toBe('true')
      expect(options()).toEqual([
        '(Sales30 people, selected)',
        '(Service29 people)',
        '(After-sales28 people)',
      ])
      key('ArrowUp')
      expect(active()?.textContent).toBe('After-sales28 people')
      key('ArrowDown')
      key('ArrowDown')
      expect(active()?.textContent).toBe('Service29 people')
      key('Escape')
      expect([search().getAttribute('aria-expanded'), active()]).toEqual(['false', null])
      key('ArrowDown')
      key('Enter')
      expect(lines()).toBe('sales\nSales')
      expect(body()).toContain('“Sales” was added.')
      // A value is offered only once.
      key('ArrowUp')
      key('ArrowUp')
      key('Enter')
      expect(lines()).toBe('sales\nSales\nService')
      expect(recorded.at(-2)).toEqual(
        changed({ selection: { for: [[{ by: 'group', values: ['sales', 'Sales', 'Service'] }]], not: [] } }),
      )
    })

    test('while one types, and take a text that nobody has yet', async () => {
      await drawRules(...page)
      fill(search(), ' SAL')
      expect(recorded).toEqual([sought('SAL')])
      await go(...found('SAL'))
      expect(options()).toEqual(['(Sales30 people)', '(After-sales28 people)'])
      expect(body()).toContain('2 values found')
      fill(search(), ' interns ')
      expect(options()).toEqual([])
      await go(...found('interns'))
      expect(body()).toContain('Nobody has such a value at the moment.')
      key('Enter')
      expect([lines(), search().value]).toEqual(['sales\ninterns', ''])
      fill(search(), '営業')
      act(() => {
        search().dispatchEvent(
          new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, isComposing: true }),
        )
      })
      expect([lines(), search().value]).toEqual(['sales\ninterns', '営業'])
      fill(search(), ' ')
      key('Enter')
      expect(lines()).toBe('sales\ninterns')
    })

    test('with the mouse, while the focus stays in the search', async () => {
      await drawRules(...found(''))
      act(() => search().focus())
      act(() => search().click())
      const [, service] = all('[role=option]')
      const down = new Event('pointerdown', { bubbles: true, cancelable: true })
      act(() => {
        service?.dispatchEvent(down)
        service?.click()
      })
      expect([lines(), down.defaultPrevented]).toEqual(['sales\nService', true])
      key('ArrowDown')
      expect(options()).toHaveLength(2)
      act(() => search().blur())
      expect(options()).toEqual([])
    })

    test('but no addresses, languages and names', async () => {
      await drawRules(...page)
      const offered = () =>
        all('label').filter(({ textContent }) => textContent === 'Find in the directory').length
      expect(offered()).toBe(1)
      for (const kind of ['person', 'address', 'language', 'managerPerson', 'field']) {
        fill(field('Condition'), kind)
        expect(offered()).toBe(0)
      }
      fill(field('Field of the directory'), 'displayName')
      expect(offered()).toBe(0)
      fill(field('Field of the directory'), 'department')
      expect(offered()).toBe(1)
      fill(field('Comparison'), 'any')
      expect(offered()).toBe(0)
    })
  })

  test('leave people out', async () => {
    await drawRules(...on('/signatures/id/b'))
    press('Add a rule')
    expect(body()).not.toContain('Nobody is left out.')
    fill(field('Groups', 1), 'trainees')
    const wanted = releaseDocument.signatures[1]?.selection.for
    expect(changes()).toEqual([
      { selection: { for: wanted, not: [[{ by: 'group', values: ['trainees'] }]] } },
    ])
    act(() => {
      all('main fieldset')
        .find((each) => each.querySelector('legend')?.textContent === 'Not for')
        ?.querySelector<HTMLElement>('fieldset button')
        ?.click()
    })
    expect(changes().at(-1)).toEqual({ selection: { for: wanted, not: [] } })
  })

  test('have a period when its days and its time zone are right', async () => {
    await drawRules(...on('/signatures/id/b'))
    fill(field('Time'), 'during')
    fill(field('First day'), '2026-09-10')
    fill(field('Time zone'), 'Nowhere')
    expect(problemOf(field('Time zone'))).toBe('There is no such time zone.')
    fill(field('Time zone'), 'Europe/Berlin')
    expect(problemOf(field('Last day'))).toBe('Choose the first and the last day.')
    fill(field('Last day'), '2026-09-09')
    expect(problemOf(field('Last day'))).toBe('The last day comes before the first.')
    expect(recorded).toEqual([])
    fill(field('Last day'), '2026-09-10')
    const during = { from: '2026-09-10', to: '2026-09-10', timeZone: 'Europe/Berlin' }
    fill(field('Time'), 'always')
    fill(field('Time'), 'during')
    expect(changes()).toEqual([{ during }, { during: null }, { during }])
  })

  test('have recipients: all, inside, outside, or certain domains, addresses and lists', async () => {
    await drawRules(...on('/signatures/id/b'))
    fill(field('Offered for'), 'internal')
    fill(field('Offered for'), 'domains')
    const recipients = () => field('Domains, addresses and lists of recipients')
    fill(recipients(), 'Quay.example')
    expect(problemOf(recipients())).toBe(
      '“Quay.example” is not a domain or an address in lower-case letters, and not the name of a list.',
    )
    fill(recipients(), 'Partners\nanna@quay.example')
    expect(problemOf(recipients())).toBeNull()
    fill(recipients(), 'quay.example')
    fill(field('Offered for'), 'everyone')
    fill(field('Offered for'), 'domains')
    expect(changes()).toEqual([
      { recipients: 'internal' },
      { recipients: ['Partners', 'anna@quay.example'] },
      { recipients: ['quay.example'] },
      { recipients: 'everyone' },
      { recipients: ['quay.example'] },
    ])
  })

  test('have versions and a collection', async () => {
    await drawRules(...on('/signatures/id/b'))
    fill(field('New message'), 'templates/a.html')
    fill(field('Reply'), '')
    fill(field('Mobile message'), 'templates/b.html')
    fill(field('Heading in the pane'), ' campaigns ')
    fill(field('Heading in the pane'), ' ')
    expect(changes()).toEqual([
      { template: 'templates/a.html' },
      { reply: null },
      { mobile: 'templates/b.html' },
      { collection: 'campaigns' },
      { collection: null },
    ])
    await go(...on('/signatures/id/b'), changed({ template: 'templates/gone.html' }))
    expect(field<HTMLSelectElement>('New message').value).toBe('templates/gone.html')
  })

  test('are beside what the person of the preview gets, and why', async () => {
    await drawRules(...on('/signatures/id/a'))
    expect(body()).toContain(
      'Corporate is the default because everyone has it and it is the first in the order.',
    )
    await go(...on('/signatures/id/b'))
    check('Rules')
    expect(body()).toContain('Not Sales: this person fits none of its rules.')
    await go(...on('/signatures/id/b'), Planning.sampleChosen())
    expect(body()).not.toContain('Not Sales')
  })

  describe('are beside the preview for a person who has the signature', () => {
    const found = (name: string): FoundPerson => ({
      id: 'p-ana',
      address: 'ana@in.example',
      name,
      isActive: true,
    })
    const sought = [...on('/signatures/id/b'), Planning.holderNeeded({ signature: 'b' })]
    const unfold = async (...events: readonly AdministrationEvent[]) => {
      await drawRules(...events)
      press('Change what is shown')
    }
    const holder = () => outline(all('[data-holder]')[0])
    const offer = 'Preview for Ana Silva, who has this signature'

    test('who is offered by name', async () => {
      await unfold(...on('/signatures/id/b'))
      expect(holder()).toEqual([])
      await go(...sought)
      expect(holder()).toEqual(['status: Looking for a person who has this signature…'])
      await go(...sought, Planning.holderFound({ person: found('Ana Silva') }))
      expect(holder()).toEqual([`[${offer}]`])
      press(offer)
      expect(recorded).toEqual([Planning.personChosen({ person: 'p-ana' })])
      await go(...sought, Planning.holderFound({ person: found('') }))
      expect(holder()).toEqual(['[Preview for ana@in.example, who has this signature]'])
    })

    test('who is not offered for the sample, nor in place of a person who has it', async () => {
      const offered = [...sought, Planning.holderFound({ person: found('Ana Silva') })]
      await unfold(...offered, Planning.sampleChosen())
      expect(holder()).toEqual([])
      await go(...offered, Planning.personChosen({ person: 'p-ana' }))
      expect(holder()).toEqual([])
      const ana = { ...alex, groups: ['sales'] }
      await go(...offered, Planning.personChosen({ person: 'p-ana' }), Planning.personRead({ person: ana }))
      expect(holder()).toEqual([])
    })

    test('for whom the sample stands in when nobody has it', async () => {
      await unfold(...sought, Planning.holderFound({ person: null }))
      expect(holder()).toEqual([
        'status: Nobody who has this signature was found.',
        '[Show an example person]',
      ])
      press('Show an example person')
      expect(recorded).toEqual([Planning.sampleChosen()])
    })

    test('who is sought again after a failure', async () => {
      await unfold(...sought, Planning.holderFailed({ failure: down }))
      expect(body()).toContain('This could not be loaded')
      press('Try again')
      expect(recorded).toEqual([Planning.holderRetried()])
    })

    test('who is not sought by unfinished rules, which is no failure', async () => {
      const refused = { kind: 'http', status: 400, code: 'invalid', data: null } as const
      await unfold(...sought, Planning.holderFailed({ failure: refused }))
      expect(body()).not.toContain('This could not be loaded')
    })
  })

  test('are exchanged for the templates, and back', async () => {
    await drawRules(...on('/signatures/id/b'))
    check('Source')
    expect([all('[data-workbench]').length, all('fieldset legend').map((each) => each.textContent)]).toEqual([
      1,
      expect.not.arrayContaining(['For whom']),
    ])
    check('Rules')
    expect(all('[data-workbench]')).toEqual([])
  })

  test('go with the signature only after a question', async () => {
    await drawRules(...on('/signatures/id/b'))
    press('Remove this signature')
    expect(outline(all('dialog')[0])).toContain('## Remove Sales?')
    expect(recorded).toEqual([])
    act(() => {
      all('dialog button')
        .find(({ textContent }) => textContent === 'Remove this signature')
        ?.click()
    })
    expect(recorded).toEqual([Planning.signatureRemoved({ signature: 'b' })])
    await go(...on('/signatures/id/b'), Planning.signatureRemoved({ signature: 'b' }))
    expect(body()).toContain('The draft has no such signature.')
    await go(...on('/signatures/id/b'), Place.entered({ path: '/signatures/id/b' }))
    expect(body()).not.toContain('The draft has no such signature.')
  })
})

describe('what the check found', () => {
  const finding = (file: string, message: string): FolderFinding => ({
    ...{ file, line: 1, column: 1, level: 'warning', rule: 'x', message },
  })
  const found = [
    finding('templates/a.html', 'Of Corporate.'),
    finding('templates/b.html', 'Of Sales.'),
    finding('signet.yaml', 'Of the rules.'),
  ]
  const begun = (findings: readonly FolderFinding[]) => [
    ...at('/signatures/id/b'),
    Planning.draftRestored({ draft: null }),
    Planning.draftBegun({ draft: draftOf(), findings }),
  ]
  const folded = () => all('main details summary').map(({ textContent }) => textContent)

  test('is on the page of a signature in full for its own files, and folded for others', async () => {
    await draw(...begun(found))
    const own = outline(all('main section').find((each) => outline(each)[0] === '## What the check found'))
    expect(own.slice(1)).toEqual([
      'status: 2 warnings.',
      expect.stringContaining('Of Corporate.'),
      expect.stringContaining('Of Sales.'),
    ])
    expect(folded()).toContain('1 finding elsewhere in the draft')
    await draw(...begun(found.slice(2)))
    expect(body()).not.toContain('What the check found')
    expect(folded()).toContain('1 finding elsewhere in the draft')
    await draw(...begun(found.slice(0, 2)))
    expect(body()).not.toContain('elsewhere in the draft')
  })
})

describe('the file of the rules', () => {
  const opened = [...on('/signatures/files/signet.yaml'), RulesFile.loaded({ value: 'version: 1' })]
  const area = () => field<HTMLTextAreaElement>('Tab leaves the field.')

  test('is taken into the draft when it was edited', async () => {
    await draw(...opened)
    expect(area().value).toBe('version: 1')
    press('Take over the text')
    expect(recorded).toEqual([])
    fill(area(), 'version: 2')
    const typed = RulesFileEdits.typed({ text: 'version: 2' })
    expect(recorded).toEqual([typed])
    await go(...opened, typed)
    expect(area().value).toBe('version: 2')
    press('Take over the text')
    const asked = RulesFileApplying.requested({ yaml: 'version: 2' })
    expect(recorded.at(-1)).toEqual(asked)
    await go(...opened, typed, asked)
    press('Take over the text')
    expect(recorded).toHaveLength(2)
    expect(body()).toContain('Reading the text…')
    await go(...opened, typed, asked, RulesFileApplying.failed({ failure: down }))
    press('Try again')
    expect(recorded.at(-1)).toEqual(asked)
  })
})
