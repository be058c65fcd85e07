import { KEPT_DELIVERIES, TICK_GRACE_MS, TICK_LEASE_MS } from './work.ts'

const NOW = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
const IS_FREE = '(d.lease is null or d.leased_until < now())'
/** When a lease ends, in microseconds: it grows with each renewal. */
const UNTIL = '(extract(epoch from leased_until) * 1000000)::bigint'
/** A restored database, or a standby after a failover, may lack the latest renewals of a lease, and the data that its sender has read since. */
const MINE = `simulation = $1 and lease = $2 and epoch = $3 and ${UNTIL} >= $4::bigint`
/** A clear does not see settlements of concurrent transactions: these have an earlier number and are ignored. */
const WORLD = '(select world from backlot.dispatch where simulation = $1)'
const DELIVERY = 'webhook, number::float8, due_at::float8 as "dueAt", text'

const claimFrom = (chosen: string) => `
    with due as (select simulation from backlot.dispatch d where ${chosen} and ${IS_FREE} for update skip locked)
    update backlot.dispatch d set lease = $1, leased_until = now() + $2::float8 * interval '1 millisecond'
    from due where d.simulation = due.simulation
    returning d.simulation, d.lease, d.epoch, d.notes, ${UNTIL}::float8 as until`

/**
 * Changes of an append to deliveries, after its `moved`. The row of `dispatch` is locked before every other one, here
 * and in settlements, to avoid deadlocks.
 */
export const OUTBOX_OF_APPEND = `,
      changed as (select * from unnest($9::bigint[], $10::int[], $11::boolean[], $12::boolean[]) as c(number, moves, clears, adds)),
      dispatched as (
        insert into backlot.dispatch as d(simulation, epoch, world, pulse, due_at)
        select m.simulation, c.moves, c.clears::int, 1, case when c.adds then ${NOW} end from moved m join changed c using (number) order by m.simulation
        on conflict (simulation) do update
          set epoch = d.epoch + excluded.epoch, world = d.world + excluded.world, pulse = d.pulse + 1, due_at = coalesce(excluded.due_at, d.due_at)
        returning d.simulation),
      cleared as (
        select m.simulation from moved m join changed c using (number) join dispatched d on d.simulation = m.simulation where c.clears),
      without as (
        select m.simulation, r.webhook from unnest($13::bigint[], $14::text[]) as r(number, webhook)
          join moved m using (number) join dispatched d on d.simulation = m.simulation),
      cleared_chunks as (delete from backlot.outbox o using cleared c where o.simulation = c.simulation),
      cleared_deliveries as (
        delete from backlot.delivery d using cleared c where d.simulation = c.simulation and d.due_at is not null
          and not exists (select from without w where w.simulation = d.simulation and w.webhook = d.webhook)),
      removed_chunks as (
        delete from backlot.outbox o using without w where o.simulation = w.simulation and o.webhook = w.webhook
          and not exists (select from cleared c where c.simulation = o.simulation)),
      removed_deliveries as (
        delete from backlot.delivery d using without w where d.simulation = w.simulation and d.webhook = w.webhook),
      removed_lanes as (delete from backlot.lane l using without w where l.simulation = w.simulation and l.webhook = w.webhook),
      added as (
        insert into backlot.outbox(simulation, webhook, events, text)
        select m.simulation, a.webhook, a.events, a.text
        from unnest($15::bigint[], $16::text[], $17::int[], $18::text[]) with ordinality as a(number, webhook, events, text, place)
          join moved m using (number) join dispatched d on d.simulation = m.simulation order by a.place)`

