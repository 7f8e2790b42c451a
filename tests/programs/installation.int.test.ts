import { once } from 'node:events'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProject, manifest, type Project, start } from './project.ts'

// A project with two packages in folders of its own, which npm installs without a network: `vitest`, which only
// development needs, and `shipped`.

const SAID = 'Installing packages as the lock file says …\n'
const { start: startScript = '', test: testScript = '', service: serviceScript = '' } = manifest.scripts

let project: Project
/** @param version that of the package `vitest` */
function writePackages(version = '1.0.0', scripts: object = {}) {
  const dependencies = { shipped: 'file:packages/shipped' }
  const devDependencies = { vitest: 'file:packages/vitest' }
  const bin = { vitest: 'cli.mjs' }
  const described = { name: 'project', version: '1.0.0', dependencies, devDependencies }
  project.write('packages/shipped/package.json', { name: 'shipped', version: '1.0.0' })
  project.write('packages/vitest/package.json', { name: 'vitest', version, bin, scripts })
  project.write('package-lock.json', {
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': described,
      'node_modules/shipped': { resolved: 'packages/shipped', link: true },
      'node_modules/vitest': { resolved: 'packages/vitest', link: true },
      'packages/shipped': { version: '1.0.0' },
      'packages/vitest': { version, dev: true, bin, hasInstallScript: 'install' in scripts },
    },
  })
}
beforeEach(() => {
  project = createProject(
    { shipped: ['src/service/main.ts'], development: ['src/playground/start.ts'] },
    {
      scripts: { start: startScript, test: testScript, service: serviceScript },
      dependencies: { shipped: 'file:packages/shipped' },
      devDependencies: { vitest: 'file:packages/vitest' },
    },
  )
  project.write('src/playground/start.ts', "console.log('started', process.argv.slice(2).join())\n")
  project.write('src/service/main.ts', "console.log('served')\n")
  project.write(
    'packages/vitest/cli.mjs',
    "#!/usr/bin/env node\nconsole.log('tested', process.argv.slice(2).join())\nprocess.exitCode = 7\n",
  )
  writePackages()
})
afterEach(() => project.remove())

const installed = (name: string) => existsSync(join(project.folder, 'node_modules', name))
/** Without what this test's own npm tells its children. */
const environment = (over: Readonly<Record<string, string>> = {}) => ({
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_|^NODE_ENV$|^VITEST/i.test(name)),
  ),
  // Nothing here takes a network.
  npm_config_offline: 'true',
  ...over,
})
const begin = (command: string, args: readonly string[], over: Readonly<Record<string, string>> = {}) =>
  start(project.folder, command, args, { env: environment(over), shell: process.platform === 'win32' })
const npm = async (...args: string[]) => {
  const { code, stdout, stderr } = await begin('npm', ['--silent', ...args]).ended
  return { code, stdout, said: stderr }
}

describe('the commands of a clone', { timeout: 120_000 }, () => {
  it('[FRONT-1] `npm start` and `npm test` install what the lock file says, and then do their job', async () => {
    expect(await npm('start', '--', '--port', '1')).toEqual({
      code: 0,
      stdout: 'started --port,1\n',
      said: SAID,
    })
    expect([installed('vitest'), installed('shipped')]).toEqual([true, true])
    rmSync(join(project.folder, 'node_modules'), { recursive: true })
    // Arguments pass, and the code is that of the tests.
    expect(await npm('test', '--', 'a', 'b')).toEqual({ code: 7, stdout: 'tested run,a,b\n', said: SAID })
  })

  it('install nothing when it is there, by whichever command it came, and again when the lock file changed', async () => {
    await npm('ci')
    writeFileSync(join(project.folder, 'node_modules/kept'), '')
    expect(await npm('test')).toEqual({ code: 7, stdout: 'tested run\n', said: '' })
    expect(await npm('start')).toEqual({ code: 0, stdout: 'started \n', said: '' })
    expect(installed('kept')).toBe(true)
    writePackages('1.0.1')
    expect(await npm('test')).toEqual({ code: 7, stdout: 'tested run\n', said: SAID })
    expect(installed('kept')).toBe(false)
    expect(await npm('test')).toMatchObject({ said: '' })
  })

  it('install again when a package was deleted', async () => {
    await npm('ci')
    rmSync(join(project.folder, 'node_modules/vitest'))
    expect(await npm('test')).toEqual({ code: 7, stdout: 'tested run\n', said: SAID })
  })

  it('do not believe an installation that was interrupted, and end npm with them', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      await npm('ci')
      const { port } = server.address() as AddressInfo
      // A package whose installation goes on until it is ended.
      writePackages('1.0.1', {
        install: `node -e "require('net').connect(${String(port)}, '127.0.0.1')"`,
      })
      const { child, ended } = begin(process.execPath, ['src/programs/install.mjs'])
      const [connection] = (await once(server, 'connection')) as [Socket]
      const closed = once(
        connection.resume().on('error', () => {}),
        'close',
      )
      child.kill('SIGTERM')
      expect(await ended).toMatchObject({ code: 143, stderr: SAID })
      await closed
      expect(existsSync(join(project.folder, 'node_modules/.package-lock.json'))).toBe(false)
      writePackages('1.0.1')
      expect(await npm('test')).toEqual({ code: 7, stdout: 'tested run\n', said: SAID })
    } finally {
      server.close()
    }
  })

  it('stop with the output of npm and a sentence when the installation fails', async () => {
    writePackages('1.0.0', { install: 'echo because >&2 && exit 3' })
    const { code, stdout, said } = await npm('test')
    expect([code, stdout]).toEqual([1, ''])
    expect(said).toContain('because')
    expect(said).toContain('The packages could not be installed: npm ci ended with code 3.')
    writePackages()
    project.write('package-lock.json', '{')
    expect(await npm('test')).toMatchObject({
      code: 1,
      stdout: '',
      said: expect.stringContaining('npm ci ended with code 1') as string,
    })
  })

  it('stop with a sentence where there is no npm', async () => {
    const { code, stderr } = await begin(process.execPath, ['src/programs/install.mjs'], { PATH: '' }).ended
    expect([code, stderr]).toEqual([
      1,
      `${SAID}The packages could not be installed: npm was not found. It comes with Node.\n`,
    ])
  })

  it('that begin at once install once', async () => {
    const both = await Promise.all(
      [1, 2].map(() => begin(process.execPath, ['src/programs/install.mjs']).ended),
    )
    expect(both.map(({ code }) => code)).toEqual([0, 0])
    expect(both.map(({ stderr }) => stderr).sort()).toEqual(['', SAID])
  })
})

describe('an installation for production', { timeout: 120_000 }, () => {
  it('stays one: the service installs nothing that it does not need', async () => {
    await npm('ci', '--omit=dev')
    expect([installed('vitest'), installed('shipped')]).toEqual([false, true])
    expect(await npm('run', 'service')).toEqual({ code: 0, stdout: 'served\n', said: '' })
    rmSync(join(project.folder, 'node_modules/shipped'))
    expect(await npm('run', 'service')).toEqual({ code: 0, stdout: 'served\n', said: SAID })
    expect([installed('vitest'), installed('shipped')]).toEqual([false, true])
  })

  it('without a lock file, as in an image, is taken as it is', async () => {
    rmSync(join(project.folder, 'package-lock.json'))
    expect(await begin(process.execPath, ['src/programs/run.mjs', 'src/service/main.ts']).ended).toEqual({
      code: 0,
      stdout: 'served\n',
      stderr: '',
    })
  })
})
