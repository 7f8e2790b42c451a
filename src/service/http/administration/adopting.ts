/**
 * Creates templates from existing signatures. Requests are parsed in a separate thread; nothing is fetched or stored.
 */
import { mapInSteps } from '../../../../streams/kernel/steps.ts'
import { runInSlices } from '../../../server/timeSlices.ts'
import { Refusal } from '../../../server/webServer.ts'
import { adoptSamples } from '../../../adopt/adopt.ts'
import { withReadingThread } from '../../../adopt/readingApart.ts'
import { NotAdopted } from '../../../adopt/sample.ts'
import type { ServiceContext } from '../../context/serviceContext.ts'
import { readingPages } from '../../sql/pages.ts'
import type { CallHandlers } from './routes.ts'

const PEOPLE_AT_ONCE = 500

export const adoptingCalls = ({ store }: ServiceContext) =>
  ({
    async adopt({ body: { samples: sent, from, variables }, client }) {
      const samples = await runInSlices(
        mapInSteps(sent, ({ files, person }) => ({
          files: files.map(({ path, base64 }) => ({
            path,
            bytes: new Uint8Array(Buffer.from(base64, 'base64')),
          })),
          person,
        })),
      )
      try {
        const { adopted } = await withReadingThread(
          (reading) =>
            adoptSamples(
              { samples, from, variables },
              {
                reading,
                personOf: (address) => store.personByAddress(address),
                people: () => readingPages(store.people, PEOPLE_AT_ONCE, ({ id }) => id),
                client,
              },
            ),
          { organisation: store, client },
        )
        return adopted
      } catch (error) {
        if (!(error instanceof NotAdopted)) throw error
        const { code, message, sample, cause } = error
        throw new Refusal(code === 'sample_too_large' ? 413 : 422, code, message, null, {
          ...(cause === undefined ? {} : { cause }),
          details: sample === null ? {} : { sample },
        })
      }
    },
  }) satisfies Partial<CallHandlers>
