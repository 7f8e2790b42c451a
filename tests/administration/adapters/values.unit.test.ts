import { expect, test } from 'vitest'
import { createValuesLoader } from '../../../src/administration/adapters/values.ts'
import { VALUE_TOOLS } from '../../../src/administration/valuesChunk.ts'
import { qrPicture } from '../../../src/values/qrCode.ts'

test('what writes values is loaded once, and again after a failure', async () => {
  let loads = 0
  const load = createValuesLoader((importing) => () => {
    loads += 1
    return loads === 1 ? Promise.reject(new Error('offline')) : importing()
  })
  await expect(load()).rejects.toThrow('offline')
  expect(await Promise.all([load(), load()])).toEqual([VALUE_TOOLS, VALUE_TOOLS])
  expect(loads).toBe(2)
})

test('[ADOPT-10] the codes in the html of a draft have their pictures, and nothing else has', () => {
  const path = VALUE_TOOLS.formats.qr('https://a.example/')
  const [address, odd] = [`https://s.example/images/${path}`, 'https://s.example/images/qr.__/qr.png']
  const html = `<img src="${address}"><img src="${odd}"><img src="https://s.example/images/a.png">`
  expect(VALUE_TOOLS.codesIn(html)).toEqual([
    {
      url: address,
      name: 'qr.png',
      status: 200,
      content: Buffer.from(qrPicture('https://a.example/')).toString('base64'),
    },
  ])
})
