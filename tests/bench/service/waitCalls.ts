/** The calls beside which other requests are measured: each call with a body, as large as allowed, and costly reads. */
import { createHash } from 'node:crypto'
import { SCIM_PATH } from '../../../src/service/scim/scim.ts'
import { writingYaml } from '../../../src/folder/writtenYaml.ts'
import { runSteps } from '../../../streams/kernel/steps.ts'
import { MAX_FOLDER_FILES, MAX_YAML_BYTES } from '../../../streams/organisation/release/paths.ts'
import type { ReleaseDocument, Selection } from '../../../streams/organisation/release/release.ts'
import {
  ADMINISTRATION_PATH,
  type Call,
  type CallName,
  CALLS,
} from '../../../streams/wire/administration/calls.ts'
import { MAX_CORRECTED_FIELDS } from '../../../streams/wire/administration/people.ts'
import { READ_DELEGATED_SIGNATURES, SIGN_IN } from '../../../streams/wire/signatures.ts'
import { SAVE_DEFAULT, SAVE_PHOTO, SAVE_VARIABLES, SEND_TELEMETRY } from '../../../streams/wire/user.ts'
import { png } from '../../folder/pictures.ts'
import { addresses, largeDocument } from '../../growth/largeDocument.ts'
import { addressOf, documentWith } from './organisation.ts'

/** The number of people in the organisation. */
export const PEOPLE = 5_000

/** Rules that list many single people, and exclude many patterns. */
const MANY_VALUES: Selection = {
  for: Array.from({ length: 10 }, (_, group) => [
    { by: 'person' as const, values: addresses(500).map((address) => `${String(group)}${address}`) },
  ]),
  not: [
    [{ by: 'address', values: Array.from({ length: 100 }, (_, index) => `*x${String(index)}@a.example`) }],
  ],
}
export const largeRules = (name: string): ReleaseDocument => {
  const document = documentWith({ everyone: name })
  return {
    ...document,
    signatures: document.signatures.map((signature, index) => ({
      ...signature,
      selection: index === 0 ? MANY_VALUES : { ...signature.selection, not: MANY_VALUES.not },
    })),
  }
}

