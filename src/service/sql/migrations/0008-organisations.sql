-- The organisations beside the one of the settings. These tables belong to the installation, and no row-level security
-- hides their rows: a sign-in finds its organisation by its tenant before anything of the organisation is read.
create table organisation (
  id text collate "C" primary key,
  name text not null,
  -- null without a directory
  directory json,
  -- the SHA-256 of the token with which the directory calls SCIM, in hex
  scim_token text collate "C" unique,
  added_at bigint not null,
  -- since when its data is being deleted; null while it is there
  removed_at bigint
);

create table tenant (
  tenant text collate "C" primary key,
  organisation text collate "C" not null
);

create index tenant_organisation on tenant (organisation);
