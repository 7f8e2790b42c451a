import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** The tests that reach the code without a browser. A mutant runs those alone that reach it. */
export default defineConfig({
  test: {
    testTimeout: 30_000,
    isolate: false,
    root: fileURLToPath(new URL('../..', import.meta.url)),
    css: { include: /\.module\.css$/, modules: { classNameStrategy: 'non-scoped' } },
    // Over HTTP, the adapter's requests and what it reads.
    globalSetup: 'tests/service/setup.ts',
    include: ['tests/{streams,effects,engine,journeys}/**/*.test.{ts,tsx}', 'tests/service/api.test.ts'],
    // It reads the code as text.
    exclude: ['tests/engine/createApp.test.ts'],
  },
})
