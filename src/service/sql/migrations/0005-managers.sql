-- The id of the user's manager, by which those are found whose manager changed.
alter table directory_entry add column manager text collate "C";
create index directory_manager on directory_entry (organisation, source, manager) where manager is not null;

-- SCIM told managers before, which nobody used. No statement reads into a text that JSON allows and the database does not.
update directory_entry set changed = true, revision = revision + 1, manager =
  data #>> '{values,"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",manager,value}'
where source = 'scim' and kind = 'user' and not erased
  and case when data::text like '%\\u0000%' then false
    else data #>> '{values,"urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",manager,value}' is not null end;
