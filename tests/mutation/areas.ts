// What ships, in areas whose tests run together: a mutant in one area runs against the tests of that area.

type Area = Readonly<{
  /** Files and folders; those of an area before it are not its own. */
  code: readonly string[]
  /** Globs of the tests that reach it in their own process, without a browser. */
  tests: readonly string[]
  environment?: 'happy-dom'
}>

export const AREAS = {
  administration: {
    code: ['streams', 'effects'].map((folder) => `${folder}/administration`).concat('src/administration'),
    tests: [
      'tests/{streams,effects}/administration/**',
      'tests/administration/**',
      'tests/journeys/administration*',
    ],
  },
  organisation: {
    code: ['streams/organisation', 'src/values'],
    tests: [
      'tests/streams/organisation/**',
      'tests/values/**',
      'tests/service/directory/**',
      'tests/service/{http/calls,publishing/publishing,answers/rendering}*',
    ],
  },
  folder: {
    code: ['src/folder', 'src/adopt', 'src/cli'],
    tests: ['tests/{folder,adopt,cli}/**', 'tests/service/{doctor,answers/rendering}*'],
  },
  service: {
    code: ['streams/wire', 'src/service', 'src/server'],
    tests: ['tests/{service,server}/**'],
  },
  pane: {
    code: ['streams', 'effects', 'src/engine', 'src/launch', 'src/pane'],
    // The adapter's requests and what it reads, over HTTP.
    tests: ['tests/{streams,effects,engine,journeys,launch,pane}/**', 'tests/service/http/api.int.test.ts'],
  },
  views: { code: ['views'], tests: ['tests/views/**'], environment: 'happy-dom' },
} as const satisfies Readonly<Record<string, Area>>

export type AreaName = keyof typeof AREAS

/** Names the area to `vitest.config.ts`, which Stryker loads in processes of its own. */
export const AREA_VARIABLE = 'SIGNET_MUTATION_AREA'

const inFolder = (folder: string, names: readonly string[]) => names.map((name) => `${folder}/${name}`)

/** Left out, because tests run it elsewhere: in a browser, in a bare runtime, or in processes of their own. */
export const RUNS_ELSEWHERE: readonly string[] = [
  ...inFolder('src/engine/adapters', ['address.ts', 'elements.ts', 'log.ts', 'picture.ts', 'sanitizer.ts']),
  ...inFolder('src/engine', [
    'config.ts',
    'createEngine.ts',
    'ports.ts',
    'hosts/officeCalls.ts',
    'hosts/officeClient.ts',
  ]),
  ...inFolder('src/engine/signIn', ['callback.ts', 'dialog.ts', 'dialogPage.ts', 'idle.ts', 'library.ts']),
  ...inFolder('src/engine/signIn', ['nested.ts', 'network.ts', 'officeIdentity.ts', 'redirectResponse.ts']),
  ...inFolder('src/launch', ['associate.ts', 'launch.ts', 'launchGlobal.ts', 'launchPage.ts', 'prelude.ts']),
  ...inFolder('src/pane', ['index.ts', 'screen/', 'startPage.ts', 'startPane.ts', 'taskpane.ts']),
  ...inFolder('src/administration', ['identity.ts', 'main.ts', 'startAdministration.tsx']),
  ...['src/service/main.ts', 'src/cli/main.ts', 'src/server/serverProcess.ts'],
  // Not shipped.
  'src/service/demonstration/',
]

/** Tests whose code runs in processes of its own, or that read the code as text, cannot judge a mutant. */
export const JUDGES_NOTHING: readonly string[] = [
  'tests/engine/createApp.unit.test.ts',
  'tests/launch/bareFile.unit.test.ts',
  'tests/pane/{production,skeleton}.unit.test.ts',
  'tests/service/operations/{alertRules,operationsGuide}.int.test.ts',
  'tests/service/{deployment,killed,processes,production,upgrade}.*.test.ts',
  'tests/service/http/openApi.int.test.ts',
  'tests/service/sql/{folderLock,killed}.*.test.ts',
]
