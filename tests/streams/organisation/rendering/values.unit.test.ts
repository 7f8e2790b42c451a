import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PLAIN_FORMATS } from '../../../../streams/organisation/template/formats.ts'
import {
  compileRelease,
  type SharedMailbox,
  type ReleaseDocument,
  type Signature,
  type Variable,
} from '../../../../streams/organisation/release/release.ts'
import {
  pictureAddress,
  portraitAddress,
  renderFrame,
} from '../../../../streams/organisation/rendering/render.ts'
import {
  MAX_NAMED_ADDRESSES,
  namedAddressesOf,
  replacedFields,
  variableDefinitionsOf,
  displayName,
  replacedDirectoryValues,
  subscriptionPlanOf,
  variableNames,
  variableValues,
} from '../../../../streams/organisation/release/selectors.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { EVERYONE, person, release } from '../arbitraries.ts'
import { variableOf } from '../../../support/variables.ts'

const variable = (path: string, more: Partial<Variable> = {}): Variable =>
  variableOf(path, { edit: true, group: null, ...more })
const signature: Signature = {
  id: 's',
  name: 'S',
  template: 'templates/a.html',
  reply: 'templates/b.html',
  mobile: null,
  selection: EVERYONE,
  during: null,
  recipients: 'everyone',
  collection: null,
}
const documentOf = (
  variables: readonly Variable[],
  templates: ReleaseDocument['templates'] = {},
  mailboxes: readonly SharedMailbox[] = [],
): ReleaseDocument => ({
  version: 1,
  organisation: 'N',
  internal: [],
  chooseDefault: EVERYONE,
  plan: { from: 'plan', value: 'full' },
  variables,
  signatures: [signature],
  mailboxes,
  templates,
  pictures: { 'logo.png': 'c0ffee', 'banners/a "b".png': 'ba' },
})
const releaseOf = (...given: Parameters<typeof documentOf>) => compileRelease('r', documentOf(...given))

const maria: PersonState = {
  id: 'p-1',
  revision: 1,
  account: null,
  active: true,
  language: null,
  groups: [],
  addresses: ['maria@in.example', 'm@in.example'],
  picture: null,
  directoryPicture: null,
  directory: { phone: '1', first: 'Maria', last: 'Silva' },
  values: {},
  metadata: {},
}
const desk = (values: SharedMailbox['values']): SharedMailbox => ({
  address: 'm@in.example',
  selection: EVERYONE,
  values,
})
const shown = (one: Variable, someone: PersonState, ...mailboxes: readonly SharedMailbox[]) =>
  variableValues(releaseOf([one], {}, mailboxes), someone, { pictureUrl: '' })[one.path]

describe('the value of a variable', () => {
  const phone = variable('phone', { from: 'phone', value: 'fixed' })
  const own = { ...maria, values: { phone: 'own' } }

  test('is the user’s own, else the mailbox’s, else the directory’s, else the fixed one, else empty', () => {
    expect(shown(phone, own, desk({ phone: 'desk' }))).toBe('own')
    expect(shown(phone, { ...maria, values: { phone: '' } }, desk({ phone: 'desk' }))).toBe('')
    expect(shown(phone, maria, desk({ phone: 'desk' }))).toBe('desk')
    expect(shown(phone, maria, desk({ other: 'desk' }))).toBe('1')
    expect(shown(phone, { ...maria, directory: { phone: '' } })).toBe('')
    expect(shown(phone, { ...maria, directory: {} })).toBe('fixed')
    expect(shown(variable('phone', { from: 'constructor' }), maria)).toBe('')
  })

  test('is not the user’s own where the organisation does not let them change it', () => {
    expect(shown({ ...phone, edit: false }, own)).toBe('1')
  })

  test('of the address and of the picture come from the record', () => {
    const declared = [
      variable('email', { value: 'x' }),
      variable('picture_url', { from: 'phone', value: 'x', resync: true }),
    ]
    const changed = { ...maria, values: { email: 'y', picture_url: 'z' } }
    const expected = { email: 'maria@in.example', picture_url: 'https://p' }
    for (const variables of [declared, []])
      expect(variableValues(releaseOf(variables), changed, { pictureUrl: 'https://p' })).toEqual(expected)
    expect(replacedDirectoryValues(releaseOf(declared), changed)).toEqual({})
    expect(variableDefinitionsOf(releaseOf(declared)).map(({ metas }) => metas.non_editable)).toEqual([
      true,
      true,
    ])
  })

  test('stands for each variable', () => {
    fc.assert(
      fc.property(release, person, (given, someone) => {
        const values = variableValues(given, someone, { pictureUrl: '' })
        const paths = given.document.variables.map(({ path }) => path)
        expect(new Set(Object.keys(values))).toEqual(new Set([...paths, 'email', 'picture_url']))
        const ofManager = given.document.variables.filter(({ from }) => from !== null).map(({ path }) => path)
        const managers = ['display_name', 'email', ...ofManager].map((path) => `manager.${path}`)
        const named = [...Object.keys(values), 'display_name']
        const writers = named.map((path) => `writer.${path}`)
        expect(variableNames(given.document)).toEqual(
          new Set([...named, 'address', 'card', 'sender', ...managers, ...writers]),
        )
      }),
    )
  })
})

