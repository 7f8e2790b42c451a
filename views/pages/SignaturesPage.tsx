import { useParams } from 'react-router-dom'
import { DELEGATIONS } from '../../streams/router/routes.ts'
import { SignatureList } from '../parts/SignatureList.tsx'

/** The list alone; in the folder of delegations, only what others share. */
export function SignaturesPage() {
  const { type } = useParams()
  return <SignatureList folder={type === DELEGATIONS ? 'shared' : 'all'} />
}
