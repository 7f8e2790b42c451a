-- People without words, in an order that no other index has: a planner that takes them for many would else read all
-- people in the order of their key, and look for those without words among them.
drop index person_without_words;
create index person_without_words on person (organisation, (id || '')) where words_revision is distinct from revision;

-- People without a picture need no place in these, and a save changes an index less.
drop index person_picture;
drop index person_directory_picture;
create index person_picture on person (organisation, picture) where picture is not null;
create index person_directory_picture on person (organisation, directory_picture) where directory_picture is not null;

-- For each word, PostgreSQL looks up whether its person is there. Before there are statistics, all indexes seem to cost
-- the same, and it takes the newest: that has to be the key, else it reads all people of the organisation.
alter table person_word drop constraint person_word_organisation_person_fkey;
alter table person drop constraint person_pkey;
alter table person add primary key (organisation, id);
alter table person_word add foreign key (organisation, person) references person (organisation, id) on delete cascade;
