import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compileRelease,
  type Release,
  type ReleaseDocument,
  type Selection,
  type Signature,
} from '../../../../streams/organisation/release/release.ts'
import {
  createSlottedRenderer,
  renderCard,
  renderFrame,
  renderingAddresses,
  SIGNATURE_USES,
} from '../../../../streams/organisation/rendering/render.ts'
import { createPersonRenderer } from '../../../../streams/organisation/rendering/personRenderer.ts'
import { placeholderProblems, vocabularyOf } from '../../../../streams/organisation/release/placeholders.ts'
import {
  assignedSignatures,
  copiedSenders,
  sendersFor,
} from '../../../../streams/organisation/rules/rules.ts'
import { PLAIN_FORMATS } from '../../../../streams/organisation/template/formats.ts'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { block as anyBlock } from '../../../support/blocks.ts'
import { compareReleases, planFor } from '../../../support/planned.ts'
import { variableOf } from '../../../support/variables.ts'
import { EVERYONE } from '../arbitraries.ts'

const PICTURES = 'https://p'
const NOON = Date.parse('2026-11-30T12:00:00Z')
const A = 'templates/a.html'
const B = 'templates/b.html'

const signatureOf = (more: Partial<Signature> = {}): Signature => ({
  id: 's',
  name: 'S',
  template: A,
  reply: null,
  mobile: null,
  selection: EVERYONE,
  during: null,
  recipients: 'everyone',
  collection: null,
  ...more,
})
const documentOf = (text: string, more: Partial<ReleaseDocument> = {}): ReleaseDocument => ({
  version: 1,
  organisation: 'N',
  internal: [],
  chooseDefault: EVERYONE,
  plan: { from: null, value: 'full' },
  variables: [variableOf('display_name', { from: 'name' })],
  signatures: [signatureOf()],
  mailboxes: [],
  templates: { [A]: text },
  pictures: {},
  ...more,
})
const personOf = (...addresses: readonly string[]): PersonState => ({
  id: 'ana',
  revision: 1,
  account: null,
  active: true,
  language: null,
  groups: [],
  addresses,
  picture: null,
  directoryPicture: null,
  directory: { name: 'Ana' },
  values: {},
  metadata: {},
})
const forAddress = (...values: readonly string[]): Selection => ({
  for: [[{ by: 'address', values }]],
  not: [],
})
const html = (release: Release, person: PersonState, sender?: string) => {
  const [signature] = release.document.signatures
  if (!signature) throw new Error('no signature')
  const addresses = { ...renderingAddresses(PICTURES, person), ...(sender !== undefined && { sender }) }
  return renderFrame(release, signature, 'signature', person, addresses)
}
const ana = personOf('ana@a.example', 'ana@b.example', 'ana@c.example')

