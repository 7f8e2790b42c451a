import { type Observable, of } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import type { LoadChunk } from '../../src/engine/adapters/chunks.ts'
import { createScreenLoader } from '../../src/pane/screenLoader.ts'
import { Failed } from '../../streams/kernel/failure.ts'
import { createClock } from '../support/clock.ts'
import { fakeLog } from '../support/log.ts'
import german from '../../views/pane/text/de.json'

/** The loader of a screen whose code is a stand-in, or cannot be loaded. */
function start(canLoad = true) {
  const screen = {
    addTexts: vi.fn(),
    noticeText: ({ signature }: Readonly<{ signature: string }>) => `${signature} is missing`,
    pages: { load: vi.fn(() => of(undefined)) },
  }
  const createScreen = vi.fn(() => screen)
  const code = vi.fn(() =>
    canLoad ? Promise.resolve({ createScreen }) : Promise.reject(new TypeError('Failed to fetch')),
  )
  // The code of the screen is the first chunk; the others are texts.
  let chunks = 0
  const loadChunk = ((load: () => Promise<unknown>) => (chunks++ === 0 ? code : load)) as LoadChunk
  const element = {} as Element
  const [time, log, loadSanitizer] = [createClock(5), fakeLog(), () => Promise.reject(new Error('unused'))]
  const loader = createScreenLoader(element, { time, log, loadChunk, loadSanitizer })
  return { loader, screen, createScreen, code, element, tools: { time, log, loadChunk, loadSanitizer } }
}

/** What a call gives, in order; its failure is the last. */
const listen = (call$: Observable<unknown>) => {
  const heard: unknown[] = []
  call$.subscribe({
    next: (value) => heard.push(value),
    error: (error: unknown) => heard.push(error),
    complete: () => heard.push('complete'),
  })
  return heard
}
const settled = () => new Promise(setImmediate)
const NOT_LOADED = new Failed({ kind: 'notLoaded' })

describe('the screen', () => {
  it('is loaded once it is due, once for all that ask', async () => {
    const { loader, code, createScreen, element, tools } = start()
    const [waiting, pages] = [listen(loader.screen$), listen(loader.ports.chunks.load('help'))]
    await settled()
    expect([code.mock.calls, waiting]).toEqual([[], []])
    const asked = listen(loader.ports.screen.load())
    loader.load()
    await settled()
    expect(code).toHaveBeenCalledTimes(1)
    expect(createScreen.mock.calls).toEqual([[element, tools]])
    expect(asked).toEqual([undefined, 'complete'])
    expect(pages).toEqual([undefined, 'complete'])
    expect(waiting).toHaveLength(2)
    expect(loader.ports.screen.openedAt).toBe(5)
  })

  it('loads the pages, and says the notices', async () => {
    const { loader, screen } = start()
    loader.load()
    listen(loader.ports.chunks.load('help'))
    const told = listen(
      loader.ports.noticeText({ kind: 'defaultNotInserted', signature: 'Standard', reply: false }),
    )
    await settled()
    expect(screen.pages.load.mock.calls).toEqual([['help']])
    expect(told).toEqual(['Standard is missing', 'complete'])
  })

  it('fails with notLoaded where its code cannot be loaded, and says no notice', async () => {
    const { loader } = start(false)
    const asked = listen(loader.ports.screen.load())
    const told = listen(
      loader.ports.noticeText({ kind: 'defaultNotInserted', signature: 'Standard', reply: false }),
    )
    const pages = listen(loader.ports.chunks.load('help'))
    await settled()
    expect([asked, told, pages]).toEqual([[NOT_LOADED], ['complete'], [NOT_LOADED]])
  })
})

describe('the texts of a language', () => {
  it('come with the screen in English', () => {
    const { loader, screen } = start()
    expect(listen(loader.ports.locales.load('en'))).toEqual([undefined, 'complete'])
    expect(screen.addTexts).not.toHaveBeenCalled()
    expect(loader.ports.locales.fallback).toBe('en')
  })

  it('are added to the screen once both are there', async () => {
    const { loader, screen } = start()
    const asked = listen(loader.ports.locales.load('de'))
    await settled()
    expect(asked).toEqual([])
    loader.load()
    await vi.waitFor(() => expect(asked).toEqual([undefined, 'complete']))
    expect(screen.addTexts.mock.calls).toEqual([['de', german]])
  })

  it('wait for good where there is no screen', async () => {
    const { loader } = start(false)
    loader.load()
    const asked = listen(loader.ports.locales.load('de'))
    await settled()
    expect(asked).toEqual([])
  })

  it('of the settings are none where these are English', () => {
    expect(listen(start().loader.addConfiguredTexts())).toEqual([[undefined], 'complete'])
  })
})
