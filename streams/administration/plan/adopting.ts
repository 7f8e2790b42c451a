/** Turns an existing signature into a template: the administrator's choices and the service's result. */
import type { SignatureImage } from '../../html/content.ts'
import { base64ByteSize, readRaster } from '../../html/raster.ts'
import { withChanges } from '../../kernel/changes.ts'
import type { Failure } from '../../kernel/failure.ts'
import {
  dropPending,
  settlePending,
  failedStatus,
  idleStatus,
  type Load,
  loadSucceeded,
  loadAgain,
} from '../../kernel/load.ts'
import { defineSlice } from '../../kernel/slice.ts'
import { type AdoptedTemplate, concernsOnePerson } from '../../organisation/adopt/adopted.ts'
import type { OfferedPicture } from '../../organisation/release/firstRelease.ts'
import type { Variable } from '../../organisation/release/release.ts'
import { pictureAddress } from '../../organisation/rendering/render.ts'
import { type AdoptRequest, MAX_SAMPLES } from '../../wire/administration/adopting.ts'
import type { Session } from '../session/events.ts'
import { MAX_FOLDER_BYTES } from './folder.ts'
import type { Adoption, Planning } from './events.ts'
import { type AdoptedSamples, type ReadSample, type SampleRefusal, samplesWithPictures } from './samples.ts'
import type { AddedTemplate } from './taken.ts'

/** The path of the page that starts from an existing signature. */
export const ADOPT_PATH = '/signatures/adopt'

/** An existing signature and its person's address; null to search the sample for the person. */
export type SignatureSample = ReadSample & Readonly<{ name: string; person: string | null }>

export type AdoptionState = Readonly<{
  samples: readonly SignatureSample[]
  /** Where the latest files were given: as signatures, or as pictures of the result. */
  givenTo: 'choice' | 'result'
  /** The state of reading the latest files. */
  reading: Readonly<{ status: 'idle' | 'pending' }> | Readonly<{ status: 'refused'; refusal: SampleRefusal }>
  /** The text that begins the signature in a mail; empty to detect it by the marks of mail clients. */
  from: string
  load: Load<AdoptedSamples>
}>

const initial: AdoptionState = {
  samples: [],
  givenTo: 'choice',
  reading: { status: 'idle' },
  from: '',
  load: idleStatus,
}

const sizeOf = (samples: readonly ReadSample[]): number =>
  samples.reduce(
    (sum, { files }) => sum + files.reduce((all, { base64 }) => all + base64ByteSize(base64), 0),
    0,
  )

/** Why the samples cannot be sent together; null if they can be sent. */
const refusalOf = (samples: readonly ReadSample[]): SampleRefusal | null =>
  samples.length > MAX_SAMPLES
    ? { reason: 'tooMany', limit: MAX_SAMPLES }
    : sizeOf(samples) > MAX_FOLDER_BYTES
      ? { reason: 'tooLarge', limit: MAX_FOLDER_BYTES }
      : null

/** The state with new samples and without an earlier result. */
const withSamples = (state: AdoptionState, samples: readonly SignatureSample[]): AdoptionState => ({
  ...state,
  samples,
  reading: { status: 'idle' },
  load: idleStatus,
})

/** The state after a response. The response to a dropped request changes nothing. */
const withLoad = (state: AdoptionState, outcome: Load<AdoptedSamples>): AdoptionState =>
  withChanges(state, { load: settlePending(state.load, outcome) })

