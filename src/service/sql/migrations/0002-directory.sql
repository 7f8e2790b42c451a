-- A mirror of what the directory told last, so that a sync reads only what changed since.

create table directory_entry (
  organisation text collate "C" not null,
  source text collate "C" not null,
  -- 'user' or 'group'
  kind text collate "C" not null,
  id text collate "C" not null,
  -- grows with each change, a change of the groups of a user too
  revision int not null,
  data json not null,
  -- in lower case: the sign-in name of a user, the display name of a group
  name text collate "C",
  -- in lower case: the source's own id or nickname
  external_id text collate "C",
  addresses text[] not null,
  -- whether the directory says that a user is there: neither removed nor disabled
  active boolean not null,
  removed boolean not null,
  -- the person was erased: the entry has no data and gets none
  erased boolean not null,
  -- not applied to the people yet
  changed boolean not null,
  -- the last reading of everything that told it
  round text,
  person text collate "C",
  -- `<hash>.<extension>` of the picture in the directory
  picture text collate "C",
  primary key (organisation, source, kind, id)
);

create index directory_changed on directory_entry (organisation, source, kind, id) where changed;
create index directory_name on directory_entry (organisation, kind, name);
create index directory_external on directory_entry (organisation, kind, external_id);
create index directory_person on directory_entry (organisation, person);
create unique index directory_scim_user on directory_entry (organisation, name)
  where source = 'scim' and kind = 'user' and not removed and not erased;

create table directory_member (
  organisation text collate "C" not null,
  source text collate "C" not null,
  group_id text collate "C" not null,
  member_id text collate "C" not null,
  round text,
  primary key (organisation, source, group_id, member_id)
);

create index directory_member_of on directory_member (organisation, source, member_id);

-- Where the next reading of a source goes on, by what it reads.
create table directory_cursor (
  organisation text collate "C" not null,
  source text collate "C" not null,
  kind text collate "C" not null,
  cursor text not null,
  primary key (organisation, source, kind)
);

create table directory_run (
  organisation text collate "C" not null,
  id text collate "C" not null,
  at bigint not null,
  run json not null,
  primary key (organisation, id)
);

create index directory_run_at on directory_run (organisation, at);
