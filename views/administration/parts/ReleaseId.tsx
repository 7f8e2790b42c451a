/** How much of a release's id is shown: enough to tell releases of one organisation apart. */
const SHOWN_CHARACTERS = 8

export const shortId = (release: string): string => release.slice(0, SHOWN_CHARACTERS)

export function ReleaseId({ release }: { release: string }) {
  return <code title={release}>{shortId(release)}</code>
}
