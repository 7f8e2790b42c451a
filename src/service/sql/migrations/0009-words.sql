-- The words by which people are found. They follow from the rows of people, and are deleted with them: a version that
-- knows no words erases people, too, while its instances still run.
create table person_word (
  organisation text collate "C" not null,
  word text collate "C" not null,
  person text collate "C" not null,
  primary key (organisation, word, person),
  foreign key (organisation, person) references person (organisation, id) on delete cascade
);

create index person_word_person on person_word (organisation, person);

-- The revision of a person whose words are stored. A version that knows no words writes people without it: those are
-- found by the index, and get their words later.
alter table person add column words_revision int;
create index person_without_words on person (organisation, id) where words_revision is distinct from revision;
