/** The calls for the user's picture. */
import { createHash } from 'node:crypto'
import type { PersonState } from '../../../../streams/organisation/facts/state.ts'
import { ANSWER_DEPENDENCIES, photoBody } from '../../../../streams/wire/addinRequests.ts'
import { DELETE_PHOTO, READ_PHOTO, SAVE_PHOTO } from '../../../../streams/wire/user.ts'
import type { WebServer } from '../../../server/webServer.ts'
import { decodePhoto } from '../../answers/picture.ts'
import type { People } from '../../context/serviceContext.ts'
import type { Organisation } from '../../organisation/organisation.ts'
import type { AnswerTo, TaggedAnswers } from './taggedAnswers.ts'

const PHOTO_BODY_LIMIT_BYTES = 2 * 1024 * 1024

export function addPhotoCalls(personal: WebServer, { addRead }: TaggedAnswers): void {
  addRead(personal, READ_PHOTO, ANSWER_DEPENDENCIES.photo, ({ person }, images) => ({
    data: { url: person.picture === null ? null : images.addressOf(person) },
  }))

  personal.put(
    SAVE_PHOTO.path,
    { bodyLimit: PHOTO_BODY_LIMIT_BYTES, schema: { body: photoBody } },
    async ({ body, caller: { person }, organisation }): AnswerTo<typeof SAVE_PHOTO> => {
      const { bytes, extension, mediaType } = decodePhoto(body.photo)
      // The hash includes the person's id, so two people never share a picture, and erasing a person can delete it.
      const hash = createHash('sha256').update(person.id).update(bytes).digest('hex').slice(0, 32)
      await organisation.context.store.keepPicture(hash, { mediaType, bytes })
      const picture = `${hash}.${extension}`
      const after = await replacePhoto(organisation, person, { type: 'changePicture', picture })
      return { data: { url: organisation.images.addressOf(after) } }
    },
  )

  personal.delete(DELETE_PHOTO.path, async ({ caller: { person }, organisation }, reply) => {
    await replacePhoto(organisation, person, { type: 'removePicture' })
    return reply.code(204).send()
  })
}

/** Changes the user's picture, then deletes the previous picture unless it is still used elsewhere. */
async function replacePhoto(
  { context: { store, people }, images }: Organisation,
  { id }: PersonState,
  command: Parameters<People['write']>[1],
): Promise<PersonState> {
  const before = await store.person(id)
  const after = await people.write(id, command, id)
  const [previous, current] = [before?.picture ?? null, after.picture]
  if (previous !== null && previous !== current) await images.drop(previous)
  return after
}
