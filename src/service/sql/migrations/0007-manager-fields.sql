-- The revision of a user that was applied last with all fields of the manager. A version that knows fewer fields applies
-- users, too, while its instances still run, and does not write this: the next sync applies those again.
alter table directory_entry add column applied_revision int;
