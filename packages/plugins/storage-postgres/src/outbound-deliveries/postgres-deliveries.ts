import type {
  EndpointClaim,
  DeliveryAttempt,
  OutboundDelivery,
  OutboundDeliveryFilter,
  OutboundDeliveryRecord,
  OutboundDeliveryStore,
  PageRequest,
} from '@countersign/core/ports';
import type { AuditEntry } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { appendAudit } from '../audit/append-audit.js';
import { Principals } from '../audit/principals.js';
import { PostgresDatabase } from '../database/postgres-database.js';
import { inTransaction } from '../database/transaction.js';
import { findDelivery, forceDelivery, listDeliveries, listFailingEndpoints } from './delivery-queries.js';
import { acceptDelivery, claimDeliveries, deleteOldDeliveries, recordAttempt } from './delivery-attempts.js';

/** OutboundDeliveryStore on PostgreSQL. */
@injectable()
export class PostgresDeliveries implements OutboundDeliveryStore {
  readonly #principals = new Principals();

  constructor(@inject(PostgresDatabase) private readonly database: PostgresDatabase) {}

  accept(delivery: OutboundDelivery) {
    return acceptDelivery(this.database.pool, delivery);
  }

  claim(endpoints: readonly EndpointClaim[], leaseMs: number) {
    return claimDeliveries(this.database.pool, endpoints, leaseMs);
  }

  record(attempt: DeliveryAttempt) {
    return recordAttempt(this.database.pool, attempt);
  }

  list(filter: OutboundDeliveryFilter, page: PageRequest) {
    return listDeliveries(this.database.knex, filter, page);
  }

  find(deliveryId: string) {
    return findDelivery(this.database.pool, deliveryId);
  }

  async redeliver(deliveryId: string, audit: AuditEntry): Promise<OutboundDeliveryRecord | undefined> {
    await this.#principals.recordActors(this.database.pool, [audit]);
    return inTransaction(this.database.pool, async (transaction) => {
      if (!(await forceDelivery(transaction, deliveryId))) return undefined;
      await appendAudit(transaction, [audit]);
      return findDelivery(transaction, deliveryId);
    });
  }

  failingEndpoints() {
    return listFailingEndpoints(this.database.pool);
  }

  deleteOlderThan(olderThanMs: number) {
    return deleteOldDeliveries(this.database.pool, olderThanMs);
  }
}
