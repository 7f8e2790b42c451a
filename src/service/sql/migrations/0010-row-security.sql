-- Row-level security: a role that does not own the tables sees the rows of the organisation that its transaction names,
-- and none without a name. The owner sees all rows. The role itself is made when a database is opened, because roles
-- belong to the server, and not every user may make one.
do $$
declare
  named text;
begin
  for named in
    select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organisation'
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'tenant'
    order by c.relname
  loop
    execute format('alter table %I enable row level security', named);
    execute format(
      -- A setting that ended with its transaction is an empty text, which is no organisation either.
      'create policy one_organisation on %I
         using (organisation = nullif(current_setting(''signet.organisation'', true), ''''))', named);
  end loop;
end $$;

-- Where entries are looked for by their addresses. A policy keeps the index of an array from being used, because the
-- operators of arrays might tell the values they compare: so the role reads this view, which belongs to the owner and has
-- the same condition itself.
create view entry_address as
  select organisation, source, kind, id, external_id, addresses, removed, person from directory_entry
  where organisation = nullif(current_setting('signet.organisation', true), '')
    or not row_security_active('directory_entry'::regclass);
