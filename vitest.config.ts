import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import { COUNTED_PACKAGES, countingWork } from './tests/growth/counting.ts'
import { IS_LONG } from './tests/support/cases.ts'
import { ChangedFirst } from './tests/runner/changedFirst.ts'
import { knownClasses } from './tests/runner/knownClasses.ts'
import { explainCrowded, readTests } from './tests/runner/claims.ts'
import { CLAIMS_ON_MORE_LEVELS } from './tests/runner/claimsOnMoreLevels.ts'
import { explainMisplaced, filesOf, listTestFiles, type ProjectName } from './tests/runner/projects.ts'

const testFiles = listTestFiles()
const problem =
  explainMisplaced(process.argv.slice(2), testFiles) ??
  explainCrowded(readTests(testFiles), CLAIMS_ON_MORE_LEVELS)
if (problem !== null) {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}

const project = (
  name: ProjectName,
  options: NonNullable<TestProjectInlineConfiguration['test']> = {},
  plugins: Plugin[] = [],
): TestProjectInlineConfiguration => ({
  extends: true,
  plugins,
  test: { name, ...filesOf(name), ...options },
})

/** The main way in other browsers than Chromium, after everything else. Only `npm run test:long` runs it. */
const OTHER_BROWSERS = (['firefox', 'webkit'] as const).map((name, index) =>
  project(name, {
    globalSetup: 'tests/browser/setup.ts',
    maxWorkers: 1,
    sequence: { groupOrder: 2 + index },
    testTimeout: 120_000,
  }),
)

/** Fresh clones with other versions of Node, at the end of `npm run test:long`. */
const OTHER_NODES = project('node', { maxWorkers: 1, sequence: { groupOrder: 4 } })

export default defineConfig({
  test: {
    // So that nothing hangs for ever; no limit judges a machine.
    testTimeout: IS_LONG ? 3_600_000 : 120_000,
    hookTimeout: 120_000,
    maxWorkers: '100%',
    // Test files share nothing global, so a worker keeps the modules that it has loaded.
    isolate: false,
    sequence: { sequencer: ChangedFirst },
    root: fileURLToPath(new URL('.', import.meta.url)),
    // CSS modules give their class names as they are written.
    css: { include: /\.module\.css$/, modules: { classNameStrategy: 'non-scoped' } },
    projects: [
      project('unit'),
      project('int', { globalSetup: 'tests/service/setup.ts' }),
      project(
        'growth',
        { setupFiles: 'tests/growth/work.ts', server: { deps: { inline: [COUNTED_PACKAGES] } } },
        [countingWork()],
      ),
      project('views', { environment: 'happy-dom' }, [knownClasses()]),
      project('browser', {
        globalSetup: 'tests/browser/setup.ts',
        // After everything else has run; each worker has a playground of its own.
        maxWorkers: 2,
        sequence: { groupOrder: 1 },
        // Some tests wait for several time limits of the pane, on a machine that may be busy.
        testTimeout: 120_000,
      }),
      ...(IS_LONG ? [...OTHER_BROWSERS, OTHER_NODES] : []),
    ],
  },
})
