import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkFolder } from '../../src/folder/checkFolder.ts'
import { pictureHash } from '../../src/folder/pictures.ts'
import { readFolder } from '../../src/folder/readFolder.ts'
import { initFolder } from '../../src/folder/writeFolder.ts'
import { GALLERY_NAMES, type GalleryName } from '../../streams/organisation/release/gallery.ts'
import { LOGO } from '../../streams/organisation/release/galleryPictures.ts'
import { png } from './pictures.ts'

/** One person with every value, one with a long name, one with an address alone, and one with each of the others. */
const PEOPLE = `email,id,givenName,surname,jobTitle,businessPhones.0,mobilePhone,picture
maria.silva@northwind.example,u-1,Maria,Silva,Head of Sales,+49 30 1234,+49 171 5678,people/maria.png
maximiliane.von.hohenstein-oberndorf@northwind.example,u-2,Maximiliane,von Hohenstein-Oberndorf,"Vice President, International Relations",+351 211 234 567,,
desk@northwind.example,u-3,Desk,,,,,
tom@northwind.example,u-4,Tom,Reed,,,+44 20 7946 0000,
ana@northwind.example,u-5,Ana,Dias,Counsel,,,people/maria.png
`

const folders: string[] = []
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

async function begun(template: GalleryName): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'signet-gallery-'))
  folders.push(folder)
  await initFolder(folder, { organisation: 'Northwind Trading', domain: 'northwind.example', template })
  await writeFile(join(folder, 'people.csv'), PEOPLE)
  await mkdir(join(folder, 'pictures/people'), { recursive: true })
  await writeFile(join(folder, 'pictures/people/maria.png'), png(96, 96))
  return folder
}

describe.each(GALLERY_NAMES)('the template %s of the gallery', (name) => {
  it('passes the check without an error or a warning, for people with and without each value', async () => {
    const findings = checkFolder(await readFolder(await begun(name)), Date.UTC(2026, 10, 23, 12))
    expect(
      findings.map(({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`),
    ).toEqual([])
  })

  it('has a slot for a banner, and no picture that it does not show', async () => {
    const folder = await begun(name)
    const template = await readFile(join(folder, 'templates/standard.html'), 'utf8')
    expect(template).toContain('{{#block banner}}')
    const pictures = (await readdir(join(folder, 'pictures'))).filter((each) => each !== 'people')
    expect(pictures).toEqual(template.includes('{{picture gallery/logo.png}}') ? ['gallery'] : [])
  })
})

it('the logo of the gallery has the hash of its content', () => {
  expect(pictureHash(Buffer.from(LOGO.base64, 'base64'))).toBe(LOGO.hash)
})
