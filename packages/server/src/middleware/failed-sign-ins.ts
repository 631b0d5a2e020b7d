import { isApiError, type ClockPort } from '@countersign/core';
import type { AuditEntry } from '@countersign/model';
import { getClientNetwork } from './client-network.js';

const WINDOW_MS = 60_000;
/** Maximum number of networks that are recorded separately within a minute; the others share one entry. */
const MAX_NETWORKS = 100;

interface NetworkFailures {
  readonly from: string;
  readonly reason: string;
  /** Number of failures after the one that was recorded immediately. */
  additionalCount: number;
}

/**
 * Records refused tokens: the first of a network immediately, and those that follow within the minute as one entry with
 * their count. An attacker therefore adds at most two entries a minute per network, and about 200 in total per server.
 */
export class FailedSignIns {
  private failuresByNetwork = new Map<string, NetworkFailures>();
  private otherNetworkCount = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly record: (entry: AuditEntry) => Promise<void>,
    private readonly clock: Pick<ClockPort, 'now'>,
  ) {}

  /** Counts an error if it reports a refused token. Other authentication failures are ignored. */
  countIfTokenRefused(address: string, error: unknown): void {
    if (isApiError(error) && error.code === 'invalid_token') this.count(address, error.message);
  }

  /**
   * Counts a refused token.
   *
   * @param reason error message of this server that states why the token was refused
   */
  count(address: string, reason: string): void {
    this.timer ??= setTimeout(() => this.flush(), WINDOW_MS).unref();
    const network = getClientNetwork(address);
    const existing = this.failuresByNetwork.get(network);
    if (existing !== undefined) existing.additionalCount += 1;
    else if (this.failuresByNetwork.size >= MAX_NETWORKS) this.otherNetworkCount += 1;
    else {
      this.failuresByNetwork.set(network, { from: address, reason, additionalCount: 0 });
      void this.record(createAuditEntry(address, network, { reason, count: 1 }, this.clock.now()));
    }
  }

  /** Records the counts so far. */
  flush(): void {
    const now = this.clock.now();
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const [network, { from, reason, additionalCount }] of this.failuresByNetwork)
      if (additionalCount > 0)
        void this.record(createAuditEntry(from, network, { reason, count: additionalCount }, now));
    if (this.otherNetworkCount > 0)
      void this.record(
        createAuditEntry(null, 'others', { reason: 'from further networks', count: this.otherNetworkCount }, now),
      );
    this.failuresByNetwork = new Map();
    this.otherNetworkCount = 0;
  }
}

function createAuditEntry(from: string | null, network: string, data: AuditEntry['data'], at: number): AuditEntry {
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
