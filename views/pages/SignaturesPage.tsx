import { useParams } from 'react-router-dom'
import { DELEGATIONS } from '../../streams/router/routes.ts'
import { SignatureList } from '../parts/SignatureList.tsx'

/** The user's signatures alone; in the folder of delegations, those that others share. */
export function SignaturesPage() {
  const { type } = useParams()
  return <SignatureList heading="h1" shared={type === DELEGATIONS} />
}
