import type pg from 'pg';

/** Task of one server, executed statement by statement. */
export type ServerTask = (pool: GatedPool) => Promise<unknown>;

/**
 * Executes the tasks concurrently in every possible order of their statements. Each order starts from the
 * beginning, until every order has been executed. A statement that waits for a lock is set aside until it gets
 * the lock, so that the orders do not depend on timing.
 *
 * @param startTasks creates the tasks of one order, with fresh state
 * @param checkOutcome checks the result of one order
 * @param splitsStatements whether statements that are sent in one message are also executed one by one
 * @returns the number of orders
 */
export async function runEverySchedule(
  connect: () => Promise<pg.Client>,
  taskCount: number,
  startTasks: () => Promise<readonly ServerTask[]>,
  checkOutcome: (schedule: string) => Promise<void>,
  splitsStatements = false,
): Promise<number> {
  const monitor = await connect();
  const clients = await Promise.all(Array.from({ length: taskCount }, connect));
  const choices: { chosen: number; total: number }[] = [];
  for (let count = 1; ; count += 1) {
    const tasks = await startTasks();
    const actors = clients.flatMap((client, index) => {
      const task = tasks[index];
      return task === undefined ? [] : [new Actor(task, client, index, splitsStatements)];
    });
    const schedule = await runSchedule(actors, monitor, choices);
    try {
      await checkOutcome(schedule);
    } catch (error) {
      throw new Error(`In the order ${schedule}: ${String(error)}`, { cause: error });
    }
    let last = choices.at(-1);
    while (last !== undefined && last.chosen + 1 >= last.total) {
      choices.pop();
      last = choices.at(-1);
    }
    if (last === undefined) return count;
    last.chosen += 1;
  }
}

async function runSchedule(
  actors: readonly Actor[],
  monitor: pg.Client,
  choices: { chosen: number; total: number }[],
): Promise<string> {
  let schedule = '';
  for (const actor of actors) await actor.waitUntilSettled(monitor);
  for (let depth = 0; ; depth += 1) {
    const readyActors = actors.filter((actor) => actor.state === 'ready');
    if (readyActors.length === 0) break;
    const choice = (choices[depth] ??= { chosen: 0, total: readyActors.length });
    const actor = readyActors[choice.chosen];
    if (actor === undefined)
      throw new Error(
        `The number of executable statements after ${schedule} differs from that of the previous execution.`,
      );
    schedule += actor.name;
    actor.releaseNext();
    // The statement may have unblocked another actor.
    for (const each of [actor, ...actors]) await each.waitUntilSettled(monitor);
  }
  const blockedNames = actors.filter((actor) => actor.state === 'blocked').map(({ name }) => name);
  if (blockedNames.length > 0) throw new Error(`A deadlock of ${blockedNames.join(' and ')} in the order ${schedule}`);
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

/** Executes one task and pauses before each statement. */
class Actor {
  readonly name: string;
  failure: unknown;
  private releaseStatement: (() => void) | undefined;
  private inFlight = false;
  private hasEnded = false;
  private isWaitingForLock = false;
  private readonly pid: Promise<number>;

  constructor(
    task: ServerTask,
    private readonly client: pg.Client,
    index: number,
    private readonly splitsStatements: boolean,
  ) {
    this.name = 'ABCDEF'.charAt(index);
    this.pid = client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid').then(({ rows }) => rows[0]?.pid ?? 0);
    const noop = (): void => undefined;
    const pool: GatedPool = {
      query: (...args) => this.executeGated(args),
      connect: () => Promise.resolve(pool),
      on: noop,
      off: noop,
      release: noop,
    };
    task(pool).then(
      () => (this.hasEnded = true),
      (error: unknown) => {
        this.failure = error;
        this.hasEnded = true;
      },
    );
  }

  get state(): 'ready' | 'blocked' | 'ended' {
    if (this.hasEnded) return 'ended';
    return this.releaseStatement === undefined ? 'blocked' : 'ready';
  }

  /** Releases the next statement. */
  releaseNext(): void {
    this.releaseStatement?.();
    this.releaseStatement = undefined;
  }

  /** Resolves when the task reaches its next statement or its end, or waits for a lock. */
  async waitUntilSettled(monitor: pg.Client): Promise<void> {
    this.isWaitingForLock = false;
    while (!this.hasEnded && this.releaseStatement === undefined && !this.isWaitingForLock) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!this.inFlight) continue;
      const { rows } = await monitor.query<{ waits: boolean }>(
        'SELECT cardinality(pg_blocking_pids($1)) > 0 AS waits',
        [await this.pid],
      );
      // The statement may have completed while the monitor query was running.
      this.isWaitingForLock = this.inFlight && rows[0]?.waits === true;
    }
  }

  private async executeGated(args: unknown[]): Promise<{ rows: Record<string, unknown>[] }> {
    const [first] = args;
    // Several statements are executed one by one, because a server may be delayed between them.
    const parts = this.splitsStatements && typeof first === 'string' ? first.split('; ').map((text) => [text]) : [args];
    let result: { rows: Record<string, unknown>[] } = { rows: [] };
    for (const part of parts) {
      await new Promise<void>((resolve) => (this.releaseStatement = resolve));
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
