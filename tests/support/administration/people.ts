/** People and directory runs, in the form of the service's answers. */
import type { DirectoryRun, DirectoryState } from '../../../streams/organisation/directory/directory.ts'
import type { SignaturesAnswer, FoundPerson } from '../../../streams/wire/administration/people.ts'
import type {
  AssignmentReason,
  BlockReason,
  ExplainedPerson,
  ExplainedSlot,
} from '../../../streams/organisation/rules/why.ts'

export const found = (id: string): FoundPerson => ({
  id,
  address: `${id.replace('p-', '')}@in.example`,
  name: id,
  isActive: true,
})

export const assigned = (over: Partial<AssignmentReason> = {}): AssignmentReason => ({
  signature: 'corporate',
  name: 'Corporate',
  isAssigned: true,
  isDefault: true,
  because: 'everyone',
  leftOut: null,
  during: null,
  isOpen: true,
  ...over,
})

export const explained = (over: Partial<ExplainedPerson> = {}): ExplainedPerson => ({
  person: {
    id: 'p-ana',
    revision: 3,
    account: null,
    active: true,
    language: 'en',
    groups: ['sales'],
    addresses: ['ana@in.example', 'ana.silva@in.example'],
    picture: null,
    directoryPicture: null,
    directory: { jobTitle: 'Seller' },
    values: { job_title: 'Head of sales' },
    metadata: {},
  },
  name: 'Ana Silva',
  release: '7f'.repeat(16),
  at: Date.UTC(2026, 10, 23, 12),
  signatures: [assigned()],
  default: { choice: { master: 'corporate-p-ana' }, by: 'organisation' },
  mayChooseDefault: true,
  mailboxes: ['desk@in.example'],
  places: { 'signatures.corporate': { path: 'signatures.corporate.for', line: 14 } },
  details: [{ path: 'job_title', label: 'Job title', value: 'Head of sales', replaces: 'Seller' }],
  ...over,
})

/** A slot with these blocks, by name, and their reasons. */
export const slotOf = (slot: string, reasons: Readonly<Record<string, BlockReason>>): ExplainedSlot => ({
  slot,
  blocks: Object.entries(reasons).map(([name, reason]) => ({
    block: name.toLowerCase().replaceAll(' ', '_'),
    name,
    reason,
  })),
})

export const mayStand = (over: Partial<Extract<BlockReason, { kind: 'mayStand' }>> = {}): BlockReason => ({
  kind: 'mayStand',
  because: 'everyone',
  everyone: true,
  share: 100,
  during: null,
  recipients: 'everyone',
  replies: true,
  ...over,
})

export const answered = (over: Partial<SignaturesAnswer> = {}): SignaturesAnswer => ({
  release: '7f'.repeat(16),
  at: Date.UTC(2026, 10, 23, 12),
  signatures: [
    {
      signature: 'corporate',
      name: 'Corporate',
      isDefault: true,
      html: '<p style="color:#112233"><b>Ana Silva</b><br>Head of sales</p>',
    },
  ],
  ...over,
})

export const run = (over: Partial<DirectoryRun> = {}): DirectoryRun => ({
  id: 'run-1',
  source: 'graph:t-1',
  at: Date.UTC(2026, 10, 23, 11),
  until: Date.UTC(2026, 10, 23, 11, 1),
  isTrial: false,
  by: 'timer',
  outcome: 'done',
  read: 40,
  added: 0,
  changed: 0,
  retired: 0,
  returned: 0,
  refused: 0,
  failure: null,
  samples: [],
  ...over,
})

export const directoryOf = (over: Partial<DirectoryState> = {}): DirectoryState => ({
  kind: 'graph',
  sources: ['graph:t-1'],
  isRunning: false,
  runs: [run()],
  groups: [
    { named: 'sales', members: 12 },
    { named: 'press', members: null },
  ],
  ...over,
})
