import { DirectoryLoad, DirectorySync, SyncStop } from '../../../streams/administration/directory/events.ts'
import { OverviewLoad } from '../../../streams/administration/overview/events.ts'
import type { AdministrationEvent } from '../../../streams/administration/events.ts'
import type { DirectoryRun, DirectoryState } from '../../../streams/organisation/directory/directory.ts'
import { overview } from './answers.ts'
import { directoryOf, run } from './people.ts'
import { type AdministrationStory, at, down, state, view } from './story.ts'

const loaded = (over: Partial<DirectoryState> = {}): readonly AdministrationEvent[] => [
  ...at('/directory'),
  DirectoryLoad.loaded({ value: directoryOf(over) }),
]
const samples: DirectoryRun['samples'] = [
  { person: 'ana@in.example', change: 'changed', fields: ['jobTitle', 'department'], reason: null },
  { person: 'ben@in.example', change: 'retired', fields: [], reason: null },
  {
    person: 'cleo@in.example',
    change: 'refused',
    fields: [],
    reason: 'The address cleo@in.example is that of another person.',
  },
]
const eventful = run({
  id: 'run-2',
  by: 'alex.kim@northwind.example',
  added: 4,
  changed: 120,
  retired: 1,
  refused: 1,
  samples,
})
const applying: Partial<DirectoryState> = {
  isRunning: true,
  runs: [
    run({ id: 'run-4', outcome: 'running', until: null, read: 3_000, progress: { done: 1_600, of: 3_000 } }),
  ],
}
const asking = run({ id: 'run-3', outcome: 'needsLeave', retired: 640, samples })
const failed = (code: string) =>
  run({
    id: `run-${code}`,
    outcome: 'failed',
    failure: { code, message: 'Microsoft Graph refuses tenant t-1 (403).' },
  })
const CODES = [
  'unreachable',
  'token_refused',
  'throttled',
  'forbidden',
  'malformed',
  'database',
  'unexpected',
] as const

export const directoryStories = (): readonly AdministrationStory[] => [
  view(
    'directory',
    loaded({ runs: [eventful, run({ isTrial: true }), run({ id: 'run-0', outcome: 'interrupted' })] }),
  ),
  state('directory loading', at('/directory')),
  state('directory not loaded', [...at('/directory'), DirectoryLoad.loadFailed({ failure: down })]),
  state('directory not allowed', at('/directory', { roles: ['Signet.People'] })),
  state('directory, a reader', [
    ...at('/directory', { roles: ['Signet.Read'] }),
    DirectoryLoad.loaded({ value: directoryOf({ runs: [asking] }) }),
  ]),
  state('no directory', loaded({ kind: 'none', sources: [], runs: [], groups: [] })),
  state('directory that pushes', loaded({ kind: 'scim', sources: ['scim'], runs: [] })),
  state('directory without runs and groups', loaded({ runs: [], groups: [] })),
  state('directory, dry run without a change', loaded({ runs: [run({ isTrial: true })] })),
  state(
    'directory running',
    loaded({
      isRunning: true,
      runs: [run({ id: 'run-4', outcome: 'running', until: null, read: 3_000 }), run()],
    }),
  ),
  state('directory running, applying', loaded(applying)),
  state('directory running, stopping', [...loaded(applying), SyncStop.requested(), SyncStop.done()]),
  state('directory running, not stopping', [
    ...loaded(applying),
    SyncStop.requested(),
    SyncStop.failed({ failure: down }),
  ]),
  state(
    'directory stopped',
    loaded({
      runs: [
        run({ outcome: 'interrupted', progress: { done: 400, of: 3_000 }, stoppedBy: 'alex.kim@in.example' }),
      ],
    }),
  ),
  state(
    'directory without an attribute',
    loaded({
      runs: [
        run({ unknownAttributes: [{ source: 'graph:t-1', names: ['employeeBadge', 'costCentre'] }] }),
        run({ id: 'run-0', source: 'scim', unknownAttributes: [{ source: 'scim', names: ['urn:acme:a'] }] }),
      ],
    }),
  ),
  state('directory starting', [...loaded(), DirectorySync.requested({ kind: 'try' })]),
  state('directory running already', [
    ...loaded(),
    DirectorySync.requested({ kind: 'sync' }),
    DirectorySync.failed({ failure: { kind: 'http', status: 409, code: 'sync_running', data: null } }),
  ]),
  state('directory not started', [
    ...loaded(),
    DirectorySync.requested({ kind: 'sync' }),
    DirectorySync.failed({ failure: down }),
  ]),
  view('directory asking', [
    ...loaded({ runs: [asking, run()] }),
    OverviewLoad.loaded({ value: overview() }),
  ]),
  state(
    'directory that pushes, asking',
    loaded({
      kind: 'scim',
      sources: ['scim'],
      runs: [run({ ...asking, source: 'scim', added: 4, changed: 120 }), run({ source: 'scim' })],
    }),
  ),
  state('directory asking, people unknown', loaded({ runs: [asking] })),
  state('directory declined', [...loaded({ runs: [asking] }), DirectorySync.declined({ run: 'run-3' })]),
  ...CODES.map((code) => state(`directory failed: ${code}`, loaded({ runs: [failed(code)] }))),
]
