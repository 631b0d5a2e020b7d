import { setImmediate as turn } from 'node:timers/promises';
import type { StoragePort } from '@countersign/core/ports';
import { seconds } from '@countersign/testing';
import type { WorkProbe } from './case-engine.js';
import type { TestClock } from './test-clock.js';

/** Time limit for a host to become idle. A case that takes longer loops endlessly or hangs. */
const TIMEOUT_MS = seconds(15);
/**
 * Time after which the state of a host is checked again although it made no storage call. The embedded engine polls the
 * storage at least once per second; other engines may work elsewhere meanwhile.
 */
const CHECK_INTERVAL_MS = 1_000;
/**
 * Number of event-loop turns without a storage call after which a host counts as idle. A commit may take effect a few
 * turns later.
 */
const IDLE_EVENT_LOOP_TURNS = 5;

/**
 * Detects when a host is idle: no storage call in progress, no work in progress, no timer due. Only these make an
 * engine act, so no arbitrary wait is needed.
 */
export class IdleDetector {
  private startedCount = 0;
  private activeCount = 0;
  /** Number of notifications so far. */
  private activityCount = 0;
  private onActivity: (() => void)[] = [];

  constructor(
    storage: StoragePort,
    private readonly probe: WorkProbe,
    private readonly clock: TestClock,
  ) {
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
      const activityBefore = this.activityCount;
      if (this.activeCount > 0 || (await this.probe.isWorking())) {
        await this.waitForActivity(activityBefore);
        continue;
      }
      for (let count = 0; count < IDLE_EVENT_LOOP_TURNS; count += 1) await turn();
      const next = await this.probe.nextTimerAt();
      if (this.startedCount !== startedBefore || this.activeCount > 0) continue;
      if (next === null || next > this.clock.time) return next;
      await this.probe.announceDueTimers();
      await this.waitForActivity(activityBefore);
    }
    throw new Error(`The host did not become idle within ${TIMEOUT_MS} ms.`);
  }

  /** Makes `waitUntilIdle` check the host again. */
  notify(): void {
    this.activityCount += 1;
    for (const resolve of this.onActivity.splice(0)) resolve();
  }

  /**
   * Resolves when a storage call starts or ends, or at once if this has happened since the given notification, and
   * after {@link CHECK_INTERVAL_MS} at the latest.
   */
  private async waitForActivity(activityBefore: number): Promise<void> {
    if (this.activityCount !== activityBefore) return;
    const timer = setTimeout(() => this.notify(), CHECK_INTERVAL_MS);
    await new Promise<void>((resolve) => this.onActivity.push(resolve));
    clearTimeout(timer);
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
    this.notify();
  }
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
