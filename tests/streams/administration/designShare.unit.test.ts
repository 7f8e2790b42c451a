import { describe, expect, test } from 'vitest'
import { alex } from '../../support/administration/plans.ts'
import { designShareOfTemplate, LEAST_SHARE, shareIn, sumOfShares } from '../../support/designShare.ts'
import { realSignatures } from '../../support/realSignatures.ts'

describe('what can be selected and changed in Design', () => {
  test('is at least 95 % of the words and pictures of real signatures [EDIT-7]', async () => {
    const signatures = await realSignatures()
    const all = sumOfShares(signatures.map(({ html, person }) => designShareOfTemplate(html, person)))
    expect(signatures).toHaveLength(66)
    expect(all.words.seen).toBeGreaterThan(1_500)
    expect(all.pictures.seen).toBeGreaterThan(50)
    expect(shareIn(all)).toBeGreaterThanOrEqual(LEAST_SHARE)
  })

  test('is counted by shown words, without comments and style sheets', () => {
    const template =
      '<style>p{color:red}</style><p>Kind <b>regards</b> &middot;<!-- no --> {{phone}}<br>' +
      '<img src="https://a.example/a.png"></p>'
    // The phone number is three words.
    expect(designShareOfTemplate(template, alex)).toEqual({
      words: { seen: 6, changeable: 6 },
      pictures: { seen: 1, changeable: 1 },
    })
  })

  test('is nothing of a template whose conditions do not nest', () => {
    const broken = designShareOfTemplate(
      '<p>Kind regards<img src="https://a.example/a.png">{{/if}}</p>',
      alex,
    )
    expect(broken).toEqual({ words: { seen: 2, changeable: 0 }, pictures: { seen: 1, changeable: 0 } })
    expect(shareIn(broken)).toBe(0)
  })

  test('is nothing where the drawing and the template do not match', () => {
    expect(designShareOfTemplate('<p>Kind \ufdd0\ufdd3regards</p>', alex).words.changeable).toBe(0)
  })
})
