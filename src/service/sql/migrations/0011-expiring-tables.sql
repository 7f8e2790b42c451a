-- The table of plans had four things by the first word of their keys: plans, `picture …`, `work …` and `stop …`. It keeps
-- the plans. Instances of the version before still write the others into it; these rows expire there.
create table planned_picture (
  organisation text collate "C" not null,
  hash text collate "C" not null,
  media_type text not null,
  bytes bytea not null,
  until bigint not null,
  primary key (organisation, hash)
);

create table progress (
  organisation text collate "C" not null,
  work text collate "C" not null,
  done bigint not null,
  total bigint not null,
  until bigint not null,
  primary key (organisation, work)
);

create table stop_request (
  organisation text collate "C" not null,
  work text collate "C" not null,
  actor text not null,
  until bigint not null,
  primary key (organisation, work)
);

-- Plans that are stored need their pictures.
insert into planned_picture (organisation, hash, media_type, bytes, until)
select organisation, substr(id, length('picture ') + 1), plan ->> 'mediaType', decode(plan ->> 'base64', 'base64'), until
from plan where id like 'picture %';

do $$
declare
  named text;
begin
  foreach named in array array['planned_picture', 'progress', 'stop_request'] loop
    execute format('alter table %I enable row level security', named);
    execute format(
      'create policy one_organisation on %I
         using (organisation = nullif(current_setting(''signet.organisation'', true), ''''))', named);
  end loop;
end $$;
