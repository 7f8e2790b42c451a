import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addressesInName, signatureNameOf } from '../../src/adopt/adopt.ts'
import { signatureIdOf } from '../../src/adopt/intoFolder.ts'
import { createPictureFinder } from '../../src/adopt/pictureFiles.ts'
import { filesOfSample } from '../../src/adopt/sampleFiles.ts'
import { personOf } from '../streams/organisation/adopt/adopting.ts'
import { useFolders } from '../folder/folders.ts'

// What the names of files say of a signature, and how they lead to pictures.

const maria = personOf(
  { displayName: 'Maria Silva', givenName: 'Maria', surname: 'Silva' },
  'maria.silva@northwind.example',
)
const make = useFolders()

describe('the name of a signature', () => {
  it.each([
    ['Work (maria.silva@northwind.example).htm', 'Work', 'work'],
    ['maria.silva@northwind.example.htm', 'signature', 'signature'],
    ['maria.silva@northwind.example', 'signature', 'signature'],
    ['Maria Silva.htm', 'signature', 'signature'],
    ['Silva, Maria - Sales 2.0.html', 'Sales 2.0', 'sales_2_0'],
    ['maria_silva_new.htm', 'new', 'new'],
    ['Maria.eml', 'signature', 'signature'],
    ['Marias team.htm', 'Marias team', 'marias_team'],
    ['Corporate.htm', 'Corporate', 'corporate'],
  ])('of %s is %s, without what says whose it is', (file, name, id) => {
    expect(signatureNameOf(file, maria)).toBe(name)
    expect(signatureIdOf(signatureNameOf(file, maria))).toBe(id)
  })

  it('has no address of a person who is not known', () => {
    expect(signatureNameOf('Work (tom@x.example).htm', null)).toBe('Work')
  })

  it('has the address that says whose the signature is', () => {
    expect(addressesInName('a/Work (Maria.Silva@northwind.example).htm')).toEqual([
      'maria.silva@northwind.example',
    ])
    expect(addressesInName('Work.htm')).toEqual([])
  })
})

describe('a picture of a signature', () => {
  const bytes = Uint8Array.of(1)

  it.each([
    ['in another Unicode form', 'Gru\u0308n_files/a.png', 'Gr%C3%BCn_files/a.png'],
    ['in another case', 'Image001.PNG', 'image001.png'],
    ['in a percent encoding of Windows', 'Grün.png', 'Gr%FCn.png'],
    ['with a dash in that encoding', 'Logo – neu.png', 'Logo%20%96%20neu.png'],
    ['from an archive of DOS', 'Gr\x81n.png', 'Grün.png'],
  ])('is found %s', (_how, path, address) => {
    const { find } = createPictureFinder(new Map([[path, bytes]]), [address, 'Grin.png'])
    expect([find(address), find('Grin.png')]).toEqual([bytes, undefined])
  })

  it('is found on the disk, whatever wrote its name', async () => {
    const folder = await make({
      'S.htm': '<img src="Gr%C3%BCn_files/bl%C3%A4u.png"><img src="D\u00f6s/a.png">',
    })
    await mkdir(join(folder, 'Gru\u0308n_files'))
    await writeFile(join(folder, 'Gru\u0308n_files', 'BLA\u0308U.png'), bytes)
    const files = await filesOfSample(join(folder, 'S.htm'))
    expect(files.map(({ path }) => path)).toEqual(['S.htm', 'Grün_files/bläu.png'])
  })
})
