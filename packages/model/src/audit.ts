import type { JsonObject } from './json.js';
import type { RecordedActor } from './principal.js';

/** An action of a person, agent, connector or operator, or a refused request. */
export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly actor: RecordedActor | null;
  /** Name of the action, for example `run.start` or `approval.vote`. */
  readonly action: string;
  /** Object of the action, for example `{type: "approval", id: "…"}`. */
  readonly target: JsonObject;
  readonly result: 'ok' | 'refused' | 'failed';
  /** Origin of the request: an address, or a part of the system. */
  readonly from: string | null;
  readonly data: JsonObject;
}

/**
 * A stored audit entry, chained to the previous entry in its run's chain or in the server's chain. If it names people,
 * `target.personDigests` binds them to the hash, with `data.personSalts` (as in run events, ADR 90).
 */
export interface AuditRecord extends AuditEntry {
  readonly auditId: string;
  /** The run whose chain contains the record; `null` for the server's chain. */
  readonly runId: string | null;
  /** Position in its chain, from 1. */
  readonly seq: number;
  /** 16 random bytes in hex. */
  readonly salt: string;
  /**
   * SHA-256 over the RFC 8785 form of `{private: {actor, data, from}, salt}`; remains after the private part is erased.
   */
  readonly commitment: string;
  readonly previousHash: string;
  /**
   * SHA-256 over the RFC 8785 form of `{action, at, auditId, commitment, previousHash, result, runId, seq, target}`.
   */
  readonly hash: string;
}
