import type { Knex } from 'knex';

/**
 * - `outbound_deliveries.next_attempt_at` is the time from which a delivery may be claimed: its due time, or the end of
 *   the lease of the worker that sends it. `epoch` fences late writers. `forced`: an operator requested the next
 *   attempt, so it is made even if the endpoint is disabled.
 * - `troubled_endpoints` lists the endpoints whose last attempt failed.
 */
export const outboundDeliveries = {
  name: '0003-outbound-deliveries',
  async up(knex: Knex): Promise<void> {
    await knex.raw(`
      CREATE TABLE outbound_deliveries (
        delivery_id uuid PRIMARY KEY,
        run_id uuid NOT NULL,
        element_id text NOT NULL,
        endpoint_id text NOT NULL,
        content_type text NOT NULL,
        body text NOT NULL,
        status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
        attempts integer NOT NULL DEFAULT 0,
        epoch integer NOT NULL DEFAULT 0,
        forced boolean NOT NULL DEFAULT false,
        status_code integer,
        error text,
        accepted_at timestamptz NOT NULL DEFAULT now(),
        last_attempt_at timestamptz,
        next_attempt_at timestamptz DEFAULT now(),
        ended_at timestamptz,
        CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL)),
        CHECK ((status = 'pending') = (ended_at IS NULL))
      );
      CREATE INDEX outbound_deliveries_due ON outbound_deliveries (endpoint_id, next_attempt_at) WHERE status = 'pending';
      CREATE INDEX outbound_deliveries_ended ON outbound_deliveries (ended_at) WHERE status <> 'pending';
      CREATE INDEX outbound_deliveries_newest ON outbound_deliveries (accepted_at, delivery_id);
      CREATE INDEX outbound_deliveries_by_status ON outbound_deliveries (status, accepted_at, delivery_id);
      CREATE INDEX outbound_deliveries_by_endpoint ON outbound_deliveries (endpoint_id, accepted_at, delivery_id);
      CREATE INDEX outbound_deliveries_by_run ON outbound_deliveries (run_id, accepted_at, delivery_id);

      CREATE TABLE troubled_endpoints (
        endpoint_id text PRIMARY KEY,
        failing_since timestamptz NOT NULL,
        disabled_at timestamptz
      );
    `);
  },
};