/** A `signet.yaml` with as many entries as a readable file may have. */
function largeYaml(): Readonly<{ document: ReleaseDocument; yaml: string }> {
  const all = largeDocument({ signatures: 1, templates: 1, mailboxes: 20_000 })
  for (let mailboxes = all.mailboxes.length; ; mailboxes -= 1_000) {
    const document = { ...all, mailboxes: all.mailboxes.slice(0, mailboxes) }
    const yaml = runSteps(writingYaml(document))
    if (yaml.length < MAX_YAML_BYTES) return { document, yaml }
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Values that exist only once the service runs, and the results of earlier calls. */
export type Made = {
  /** An access token of a person. */
  accessToken: string
  plan: string
  release: string
  user: string
  group: string
}

export type Heavy = Readonly<{
  title: string
  /** The method and the path's pattern, as in the service's declaration of the route. */
  route: string
  /** The owner of the call's token. */
  as: 'administrator' | 'person' | 'directory' | 'nobody'
  query?: string
  /** The path, if the pattern has a parameter. */
  path?: (made: Made) => string
  body?: (made: Made) => unknown
  /** Keeps the parts of the answer that later calls need. */
  keep?: (answer: Readonly<{ id?: string; release?: string }>, made: Made) => void
}>

/** The route of a call, as in the service's declaration. */
const routeOf = (name: CallName): string => {
  const { method, path }: Call = CALLS[name]
  return `${method} ${ADMINISTRATION_PATH}${path}`
}

const ofAddin = ({ method, path }: Readonly<{ method: string; path: string }>): string => `${method} ${path}`

/** As many as fit into a SCIM body of 2 MB. */
const MEMBERS = 20_000
const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const user = (title: string) => ({
  schemas: [`${CORE}:User`],
  userName: 'waits@northwind.example',
  title,
  emails: Array.from({ length: 100 }, (_, index) => ({
    type: `t${String(index)}`,
    value: `waits${String(index)}@northwind.example`,
  })),
})
const members = (from: number) =>
  Array.from({ length: MEMBERS }, (_, index) => ({ value: `member-${String(from + index)}` }))
const operations = (...all: readonly object[]) => ({ schemas: [PATCH], Operations: all })

function scimCalls(): readonly Heavy[] {
  const [users, groups] = [`${SCIM_PATH}/Users`, `${SCIM_PATH}/Groups`]
  const as = 'directory'
  const ofUser = ({ user: id }: Made) => `${users}/${id}`
  const ofGroup = ({ group: id }: Made) => `${groups}/${id}`
  return [
    {
      title: 'SCIM: a user with 100 addresses',
      route: `POST ${users}`,
      as,
      body: () => user('New'),
      keep: ({ id = '' }, made) => void (made.user = id),
    },
    {
      title: 'SCIM: replacing this user',
      route: `PUT ${users}/:id`,
      as,
      path: ofUser,
      body: () => user('Changed'),
    },
    {
      title: 'SCIM: 1,000 changes to this user',
      route: `PATCH ${users}/:id`,
      as,
      path: ofUser,
      body: () =>
        operations(
          ...Array.from({ length: 1_000 }, (_, index) => ({
            op: 'replace',
            path: `emails[type eq "t${String(index % 100)}"].value`,
            value: `again${String(index)}@northwind.example`,
          })),
        ),
    },
    {
      title: 'SCIM: a group of 20,000 members',
      route: `POST ${groups}`,
      as,
      body: () => ({ schemas: [`${CORE}:Group`], displayName: 'Waits', members: members(0) }),
      keep: ({ id = '' }, made) => void (made.group = id),
    },
    {
      title: 'SCIM: replacing the 20,000 members of this group',
      route: `PUT ${groups}/:id`,
      as,
      path: ofGroup,
      body: () => ({ schemas: [`${CORE}:Group`], displayName: 'Waits', members: members(MEMBERS) }),
    },
    {
      title: 'SCIM: adding 20,000 members to this group',
      route: `PATCH ${groups}/:id`,
      as,
      path: ofGroup,
      body: () => operations({ op: 'add', path: 'members', value: members(0) }),
    },
  ]
}

/** The add-in's calls, all by one person. */
function addinCalls(): readonly Heavy[] {
  const fill = 'x'.repeat(3_900)
  const values = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`field${String(index)}`, fill]))
  return [
    {
      title: 'a sign-in',
      route: ofAddin(SIGN_IN),
      as: 'nobody',
      body: ({ accessToken }) => ({ accessToken, email: addressOf(1) }),
    },
    {
      title: 'a telemetry report of 60 kB',
      route: ofAddin(SEND_TELEMETRY),
      as: 'person',
      body: () => ({ package: 'x'.repeat(55_000), context: [], settings: {}, beta: false, navigator: 'x' }),
    },
    {
      title: 'a picture of 1 MB',
      route: ofAddin(SAVE_PHOTO),
      as: 'person',
      body: () => ({ photo: png(1, 1, 1_000_000).toString('base64') }),
    },
    {
      title: 'reading the signatures of 200 senders',
      route: ofAddin(READ_DELEGATED_SIGNATURES),
      as: 'person',
      query: '?per_page=50',
      body: () => ({ user_ids: Array.from({ length: 200 }, (_, index) => addressOf(index + 1)) }),
    },
    {
      title: 'choosing another default',
      route: ofAddin(SAVE_DEFAULT),
      as: 'person',
      body: () => ({ combined_ids: 'everyone-p00000001' }),
    },
    {
      title: 'a save of one detail, with 117 kB of previous details',
      route: ofAddin(SAVE_VARIABLES),
      as: 'person',
      body: () => ({ data: { phone: fill }, reset_fields: [], base: values }),
    },
  ]
}

/** Publishing, and other calls that run last. */
function publishingCalls(): readonly Heavy[] {
  const as = 'administrator'
  const ofPlan = (name: CallName) => ({
    route: routeOf(name),
    as: 'administrator' as const,
    path: ({ plan }: Made) => ADMINISTRATION_PATH + CALLS[name].path.replace(':id', plan),
  })
  return [
    {
      title: 'asking for the approval of a plan that needs none',
      ...ofPlan('askApproval'),
      body: () => ({ note: 'waits' }),
    },
    {
      title: 'approving a plan that needs no approval',
      ...ofPlan('answerApproval'),
      body: () => ({ answer: 'approve', hash: 'a'.repeat(64), note: 'waits' }),
    },
    {
      title: 'correcting 100 values of a person',
      route: routeOf('correct'),
      as,
      path: () => ADMINISTRATION_PATH + CALLS.correct.path.replace(':id', addressOf(1)),
      body: () => ({
        revision: 1,
        fields: Object.fromEntries(
          Array.from({ length: MAX_CORRECTED_FIELDS }, (_, index) => [
            `field${String(index)}`,
            { value: 'x'.repeat(2_000), until: 'removed' },
          ]),
        ),
      }),
    },
    {
      title: 'publishing',
      route: routeOf('publish'),
      as,
      body: ({ plan }) => ({ plan, note: 'waits', all: true }),
      keep: ({ release = '' }, made) => void (made.release = release),
    },
    {
      title: 'rolling back',
      route: routeOf('rollBack'),
      as,
      body: () => ({ note: 'waits' }),
      path: ({ release }) => `${ADMINISTRATION_PATH}/releases/${release}/rollback`,
    },
    {
      title: 'setting the maintenance status',
      route: routeOf('setMaintenance'),
      as,
      body: () => ({ status: null }),
    },
    {
      title: 'a dry run of a sync',
      route: routeOf('sync'),
      as,
      body: () => ({ try: true, retire: false }),
    },
  ]
}

