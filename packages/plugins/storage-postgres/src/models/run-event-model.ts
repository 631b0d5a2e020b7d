import type { JsonObject, RunEvent } from '@countersign/core/plugin';
import { BaseModel } from './base-model.js';

export class RunEventModel extends BaseModel {
  static override tableName = 'run_events';
  static override idColumn = ['run_id', 'seq'];

  declare runId: string;
  declare seq: number;
  declare at: number;
  declare type: string;
  declare stepId: string | null;
  declare elementId: string | null;
  declare data: JsonObject;
  declare private: RunEvent['private'];
  declare salt: string | null;
  declare commitment: string | null;
  declare hash: string;

  /** @param previousHash the hash of the event before it, which is not stored twice. */
  toRecord(previousHash: string): RunEvent {
    return {
      seq: this.seq,
      at: this.at,
      type: this.type,
      stepId: this.stepId,
      elementId: this.elementId,
      data: this.data,
      private: this.private,
      salt: this.salt,
      commitment: this.commitment,
      previousHash,
      hash: this.hash,
    };
  }
}
