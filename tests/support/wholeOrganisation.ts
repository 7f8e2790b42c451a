/** An organisation with every kind of stored data, for tests of moving, migrating and removing it. */
import type { ReleaseDocument } from '../../streams/organisation/release/release.ts'
import type { ServiceContext } from '../../src/service/context/serviceContext.ts'
import { readDemonstration } from '../../src/service/demonstration/northwind.ts'
import { block } from './blocks.ts'
import { publishDocument } from './demonstration.ts'
import { variableOf } from './variables.ts'

const TEMPLATE = `<p>{{display_name}}, {{first_name}}<br>{{phone phone}}</p>
<img src="{{picture northwind/logo.png}}" width="96" height="88" alt="Northwind">
{{#if picture_url}}<img src="{{web picture_url}}" width="96" height="96" alt="{{display_name}}">{{/if}}
<img src="{{qr https://www.northwind.example/}}" width="96" height="96" alt="QR">
{{#if card}}<p><a href="{{card}}">My card</a></p>{{/if}}{{block banner}}`

export const LEADS_TO = 'https://www.northwind.example/fair?a=1'

export async function wholeDocument(): Promise<ReleaseDocument> {
  const { document } = await readDemonstration()
  const [standard] = document.signatures
  if (standard === undefined) throw new Error('The demonstration has no signature.')
  const { meeting: _, ...plain } = standard
  const logo = document.pictures['northwind/logo.png']
  if (logo === undefined) throw new Error('The demonstration has no logo.')
  return {
    ...document,
    cards: { unless: 'no_card' },
    counting: true,
    signatures: [
      {
        ...plain,
        id: 'all',
        name: 'All',
        template: 'templates/all.html',
        selection: { for: 'everyone', not: [] },
        reply: null,
        during: null,
      },
    ],
    variables: [...document.variables, variableOf('no_card', { edit: true })],
    templates: {
      'templates/all.html': TEMPLATE,
      'templates/blocks/fair.html': `<a href="{{counted ${LEADS_TO}}}">Fair</a>`,
    },
    blocks: [block({ id: 'fair', name: 'The fair', template: 'templates/blocks/fair.html' })],
    pictures: { 'northwind/logo.png': logo },
  }
}

/**
 * Fills an empty organisation with people and their saved data, a release, pictures, links and clicks, a plan, add-in
 * reports and directory data.
 */
export async function fillOrganisation(
  { store, people, releases }: ServiceContext,
  at: number,
): Promise<void> {
  const demonstration = await readDemonstration()
  const document = await wholeDocument()
  const portraits = demonstration.people.flatMap(({ record }) => record.picture?.split('.')[0] ?? [])
  const used = new Set([...portraits, ...JSON.stringify(document.pictures).match(/[0-9a-f]{32}/g)!])
  for (const [hash, picture] of demonstration.pictures)
    if (used.has(hash)) await store.keepPicture(hash, picture)
  await people.importRows(demonstration.people, 'test', false)
  await publishDocument({ store, releases }, document)
  await publishDocument(
    { store, releases },
    { ...document, internal: ['northwind.example', 'harbour.example'] },
  )
  await people.write('u-1', { type: 'saveValues', values: { first_name: 'Alexis' }, resetFields: [] }, 'u-1')
  await store.addClicks([{ day: '2026-11-25', block: 'fair', clicks: 7 }])
  await store.keepPlan('kept', { of: 'a plan' }, at + 3_600_000)
  await store.keepReported('u-1', { host: 'Outlook' }, at)
  await store.directory.keepCursor('graph:tenant', 'users', 'https://graph.example/delta')
  await store.directory.keepRun({ id: 'run', at, samples: [] } as never)
}
