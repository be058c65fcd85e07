/** The tables of a SQLite file by release: each text migrates them to the next version. */
export const SQLITE_MIGRATIONS = [
  `
create table simulation(number integer primary key, id text unique not null, account text not null, slug text unique not null,
  genesis text not null, description text not null, engine integer not null);
create index simulation_account on simulation(account);
create index simulation_description on simulation(description);
create table journal_head(simulation text primary key references simulation(id) on delete cascade,
  head integer not null, tip text not null, wake_at integer, used_at integer not null default 0) without rowid;
create index journal_wake on journal_head(wake_at) where wake_at is not null;
create table state(simulation text primary key references simulation(id) on delete cascade,
  head integer not null, tip text not null, at integer not null, dump text not null, pieces integer);
create table journal(simulation text not null references simulation(id) on delete cascade,
  head integer not null, tip text not null, at integer not null, delta text not null, pieces integer, primary key(simulation, head)) without rowid;
create table saved_state(simulation text not null references simulation(id) on delete cascade,
  number integer not null, dump text not null, about text not null, pieces integer, primary key(simulation, number));
create table description(hash text primary key, text text not null);

create table dispatch(simulation text primary key references simulation(id) on delete cascade,
  epoch integer not null default 0, pulse integer not null default 0, due_at integer, lease text,
  leased_until integer not null default 0, notes text not null default '') without rowid;
create index dispatch_due on dispatch(due_at) where due_at is not null;
create table outbox(id integer primary key autoincrement, simulation text not null references simulation(id) on delete cascade,
  webhook text not null, events integer not null, text text not null, done text not null default '');
create index outbox_webhook on outbox(simulation, webhook, id);
create table delivery(simulation text not null references simulation(id) on delete cascade,
  webhook text not null, number integer not null, due_at integer, text text not null, kept_at integer not null default 0,
  primary key(simulation, webhook, number)) without rowid;
create index delivery_due on delivery(simulation, webhook, due_at) where due_at is not null;
create table lane(simulation text not null references simulation(id) on delete cascade,
  webhook text not null, failures integer not null default 0, dropped integer not null default 0, primary key(simulation, webhook)) without rowid;

create table request_log(id text unique not null, simulation text not null references simulation(id) on delete cascade,
  first integer not null, last integer not null, requests integer not null, size integer not null, entries text not null, details text not null);
create index request_log_last on request_log(simulation, last);
create table request_total(simulation text primary key references simulation(id) on delete cascade, arrived integer not null) without rowid;
create table test_hold(simulation text primary key references simulation(id) on delete cascade, test text not null, until integer not null) without rowid;

create table usage(account text not null, month text not null, requests integer not null, primary key(account, month)) without rowid;
create table account(name text primary key, terms text not null, is_suspended integer not null default 0, credit_usd real not null) without rowid;
create table account_key(number integer primary key, hash text unique not null, account text not null references account(name) on delete cascade,
  prefix text not null, terms text not null, is_revoked integer not null default 0);
create index account_key_account on account_key(account);
create table session(number integer primary key autoincrement, hash text unique not null, sealed_key text not null, expires_at integer not null);

-- Long texts are in pieces: where a row has a number of pieces, these form its text. They are deleted with it.
create table piece(id integer not null, part integer not null, text text not null, primary key(id, part));
create index state_pieces on state(pieces) where pieces is not null;
create index journal_pieces on journal(pieces) where pieces is not null;
create index saved_state_pieces on saved_state(pieces) where pieces is not null;
create trigger state_removed after delete on state when old.pieces is not null begin delete from piece where id = old.pieces; end;
create trigger state_replaced after update of pieces on state when old.pieces is not null begin delete from piece where id = old.pieces; end;
create trigger journal_removed after delete on journal when old.pieces is not null begin delete from piece where id = old.pieces; end;
create trigger journal_replaced after update of pieces on journal when old.pieces is not null begin delete from piece where id = old.pieces; end;
create trigger saved_state_removed after delete on saved_state when old.pieces is not null begin delete from piece where id = old.pieces; end;
create trigger saved_state_replaced after update of pieces on saved_state when old.pieces is not null begin delete from piece where id = old.pieces; end;
`,
]
