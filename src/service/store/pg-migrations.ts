/** The tables by release: each text migrates the schema to the next version. */
export const PG_MIGRATIONS = [
  `
  create table backlot.simulation(id text primary key, number bigint generated always as identity, account text not null,
    slug text unique not null, genesis text not null, description text not null, engine int not null, saved int not null default 0);
  create index on backlot.simulation(account);
  create index on backlot.simulation(description);
  create table backlot.journal_head(simulation text primary key references backlot.simulation(id) on delete cascade,
    head bigint not null, tip text not null, held_until timestamptz, hold text, wake_at bigint, followed_since timestamptz,
    followed_until timestamptz, used_at bigint not null default (extract(epoch from now()) * 1000)::bigint) with (fillfactor = 50);
  create index on backlot.journal_head(wake_at) where wake_at is not null;
  create table backlot.state(simulation text primary key references backlot.simulation(id) on delete cascade,
    head bigint not null, tip text not null, at bigint not null, dump text not null);
  -- It does not refer to the simulation: that would lock its row at each commit.
  create table backlot.journal(simulation text not null, head bigint not null, tip text not null, at bigint not null, delta text not null,
    kept_at timestamptz not null default now(), primary key(simulation, head));
  create table backlot.saved_state(simulation text not null references backlot.simulation(id) on delete cascade,
    number int not null, dump text not null, about text not null, primary key(simulation, number));
  create table backlot.description(hash text primary key, text text not null, used_at timestamptz not null default now());

  create table backlot.dispatch(simulation text primary key references backlot.simulation(id) on delete cascade,
    epoch int not null default 0, world int not null default 0, pulse bigint not null default 0, due_at bigint, lease text, leased_until timestamptz,
    notes text not null default '') with (fillfactor = 50);
  create index on backlot.dispatch(due_at) where due_at is not null;
  create table backlot.outbox(id bigint generated always as identity primary key,
    simulation text not null references backlot.simulation(id) on delete cascade,
    webhook text not null, events int not null, text text not null, done text not null default '');
  create index on backlot.outbox(simulation, webhook, id);
  create table backlot.delivery(simulation text not null references backlot.simulation(id) on delete cascade,
    webhook text not null, number bigint not null, due_at bigint, world int not null, text text not null, kept_at bigint not null default 0,
    primary key(simulation, webhook, number));
  create index on backlot.delivery(simulation, webhook, due_at) where due_at is not null;
  create table backlot.lane(simulation text not null references backlot.simulation(id) on delete cascade,
    webhook text not null, failures int not null default 0, dropped bigint not null default 0, primary key(simulation, webhook));

  create table backlot.request_log(id text primary key, simulation text not null references backlot.simulation(id) on delete cascade,
    first bigint not null, last bigint not null, requests int not null, size bigint not null, entries text not null, details text not null);
  create index on backlot.request_log(simulation, last);
  create table backlot.request_total(simulation text primary key references backlot.simulation(id) on delete cascade,
    arrived bigint not null) with (fillfactor = 50);
  create table backlot.test_hold(simulation text primary key references backlot.simulation(id) on delete cascade, test text not null,
    until bigint not null);

  create table backlot.usage(account text not null, month text not null, requests bigint not null, primary key(account, month));
  create table backlot.account(name text primary key, terms text not null, is_suspended boolean not null default false,
    credit_usd double precision not null);
  create table backlot.account_key(hash text primary key, number bigint generated always as identity,
    account text not null references backlot.account(name) on delete cascade, prefix text not null, terms text not null,
    is_revoked boolean not null default false);
  create index on backlot.account_key(account);
  create table backlot.session(number bigint generated always as identity primary key, hash text unique not null, sealed_key text not null,
    expires_at bigint not null);
  `,
]
