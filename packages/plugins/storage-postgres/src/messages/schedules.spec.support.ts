import type pg from 'pg';

/** Something that one server does, statement by statement. */
export type Work = (pool: GatedPool) => Promise<unknown>;

/**
 * Runs works beside each other in every order in which their statements can follow one another: again and again from the
 * beginning, each time in another order, until none is left. A statement that waits for a lock stands aside until it has
 * it, so no order is a matter of luck.
 *
 * @param begin makes the works of one order, on a state of its own
 * @param end looks at what came of it
 * @param splitting whether also what goes to the database in one message goes statement by statement
 * @returns how many orders there are
 */
export async function everySchedule(
  connect: () => Promise<pg.Client>,
  works: number,
  begin: () => Promise<readonly Work[]>,
  end: (schedule: string) => Promise<void>,
  splitting = false,
): Promise<number> {
  const monitor = await connect();
  const clients = await Promise.all(Array.from({ length: works }, connect));
  const choices: { taken: number; of: number }[] = [];
  for (let count = 1; ; count += 1) {
    const begun = await begin();
    const actors = clients.flatMap((client, index) => {
      const work = begun[index];
      return work === undefined ? [] : [new Actor(work, client, index, splitting)];
    });
    const schedule = await runOne(actors, monitor, choices);
    try {
      await end(schedule);
    } catch (error) {
      throw new Error(`In the order ${schedule}: ${String(error)}`, { cause: error });
    }
    let last = choices.at(-1);
    while (last !== undefined && last.taken + 1 >= last.of) {
      choices.pop();
      last = choices.at(-1);
    }
    if (last === undefined) return count;
    last.taken += 1;
  }
}

async function runOne(
  actors: readonly Actor[],
  monitor: pg.Client,
  choices: { taken: number; of: number }[],
): Promise<string> {
  let schedule = '';
  for (const actor of actors) await actor.settled(monitor);
  for (let depth = 0; ; depth += 1) {
    const ready = actors.filter((actor) => actor.state === 'ready');
    if (ready.length === 0) break;
    const choice = (choices[depth] ??= { taken: 0, of: ready.length });
    const actor = ready[choice.taken];
    if (actor === undefined) throw new Error(`It went another way than before, after ${schedule}`);
    schedule += actor.name;
    actor.go();
    // What it did may have let another one go on.
    for (const each of [actor, ...actors]) await each.settled(monitor);
  }
  const stuck = actors.filter((actor) => actor.state === 'blocked').map(({ name }) => name);
  if (stuck.length > 0) throw new Error(`A deadlock of ${stuck.join(' and ')} in the order ${schedule}`);
  for (const actor of actors)
    if (actor.failure !== undefined)
      throw new Error(`${actor.name} failed in the order ${schedule}`, { cause: actor.failure });
  return schedule;
}

/** One connection as a pool. */
export interface GatedPool {
  query(...args: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  connect(): Promise<GatedPool>;
  on(): void;
  off(): void;
  release(): void;
}

/** One work on its way. */
class Actor {
  readonly name: string;
  failure: unknown;
  private issue: (() => void) | undefined;
  private inFlight = false;
  private ended = false;
  private waits = false;
  private readonly pid: Promise<number>;

  constructor(
    work: Work,
    private readonly client: pg.Client,
    index: number,
    private readonly splitting: boolean,
  ) {
    this.name = 'ABCDEF'.charAt(index);
    this.pid = client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid').then(({ rows }) => rows[0]?.pid ?? 0);
    const nothing = (): void => undefined;
    const pool: GatedPool = {
      query: (...args) => this.gated(args),
      connect: () => Promise.resolve(pool),
      on: nothing,
      off: nothing,
      release: nothing,
    };
    work(pool).then(
      () => (this.ended = true),
      (error: unknown) => {
        this.failure = error;
        this.ended = true;
      },
    );
  }

  get state(): 'ready' | 'blocked' | 'ended' {
    if (this.ended) return 'ended';
    return this.issue === undefined ? 'blocked' : 'ready';
  }

  /** Lets the next statement go. */
  go(): void {
    this.issue?.();
    this.issue = undefined;
  }

  /** Waits until it has come to its next statement, or to its end, or waits for a lock. */
  async settled(monitor: pg.Client): Promise<void> {
    this.waits = false;
    while (!this.ended && this.issue === undefined && !this.waits) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.inFlight) continue;
      const { rows } = await monitor.query<{ waits: boolean }>(
        'SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits',
        [await this.pid],
      );
      // It may have got its answer while the question was on its way.
      this.waits = this.inFlight && rows[0]?.waits === true;
    }
  }

  private async gated(args: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    const [first] = args;
    // Several statements go one by one: a server may be held up between them.
    const parts = this.splitting && typeof first === 'string' ? first.split('; ').map((text) => [text]) : [args];
    let result: { rows: Record<string, unknown>[] } = { rows: [] };
    for (const part of parts) {
      await new Promise<void>((resolve) => (this.issue = resolve));
      this.inFlight = true;
      try {
        result = await (
          this.client.query as (...given: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>
        ).apply(this.client, part);
      } finally {
        this.inFlight = false;
      }
    }
    return result;
  }
}
