import { createRefusal, type OperationResult } from '../../common/operation-result.js';
import { OPERATIONS, type AllowedOperation } from '../../common/operations.js';
import type { OfflineCache } from './offline-cache.js';

/** Executes operations on cached data. Operations that change something are refused, not queued. */
export class OfflineOperations {
  constructor(private readonly cache: Pick<OfflineCache, 'get'>) {}

  call(operation: AllowedOperation, input: unknown): OperationResult<unknown> {
    if (OPERATIONS[operation] !== 'read') return createRefusal('offline');
    const value = this.cache.get(operation, input);
    return value === undefined ? createRefusal('not_kept') : { ok: true, value };
  }
}
