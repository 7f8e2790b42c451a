-- `json`, not `jsonb`: no statement reads inside it, and jsonb refuses texts that JSON allows ("\u0000").
-- Keys are ordered by bytes, so that every database pages in the same order.

create table event (
  organisation text collate "C" not null,
  stream text collate "C" not null,
  version int not null,
  type text not null,
  data json not null,
  actor text not null,
  at bigint not null,
  primary key (organisation, stream, version)
);

create table person (
  organisation text collate "C" not null,
  id text collate "C" not null,
  revision int not null,
  tenant text,
  oid text,
  active boolean not null,
  addresses text[] not null,
  language text,
  directory json not null,
  groups text[] not null,
  own_values json not null,
  metadata json not null,
  picture text collate "C",
  directory_picture text collate "C",
  primary key (organisation, id)
);

create unique index person_account on person (organisation, tenant, oid);
create index person_picture on person (organisation, picture);
create index person_directory_picture on person (organisation, directory_picture);

create table address (
  organisation text collate "C" not null,
  address text collate "C" not null,
  person text collate "C" not null,
  primary key (organisation, address)
);

create index address_person on address (organisation, person);

create table release (
  organisation text collate "C" not null,
  id text collate "C" not null,
  document json not null,
  primary key (organisation, id)
);

create table picture (
  organisation text collate "C" not null,
  hash text collate "C" not null,
  media_type text not null,
  bytes bytea not null,
  primary key (organisation, hash)
);

create table told (
  organisation text collate "C" not null,
  person text collate "C" not null,
  told json not null,
  at bigint not null,
  primary key (organisation, person)
);

create table lease (
  organisation text collate "C" not null,
  name text collate "C" not null,
  holder text not null,
  until bigint not null,
  primary key (organisation, name)
);

create table signing_key (
  organisation text collate "C" not null,
  id text collate "C" not null,
  sealed bytea not null,
  "from" bigint not null,
  until bigint not null,
  primary key (organisation, id)
);

create table plan (
  organisation text collate "C" not null,
  id text collate "C" not null,
  plan json not null,
  until bigint not null,
  primary key (organisation, id)
);
