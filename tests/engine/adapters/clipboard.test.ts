import { firstValueFrom } from 'rxjs'
import { afterEach, expect, test, vi } from 'vitest'
import { createClipboard } from '../../../src/engine/adapters/clipboard.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

class Item {
  constructor(readonly parts: Readonly<Record<string, Blob>>) {}
}
const browser = (clipboard?: object) => ({ clipboard }) as unknown as Navigator
const write = (navigator: Navigator) =>
  firstValueFrom(createClipboard(navigator).write({ html: '<p>Alex</p>', text: 'Alex' }))

test('html and text go onto it together', async () => {
  vi.stubGlobal('ClipboardItem', Item)
  const items: Item[] = []
  await write(browser({ write: async (written: Item[]) => void items.push(...written) }))
  expect(items).toHaveLength(1)
  const { 'text/html': html, 'text/plain': text } = items[0]!.parts
  expect([await html?.text(), await text?.text()]).toEqual(['<p>Alex</p>', 'Alex'])
})

test.each<[string, object | undefined, unknown]>([
  ['refuses', { write: () => Promise.reject(new Error('NotAllowedError')) }, Item],
  ['has no clipboard for this page', undefined, Item],
  ['knows nothing but text', { write: () => Promise.resolve() }, undefined],
])('a browser that %s is told as that, not as a defect', async (_, clipboard, item) => {
  vi.stubGlobal('ClipboardItem', item)
  expect(await write(browser(clipboard)).then(() => null, toFailure)).toEqual({ kind: 'clipboard' })
})
