import { setImmediate as turn } from 'node:timers/promises';
import type { StoragePort } from '@countersign/core/ports';
import { seconds } from '@countersign/testing';
import type { TestClock } from './test-clock.js';

/** Time limit for a host to become idle. A case that takes longer loops endlessly or hangs. */
const TIMEOUT_MS = seconds(15);
/**
 * Number of event-loop turns without a storage call after which a host counts as idle. A commit may take effect a few
 * turns later.
 */
const IDLE_EVENT_LOOP_TURNS = 5;

/**
 * Detects when a host is idle: no storage call in progress, no job running, no timer due. Only these make an engine
 * act, so no arbitrary wait is needed.
 */
export class IdleDetector {
  private startedCount = 0;
  private activeCount = 0;
  private onActivity: (() => void)[] = [];
  private readonly nextTimerAt: () => Promise<number | null>;

  constructor(
    storage: StoragePort,
    /** Returns whether a job is running that continues without the test. */
    private readonly isWorking: () => Promise<boolean>,
    private readonly clock: TestClock,
    /** Whether timers that start runs count too. If such a timer repeats endlessly, there is always a next timer. */
    withStartTimers = false,
  ) {
    const nextTimerAt = storage.nextTimerAt.bind(storage);
    const nextStartTimerAt = storage.nextStartTimerAt.bind(storage);
    this.nextTimerAt = withStartTimers
      ? async () => minTime(await nextTimerAt(), await nextStartTimerAt())
      : nextTimerAt;
    this.watch(storage as unknown as Record<string, unknown>);
  }

  /**
   * Returns when the next timer is due, once the host is idle.
   *
   * @throws {Error} if the host does not become idle within the time limit
   */
  async waitUntilIdle(): Promise<number | null> {
    const end = performance.now() + TIMEOUT_MS;
    while (performance.now() < end) {
      const startedBefore = this.startedCount;
      if (this.activeCount > 0 || (await this.isWorking())) {
        await this.waitForActivity();
        continue;
      }
      for (let count = 0; count < IDLE_EVENT_LOOP_TURNS; count += 1) await turn();
      const next = await this.nextTimerAt();
      if (this.startedCount !== startedBefore || this.activeCount > 0) continue;
      if (next === null || next > this.clock.time) return next;
      await this.waitForActivity();
    }
    throw new Error(`The host did not become idle within ${TIMEOUT_MS} ms.`);
  }

  /**
   * Resolves on the next storage call. The engine polls the storage at least once per second, so this always resolves.
   */
  private waitForActivity(): Promise<void> {
    return new Promise((resolve) => this.onActivity.push(resolve));
  }

  /**
   * Replaces every method of the storage with one that counts its calls. The engine gets the storage from its host, so
   * a wrapper cannot be inserted.
   */
  private watch(storage: Record<string, unknown>): void {
    for (const name of methodNames(storage)) {
      const method = storage[name];
      if (typeof method !== 'function') continue;
      storage[name] = (...args: unknown[]): unknown => {
        this.changeActiveCount(1);
        const result: unknown = method.apply(storage, args);
        if (result instanceof Promise)
          void result.then(
            () => this.changeActiveCount(-1),
            () => this.changeActiveCount(-1),
          );
        else this.changeActiveCount(-1);
        return result;
      };
    }
  }

  private changeActiveCount(change: 1 | -1): void {
    this.activeCount += change;
    if (change === 1) this.startedCount += 1;
    for (const resolve of this.onActivity.splice(0)) resolve();
  }
}

function minTime(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

function methodNames(target: object): Set<string> {
  const names = new Set<string>();
  for (
    let type: object | null = Object.getPrototypeOf(target) as object | null;
    type !== null && type !== Object.prototype;
  ) {
    for (const name of Object.getOwnPropertyNames(type)) {
      if (name !== 'constructor' && typeof Object.getOwnPropertyDescriptor(type, name)?.value === 'function')
        names.add(name);
    }
    type = Object.getPrototypeOf(type) as object | null;
  }
  return names;
}
