/** The accounts of the identity provider, which has a directory of its own. */

export type ProviderAccount = Readonly<{
  /** The provider's own id of the account, not the service's. */
  subject: string
  email: string
  name: string
}>

/** Every user of the demonstration organisation, and one mailbox that the service does not know. */
export const DEMONSTRATION_ACCOUNTS: readonly ProviderAccount[] = [
  { subject: '6f1c0a52-alex', email: 'alex.kim@northwind.example', name: 'Alex Kim' },
  { subject: '6f1c0a52-sales', email: 'sales@northwind.example', name: 'Northwind Sales desk' },
  { subject: '6f1c0a52-maria', email: 'maria.silva@northwind.example', name: 'Maria Silva' },
  { subject: '6f1c0a52-jonas', email: 'jonas.weber@northwind.example', name: 'Jonas Weber' },
  { subject: '6f1c0a52-tess', email: 'tess.edge@northwind.example', name: 'Tess Edge' },
  { subject: 'e03b77d9-sam', email: 'stranger@elsewhere.example', name: 'Sam Stranger' },
]
