-- The order of people in lists: by name, and by department and name. Both texts are without case and accents.
alter table person add column name_order text collate "C" not null default '';
alter table person add column department_order text collate "C" not null default '';

-- The revision of a person whose order is stored. A version that knows no order writes people without it: those get their
-- order later. Until then they keep their former place, or are among those without a name and without a department.
alter table person add column order_revision int;
