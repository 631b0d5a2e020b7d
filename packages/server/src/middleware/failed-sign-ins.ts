import { isApiError, type ClockPort } from '@countersign/core';
import type { AuditEntry } from '@countersign/model';
import { clientNetwork } from './client-network.js';

const WINDOW_MS = 60_000;
/** Maximum number of networks that are recorded separately within a minute; the others share one entry. */
const MAX_NETWORKS = 100;

interface Counted {
  readonly from: string;
  readonly reason: string;
  /** Number of failures after the one that was recorded immediately. */
  more: number;
}

/**
 * Records refused tokens: the first of a network immediately, and those that follow within the minute as one entry with
 * their count. An attacker therefore adds at most two entries a minute per network, and about 200 in total per server.
 */
export class FailedSignIns {
  private counted = new Map<string, Counted>();
  private others = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly record: (entry: AuditEntry) => Promise<void>,
    private readonly clock: Pick<ClockPort, 'now'>,
  ) {}

  /** Counts an error if it refuses a token. Other authentication failures are ignored. */
  note(address: string, error: unknown): void {
    if (isApiError(error) && error.code === 'invalid_token') this.count(address, error.message);
  }

  /**
   * Counts a refused token.
   *
   * @param reason why the token was refused, as worded by this server
   */
  count(address: string, reason: string): void {
    this.timer ??= setTimeout(() => this.flush(), WINDOW_MS).unref();
    const network = clientNetwork(address);
    const known = this.counted.get(network);
    if (known !== undefined) known.more += 1;
    else if (this.counted.size >= MAX_NETWORKS) this.others += 1;
    else {
      this.counted.set(network, { from: address, reason, more: 0 });
      void this.record(entryOf(address, network, { reason, count: 1 }, this.clock.now()));
    }
  }

  /** Records the counts so far. */
  flush(): void {
    const now = this.clock.now();
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [network, { from, reason, more }] of this.counted)
      if (more > 0) void this.record(entryOf(from, network, { reason, count: more }, now));
    if (this.others > 0)
      void this.record(entryOf(null, 'others', { reason: 'from further networks', count: this.others }, now));
    this.counted = new Map();
    this.others = 0;
  }
}

function entryOf(from: string | null, network: string, data: AuditEntry['data'], at: number): AuditEntry {
  return {
    at,
    actor: null,
    action: 'session.authenticate',
    target: { type: 'network', id: network },
    result: 'refused',
    from,
    data: { code: 'invalid_token', ...data },
  };
}
