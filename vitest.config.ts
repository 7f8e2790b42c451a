import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: '100%',
    root: fileURLToPath(new URL('.', import.meta.url)),
    // CSS modules give their class names as they are written.
    css: { include: /\.module\.css$/, modules: { classNameStrategy: 'non-scoped' } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: ['tests/{browser,playground,service,views}/**'],
        },
      },
      { extends: true, test: { name: 'service', include: ['tests/{playground,service}/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'views', include: ['tests/views/**/*.test.{ts,tsx}'], environment: 'happy-dom' },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: 'tests/browser/setup.ts',
          // After everything else has run; each worker has a playground of its own.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
    ],
  },
})
