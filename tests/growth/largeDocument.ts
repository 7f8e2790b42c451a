/** Documents of any size, and a person whom they are about. */
import type { Block, ReleaseDocument, Selection } from '../../streams/organisation/release/release.ts'
import type { PersonState } from '../../streams/organisation/facts/state.ts'
import { variableOf } from '../support/variables.ts'

const EVERYONE: Selection = { for: 'everyone', not: [] }

export const addresses = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `a${String(index)}@northwind.example`)

export const person: PersonState = {
  id: 'u-1',
  revision: 1,
  account: null,
  active: true,
  addresses: ['alex@northwind.example'],
  language: null,
  directory: { givenName: 'Alex' },
  groups: [],
  values: {},
  metadata: {},
  picture: null,
  directoryPicture: null,
}

const DAY_MS = 24 * 60 * 60 * 1000
const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/**
 * @param signatures share the templates, which share a part
 * @param conditions of 100 addresses each, of one signature more
 * @param blocks of one slot, which all templates show, each in a period of its own
 */
export function largeDocument({
  mailboxes = 0,
  signatures = 0,
  templates = 0,
  conditions = 0,
  blocks = 0,
  lines = 20,
  partLines = lines,
}: Readonly<
  Partial<
    Record<'mailboxes' | 'signatures' | 'templates' | 'conditions' | 'blocks' | 'lines' | 'partLines', number>
  >
>): ReleaseDocument {
  const template = (index: number) => `templates/t${String(index)}.html`
  const signature = (index: number, selection: Selection) => ({
    id: `s${String(index)}`,
    name: `Signature ${String(index)}`,
    selection,
    mobile: null,
    template: template(index % Math.max(1, templates)),
    reply: templates > 0 ? template((index + 1) % templates) : null,
    during: null,
    recipients: 'everyone' as const,
    collection: null,
  })
  const block = (index: number): Block => ({
    id: `b${String(index)}`,
    name: `Block ${String(index)}`,
    slot: 'banner',
    template: 'templates/block.html',
    selection: EVERYONE,
    during: { from: '2026-01-01', to: dayAfter('2026-01-01', index), timeZone: 'UTC' },
    recipients: 'everyone',
    replies: true,
    share: 100,
  })
  const some: Selection = {
    for: Array.from({ length: conditions }, () => [{ by: 'person' as const, values: addresses(100) }]),
    not: [],
  }
  return {
    version: 1,
    organisation: 'Northwind',
    internal: ['northwind.example'],
    chooseDefault: EVERYONE,
    plan: { from: null, value: 'full' },
    variables: [variableOf('first_name', { from: 'givenName', group: null })],
    signatures: [
      ...Array.from({ length: signatures }, (_, index) => signature(index, EVERYONE)),
      ...(conditions > 0 ? [signature(signatures, some)] : []),
    ],
    ...(blocks > 0 && { blocks: Array.from({ length: blocks }, (_, index) => block(index)) }),
    mailboxes: addresses(mailboxes).map((address) => ({ address, selection: EVERYONE, values: {} })),
    templates: Object.fromEntries([
      ...(blocks > 0 ? [['templates/block.html', '<p>{{first_name}}</p>'.repeat(lines)] as const] : []),
      ['templates/legal.part.html', '<p>{{first_name}} of Northwind</p>'.repeat(partLines)],
      ...Array.from({ length: templates }, (_, index): [string, string] => [
        template(index),
        `${'<p>{{first_name}}</p>'.repeat(lines)}{{> legal}}${blocks > 0 ? '{{block banner}}' : ''}`,
      ]),
    ]),
    pictures: {},
  }
}
