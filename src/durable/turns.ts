/** How much of a queue a worker asks for, and whose turn it is. */
export interface TurnRequest {
  /** Runs that it has places for. */
  room: number;
  /** The last project that had its turn: the next ones come first. */
  after: number;
  /** Runs under way here, by project. */
  busy: ReadonlyMap<number, number>;
  /** The most that one project may have under way here. */
  share: number;
  /** The keys of the runs under way here: their leases are renewed, not taken again. */
  held: readonly string[];
  /** Absent or true: runs whose leases have lapsed are taken as well. */
  takesOver?: boolean;
}

interface QueueSql {
  table: string;
  /** The column by which the runs are known. */
  key: string;
  /** Runs that wait for their first worker. An index on (project_id, queued_at, key) where this holds serves it. */
  isQueued: string;
  /** Runs that have begun and are without a worker. `since`: the indexed column by which the longest waiting is first. */
  resumed: readonly { name: string; condition: string; since: string }[];
}

/**
 * SQL of the relations that end in `turn(id)`: the runs that are taken next, of each project one before the second of
 * another, whatever else is queued. It walks from project to project on the index, as many as there are places for and one
 * more (the one that has its share), so that its cost does not depend on how much waits. What another worker takes at this
 * moment is passed over. The parameters are those of `turnValues`, from $1 to $6, which is for the conditions of `resumed`.
 */
export function turnsSql({ table, key, isQueued, resumed }: QueueSql): string {
  const next = (condition: string) =>
    `select project_id from ${table} where ${isQueued} and ${condition} order by project_id limit 1`;
  const walk = (name: string, from: string, to: string) => `
  ${name} as (
    select project_id, 1 as place from (${next(`project_id > ${from}${to}`)}) first
     union all
    select n.project_id, w.place + 1 from ${name} w
     cross join lateral (${next(`project_id > w.project_id${to}`)}) n
     where w.place <= $1::int)`;
  const waiting = resumed.map(
    ({ name, condition, since }) => `
  ${name} as (
    select ${key} as id, project_id, ${since} as since, 0 as place from ${table}
     where ${condition} order by ${since} limit $1::int for update skip locked)`,
  );
  const sources = [...resumed.map(({ name }) => name), 'queued']
    .map(name => `select * from ${name}`)
    .join(' union all ');
  return `recursive ${walk('ahead', '$2::int', '')},${walk('around', '0', ' and project_id <= $2::int')},
  line as (
    select project_id, min(place) as place from (
      select project_id, place from ahead union all select project_id, place + $1::int + 1 from around) l
     group by project_id order by 2 limit $1::int + 1),
  busy as (select * from unnest($3::int[], $4::int[]) as b(project_id, runs)),
  queued as (
    select q.id, l.project_id, q.queued_at as since, l.place
      from (select line.*, count(*) over () as projects from line) l
      left join busy b on b.project_id = l.project_id
     cross join lateral (
       select ${key} as id, queued_at from ${table}
        where ${isQueued} and project_id = l.project_id order by queued_at
        limit greatest(0, least(ceil($1::float8 / l.projects)::int, $5::int - coalesce(b.runs, 0)))
          for update skip locked) q),${waiting.join(',')},
  turn as (
    select s.id, s.place from (${sources}) s left join busy b on b.project_id = s.project_id
     order by coalesce(b.runs, 0) + row_number() over (partition by s.project_id order by s.place, s.since), s.place, s.since
     limit $1::int)`;
}

export function turnValues({ room, after, busy, share, held }: TurnRequest): unknown[] {
  return [room, after, [...busy.keys()], [...busy.values()], share, held];
}
