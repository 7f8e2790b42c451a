import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type * as Rxjs from 'rxjs'
import { beforeAll, expect, test } from 'vitest'

// rxjs as it is bundled: with what package.json puts in the place of tslib.

const PROJECT = join(import.meta.dirname, '../..')
const { alias } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  alias: { rxjs: string; tslib: string }
}
let rxjs: typeof Rxjs

beforeAll(async () => {
  const { outputFiles, warnings } = await build({
    stdin: { contents: "export * from 'rxjs'", resolveDir: PROJECT },
    absWorkingDir: PROJECT,
    alias: { rxjs: alias.rxjs, tslib: alias.tslib },
    bundle: true,
    write: false,
    format: 'esm',
    // A browser without async generators.
    target: 'es2016',
  })
  expect(warnings).toEqual([])
  const text = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64')
  rxjs = (await import(`data:text/javascript;base64,${text}`)) as typeof Rxjs
})

async function* counting(until: number) {
  for (let each = 0; each < until; each++) yield await Promise.resolve(each)
  return 'not a value'
}
const all = <T>(source$: Rxjs.ObservableInput<T>): Promise<unknown> =>
  rxjs.lastValueFrom(rxjs.from(source$).pipe(rxjs.toArray()))

test('reads an async iterable to its end', async () => {
  expect(await all(counting(3))).toEqual([0, 1, 2])
  expect(await all(counting(0))).toEqual([])
})

test('fails as the async iterable does, after what came before', async () => {
  async function* failing() {
    yield* counting(1)
    throw new Error('broken')
  }
  const seen: unknown[] = []
  await expect(
    rxjs.lastValueFrom(rxjs.from(failing()).pipe(rxjs.tap((each) => seen.push(each)))),
  ).rejects.toThrow('broken')
  expect(seen).toEqual([0])
})

test('tells an async iterable that it is not read any more', async () => {
  let ended = false
  async function* endless() {
    try {
      for (;;) yield* counting(1)
    } finally {
      ended = true
    }
  }
  expect(await all(rxjs.from(endless()).pipe(rxjs.take(2)))).toEqual([0, 0])
  await expect.poll(() => ended).toBe(true)
})

const streamOf = (start: (controller: ReadableStreamDefaultController<number>) => void) =>
  new ReadableStream<number>({ start })

test('reads a stream to its end, and lets it go', async () => {
  const stream = streamOf((controller) => {
    for (const each of [1, 2]) controller.enqueue(each)
    controller.close()
  })
  // As in browsers whose streams are no async iterables.
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined })
  expect(await all(stream)).toEqual([1, 2])
  expect(stream.locked).toBe(false)
})

test('fails as the stream does, and lets it go', async () => {
  const stream = streamOf((controller) => {
    controller.error(new Error('broken'))
  })
  Object.defineProperty(stream, Symbol.asyncIterator, { value: undefined })
  await expect(all(stream)).rejects.toThrow('broken')
  expect(stream.locked).toBe(false)
})
