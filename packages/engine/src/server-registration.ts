import { setTimeout as pause } from 'node:timers/promises';
import type { LoggerPort } from '@countersign/core/plugin';
import type { StoragePort } from '@countersign/core/ports';
import { BackgroundLoop } from './background-loop.js';

const RECORD_INTERVAL_MS = 3_000;
/** How long the start and the stop of the server wait for the register at most, in ms. */
const MAX_WAIT_MS = 1_000;

/** Keeps this server in the register of servers while it runs. */
export class ServerRegistration {
  private readonly loop: BackgroundLoop;

  /** @param getEngine the engine of this server, which is known when the registration starts */
  constructor(
    private readonly storage: Pick<StoragePort, 'recordServer' | 'removeServer'>,
    private readonly serverId: string,
    private readonly getEngine: () => string,
    log: LoggerPort,
  ) {
    this.loop = new BackgroundLoop('server registration', log, RECORD_INTERVAL_MS, () => this.record());
  }

  /** Resolves when the server is in the register, or if that fails or takes too long. The loop then tries it again. */
  async start(): Promise<void> {
    await waitAtMost(MAX_WAIT_MS, this.record());
    this.loop.start();
  }

  /** Removes the server from the register. If that fails or takes too long, it counts as running for some more seconds. */
  async stop(): Promise<void> {
    await waitAtMost(MAX_WAIT_MS, this.remove());
  }

  private async record(): Promise<number> {
    await this.storage.recordServer({ serverId: this.serverId, engine: this.getEngine() });
    return RECORD_INTERVAL_MS;
  }

  private async remove(): Promise<void> {
    await this.loop.stop();
    await this.storage.removeServer(this.serverId);
  }
}

async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work.catch(() => undefined), pause(ms, undefined, { ref: false })]);
}
