// In place of the bundler's process: fakeBundler.mjs <project>. Each task takes the next word of the file `behaviours`.
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const [project = ''] = process.argv.slice(2)
const inProject = (file) => join(project, file)
const SOURCES = ['src/page.ts', 'node_modules/library/index.js', 'elsewhere/icon.svg']

function nextBehaviour() {
  const [first = 'build', ...rest] = readFileSync(inProject('dist/behaviours'), 'utf8')
    .split(' ')
    .filter(Boolean)
  writeFileSync(inProject('dist/behaviours'), rest.join(' '))
  return first
}

process.on('message', ({ options: { folder, cacheFolder } }) => {
  writeFileSync(inProject('dist/process'), String(process.pid))
  const behaviour = nextBehaviour()
  const kept = existsSync(join(cacheFolder, 'half')) ? ' believes a half cache' : ''
  appendFileSync(inProject('dist/builds'), `${behaviour}${kept}\n`)
  process.send({ type: 'progress' })
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  mkdirSync(cacheFolder, { recursive: true })
  writeFileSync(join(folder, 'page.html'), '<!doctype html><html la')
  writeFileSync(join(cacheFolder, 'half'), '')
  switch (behaviour) {
    case 'die':
      process.stderr.write('corrupted double-linked list\n')
      return process.kill(process.pid, 'SIGABRT')
    case 'hang':
      // As a thread that spins: nothing comes any more.
      return undefined
    case 'refuse':
      rmSync(join(cacheFolder, 'half'))
      return process.send({ type: 'failed', message: 'page.ts:1: no' })
    case 'disturb':
      appendFileSync(inProject('src/page.ts'), ' later')
  }
  const parts = SOURCES.map((file) => readFileSync(inProject(file), 'utf8'))
  writeFileSync(join(folder, 'page.html'), parts.join('\n'))
  rmSync(join(cacheFolder, 'half'))
  process.send({ type: 'done', bundled: SOURCES })
})
process.on('disconnect', () => process.exit())
