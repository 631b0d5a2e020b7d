import type { ServiceIdentifier } from 'inversify';

/** Every secret that this server knows, as of now. */
export interface KnownSecrets {
  /** Another list each time that one of them has changed, and the same one else. */
  readonly current: readonly string[];
}

export const KnownSecrets: ServiceIdentifier<KnownSecrets> = Symbol.for('@countersign/core:KnownSecrets');
