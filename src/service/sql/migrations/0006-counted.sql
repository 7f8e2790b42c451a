-- Where counted addresses of published blocks lead. Mails live for years, so a row is never deleted.
create table counted_link (
  organisation text collate "C" not null,
  id text collate "C" not null,
  block text collate "C" not null,
  address text collate "C" not null,
  primary key (organisation, id)
);

-- How many clicks a day of UTC (2026-11-26) had on the addresses of a block. Nothing tells who clicked.
create table counted_click (
  organisation text collate "C" not null,
  day text collate "C" not null,
  block text collate "C" not null,
  clicks int not null,
  primary key (organisation, day, block)
);
