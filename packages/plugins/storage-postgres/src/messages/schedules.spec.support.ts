import type pg from 'pg';

/** Work of one server, executed statement by statement. */
export type Work = (pool: GatedPool) => Promise<unknown>;

/**
 * Executes works concurrently in every possible order of their statements. Each order starts from the
 * beginning, until every order has been executed. A statement that waits for a lock is set aside until it gets
 * the lock, so that the orders do not depend on timing.
 *
 * @param begin creates the works of one order, with their own state
 * @param end checks the result of one order
 * @param splitting whether statements that are sent in one message are also executed one by one
 * @returns the number of orders
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
    // The statement may have unblocked another actor.
    for (const each of [actor, ...actors]) await each.settled(monitor);
  }
  const stuck = actors.filter((actor) => actor.state === 'blocked').map(({ name }) => name);
  if (stuck.length > 0) throw new Error(`A deadlock of ${stuck.join(' and ')} in the order ${schedule}`);
  for (const actor of actors)
    if (actor.failure !== undefined)
      throw new Error(`${actor.name} failed in the order ${schedule}`, { cause: actor.failure });
  return schedule;
}

/** A single connection with the interface of a pool. */
export interface GatedPool {
  query(...args: unknown[]): Promise<{ rows: Record<string, unknown>[] }>;
  connect(): Promise<GatedPool>;
  on(): void;
  off(): void;
  release(): void;
}

/** Executes one work and pauses before each statement. */
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

  /** Releases the next statement. */
  go(): void {
    this.issue?.();
    this.issue = undefined;
  }

  /** Resolves when the work reaches its next statement or its end, or waits for a lock. */
  async settled(monitor: pg.Client): Promise<void> {
    this.waits = false;
    while (!this.ended && this.issue === undefined && !this.waits) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.inFlight) continue;
      const { rows } = await monitor.query<{ waits: boolean }>(
        'SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits',
        [await this.pid],
      );
      // The statement may have completed while the monitor query was running.
      this.waits = this.inFlight && rows[0]?.waits === true;
    }
  }

  private async gated(args: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    const [first] = args;
    // Several statements are executed one by one, because a server may be delayed between them.
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
