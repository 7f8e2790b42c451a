import { of } from 'rxjs'
import { describe, expect, test } from 'vitest'
import { changePicture, loadPicture, openPicture } from '../../../effects/pane/picture.ts'
import type { AppEvent } from '../../../streams/pane/events.ts'
import { Auth } from '../../../streams/message/auth/events.ts'
import type { Failure } from '../../../streams/kernel/failure.ts'
import { createHandle } from '../../../streams/kernel/handle.ts'
import { Picture, type PictureRefusal } from '../../../streams/pane/picture/events.ts'
import { Variables } from '../../../streams/pane/variables/events.ts'
import { type Marbles, withMarbles } from '../../support/marbles.ts'
import { failing } from '../../support/ports.ts'
import { session } from '../../support/state.ts'

const recovered = Auth.sessionRecovered({ session: session() })
const signedOut = Auth.signedOut({ reason: { kind: 'person' }, userId: 'u-alex' })
const failure: Failure = { kind: 'timeout' }
const file = createHandle('a file')
const offered = Picture.offered({ file })
const picture = { dataUrl: 'data:image/png;base64,d2hvbGU=', width: 900, height: 600 }
const refused = (refusal: PictureRefusal) => Picture.refused({ refusal })
const URL_OF_SAVED = 'https://cdn.northwind.example/photos/alex.png'

test('the address of the picture is loaded with the details', () => {
  withMarbles(({ hot, react, ports, expectEvents }) => {
    ports.api.photo.answers(of(URL_OF_SAVED))
    expectEvents(react({ loadPicture }, hot('o', { o: Variables.opened() }), { given: [recovered] })).toBe(
      'l',
      {
        l: Picture.loaded({ value: URL_OF_SAVED }),
      },
    )
  })
})

describe('an offered file', () => {
  test.each<[string, (ports: Marbles['ports']) => void, AppEvent]>([
    ['is opened', () => undefined, Picture.opened({ picture })],
    [
      'is refused',
      ({ pictures }) => {
        pictures.open.answers(of({ reason: 'type' }))
      },
      refused({ reason: 'type' }),
    ],
    [
      'cannot be read',
      ({ pictures }) => {
        pictures.open.answers(failing(failure))
      },
      refused({ reason: 'unreadable' }),
    ],
  ])('%s', (_, prepare, expected) => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      prepare(ports)
      expectEvents(react({ openPicture }, hot('o', { o: offered }))).toBe('e', { e: expected })
      afterwards(() => {
        expect(ports.pictures.open.calls).toEqual([[file]])
      })
    })
  })

  test.each([
    ['another one', offered, '7ms p'],
    ['its discarding', Picture.dropped(), ''],
    ['the end of the session', signedOut, ''],
  ])('is not opened after %s', (_, next, expected) => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.pictures.open.answers(cold('5ms (p|)', { p: picture }))
      expectEvents(react({ openPicture }, hot('o-n', { o: offered, n: next })), '^ 50ms !').toBe(expected, {
        p: Picture.opened({ picture }),
      })
      afterwards(() => {
        expect(ports.pictures.open.cancelled()).toBe(1)
      })
    })
  })
})

describe('a change of the picture', () => {
  const ready = [recovered, offered, Picture.opened({ picture })]
  const [save, remove] = [Picture.saveRequested(), Picture.deleteRequested()]
  const change = (
    event: AppEvent,
    expected: AppEvent | null,
    prepare: (ports: Marbles['ports']) => unknown = () => undefined,
    given: readonly AppEvent[] = ready,
  ) => {
    withMarbles(({ hot, react, ports, expectEvents }) => {
      prepare(ports)
      expectEvents(react({ changePicture }, hot('c', { c: event }), { given })).toBe(
        expected ? 'e' : '',
        expected ? { e: expected } : {},
      )
    })
  }

  test('saves the chosen part as base64', () => {
    withMarbles(({ hot, react, ports, expectEvents, afterwards }) => {
      expectEvents(react({ changePicture }, hot('s', { s: save }), { given: ready })).toBe('d', {
        d: Picture.saved({ url: URL_OF_SAVED }),
      })
      afterwards(() => {
        expect(ports.pictures.crop.calls).toEqual([[file, { x: 0.25, y: 0, size: 1 }]])
        expect(ports.api.savePhoto.calls).toEqual([['aW1hZ2U=']])
      })
    })
  })

  test('deletes the saved one', () => {
    change(remove, Picture.deleted())
  })

  test('tells a failure', () => {
    const changeFailed = Picture.changeFailed({ failure })
    change(save, changeFailed, ({ api }) => {
      api.savePhoto.answers(failing(failure))
    })
    change(remove, changeFailed, ({ api }) => {
      api.deletePhoto.answers(failing(failure))
    })
  })

  test('refuses a part that cannot be made, or that is empty', () => {
    const empty = { dataUrl: 'data:image/png;base64,', type: 'image/png', size: 0, edge: 512 }
    change(save, refused({ reason: 'size', limit: 1 }), ({ pictures }) => {
      pictures.crop.answers(of({ reason: 'size', limit: 1 }))
    })
    change(save, refused({ reason: 'unreadable' }), ({ pictures }) => {
      pictures.crop.answers(failing(failure))
    })
    change(save, refused({ reason: 'empty' }), ({ pictures }) => {
      pictures.crop.answers(of(empty))
    })
  })

  test('needs a session, and a picture that is ready', () => {
    change(save, null, undefined, ready.slice(1))
    change(remove, null, undefined, ready.slice(1))
    change(save, null, undefined, [recovered])
    change(save, null, undefined, [recovered, offered])
  })

  test.each([save, remove])('ignores a second wish until the first is answered: $type', (event) => {
    withMarbles(({ cold, hot, react, ports, expectEvents, afterwards }) => {
      ports.api.savePhoto.answers(cold('5ms (u|)', { u: URL_OF_SAVED }))
      ports.api.deletePhoto.answers(cold('5ms (u|)', { u: undefined }))
      const happening$ = hot('eee 9ms x', { e: event, x: signedOut })
      expectEvents(react({ changePicture }, happening$, { given: ready }), '^ 50ms !').toBe('5ms d', {
        d: event === save ? Picture.saved({ url: URL_OF_SAVED }) : Picture.deleted(),
      })
      afterwards(() => {
        expect([...ports.api.savePhoto.calls, ...ports.api.deletePhoto.calls]).toHaveLength(1)
      })
    })
  })

  test.each([save, remove])('ends with the session: $type', (event) => {
    withMarbles(({ cold, hot, react, ports, expectEvents }) => {
      ports.api.savePhoto.answers(cold('5ms (u|)', { u: URL_OF_SAVED }))
      ports.api.deletePhoto.answers(cold('5ms (u|)', { u: undefined }))
      const happening$ = hot('e-x', { e: event, x: signedOut })
      expectEvents(react({ changePicture }, happening$, { given: ready }), '^ 50ms !').toBe('')
    })
  })
})