/**
 * Lists the measured calls, in an order in which each follows the calls whose results it needs.
 * `tests/service/http/waits.int.test.ts` checks that all calls with a body are in it.
 */
export function heavyCalls(): readonly Heavy[] {
  const as = 'administrator'
  const { document, yaml } = largeYaml()
  const pictures = Object.fromEntries(
    Array.from({ length: 14 }, (_, index) => {
      const bytes = png(1, 1, 1_000_000 + index)
      return [createHash('sha256').update(bytes).digest('hex').slice(0, 32), bytes.toString('base64')]
    }),
  )
  const rows = Array.from(
    { length: PEOPLE * 4 },
    (_, index) => `n${String(index)}@a.example,${'x'.repeat(800)}`,
  )
  const csv = ['email,givenName', ...rows].join('\n')
  const wide = ['email', ...Array.from({ length: 199 }, (_, index) => `field${String(index)}`)].join()
  const wideCsv = [
    wide,
    ...Array.from(
      { length: 500 },
      (_, row) => `w${String(row)}@a.example${`,${'y'.repeat(180)}`.repeat(199)}`,
    ),
  ].join('\n')
  const html = `<table>${'<tr><td style="color:#0a5">Sales</td></tr>'.repeat(60_000)}</table>`
  return [
    { title: 'the overview with large rules', route: routeOf('overview'), as },
    {
      title: 'listing the missing ones of 20,000 pictures',
      route: routeOf('missingPictures'),
      as,
      body: () => ({
        pictures: Array.from({ length: MAX_FOLDER_FILES }, (_, index) => String(index).padStart(32, 'a')),
      }),
    },
    {
      title: 'counting 5,000 people by large rules',
      route: routeOf('countPeople'),
      as,
      body: () => ({ selection: MANY_VALUES }),
    },
    { title: '14 pictures of 1 MB', route: routeOf('sendPictures'), as, body: () => ({ pictures }) },
    {
      title: 'a folder with a signet.yaml of 1 MB and a table of 9 MB',
      route: routeOf('readFolder'),
      as,
      body: () => ({
        files: {
          'signet.yaml': base64(yaml),
          'people.csv': base64(csv.slice(0, csv.lastIndexOf('\n', 9_000_000))),
          ...Object.fromEntries(
            Object.entries(document.templates).map(([path, text]) => [path, base64(text)]),
          ),
        },
      }),
    },
    {
      title: 'writing a folder with a signet.yaml of 1 MB',
      route: routeOf('writeFolder'),
      as,
      body: () => ({ document }),
    },
    {
      title: 'writing a signet.yaml of 1 MB',
      route: routeOf('writeYaml'),
      as,
      body: () => ({ document, yaml: null }),
    },
    {
      title: 'a small change of a signet.yaml of 1 MB',
      route: routeOf('writeYaml'),
      as,
      body: () => ({ document: { ...document, organisation: 'Another' }, yaml }),
    },
    {
      title: 'reading a signet.yaml of 1 MB',
      route: routeOf('readYaml'),
      as,
      body: () => ({ document, yaml }),
    },
    {
      title: 'adopting HTML of 2.5 MB',
      route: routeOf('adopt'),
      as,
      body: () => ({
        samples: [{ files: [{ path: 'a.html', base64: base64(html) }], person: null }],
        from: null,
        variables: [],
      }),
    },
    {
      title: 'explaining HTML of 200,000 characters',
      route: routeOf('explainSent'),
      as,
      body: () => ({
        combinedIds: 'everyone-p00000001',
        hash: 'a',
        at: Date.now(),
        isReply: true,
        domains: ['x.example'],
        html: '<p>word</p>'.repeat(18_000),
      }),
    },
    {
      title: 'finding a person by rules with many people',
      route: routeOf('matchingPerson'),
      as,
      body: () => ({ selection: MANY_VALUES }),
    },
    {
      title: 'a dry run with a table of 16 MB',
      route: routeOf('importPeople'),
      as,
      body: () => Buffer.from(csv),
      query: '?try=true',
    },
    {
      title: 'a dry run with a table of long rows',
      route: routeOf('importPeople'),
      as,
      body: () => Buffer.from(wideCsv),
      query: '?try=true',
    },
    {
      title: 'a plan of 6,000 mailboxes for everyone',
      route: routeOf('makePlan'),
      as,
      body: () => ({ document: { ...document, mailboxes: document.mailboxes.slice(0, 6_000) } }),
    },
    {
      title: 'a plan of large rules',
      route: routeOf('makePlan'),
      as,
      body: () => ({ document: largeRules('planned') }),
      keep: ({ id = '' }, made) => void (made.plan = id),
    },
    ...addinCalls(),
    ...scimCalls(),
    ...publishingCalls(),
  ]
}
