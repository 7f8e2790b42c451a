import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runSteps } from '../../../../streams/kernel/steps.ts'
import { groupPlans } from '../../../../streams/organisation/plan/plan.ts'
import {
  type Block,
  compileRelease,
  type Release,
  type ReleaseDocument,
  type SharedMailbox,
  type Signature,
  type Variable,
} from '../../../../streams/organisation/release/release.ts'
import {
  renderBlock,
  renderCard,
  renderFrame,
  renderingAddresses,
} from '../../../../streams/organisation/rendering/render.ts'
import { placeholderProblems, vocabularyOf } from '../../../../streams/organisation/release/placeholders.ts'
import { variableNames } from '../../../../streams/organisation/release/selectors.ts'
import { PLAIN_FORMATS } from '../../../../streams/organisation/template/formats.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { block as anyBlock } from '../../../support/blocks.ts'
import { compareReleases, planFor, plannedFor } from '../../../support/planned.ts'
import { variableOf } from '../../../support/variables.ts'
import { EVERYONE } from '../arbitraries.ts'

const PICTURES = 'https://p'
const TEMPLATE = 'templates/a.html'
const NOON = Date.parse('2026-11-30T12:00:00Z')

const signature: Signature = {
  id: 's',
  name: 'S',
  template: TEMPLATE,
  reply: null,
  mobile: null,
  selection: EVERYONE,
  during: null,
  recipients: 'everyone',
  collection: null,
}
const banner: Block = anyBlock({ template: 'templates/banner.html' })
const documentOf = (text: string, more: Partial<ReleaseDocument> = {}): ReleaseDocument => ({
  version: 1,
  organisation: 'N',
  internal: [],
  chooseDefault: EVERYONE,
  plan: { from: null, value: 'full' },
  variables: [
    variableOf('first_name', { from: 'givenName', edit: true }),
    variableOf('phone', { from: 'phone', label: 'Phone number' }),
  ],
  signatures: [signature],
  mailboxes: [{ address: 'desk@in.example', selection: EVERYONE, values: {} }],
  templates: { [TEMPLATE]: text },
  pictures: {},
  ...more,
})
const personOf = (id: string, more: Partial<PersonState> = {}): PersonState => ({
  id,
  revision: 1,
  account: null,
  active: true,
  language: null,
  groups: [],
  addresses: [`${id}@in.example`],
  picture: null,
  directoryPicture: null,
  directory: {},
  values: {},
  metadata: {},
  ...more,
})
const desk = personOf('desk', { directory: { givenName: 'Desk', phone: '100' } })
const ana = personOf('ana', { directory: { givenName: 'Ana', phone: '1' }, picture: 'aa.png' })
const ben = personOf('ben', { directory: { givenName: 'Ben' }, values: { first_name: 'Benny', phone: '9' } })

const addressesOf = (owner: PersonState, writer?: PersonState) => ({
  ...renderingAddresses(PICTURES, owner),
  ...(writer && { writer: { person: writer, pictureUrl: renderingAddresses(PICTURES, writer).pictureUrl } }),
})
const html = (release: Release, owner: PersonState, writer?: PersonState) =>
  renderFrame(release, signature, 'signature', owner, addressesOf(owner, writer))

describe('[PERSON-4] a value of the writer', () => {
  const text =
    '{{first_name}}|{{writer.first_name}}|{{writer.display_name}}|{{writer.email}}|{{writer.phone}}'
  const release = compileRelease('r', documentOf(text))

  test('is that of the person who writes, beside the values of the mailbox', () => {
    expect(html(release, desk, ana)).toBe('Desk|Ana|Ana|ana@in.example|1')
    expect(html(release, desk, ben)).toBe('Desk|Benny|Benny|ben@in.example|')
    expect(html(release, ana, ana)).toBe('Ana|Ana|Ana|ana@in.example|1')
  })

  test('is one’s own without a writer, and the label of the variable for a mailbox', () => {
    expect(html(release, ana)).toBe('Ana|Ana|Ana|ana@in.example|1')
    expect(html(release, desk)).toBe('Desk|‹first_name›|‹display_name›|‹email›|‹Phone number›')
  })

  test('has the picture of the writer; the sample of a writer has none', () => {
    const picture = compileRelease('r', documentOf('{{picture_url}}|{{writer.picture_url}}'))
    expect(html(picture, desk, ana)).toBe('|https://p/aa/portrait.png')
    expect(html(picture, desk, ben)).toBe('|')
    expect(html(picture, desk)).toBe('|')
    expect(html(picture, ana)).toBe('https://p/aa/portrait.png|https://p/aa/portrait.png')
  })

  test('is a number in the country of the writer', () => {
    const formats = {
      ...PLAIN_FORMATS,
      phone: (value: string, country: string) => `${country} ${value}`,
      tel: (value: string, country: string) => ({ number: `${country}-${value}`, isAlone: true }),
    }
    const numbers = '{{phone phone}}|{{phone writer.phone}}|{{tel writer.phone}}'
    const formatted = compileRelease('r', documentOf(numbers), formats)
    const inCountry = (person: PersonState, country: string) => ({
      ...person,
      directory: { ...person.directory, country },
    })
    expect(html(formatted, inCountry(desk, 'PT'), inCountry(ana, 'DE'))).toBe('PT 100|DE 1|DE-1')
    expect(html(formatted, inCountry(ana, 'DE'))).toBe('DE 1|DE 1|DE-1')
  })

  test('is not on the card', () => {
    const card = compileRelease('r', documentOf('{{display_name}} {{writer.email}}'), PLAIN_FORMATS)
    const shown = renderCard({ ...card, isFormatted: true }, signature, desk, addressesOf(desk, ana))
    expect(shown).toContain('FN:Desk')
    expect(shown).not.toContain('ana@in.example')
  })

  test('is known to templates for each variable', () => {
    const document = documentOf('')
    expect([...variableNames(document)].filter((name) => name.startsWith('writer.')).sort()).toEqual([
      ...['writer.display_name', 'writer.email', 'writer.first_name', 'writer.phone', 'writer.picture_url'],
    ])
    const problems = placeholderProblems(
      TEMPLATE,
      '{{#if writer.phone}}{{phone writer.phone}}{{/if}}{{first writer.phone phone}}{{writer.card}}{{writer.fone}}',
      vocabularyOf(document),
    )
    expect(problems.map(({ code, name }) => [code, name])).toEqual([
      ['unknownVariable', 'writer.card'],
      ['unknownVariable', 'writer.fone'],
    ])
  })
})

