-- People get more fields of their manager than the name: those with a manager are applied again.
update directory_entry set changed = true, revision = revision + 1
where kind = 'user' and manager is not null and not erased;