describe('what differs from the directory', () => {
  test('is the directory’s value that the user’s own replaces', () => {
    fc.assert(
      fc.property(release, person, (given, someone) => {
        const differing = given.document.variables.filter(
          ({ path, from, edit }) =>
            edit &&
            from !== null &&
            Object.hasOwn(someone.directory, from) &&
            Object.hasOwn(someone.values, path) &&
            someone.values[path] !== someone.directory[from],
        )
        const fields = [...new Set(differing.map(({ from }) => from ?? ''))]
        expect(replacedFields(given, someone)).toEqual(fields)
        expect(replacedDirectoryValues(given, someone)).toEqual(
          Object.fromEntries(fields.map((field) => [field, someone.directory[field]])),
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('the name of a person', () => {
  const names = [variable('first_name', { from: 'first' }), variable('last_name', { from: 'last' })]
  test.each<[string, readonly Variable[], readonly SharedMailbox[], PersonState]>([
    ['Maria Silva', names, [], maria],
    ['Maria', names, [], { ...maria, directory: { first: 'Maria' } }],
    ['Maria Silva', [...names, variable('display_name')], [], maria],
    ['M. Silva', [...names, variable('display_name', { value: 'M. Silva' })], [], maria],
    ['Sales desk', names, [desk({ display_name: 'Sales desk' })], maria],
    ['', [], [], maria],
  ])('is %j', (name, variables, mailboxes, someone) => {
    expect(displayName(releaseOf(variables, {}, mailboxes), someone)).toBe(name)
  })
})

test('the wire tells where a variable comes from, and what the user may do with it', () => {
  const told = variableDefinitionsOf(
    releaseOf([
      variable('phone', { from: 'phone', resync: true, label: 'Phone', group: 'mapped' }),
      variable('motto', { edit: false, hidden: true }),
    ]),
  )
  expect(told).toEqual([
    {
      path: 'phone',
      lookups: { azure: 'phone' },
      metas: {
        custom_type: 'mapped',
        display_name: 'Phone',
        hidden: false,
        non_editable: false,
        resettable: true,
      },
    },
    {
      path: 'motto',
      lookups: {},
      metas: { custom_type: null, hidden: true, non_editable: true, resettable: false },
    },
  ])
})

test('the plan is the directory’s, else the fixed one', () => {
  expect(subscriptionPlanOf(releaseOf([]), maria)).toBe('full')
  expect(subscriptionPlanOf(releaseOf([]), { ...maria, directory: { plan: 'trial' } })).toBe('trial')
})

describe('a rendered signature', () => {
  const addresses = {
    pictures: 'https://s.example/images',
    pictureUrl: 'https://s.example/images/1a/portrait.png',
  }
  const templates = {
    'templates/a.html': '{{display_name}}|{{phone}}|{{picture_url}}{{> legal}}{{> deep/x}}',
    'templates/b.html': '{{picture logo.png}} {{picture banners/a "b".png}} {{picture a/gone.png}}',
    'templates/legal.part.html': '|{{email}}',
    'templates/deep/x.part.html': '|x',
  }
  const given = releaseOf([variable('phone', { from: 'phone' })], templates, [
    desk({ display_name: 'A & B' }),
  ])
  const rendered = (of: Signature, kind: 'signature' | 'reply' | 'mobile') =>
    renderFrame(given, of, kind, maria, addresses)

  test('has the values of its owner, and its parts', () => {
    expect(rendered(signature, 'signature')).toBe(
      'A &amp; B|1|https://s.example/images/1a/portrait.png|maria@in.example|x',
    )
  })

  test('has pictures at the given address, named by their content', () => {
    expect(rendered(signature, 'reply')).toBe(
      [
        'https://s.example/images/c0ffee/logo.png',
        'https://s.example/images/ba/a%20%22b%22.png',
        'https://s.example/images/missing/gone.png',
      ].join(' '),
    )
    expect(pictureAddress('/images', 'h', 'ä/b.png')).toBe('/images/h/%C3%A4%2Fb.png')
    expect(portraitAddress('/images', '1a.png')).toBe('/images/1a/portrait.png')
    expect(portraitAddress('/images', null)).toBe('')
  })

  test('has linked pictures at addresses of their own, one by one or all', () => {
    const linking = (linked?: true) =>
      compileRelease('r', {
        ...documentOf([], {
          'templates/a.html': '{{picture logo.png linked}} {{picture logo.png}} {{picture gone.png linked}}',
        }),
        ...(linked && { linked }),
      })
    const [attached, ofLink] = ['/images/c0ffee/logo.png', '/images/linked/c0ffee/logo.png']
    const html = (of: ReturnType<typeof linking>) =>
      renderFrame(of, signature, 'signature', maria, { pictures: '/images', pictureUrl: '' })
    expect(html(linking())).toBe(`${ofLink} ${attached} /images/linked/missing/gone.png`)
    expect(html(linking(true))).toBe(`${ofLink} ${ofLink} /images/linked/missing/gone.png`)
  })

  test('is null for a version that there is not', () => {
    expect(rendered(signature, 'mobile')).toBeNull()
    expect(rendered({ ...signature, mobile: 'templates/b.html' }, 'mobile')).toContain('logo.png')
    expect(rendered({ ...signature, template: 'templates/gone.html' }, 'signature')).toBeNull()
    expect(rendered({ ...signature, template: 'templates/legal.part.html' }, 'signature')).toBeNull()
  })
})

describe('[ADOPT-9] the postal address', () => {
  const parts = { streetAddress: 'Rua A', postalCode: '1000-001', city: 'Lisboa', country: 'PT' }
  const html = (
    someone: PersonState,
    variables: readonly Variable[] = [],
    mailboxes: readonly SharedMailbox[] = [],
    text = '<p title="{{address}}">{{#if address}}{{address}}{{else}}none{{/if}}</p>',
  ) => {
    const given = compileRelease(
      'r',
      documentOf(variables, { 'templates/a.html': text }, mailboxes),
      PLAIN_FORMATS,
    )
    return renderFrame(given, signature, 'signature', someone, { pictures: 'https://p', pictureUrl: '' })
  }

  test('is made of the directory, with a variable of a part in its place', () => {
    expect(html({ ...maria, directory: parts })).toBe(
      '<p title="Rua A, 1000-001 Lisboa, PT">Rua A<br>1000-001 Lisboa<br>PT</p>',
    )
    const town = variable('town', { from: 'city' })
    expect(html({ ...maria, directory: parts, values: { town: 'Porto' } }, [town])).toContain(
      '1000-001 Porto',
    )
  })

  test('is empty without parts, and gives way to a variable or a value of the mailbox', () => {
    expect(html(maria)).toBe('<p title="">none</p>')
    const address = variable('address', { value: 'Pier 5, Bonn' })
    expect(html({ ...maria, directory: parts }, [address])).toBe('<p title="Pier 5, Bonn">Pier 5, Bonn</p>')
    expect(html({ ...maria, directory: parts }, [], [desk({ address: 'Desk 1' })])).toBe(
      '<p title="Desk 1">Desk 1</p>',
    )
  })

  test('counts the country for numbers, too', () => {
    const formats = { ...PLAIN_FORMATS, phone: (text: string, country: string) => `${country} ${text}` }
    const given = compileRelease(
      'r',
      documentOf([variable('phone', { from: 'phone' })], { 'templates/a.html': '{{phone phone}}' }),
      formats,
    )
    const someone = { ...maria, directory: { ...parts, phone: '1' } }
    expect(renderFrame(given, signature, 'signature', someone, { pictures: '', pictureUrl: '' })).toBe('PT 1')
  })
})

describe('a value of the manager', () => {
  const variables = [variable('job_title', { from: 'jobTitle' }), variable('legal', { value: 'x' })]
  const html = (directory: PersonState['directory'], more: readonly Variable[] = []) => {
    const text = '{{manager.display_name}}|{{manager.email}}|{{manager.job_title}}|{{manager.legal}}'
    const given = releaseOf([...variables, ...more], { 'templates/a.html': text })
    return renderFrame(
      given,
      signature,
      'signature',
      { ...maria, directory },
      { pictures: '', pictureUrl: '' },
    )
  }

  test('is that of the same field of the manager', () => {
    expect(
      html({
        'manager.displayName': 'Mia',
        'manager.mail': 'mia@x',
        'manager.jobTitle': 'CEO',
        jobTitle: 'A',
      }),
    ).toBe('Mia|mia@x|CEO|')
    expect(html({ jobTitle: 'A' })).toBe('|||')
    expect(html({ 'manager.givenName': 'Mia', 'manager.surname': 'Boss' })).toBe('Mia Boss|||')
  })

  test('is named as a variable for the display name and the address says', () => {
    const named = [variable('display_name', { from: 'nick' }), variable('email', { from: 'smtp' })]
    const directory = { 'manager.nick': 'M', 'manager.smtp': 's@x', 'manager.displayName': 'Mia' }
    expect(html(directory, named)).toBe('M|s@x||')
    expect(html({ 'manager.displayName': 'Mia', 'manager.mail': 'm@x' }, named)).toBe('Mia|m@x||')
  })

  test('is known to templates where the variable has a field', () => {
    const names = variableNames(documentOf(variables))
    expect([...names].filter((name) => name.startsWith('manager.'))).toEqual([
      ...['manager.job_title', 'manager.display_name', 'manager.email'],
    ])
  })
})

test('a release finds what it has by name', () => {
  const given = releaseOf([variable('phone')], { 'templates/a.html': 'x' }, [desk({})])
  expect(given.signatureOf('s')).toBe(signature)
  expect(given.mailboxOf('m@in.example')).toEqual(desk({}))
  expect(given.variableOf('phone')).toEqual(variable('phone'))
  for (const find of [given.signatureOf, given.mailboxOf, given.variableOf, given.templateOf])
    expect(find('constructor')).toBeNull()
})

describe('an address in a value', () => {
  const named = (...values: readonly string[]) =>
    namedAddressesOf(
      releaseOf([
        ...values.map((value, index) => variable(`v${index}`, { value, hidden: index === 1 })),
        variable('email', { value: 'record@x.example' }),
      ]),
      { ...maria, addresses: ['maria@x.example'] },
    ).map(({ path, address }) => `${path} ${address}`)
  const local = fc.stringMatching(/^[a-z][a-z0-9.+-]{0,8}[a-z]$/)
  const address = local.map((text) => `${text}@some.example`)
  const around = fc.constantFrom(
    ...[
      ['', ''],
      ['Ben <', '>'],
      ['mailto:', ''],
      ['MAILTO:', '.'],
      ['Ask ', ', he knows'],
      ['"', '"; x@'],
      ['(', ')'],
    ],
  )

  test('is found in any words and case, once for each value, by the variable', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(address, around), { maxLength: 5 }), (all) => {
        const values = all.map(
          ([one, [before = '', after = '']]) => `${before}${one.toUpperCase()}${after} ${one}`,
        )
        expect(named(...values)).toEqual(all.map(([one], index) => `v${index} ${one}`))
      }),
    )
  })

  test('is not the own one, nor words that only look like one', () => {
    expect(
      named('Maria@x.example', 'ben@x.example', 'a@b @x.example ben@ b*@x.example a@b@x.example'),
    ).toEqual(['v1 ben@x.example'])
  })

  test('is one of the first fifty', () => {
    const all = Array.from({ length: 60 }, (_, index) => `p${index}@x.example`)
    expect(named(all.join(' '))).toEqual(all.slice(0, MAX_NAMED_ADDRESSES).map((each) => `v0 ${each}`))
    expect(MAX_NAMED_ADDRESSES).toBe(50)
  })
})
