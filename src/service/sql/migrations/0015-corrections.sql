-- What administrators and files say of people above the directory. Null for a person without it.
alter table person add column corrections json;
-- The first last day (UTC) of a person's corrections. Few people have one.
alter table person add column corrections_until text collate "C";
create index person_corrections_until on person (organisation, corrections_until, id) where corrections_until is not null;
