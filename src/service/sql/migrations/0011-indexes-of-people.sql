-- People without words, in an order that no other index has: a planner that takes them for many would else read all
-- people in the order of their key, and look for those without words among them.
drop index person_without_words;
create index person_without_words on person (organisation, (id || '')) where words_revision is distinct from revision;
