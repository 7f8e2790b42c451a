-- Microsoft Entra asks for users by their names, their external ids and their mail addresses. What is asked for comes
-- before the kind, so that no other index looks as good to a planner that has no statistics yet.
create index directory_address on directory_entry using gin (addresses);
drop index directory_name;
create index directory_name on directory_entry (organisation, name, kind);
drop index directory_external;
create index directory_external on directory_entry (organisation, external_id, kind);

-- How many people retired because SCIM said so, for a day: more than 5 % of them wait for an administrator.
create table directory_retired (
  organisation text collate "C" not null,
  source text collate "C" not null,
  id text collate "C" not null,
  at bigint not null,
  people int not null,
  primary key (organisation, source, id)
);
