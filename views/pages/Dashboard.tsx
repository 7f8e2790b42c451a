import { InMessage } from '../parts/InMessage.tsx'
import { SignatureList } from '../parts/SignatureList.tsx'

/** The signature in the message, and the list to choose from. */
export function Dashboard() {
  return (
    <>
      <InMessage />
      <SignatureList folder="mine" />
    </>
  )
}
