/** The demonstration accounts and applications of the identity provider. */

export type ProviderAccount = Readonly<{
  /** The account's id at the provider: `oid` in its tokens. */
  subject: string
  /** The address of the account's mailbox. */
  email: string
  name: string
  /** The account's sign-in name; by default the mailbox address. */
  signInName?: string
  /** The tenant that signs the account in; by default `TENANTS.northwind`. */
  tenant?: string
  /** The identity provider of a guest; missing if the account is not a guest. */
  home?: string
  /** The app roles of the account. */
  roles?: readonly string[]
}>

/** A program with its own credentials. */
export type ProviderApplication = Readonly<{
  clientId: string
  secret: string
  /** The program's id at the provider: `oid` in its tokens. */
  subject: string
  tenant: string
  roles: readonly string[]
}>

/** The ids of the tenants, by name. */
export const TENANT_IDS = {
  northwind: '0f5e0d3c-7a41-4b0e-9c55-6b0f5a3d0001',
  /** A company acquired by Northwind. */
  harbour: '5b0d9a44-02c1-4f6e-8d0e-2f6f6c1b0002',
  /** Another organisation. */
  elsewhere: 'c4b7f0de-93aa-4d7b-a1f5-7d1f0a9e0003',
} as const

/** What an account may do on the administration page, in a few words. */
export function describeAccess({ roles = [] }: Pick<ProviderAccount, 'roles'>): string {
  if (roles.includes('Signet.Publish')) return 'Administrator'
  if (roles.includes('Signet.Operate')) return 'Operator: may see the list of organisations'
  return roles.includes('Signet.Read')
    ? 'May read on the administration page'
    : 'No access to the administration page'
}

const ADMINISTRATOR_ROLES = ['Signet.Read', 'Signet.Publish', 'Signet.People', 'Signet.Audit']

/** Every user in the demonstration organisation, and one mailbox unknown to the service. */
export const DEMONSTRATION_ACCOUNTS: readonly ProviderAccount[] = [
  {
    subject: '6f1c0a52-alex',
    email: 'alex.kim@northwind.example',
    name: 'Alex Kim',
    roles: ADMINISTRATOR_ROLES,
  },
  { subject: '6f1c0a52-sales', email: 'sales@northwind.example', name: 'Northwind Sales desk' },
  // Maria has read-only access to the administration page.
  {
    subject: '6f1c0a52-maria',
    email: 'maria.silva@northwind.example',
    name: 'Maria Silva',
    roles: ['Signet.Read'],
  },
  // Jonas runs the installation. The administration page shows him its organisations, but nothing inside them.
  {
    subject: '6f1c0a52-jonas',
    email: 'jonas.weber@northwind.example',
    name: 'Jonas Weber',
    roles: ['Signet.Operate'],
  },
  { subject: '6f1c0a52-tess', email: 'tess.edge@northwind.example', name: 'Tess Edge' },
  { subject: 'e03b77d9-sam', email: 'stranger@elsewhere.example', name: 'Sam Stranger' },
]

/** The demonstration accounts (Maria with a different sign-in name), users from other tenants, and a guest. */
export const ENTRA_ACCOUNTS: readonly ProviderAccount[] = [
  ...DEMONSTRATION_ACCOUNTS.map((account) =>
    account.subject === '6f1c0a52-maria'
      ? { ...account, signInName: 'msilva@corp.northwind.example' }
      : account,
  ),
  {
    subject: '91d2c7b0-hana',
    email: 'hana.port@harbour.example',
    name: 'Hana Port',
    tenant: TENANT_IDS.harbour,
  },
  // This user's sign-in name is the address of another person's mailbox.
  {
    subject: '91d2c7b0-alex',
    email: 'alex.kim@harbour.example',
    name: 'A. Kim (Harbour)',
    signInName: 'alex.kim@northwind.example',
    tenant: TENANT_IDS.harbour,
  },
  {
    subject: 'e03b77d9-noa',
    email: 'noa.other@elsewhere.example',
    name: 'Noa Other',
    tenant: TENANT_IDS.elsewhere,
  },
  {
    subject: '77a0e1f3-guest',
    email: 'gus.guest@elsewhere.example',
    name: 'Gus Guest',
    home: `https://sts.windows.net/${TENANT_IDS.elsewhere}/`,
  },
]

export const ENTRA_APPLICATIONS: readonly ProviderApplication[] = [
  {
    clientId: 'the-pipeline',
    secret: 'demonstration-only',
    subject: 'b8e1d6c4-pipeline',
    tenant: TENANT_IDS.northwind,
    roles: ['Signet.Read', 'Signet.Publish'],
  },
]
