import { FRESH_COPY_MS } from '../../../streams/wire/freshCopy.ts'
import type { Translate } from './texts.ts'

const MINUTE_MS = 60_000

/** Explains when messages get what was published, or published again: at once, or when a device's copy is too old. */
export const reachText = (t: Translate): string =>
  t('overview.release.reaches', { count: FRESH_COPY_MS / MINUTE_MS })
