import type { ServiceIdentifier } from 'inversify';

/** All secrets that this server currently knows. */
export interface KnownSecrets {
  /** Returns the same array until a secret changes, then a new one. */
  readonly current: readonly string[];
}

export const KnownSecrets: ServiceIdentifier<KnownSecrets> = Symbol.for('@countersign/core:KnownSecrets');
