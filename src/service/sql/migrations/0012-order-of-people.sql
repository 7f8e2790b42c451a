-- The order of people in lists: by name, and by department and name. Both texts are without case and accents.
alter table person add column name_order text collate "C" not null default '';
alter table person add column department_order text collate "C" not null default '';

-- The revision of a person whose order is stored. A version that knows no order writes people without it: those are found
-- by the index, and get their order later. Until then they keep their former place, or are among those without a name.
alter table person add column order_revision int;
create index person_without_order on person (organisation, (id || '')) where order_revision is distinct from revision;

create index person_by_name on person (organisation, active, name_order, id);
create index person_by_department on person (organisation, active, department_order, name_order, id);

-- The last reports first, and people who reported at the same moment in a fixed order.
drop index told_at;
create index told_at on told (organisation, at, person);

-- The key has to be the newest index again (0009). The words of people are there already, and need no check.
alter table person_word drop constraint person_word_organisation_person_fkey;
alter table person drop constraint person_pkey;
alter table person add primary key (organisation, id);
alter table person_word add foreign key (organisation, person) references person (organisation, id) on delete cascade
  not valid;
