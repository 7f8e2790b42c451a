-- An index blocks the writes of its table while it is built, but no reads. What blocks reads is in 0014.
create index person_without_order on person (organisation, (id || '')) where order_revision is distinct from revision;
create index person_by_name on person (organisation, active, name_order, id);
create index person_by_department on person (organisation, active, department_order, name_order, id);

-- The last reports first, and people who reported at the same moment in a fixed order.
create index told_by_time on told (organisation, at, person);

-- The key of 0014. It has to be the newest index again (0009).
create unique index person_key on person (organisation, id);
