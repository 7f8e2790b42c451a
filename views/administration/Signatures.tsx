import { FILES_PATH, isRulesFile, signatureAt } from '../../streams/administration/plan/signatures.ts'
import { useAdministrationState } from './hooks/administration.tsx'
import { Cards } from './signatures/Cards.tsx'
import { Files, RulesText } from './signatures/Files.tsx'
import { OneSignature } from './signatures/OneSignature.tsx'

/** The area for the signatures of the draft: all of them as cards, one of them, or all files. */
export function Signatures() {
  const path = useAdministrationState(({ place }) => place.path)
  const signature = signatureAt(path)
  if (signature !== null) return <OneSignature key={signature} id={signature} />
  if (isRulesFile(path)) return <RulesText />
  return path === FILES_PATH ? <Files /> : <Cards />
}
