import { firstValueFrom } from 'rxjs'
import { afterEach, expect, test, vi } from 'vitest'
import { createClipboard } from '../../../src/engine/adapters/clipboard.ts'
import { toFailure } from '../../../streams/kernel/failure.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

class FakeClipboardItem {
  constructor(readonly parts: Readonly<Record<string, Blob>>) {}
}
const browser = (clipboard?: object) => ({ clipboard }) as unknown as Navigator
const write = (navigator: Navigator) =>
  firstValueFrom(createClipboard(navigator).write({ html: '<p>Alex</p>', text: 'Alex' }))

test('writes html and text together', async () => {
  vi.stubGlobal('ClipboardItem', FakeClipboardItem)
  const items: FakeClipboardItem[] = []
  await write(browser({ write: async (written: FakeClipboardItem[]) => void items.push(...written) }))
  expect(items).toHaveLength(1)
  const { 'text/html': html, 'text/plain': text } = items[0]!.parts
  expect([await html?.text(), await text?.text()]).toEqual(['<p>Alex</p>', 'Alex'])
})

test('writes text alone, also in a browser that has no items', async () => {
  const texts: string[] = []
  const navigator = browser({ writeText: async (text: string) => void texts.push(text) })
  await firstValueFrom(createClipboard(navigator).write({ html: null, text: 'Result' }))
  expect(texts).toEqual(['Result'])
  const refusing = createClipboard(browser({ writeText: () => Promise.reject(new Error('NotAllowedError')) }))
  const outcome = firstValueFrom(refusing.write({ html: null, text: 'Result' }))
  expect(await outcome.then(() => null, toFailure)).toEqual({ kind: 'clipboard' })
})

test.each<[string, object | undefined, unknown]>([
  ['refuses', { write: () => Promise.reject(new Error('NotAllowedError')) }, FakeClipboardItem],
  ['has no clipboard for the page', undefined, FakeClipboardItem],
  ['writes text only', { write: () => Promise.resolve() }, undefined],
])('fails with clipboard in a browser that %s', async (_, clipboard, item) => {
  vi.stubGlobal('ClipboardItem', item)
  expect(await write(browser(clipboard)).then(() => null, toFailure)).toEqual({ kind: 'clipboard' })
})
