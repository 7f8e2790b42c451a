import { useMemo } from 'react'
import { dayAt, middleOfDay, periodTimeZoneOf } from '../../../streams/administration/people/rules.ts'
import { draftImages, compiledReleaseOf, samplePerson } from '../../../streams/administration/plan/preview.ts'
import { loadedValue } from '../../../streams/kernel/load.ts'
import { now } from '../../../streams/kernel/time.ts'
import type { SignatureImage } from '../../../streams/html/content.ts'
import type { ReleaseDocument } from '../../../streams/organisation/release/release.ts'
import type { PersonState } from '../../../streams/organisation/facts/state.ts'
import { useTools } from '../../shared/tools.tsx'
import { useAdministrationState } from './administration.tsx'
import { type ShownFormats, useShownFormats } from './values.ts'

/** The person, time and formats for showing the draft's signatures. */
export type DisplayContext = Readonly<{
  /** The chosen person, or the sample person. */
  person: PersonState
  isSample: boolean
  /** The person who writes, if the chosen person is a mailbox; null for nobody in particular. */
  writer: PersonState | null
  /** A time on the chosen day, in milliseconds since 1970. */
  at: number
  /** The day of `at`, such as `2026-10-01`. */
  day: string
  /** The base address of pictures, as in the service's responses. */
  pictures: string
  images: readonly SignatureImage[]
}> &
  ShownFormats

/** The base address of pictures, as in the service's responses. */
export const pictureBaseAddress = (imageOrigins: readonly string[]): string =>
  `${imageOrigins[0] ?? 'https://pictures.invalid'}/images`

/** Returns the preview's person, who writes, and the base address of pictures. */
export function usePreviewPerson(
  document: ReleaseDocument,
): Pick<DisplayContext, 'person' | 'isSample' | 'writer' | 'pictures'> {
  const { imageOrigins } = useTools()
  const chosen = useAdministrationState(({ plan }) => loadedValue(plan.person.load) ?? null)
  const person = useMemo(() => chosen ?? samplePerson(document), [chosen, document])
  const writer = useAdministrationState(({ plan }) => loadedValue(plan.writer.load) ?? null)
  return { person, isSample: chosen === null, writer, pictures: pictureBaseAddress(imageOrigins) }
}

/** Like `useDisplayContext`, for the day chosen in the preview. For views that also show the field for this day. */
export const usePreviewContext = (document: ReleaseDocument): DisplayContext =>
  useDisplayContext(
    document,
    useAdministrationState(({ plan }) => plan.day),
  )

/**
 * Returns the person, the time and the formats for showing the draft's signatures.
 *
 * @param day null for today
 */
export function useDisplayContext(document: ReleaseDocument, day: string | null = null): DisplayContext {
  const { time } = useTools()
  const { person, isSample, writer, pictures } = usePreviewPerson(document)
  const contents = useAdministrationState(({ plan }) => plan.draft?.pictures ?? NO_PICTURES)
  const images = useMemo(() => draftImages(document, contents, pictures), [document, contents, pictures])
  const shownFormats = useShownFormats(useMemo(() => compiledReleaseOf(document).isFormatted, [document]))
  const zone = periodTimeZoneOf(document)
  const at = (day === null ? null : middleOfDay(day, zone)) ?? Math.floor(now(time) / HOUR_MS) * HOUR_MS
  const shownDay = day ?? dayAt(at, zone)
  return { person, isSample, writer, at, day: shownDay, pictures, images, ...shownFormats }
}

/** The current time is rounded down to the hour, so that the signatures are not redrawn all the time. */
const HOUR_MS = 3_600_000
const NO_PICTURES = {}
