-- The words by which people are found. They follow from the rows of people, and are deleted with them: a version that
-- knows no words erases people, too, while its instances still run.
create table person_word (
  organisation text collate "C" not null,
  word text collate "C" not null,
  person text collate "C" not null,
  primary key (organisation, word, person)
);

create index person_word_person on person_word (organisation, person);

-- The revision of a person whose words are stored. A version that knows no words writes people without it: those are
-- found by the index, and get their words later. The index has an order that no other index has: a planner that takes
-- people without words for many would else read all people in the order of their key, and look for those among them.
alter table person add column words_revision int;
create index person_without_words on person (organisation, (id || '')) where words_revision is distinct from revision;

-- People without a picture need no place in these, and a save changes an index less.
drop index person_picture;
drop index person_directory_picture;
create index person_picture on person (organisation, picture) where picture is not null;
create index person_directory_picture on person (organisation, directory_picture) where directory_picture is not null;

-- For each word, PostgreSQL looks up whether its person is there. Before there are statistics, all indexes seem to cost
-- the same, and it takes the newest: that has to be the key, else it reads all people of the organisation.
alter table person drop constraint person_pkey;
alter table person add primary key (organisation, id);
alter table person_word add foreign key (organisation, person) references person (organisation, id) on delete cascade;
