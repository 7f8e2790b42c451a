import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore } from '../../../src/service/sql/openStore.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signet-embedded-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the folder of an embedded database', () => {
  it('keeps what was written, also after a first start that was cut short', async () => {
    await mkdir(join(folder, 'database'))
    await writeFile(join(folder, 'database', 'PG_VERSION'), '1')
    const first = await openStore({ kind: 'embedded', folder })
    await first.keepPlan('p', { kept: true }, 1)
    await first.close()
    await first.close()
    expect(await readdir(folder)).toEqual(['database'])

    const again = await openStore({ kind: 'embedded', folder })
    expect(await again.plan('p')).toEqual({ kept: true })
    await again.close()
  })

  it('is free again when it could not be opened', async () => {
    await mkdir(join(folder, 'database'))
    await writeFile(join(folder, 'database', 'signet-started'), '')
    await writeFile(join(folder, 'database', 'PG_VERSION'), '9.6')
    await expect(openStore({ kind: 'embedded', folder })).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['database'])
  })
})
