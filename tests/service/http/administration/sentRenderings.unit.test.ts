import { describe, expect, it } from 'vitest'
import {
  findingRendering,
  type SentRendering,
} from '../../../../src/service/http/administration/sentRenderings.ts'
import { contentHash } from '../../../../streams/html/hash.ts'
import { runSteps } from '../../../../streams/kernel/steps.ts'

const rendering = (html: string) => ({ html }) as SentRendering
const renderings = ['<p>Alex</p>', '<p>Alex Kim</p>', '<p><b>Alex Kim</b></p>'].map(rendering)
const found = (
  mail: Readonly<{ hash: string; html: string }>,
  all: readonly SentRendering[] = renderings,
) => {
  const result = runSteps(findingRendering(all, mail))
  return result && [result.by, all.indexOf(result.found)]
}

describe('the signature of a mail', () => {
  it('is the rendering with its hash, whatever the words are', () => {
    expect(found({ hash: contentHash('<p><b>Alex Kim</b></p>'), html: '<p>Alex</p>' })).toEqual(['hash', 2])
  })

  it('is else the first rendering with its words', () => {
    expect(found({ hash: 'other', html: '<div>Alex Kim</div>' })).toEqual(['words', 1])
  })

  it('is else the first rendering, and none without renderings', () => {
    expect(found({ hash: 'other', html: '<p>Hana</p>' })).toEqual(['time', 0])
    expect(found({ hash: 'other', html: '<p>Hana</p>' }, [])).toBeNull()
  })
})
