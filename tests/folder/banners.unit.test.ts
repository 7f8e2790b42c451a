import { describe, expect, it } from 'vitest'
import { bannerTemplate, linkAddress, withSlotAtEnd } from '../../streams/administration/plan/banners.ts'
import { runSteps } from '../../streams/kernel/steps.ts'
import { checkFolder, checkingDocument } from '../../src/folder/checkFolder.ts'
import { block, withTheseBlocks } from '../support/blocks.ts'
import { createReading, useFolders } from './folders.ts'
import { GIF, JPEG, png, WEBP } from './pictures.ts'

const reading = createReading(useFolders())
const AT = Date.parse('2026-10-01T12:00:00Z')

describe('the template of a banner', () => {
  it.each([
    [
      'with a link',
      png(880, 220),
      'png',
      880,
      220,
      'Autumn fair',
      'https://www.northwind.example/fair?a=1&b=2#c',
    ],
    ['without a link', png(300, 75), 'png', 300, 75, 'Autumn fair', null],
    [
      'with signs in its texts',
      JPEG,
      'jpg',
      3,
      2,
      '"<b>{{phone}}</b>" & \'more\'',
      "https://a.example/it's/{x}/[y]",
    ],
    ['that is higher than wide', GIF, 'gif', 1, 1, 'Ü', 'https://a.example'],
    ['of a WebP', WEBP, 'webp', 3, 2, '営業', 'https://a.example/?q=%20'],
  ])('%s is taken by the check without a finding', async (_, content, ending, width, height, alt, typed) => {
    const path = `banners/made.${ending}`
    const address = typed === null ? null : linkAddress(typed)
    const made = (isCounted: boolean) =>
      bannerTemplate(path, { width, height }, { alt, address, isCounted: isCounted && address !== null })
    // As the template of a version, it is rendered for people, too.
    const file = 'templates/short.html'
    const read = await reading({ [file]: made(false), [`pictures/${path}`]: content })
    expect(checkFolder(read, AT).filter((finding) => finding.file === file)).toEqual([])
    const { document } = read
    const shown = { ...document.templates, [file]: withSlotAtEnd('<p>{{first_name}}</p>', 'banner') }
    for (const isCounted of [false, true]) {
      const banner = withTheseBlocks({ ...document, templates: shown, counting: true }, [block()])
      const templates = { ...banner.templates, [block().template]: made(isCounted) }
      expect(runSteps(checkingDocument({ ...banner, templates }, AT))).toEqual([])
    }
    expect(address === null).toBe(typed === null)
  })
})
