-- The audit reads the facts of all streams by their time, the latest first.
create index event_at on event (organisation, at, stream, version);
-- What add-ins told is dropped by its age.
create index told_at on told (organisation, at);
