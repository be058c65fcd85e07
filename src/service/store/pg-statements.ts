import { OUTBOX_OF_APPEND } from './pg-work-statements.ts'

const SIMULATION = 'id, account, slug, genesis, description, engine'
const NOW = `date_part('epoch', clock_timestamp()) * 1000 as now`
/** Whether each node keeps the simulation's requests before it answers them. */
const IS_FOLLOWED = 'coalesce(followed_until > now(), false)'
const IS_FREE = '(held_until is null or held_until < now() or'

/** Rows are locked in one order, to avoid deadlocks between nodes. @param more SQL after `moved` */
const append = (more: string) => `
    with given as (
        select * from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[])
          with ordinality as g(id, head, tip, next, at, delta, hold, wake_at, number)),
      locked as materialized (
        select h.simulation, g.number from backlot.journal_head h
          join given g on h.simulation = g.id and h.head = g.head and h.tip = g.tip
        where ${IS_FREE} h.hold = g.hold) order by h.simulation for update of h),
      moved as (
        update backlot.journal_head h set head = g.head + 1, tip = g.next, held_until = null, hold = null, wake_at = g.wake_at
        from given g join locked l on l.number = g.number
        where h.simulation = g.id and h.head = g.head and h.tip = g.tip
        returning g.number, h.simulation, h.head, h.tip, g.at, g.delta, h.followed_until),
      logged as (
        insert into backlot.journal(simulation, head, tip, at, delta) select simulation, head, tip, at, delta from moved)${more}
    select ${NOW}, g.number, m.number is not null as "isKept", ${IS_FOLLOWED} as "isFollowed" from given g left join moved m using (number)`

/** The same for one entry without deliveries, which costs the database a third less. */
const APPEND_ONE = `
    with moved as (
        update backlot.journal_head set head = head + 1, tip = $4, held_until = null, hold = null, wake_at = $8::bigint
        where simulation = $1 and head = $2::bigint and tip = $3 and ${IS_FREE} hold = $7)
        returning simulation, head, tip, followed_until),
      logged as (
        insert into backlot.journal(simulation, head, tip, at, delta) select simulation, head, tip, $5::bigint, $6 from moved)
    select ${NOW}, 1 as number, true as "isKept", ${IS_FOLLOWED} as "isFollowed" from moved`

/** Every statement of {@link PgStore}: each is a transaction, except a creation, which has three. */
export const PG_STATEMENTS = {
  now: `select ${NOW}`,

  /** The creations of an account take turns, so that no two count the same place. */
  lockAccount: `select pg_advisory_xact_lock(hashtextextended('backlot.account.' || $1, 0))`,
  create: `
    with described as (insert into backlot.description(hash, text) values ($5, $7)
        on conflict (hash) do update set used_at = now()),
      added as (insert into backlot.simulation(${SIMULATION}) values ($1, $2, $3, $4, $5, $6) on conflict do nothing returning id),
      headed as (insert into backlot.journal_head(simulation, head, tip) select id, $8, $9 from added)
    insert into backlot.state(simulation, head, tip, at, dump) select id, $8, $9, $10, $11 from added`,

  countOf: 'select count(*)::int as count from backlot.simulation where account = $1',
  byId: `select ${SIMULATION} from backlot.simulation where id = $1`,
  bySlug: `select ${SIMULATION} from backlot.simulation where slug = $1`,
  byIdOrSlug: `select ${SIMULATION} from backlot.simulation where account = $1 and (id = $2 or slug = $2)`,
  ofAccount: `select ${SIMULATION} from backlot.simulation where account = $1 order by number`,

  /** The head of an existing simulation; then the state, unless ($2, $3) is in the journal; then the commits. */
  load: `
    with state as (select head, tip, at, dump from backlot.state where simulation = $1),
      known as (select exists (select from backlot.journal where simulation = $1 and head = $2 and tip = $3)
        or exists (select from state where head = $2 and tip = $3) as is_known)
    select 'head' as kind, head::float8, tip, 0::float8 as at, '' as text from backlot.journal_head where simulation = $1
    union all
    select 'state', head::float8, tip, at::float8, dump from state where not (select is_known from known)
    union all
    (select 'commit', head::float8, tip, at::float8, delta from backlot.journal j where simulation = $1
      and head > case when (select is_known from known) then $2 else (select head from state) end order by j.head)`,

  heads: `
    select ${NOW}, simulation as id, head, tip, coalesce(held_until > now(), false) as "isHeld", ${IS_FOLLOWED} as "isFollowed"
    from backlot.journal_head where simulation = any($1)`,

  append: append(''),
  appendOne: APPEND_ONE,
  /** For entries, some of which have deliveries. */
  appendWithOutbox: append(OUTBOX_OF_APPEND),

  hold: `
    update backlot.journal_head set hold = $4, held_until = now() + $5 * interval '1 millisecond'
    where simulation = $1 and head = $2 and tip = $3 and ${IS_FREE} hold = $4)`,

  /** Commits of the last minute stay: a node may search for its own, or be slightly behind. */
  compact: `
    with put as (
      update backlot.state set head = $2, tip = $3, at = $4, dump = $5 where simulation = $1 and head < $2
        and exists (select from backlot.journal where simulation = $1 and head = $2 and tip = $3)
      returning simulation)
    delete from backlot.journal where simulation in (select simulation from put) and head <= $2
      and kept_at < now() - interval '1 minute'`,

  remove: 'delete from backlot.simulation where id = $1',
  /** In the locking order of appends. */
  noteUses: `
    with used as (select simulation from backlot.journal_head where simulation = any($1) and used_at < $2 order by simulation for update)
    update backlot.journal_head set used_at = $2 where simulation in (select simulation from used)`,
  owners: 'select distinct account from backlot.simulation',
  /** Another node may be processing some of them. */
  idleOf: `
    select s.id from backlot.simulation s join backlot.journal_head h on h.simulation = s.id
    where s.account = $1 and h.used_at < $2 order by s.number limit $3 for update of s skip locked`,
  forgetJournal: 'delete from backlot.journal where simulation = $1',
  /** A creation has touched a description that it is about to use. */
  forgetDescriptions: `
    delete from backlot.description d where used_at < now() - interval '7 days'
      and not exists (select from backlot.simulation where description = d.hash)`,
  description: 'select text from backlot.description where hash = $1',

  save: `
    with counted as (update backlot.simulation set saved = saved + 1 where id = $1 returning id, saved)
    insert into backlot.saved_state(simulation, number, dump, about) select id, saved, $2, $3 from counted returning number`,
  allSaved: `select number, about from backlot.saved_state where simulation = $1 order by number desc`,
  forgetSaved: 'delete from backlot.saved_state where simulation = $1 and number <= $2',
  saved: `
    select max(dump) filter (where number = $2) as dump, coalesce(min(number), 0) as first, coalesce(max(number), 0) as last
    from backlot.saved_state where simulation = $1`,
}