export const adoption = defineSlice<AdoptionState, typeof Adoption | typeof Planning | typeof Session>()(
  initial,
  {
    'adopting/loaded': (state, { data }) => withLoad(state, loadSucceeded(idleStatus, data.value)),
    'adopting/loadFailed': (state, { data }) => withLoad(state, failedStatus(data.failure)),
    'adopting/chosen': (state) => ({ ...state, givenTo: 'choice', reading: { status: 'pending' } }),
    'adopting/picturesGiven': (state) => ({ ...state, givenTo: 'result', reading: { status: 'pending' } }),
    'adopting/read': (state, event) => {
      const { data } = event
      const chosen = data.samples.flatMap(({ name, files }) =>
        name === null ? [] : [{ name, files, person: null }],
      )
      const pictures = data.samples.flatMap(({ name, files }) => (name === null ? files : []))
      const signatures = [...state.samples, ...chosen]
      const samples = pictures.length === 0 ? signatures : samplesWithPictures(signatures, pictures)
      if (samples === null)
        return { ...state, reading: { status: 'refused', refusal: { reason: 'noSignature' } } }
      const refusal = refusalOf(samples)
      if (refusal !== null) return { ...state, reading: { status: 'refused', refusal } }
      const chosenAll = withSamples(state, samples)
      // Pictures that are given to a result lead to the next one, and the result stays until then.
      return state.givenTo === 'result' && state.load.status === 'success'
        ? { ...chosenAll, load: loadAgain(state.load, event) }
        : chosenAll
    },
    'adopting/refused': (state, { data: { refusal } }) => ({
      ...state,
      reading: { status: 'refused', refusal },
    }),
    'adopting/sampleRemoved': (state, { data: { sample } }) =>
      sample in state.samples
        ? withSamples(
            state,
            state.samples.filter((_, index) => index !== sample),
          )
        : state,
    'adopting/personGiven': (state, { data: { sample, person } }) =>
      sample in state.samples
        ? withSamples(
            state,
            state.samples.map((each, index) => (index === sample ? { ...each, person } : each)),
          )
        : state,
    'adopting/beginningTyped': (state, { data: { from } }) => ({ ...state, from, load: idleStatus }),
    'adopting/requested': (state, event) =>
      state.samples.length > 0 && state.load.status !== 'pending'
        ? { ...state, load: loadAgain<AdoptedSamples>(idleStatus, event) }
        : state,
    // The draft now has the template.
    'plan/templateTaken': () => initial,
    'plan/discarded': () => initial,
    'session/expired': (state) => ({
      ...state,
      reading: state.reading.status === 'pending' ? { status: 'idle' } : state.reading,
      load: dropPending(state.load),
    }),
  },
)

/** Builds the request to the service. */
export const adoptRequestOf = (
  { samples, from }: AdoptionState,
  variables: readonly Variable[],
): AdoptRequest => ({
  samples: samples.map(({ files, person }) => ({ files, person })),
  from: from.trim() === '' ? null : from.trim(),
  variables,
})

/** The path of an adopted picture, which contains the hash of its content. */
const ADOPTED_PICTURE = /(?:^|\/)([\da-f]{32})\.[a-z]+$/

function picturesOf({ pictures }: AdoptedTemplate): Readonly<Record<string, OfferedPicture>> {
  return Object.fromEntries(
    pictures.flatMap(({ path, base64 }) => {
      const [, hash] = ADOPTED_PICTURE.exec(path) ?? []
      const raster = readRaster(base64)
      return hash === undefined || raster === null ? [] : [[path, { hash, mediaType: raster.type, base64 }]]
    }),
  )
}

/**
 * The template, variables and pictures for the draft. A new variable takes the directory's value; users cannot edit it.
 *
 * @param isAnswered whether all questions about one person's texts in the template are answered
 */
export const adoptedTemplateOf = (
  adopted: AdoptedTemplate,
  name: string,
  isAnswered: boolean,
): AddedTemplate => ({
  name,
  people:
    isAnswered || !adopted.questions.some(concernsOnePerson)
      ? null
      : [...new Set(adopted.people.filter((address) => address !== null))],
  template: adopted.template,
  pictures: picturesOf(adopted),
  variables: adopted.variables.map(({ path, from }) => ({
    path,
    from,
    value: null,
    edit: false,
    resync: false,
    hidden: false,
    label: null,
    group: 'mapped',
  })),
})

/** The original signature as HTML, with its pictures by address. In the draft, a picture may have another name. */
export function originalSignatureOf(
  adopted: AdoptedTemplate,
  pictures: string,
): Readonly<{ html: string; images: readonly SignatureImage[] }> {
  let html = adopted.original
  const images: SignatureImage[] = []
  for (const [path, { hash, base64 }] of Object.entries(picturesOf(adopted))) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const url = pictureAddress(pictures, hash, name)
    html = html.replaceAll(`{{picture ${path}}}`, url)
    images.push({ url, name, content: base64, status: 200 })
  }
  return { html, images }
}

/** The service's error codes for samples that cannot become a template. */
export const ADOPT_ERROR_CODES = [
  'sample_unreadable',
  'sample_too_large',
  'sample_too_costly',
  'sample_without_html',
  'signature_not_found',
  'from_not_found',
  'signature_empty',
  'person_unknown',
] as const
export type AdoptErrorCode = (typeof ADOPT_ERROR_CODES)[number]

/**
 * Why the service made no template, and the indexes of the samples at fault (all of them if the service names none).
 * Null for any other failure.
 */
export function adoptErrorOf(
  failure: Failure | null,
  samples: readonly SignatureSample[],
): Readonly<{ code: AdoptErrorCode; of: readonly number[] }> | null {
  if (failure?.kind !== 'http') return null
  const code = ADOPT_ERROR_CODES.find((each) => each === failure.code)
  if (code === undefined) return null
  const { sample } = (failure.data ?? {}) as Readonly<{ sample?: unknown }>
  return typeof sample === 'number' && sample in samples
    ? { code, of: [sample] }
    : { code, of: samples.map((_, index) => index) }
}
