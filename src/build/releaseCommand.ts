import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { freshProductionBuild } from './production.ts'
import { onSignals } from './terminal.ts'
import { readSourceTree, releaseProblems } from './release.ts'

// npm run release: prints the steps of a release; with --check, why this tree cannot be released. Changes nothing.

const PROJECT = join(import.meta.dirname, '..', '..')

const STEPS = `A release is a commit that npm run release -- --check finds nothing wrong with:
  1. npm version --no-git-tag-version 1.2.0
  2. <Version>1.2.0.0</Version> in manifest.xml
  3. In CHANGELOG.md, what is in [Unreleased] below ## [1.2.0] - and the day
  4. git commit --all --message "Release 1.2.0"
  5. npm run release -- --check
  6. npm test
  7. git tag --annotate v1.2.0, and push it
  8. Build and deploy: docs/deployment/README.md
`

onSignals()
try {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
  if (values.check === true) {
    const { www } = await freshProductionBuild({ tell: (line) => process.stderr.write(`${line}\n`) })
    const tree = await readSourceTree(PROJECT, dirname(www), new Date().toISOString().slice(0, 10))
    const problems = releaseProblems(tree)
    if (problems.length === 0) process.stdout.write(`${tree.version} can be released.\n`)
    else process.stderr.write(`${problems.join('\n')}\n`)
    process.exitCode = problems.length === 0 ? 0 : 1
  } else process.stdout.write(STEPS)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
