import type { ServiceIdentifier } from 'inversify';

/** What a sign-in must be to enrol a signing key. */
export interface SignInThatEnrols {
  /** How long ago it may have been, in milliseconds; 0: none does. */
  readonly maxAgeMs: number;
  /** What `acr` may be; empty: it does not matter. */
  readonly acrValues: readonly string[];
}

/** What of the configuration the use cases go by. */
export interface ApplicationSettings {
  /** `Artifacts:MaxBytes`. */
  readonly artifactMaxBytes: number;
  /** `Runs:StuckAfter`, in milliseconds. */
  readonly stuckAfterMs: number;
  /** `Auth:SigningKeys`: the sign-in that enrols a signing key. */
  readonly signInThatEnrols: SignInThatEnrols;
  /** Version of the server, for evidence and health. */
  readonly serverVersion: string;
}

export const ApplicationSettings: ServiceIdentifier<ApplicationSettings> = Symbol.for(
  '@countersign/core:ApplicationSettings',
);