describe('[PERSON-4] a plan with writers', () => {
  const texts = [
    '{{first_name}}',
    '{{writer.first_name}}',
    '{{#if writer.phone}}{{tel writer.phone}}{{else}}none{{/if}}',
    '{{first writer.phone phone}}{{writer.display_name}}',
    '{{first writer.phone first_name}}',
    '{{#if writer.phone}}Call{{else}}Write{{/if}}',
    '{{#if writer.phone}}Call{{else}}Come{{/if}}',
    '{{> who}}',
    '{{web writer.phone}}{{picture x.png}}',
  ]
  const slot = '{{#block banner}}[{{block}}]{{/block}}'
  const variable = (path: string) =>
    fc
      .record({
        from: fc.constantFrom('givenName', 'phone', null),
        value: fc.constantFrom(null, 'https://x.example'),
        edit: fc.boolean(),
      })
      .map((given): Variable => ({ ...variableOf(path), ...given }))
  const mailbox = (address: string) =>
    fc
      .record({ values: fc.dictionary(fc.constantFrom('first_name', 'phone'), fc.constantFrom('A', '')) })
      .map(({ values }): SharedMailbox => ({ address, selection: EVERYONE, values }))
  const document = fc
    .record({
      text: fc.constantFrom(...texts),
      banner: fc.constantFrom(...texts.filter((each) => !each.includes('{{>'))),
      variables: fc.tuple(variable('first_name'), variable('phone')),
      mailboxes: fc.tuple(fc.option(mailbox('desk@in.example')), fc.option(mailbox('ben@in.example'))),
    })
    .map(({ text, banner: of, variables, mailboxes }) =>
      documentOf('', {
        variables,
        mailboxes: mailboxes.flatMap((each) => each ?? []),
        blocks: [banner],
        templates: {
          [TEMPLATE]: text + slot,
          'templates/banner.html': of,
          'templates/who.part.html': '{{writer.first_name}}',
        },
      }),
    )
  /** Often only one field differs. */
  const pair = fc
    .tuple(document, document, fc.constantFrom('variables', 'mailboxes', 'templates', null))
    .map(
      ([before, other, field]) =>
        [before, field === null ? other : { ...before, [field]: other[field] }] as const,
    )

  test('changes nothing for any writer where it says so', () => {
    fc.assert(
      fc.property(pair, ([old, now]) => {
        const [before, after] = [compileRelease('before', old), compileRelease('after', now)]
        const comparison = compareReleases(before, after, PICTURES)
        for (const owner of [desk, ana, ben]) {
          const told = planFor(comparison, owner, new Map(), NOON)
          const answered = (release: Release, writer?: PersonState) => html(release, owner, writer)
          const block = (release: Release, writer?: PersonState) =>
            renderBlock(release, banner, owner, addressesOf(owner, writer))
          const mailboxes = [before, after].filter(
            ({ mailboxOf }) => mailboxOf(owner.addresses[0] ?? '') !== null,
          )
          // Others write for a mailbox, before and after.
          for (const writer of mailboxes.length === 2 ? [undefined, desk, ana, ben] : [owner]) {
            if (answered(before, writer) !== answered(after, writer)) expect(told.signatures).toHaveLength(1)
            if (block(before, writer) !== block(after, writer)) expect(told.blocks).toBeDefined()
          }
          // A person who is no mailbox is told of a change only if there is one.
          if (mailboxes.length === 0 && answered(before) === answered(after))
            expect(told.signatures).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  test('shows a mailbox’s signature with a sample, and misses no value of a writer', () => {
    const [before, after] = [documentOf('{{first_name}}'), documentOf('{{writer.phone}}')].map(
      (each, index) => compileRelease(String(index), each),
    ) as [Release, Release]
    const empty = { ...desk, directory: {} }
    const told = planFor(compareReleases(before, after, PICTURES), empty, new Map(), NOON)
    expect(told.signatures).toMatchObject([{ kind: 'changed', aspects: ['signature'] }])
    expect(told.missing).toEqual([])
    const groupsFor = (person: PersonState) => {
      const comparison = compareReleases(before, after, PICTURES)
      const groups = groupPlans(comparison, NOON)
      runSteps(groups.adding(plannedFor(comparison, person, new Map(), NOON)))
      return groups.summary().signatures
    }
    expect(groupsFor(empty)).toMatchObject([
      { after: { signature: '‹Phone number›' }, before: { signature: '' }, sampleWriter: true },
    ])
    expect(groupsFor(ben)).toMatchObject([{ after: { signature: '' }, before: { signature: 'Benny' } }])
    expect(groupsFor(ben)[0]).not.toHaveProperty('sampleWriter')
    const own = planFor(compareReleases(before, after, PICTURES), ben, new Map(), NOON)
    expect(own.missing).toMatchObject([{ variables: ['writer.phone'] }])
  })
})