/** Every statement of {@link PgWork}, each a transaction. */
export const PG_WORK = {
  claimTicks: `
    with due as (
      select simulation from backlot.journal_head where wake_at <= ${NOW} - ${TICK_GRACE_MS}
      order by wake_at limit $1 for update skip locked)
    update backlot.journal_head h set wake_at = ${NOW} + ${TICK_LEASE_MS} from due where h.simulation = due.simulation
    returning h.simulation as id`,

  claimDeliveries: claimFrom(`d.simulation in
      (select simulation from backlot.dispatch d where due_at <= ${NOW} and ${IS_FREE} order by due_at limit $3)`),
  prepareDispatch:
    'insert into backlot.dispatch(simulation) select id from backlot.simulation where id = $1 on conflict do nothing',
  claim: claimFrom('d.simulation = $3'),

  renew: `
    update backlot.dispatch set leased_until = greatest(leased_until, now() + $5::float8 * interval '1 millisecond') where ${MINE}
    returning pulse::float8, ${UNTIL}::float8 as until`,

  findLease: `
    select simulation, lease, epoch, notes, ${UNTIL}::float8 as until from backlot.dispatch
    where simulation = $1 and lease = $2 and ${UNTIL} >= $3::bigint`,

  chunks: `
    select o.id::float8, o.webhook, o.text, o.done from unnest($2::text[], $3::bigint[]) as w(webhook, after)
    cross join lateral (
      select id, webhook, text, done from backlot.outbox
      where simulation = $1 and webhook = w.webhook and id > w.after order by id limit $4) o
    order by o.id`,
  waiting: `
    select ${DELIVERY} from (
      select *, row_number() over (partition by webhook order by due_at) as place from backlot.delivery
      where simulation = $1 and due_at is not null and world = ${WORLD}) d
    where place <= $2 order by due_at`,

  settle: `
    with mine as (update backlot.dispatch set notes = $5 where ${MINE} returning simulation, world),
      put as (
        insert into backlot.delivery as d(simulation, webhook, number, due_at, world, text, kept_at)
        select mine.simulation, g.webhook, g.number, g.due_at, mine.world, g.text, ${NOW}
        from mine cross join unnest($6::text[], $7::bigint[], $8::bigint[], $9::text[]) as g(webhook, number, due_at, text)
        on conflict (simulation, webhook, number) do update
          set due_at = excluded.due_at, text = excluded.text, kept_at = excluded.kept_at),
      emptied as (delete from backlot.outbox o using mine where o.simulation = mine.simulation and o.id = any($10::bigint[])),
      advanced as (
        update backlot.outbox o set done = g.done from mine cross join unnest($11::bigint[], $12::text[]) as g(id, done)
        where o.simulation = mine.simulation and o.id = g.id),
      failed as (
        insert into backlot.lane(simulation, webhook, failures)
        select mine.simulation, g.webhook, g.failures from mine cross join unnest($13::text[], $14::int[]) as g(webhook, failures)
        on conflict (simulation, webhook) do update set failures = excluded.failures)
    select 1 from mine`,

  drop: `
    with mine as (select simulation from backlot.dispatch where ${MINE} for update),
      past as (
        select id from (
          select id, sum(events) over (order by id) as total from backlot.outbox where simulation = $1 and webhook = $5) o
        where total > $6),
      gone as (
        delete from backlot.outbox o using mine, past where o.simulation = mine.simulation and o.id = past.id returning o.events),
      counted as (
        insert into backlot.lane as l(simulation, webhook, dropped)
        select $1, $5, sum(events) from gone having count(*) > 0
        on conflict (simulation, webhook) do update set dropped = l.dropped + excluded.dropped)
    select coalesce(sum(events), 0)::int as dropped from gone`,

  /** Work added since ($3) is due at once, even if this statement does not see it. */
  release: `
    update backlot.dispatch set lease = null, leased_until = null, due_at = case
      when pulse <> $3 or exists (select from backlot.outbox where simulation = $1 and webhook <> all($4::text[])) then ${NOW}
      else (select min(due_at) - $5::bigint from backlot.delivery
        where simulation = $1 and due_at is not null and world = dispatch.world and webhook <> all($4::text[])) end
    where simulation = $1 and lease = $2 returning (due_at - ${NOW})::float8 as "inMs"`,

  forgetOld: `
    delete from backlot.delivery d using (
      select w.webhook, (select k.number from backlot.delivery k where k.simulation = $1 and k.webhook = w.webhook
        order by k.number desc offset ${KEPT_DELIVERIES - 1} limit 1) as least
      from unnest($2::text[]) as w(webhook)) b
    where d.simulation = $1 and d.webhook = b.webhook and d.due_at is null and d.number < b.least`,

  deliveriesOf: `
    select ${DELIVERY} from backlot.delivery d where simulation = $1 and webhook = $2 order by d.number desc limit $3`,
  youngestChunks: `
    select id::float8, webhook, text, done from (
      select *, sum(events) over (order by id desc) - events as younger from backlot.outbox
      where simulation = $1 and webhook = $2) o
    where younger < $3 order by o.id`,
  settledAfter: `
    select ${DELIVERY}, kept_at::float8 as "keptAt" from backlot.delivery d where simulation = $1 and kept_at > $2
    order by kept_at desc, d.number desc limit ${KEPT_DELIVERIES}`,
  lanes: 'select webhook, failures, dropped::int from backlot.lane where simulation = $1',
  notes: 'select notes from backlot.dispatch where simulation = $1',
  isSettled: `
    select ${IS_FREE} and (due_at is null or due_at > ${NOW}) as "isSettled" from backlot.dispatch d where simulation = $1`,

  backlog: `
    select (select coalesce(sum(events), 0) from backlot.outbox)::float8
        + (select count(*) from backlot.delivery where due_at is not null)::float8 as waiting,
      greatest(0, (select ${NOW} - min(due_at) from backlot.dispatch d where due_at is not null and ${IS_FREE}))::float8 as "deliveryLateMs",
      greatest(0, (select ${NOW} - min(wake_at) from backlot.journal_head where wake_at is not null))::float8 as "tickLateMs"`,

  forgive: `
    with moved as (
        update backlot.dispatch set epoch = epoch + 1, pulse = pulse + 1, due_at = ${NOW} where simulation = $1 returning simulation)
    update backlot.lane l set failures = 0 from moved where l.simulation = moved.simulation and l.webhook = $2`,
}
