import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import { createDownloads } from '../../../src/engine/adapters/downloads.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'

/** A page that keeps what its links would download. */
function fakePage() {
  const saved: (readonly [name: string, content: Blob | undefined])[] = []
  const objects = new Map<string, Blob>()
  const page = {
    Blob,
    URL: {
      createObjectURL(blob: Blob) {
        objects.set('blob:1', blob)
        return 'blob:1'
      },
      revokeObjectURL: (url: string) => objects.delete(url),
    },
    document: {
      createElement: () => {
        const link = {
          href: '',
          download: '',
          click() {
            saved.push([link.download, objects.get(link.href)])
          },
        }
        return link
      },
    },
  }
  return { page: page as unknown as Parameters<typeof createDownloads>[0], saved, objects }
}

test('saves the log as a file, and keeps nothing of it in memory', async () => {
  const { page, saved, objects } = fakePage()
  await firstValueFrom(
    createDownloads(page, () => Promise.resolve(new Set(['{"events":', '[]}']).values())).saveLog(),
  )
  expect(saved.map(([name]) => name)).toEqual(['signet-log.json'])
  expect(await saved[0]?.[1]?.text()).toBe('{"events":[]}')
  expect(saved[0]?.[1]?.type).toBe('application/json')
  expect(objects.size).toBe(0)
})

test('fails with notLoaded when the code of the export cannot be loaded', async () => {
  const { page, saved } = fakePage()
  const downloads = createDownloads(page, () => Promise.reject(new Error('offline')))
  expect(await firstValueFrom(downloads.saveLog()).then(() => null, toFailure)).toEqual({ kind: 'notLoaded' })
  expect(saved).toEqual([])
})
