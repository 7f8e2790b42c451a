import { expect, test } from 'vitest'
import { type Feature, featuresAbove, readFloor } from '../../src/build/floor/features.ts'
import { eventually, useBrowser } from './pane.ts'
import { servers } from './servers.ts'
import { signInByWindow } from './signInWindow.ts'

// Chromium without everything that an older supported browser lacks. `npm run floor` reads the scripts for the same
// features; what it cannot see, such as a method of an iterator that an array has too, fails here.

const { browser } = useBrowser()

/** Deletes these features from a page. Runs before its scripts; `deletedFeatures` is how many the browser had. */
function deleteAll(features: readonly Feature[]): void {
  const iterator = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object
  const page = globalThis as unknown as Record<string, unknown>
  const prototypes: Readonly<Record<string, object>> = {
    Iterator: iterator,
    TypedArray: Object.getPrototypeOf(Int8Array.prototype) as object,
  }
  const ownerOf = (path: string) =>
    path
      .split('.')
      .reduce<unknown>((owner, key) => (owner as Record<string, unknown> | undefined)?.[key], page)
  let deleted = 0
  const remove = (owner: unknown, name: string) => {
    if (owner && Object.hasOwn(owner, name) && Reflect.deleteProperty(owner, name)) deleted += 1
  }
  for (const feature of features) {
    if (feature.kind === 'prototype') {
      const owner = ownerOf(feature.owner) as { prototype?: object } | undefined
      remove(prototypes[feature.owner] ?? owner?.prototype, feature.name)
    }
    if (feature.kind === 'static') remove(ownerOf(feature.owner), feature.name)
    // A browser refuses a value that it does not know.
    if (feature.kind === 'option' && feature.value !== null && typeof page[feature.callee] === 'function') {
      const { callee, name, value } = feature
      const call = page[callee] as (...given: unknown[]) => unknown
      page[callee] = (...given: unknown[]) => {
        for (const argument of given)
          if ((argument as Record<string, unknown> | null)?.[name] === value)
            throw new TypeError(`${callee}: ${name} cannot be ${value}`)
        return call(...given)
      }
    }
  }
  for (const feature of features)
    if (feature.kind === 'global') {
      remove(page, feature.name)
      remove(Window.prototype, feature.name)
    }
  page['deletedFeatures'] = deleted
}

test('[SOLO-2] [PROF-5] signs in by a window and takes a picture without any feature above the floor', async () => {
  const context = await browser().newContext({ locale: 'en-US', viewport: { width: 900, height: 800 } })
  context.setDefaultTimeout(20_000)
  await context.addInitScript(deleteAll, [...featuresAbove(readFloor())])
  const page = await context.newPage()
  const exceptions: string[] = []
  context.on('weberror', (error) => exceptions.push(String(error.error())))
  await page.goto(`${servers().pages}/index.html`)
  expect(
    await page.evaluate(() => (globalThis as unknown as { deletedFeatures: number }).deletedFeatures),
  ).toBeGreaterThan(1000)
  expect(await page.evaluate(() => ['canParse' in URL, 'toSorted' in [], 'map' in [].values()])).toEqual([
    false,
    false,
    false,
  ])

  await signInByWindow(page)
  await page.waitForURL(/#\/app\//)
  await page.getByRole('option').first().waitFor()

  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link').nth(1).click()
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  await page
    .getByLabel('Choose a picture')
    .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
  await page.getByRole('button', { name: 'Save picture' }).waitFor()
  const shown = page.getByRole('img', { name: 'Your picture' })
  await eventually(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1)
  expect(exceptions).toEqual([])
})
