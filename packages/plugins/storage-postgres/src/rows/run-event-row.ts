import type { JsonObject } from '@countersign/core/plugin';
import type { RunEvent } from '@countersign/model';

/** Row of `run_events`. */
export interface RunEventRow {
  readonly run_id: string;
  readonly seq: number;
  readonly at: number;
  /** Event type. A newer server may have written types that are unknown here. */
  readonly type: RunEvent['type'];
  readonly step_id: string | null;
  readonly element_id: string | null;
  readonly data: JsonObject;
  readonly private: RunEvent['private'];
  readonly salt: string | null;
  readonly commitment: string | null;
  readonly hash: string;
}

/** @param previousHash hash of the previous event, which is not stored twice */
export function toRunEvent(row: RunEventRow, previousHash: string): RunEvent {
  return {
    seq: row.seq,
    at: row.at,
    type: row.type,
    stepId: row.step_id,
    elementId: row.element_id,
    data: row.data,
    private: row.private,
    salt: row.salt,
    commitment: row.commitment,
    previousHash,
    hash: row.hash,
  };
}
