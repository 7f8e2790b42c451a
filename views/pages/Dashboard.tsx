import { InMessage } from '../parts/InMessage.tsx'
import { SignatureList } from '../parts/SignatureList.tsx'

/** What is in the message, and what else could be. */
export function Dashboard() {
  return (
    <>
      <InMessage />
      <SignatureList heading="h2" />
    </>
  )
}
