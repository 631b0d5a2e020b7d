import type { ServiceIdentifier } from 'inversify';

/** One check in the readiness response. Its result may be reused for up to a second. */
export interface ReadinessCheckContribution {
  readonly name: string;
  check(): Promise<ReadinessResult>;
}

export interface ReadinessResult {
  /** `warn` does not make the server unready. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly detail: string;
}

export const ReadinessCheckContribution: ServiceIdentifier<ReadinessCheckContribution> = Symbol.for(
  '@countersign/core:ReadinessCheckContribution',
);