describe('[PERSON-5] the sender in a template', () => {
  test('is the address that one writes from, beside the mail address', () => {
    const release = compileRelease('r', documentOf('{{email}}|{{sender}}'))
    expect(html(release, ana)).toBe('ana@a.example|ana@a.example')
    expect(html(release, ana, 'ana@b.example')).toBe('ana@a.example|ana@b.example')
    expect(html(release, personOf())).toBe('|')
  })

  test('is the first address that a signature is for, until one writes from another', () => {
    const signatures = [signatureOf({ selection: forAddress('*@c.example', '*@b.example') })]
    const release = compileRelease('r', documentOf('{{sender}}', { signatures }))
    expect(html(release, ana)).toBe('ana@b.example')
    expect(html(release, ana, 'ana@a.example')).toBe('ana@a.example')
    // Two signatures with one template, in a plan.
    const renderer = createPersonRenderer(PICTURES, ana)
    const framed = (signature: Signature) => renderer.frame(release, signature, 'signature')?.html
    expect([...signatures, signatureOf()].map(framed)).toEqual(['ana@b.example', 'ana@a.example'])
  })

  test('is a variable of this name where there is one', () => {
    const variables = [variableOf('sender', { value: 'The sender' })]
    const release = compileRelease('r', documentOf('{{sender}}', { variables }))
    expect(html(release, ana, 'ana@b.example')).toBe('The sender')
  })

  test('is a known name, and on the card an address', () => {
    const text = '{{display_name}} {{sender}}'
    expect(placeholderProblems(A, text, vocabularyOf(documentOf(text)))).toEqual([])
    const release = { ...compileRelease('r', documentOf(text), PLAIN_FORMATS), isFormatted: true }
    expect(renderCard(release, signatureOf(), ana, renderingAddresses(PICTURES, ana))).toContain(
      'EMAIL:ana@a.example',
    )
  })

  test('is in blocks, too, each as it is for the sender', () => {
    const blocks = [anyBlock({ slot: 'banner', template: B })]
    const templates = { [A]: '{{block banner}}', [B]: '{{sender}}' }
    const release = compileRelease('r', documentOf('', { blocks, templates }))
    const slotted = createSlottedRenderer(release, ana, renderingAddresses(PICTURES, ana), NOON)
    const block = (sender?: string) =>
      slotted(signatureOf(), 'signature', sender)?.slots?.[0]?.candidates[0]?.html
    expect([block(), block('ana@b.example'), block()]).toEqual([
      'ana@a.example',
      'ana@b.example',
      'ana@a.example',
    ])
  })

  const texts = fc
    .array(fc.constantFrom('Hi', '{{email}}', '{{sender}}', '{{#if sender}}S{{else}}-{{/if}}'), {
      maxLength: 2,
    })
    .map((pieces) => pieces.join(''))
  const selections = fc.constantFrom<Selection>(
    EVERYONE,
    forAddress('*@a.example'),
    forAddress('*@b.example', '*@c.example'),
    forAddress('*'),
  )
  const fields = fc.record({
    a: texts,
    b: texts,
    selection: selections,
    reply: fc.constantFrom(null, A, B),
    meeting: fc.constantFrom(null, B),
    hasVariable: fc.boolean(),
  })
  type Fields = typeof fields extends fc.Arbitrary<infer Value> ? Value : never
  const written = ({ a, b, selection, reply, meeting, hasVariable }: Fields) =>
    documentOf('', {
      signatures: [signatureOf({ selection, reply, ...(meeting && { meeting }) })],
      templates: { [A]: a, [B]: b },
      variables: hasVariable ? [variableOf('sender', { value: 'V' })] : [],
    })
  /** Often only one field differs. */
  const pair = fc
    .tuple(
      fields,
      fields,
      fc.constantFrom<keyof Fields | null>('a', 'selection', 'reply', 'hasVariable', null),
    )
    .map(
      ([old, now, key]) => [written(old), written(key === null ? now : { ...old, [key]: now[key] })] as const,
    )
  const people = fc.constantFrom(ana, personOf('ana@a.example'), personOf('ana@b.example', 'ana@a.example'))

  test('changes what the plan says, for each person and use: in one of the copies', () => {
    fc.assert(
      fc.property(pair, people, ([old, now], person) => {
        const [before, after] = [compileRelease('before', old), compileRelease('after', now)]
        const told = planFor(compareReleases(before, after, PICTURES), person, new Map(), NOON)
        const [was, is] = [before, after].map(({ document }) => document.signatures[0]) as [
          Signature,
          Signature,
        ]
        const answered = (release: Release, signature: Signature, use: (typeof SIGNATURE_USES)[number]) =>
          JSON.stringify(
            [undefined, ...copiedSenders(person)].map((sender) =>
              renderFrame(release, signature, use, person, {
                ...renderingAddresses(PICTURES, person),
                ...(sender !== undefined && { sender }),
              }),
            ),
          )
        fc.pre([before, after].every((release) => assignedSignatures(release, person, NOON).length > 0))
        const aspects = [
          ...SIGNATURE_USES.filter((use) => answered(before, was, use) !== answered(after, is, use)),
          ...(JSON.stringify(sendersFor(was, person)) === JSON.stringify(sendersFor(is, person))
            ? []
            : ['senders']),
        ]
        expect(told.signatures.flatMap((each) => each.aspects)).toEqual(aspects)
      }),
      { numRuns: 1_000 },
    )
  })
})
