import { SignatureList } from '../parts/SignatureList.tsx'

/** The person's signatures, by themselves. */
export function SignaturesPage() {
  return <SignatureList heading="h1" />
}
