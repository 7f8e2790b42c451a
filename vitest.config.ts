import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vitest/config'

/** Reads an imported SVG file as the bundler does in the pane: as a React component, `jsx:` before its path or not. */
const svgComponents: Plugin = {
  name: 'svg-components',
  enforce: 'pre',
  async resolveId(source, importer) {
    if (!source.endsWith('.svg')) return null
    const found = await this.resolve(source.replace(/^jsx:/, ''), importer, { skipSelf: true })
    return found ? `${found.id}?component` : null
  },
  async load(id) {
    if (!id.endsWith('.svg?component')) return null
    const file = await readFile(id.slice(0, -'?component'.length), 'utf8')
    const [, attributes = '', content = ''] =
      /<svg([^>]*)>(.*)<\/svg>/s.exec(file) ?? this.error(`No <svg> in ${id}`)
    const own = Object.fromEntries(
      [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value] as const,
      ),
    )
    return `import { createElement } from 'react'
      const own = ${JSON.stringify(own)}
      const inner = { __html: ${JSON.stringify(content)} }
      export default (props) => createElement('svg', { ...own, ...props, dangerouslySetInnerHTML: inner })`
  },
}

export default defineConfig({
  plugins: [svgComponents],
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
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
          // One playground and one browser at a time, after everything else has run.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
    ],
  },
})
