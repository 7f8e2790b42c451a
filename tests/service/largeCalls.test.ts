import { expect, it } from 'vitest'
import { CALLS } from '../../streams/wire/administration/calls.ts'
import { createWebServer } from '../../src/server/webServer.ts'
import { addRoute, type Handlers } from '../../src/service/http/administration/routes.ts'

it('[SCALE-3] four large calls of one organisation run at once, and those of another beside them', async () => {
  let begun = 0
  let end = () => {}
  const held = new Promise<void>((resolve) => {
    end = resolve
  })
  const handlersOf = () =>
    ({
      async missingPictures() {
        begun += 1
        await held
        return { missing: [] }
      },
    }) as Partial<Handlers> as Handlers
  const [large, small] = [handlersOf(), handlersOf()]
  const { app } = await createWebServer([], null)
  const application = async (token: string) => ({
    roles: ['Signet.Read'],
    actor: 'alex',
    handlers: token === 'large' ? large : small,
  })
  addRoute(app, 'missingPictures', CALLS.missingPictures, { application, unknown: handlersOf() })
  const ask = (organisation: string) =>
    app.inject({
      method: 'POST',
      url: CALLS.missingPictures.path,
      headers: { authorization: `Bearer ${organisation}` },
      payload: { pictures: [] },
    })
  const running = Array.from({ length: 4 }, () => ask('large'))
  await expect.poll(() => begun).toBe(4)
  const refused = await ask('large')
  expect([refused.statusCode, refused.headers['retry-after'], begun]).toEqual([429, '5', 4])
  running.push(ask('small'))
  await expect.poll(() => begun).toBe(5)
  end()
  expect((await Promise.all(running)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  // Those that ended leave room.
  expect((await ask('large')).statusCode).toBe(200)
  await app.close()
})
