import type { ServiceIdentifier } from 'inversify';

/** All current secrets of this server. */
export interface KnownSecrets {
  /** The secrets. The same array until a secret changes, so that callers can compare it by reference. */
  readonly current: readonly string[];
}

export const KnownSecrets: ServiceIdentifier<KnownSecrets> = Symbol.for('@countersign/core:KnownSecrets');
