import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { knownClasses } from '../runner/knownClasses.ts'
import { AREA_VARIABLE, AREAS, type AreaName, JUDGES_NOTHING } from './areas.ts'

const area = AREAS[process.env[AREA_VARIABLE] as AreaName]

/** The tests of one area. A mutant runs those alone that reach it. */
export default defineConfig({
  plugins: [knownClasses()],
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    isolate: false,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    css: { include: /\.module\.css$/, modules: { classNameStrategy: 'non-scoped' } },
    globalSetup: 'tests/service/setup.ts',
    include: area.tests.map((glob) =>
      glob.endsWith('.ts') ? glob : `${glob}.test.{ts,tsx}`.replace('**.', '**/*.'),
    ),
    exclude: [...JUDGES_NOTHING],
    ...('environment' in area ? { environment: area.environment } : {}),
  },
})
