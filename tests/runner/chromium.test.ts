import { existsSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { expect, test } from 'vitest'
import { findInstallations } from '../browser/chromium.ts'

test('the commands that install a missing Chromium exist', () => {
  const commands = findInstallations().flat()
  expect(commands.at(-1)).toMatchObject({
    program: process.execPath,
    args: expect.arrayContaining(['install']),
  })
  for (const { program, args } of commands)
    for (const path of [program, ...args].filter(isAbsolute)) expect(existsSync(path), path).toBe(true)
})
