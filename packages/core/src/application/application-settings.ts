import type { ServiceIdentifier } from 'inversify';

/** Requirements for a sign-in to enrol a signing key. */
export interface EnrolmentSignIn {
  /** Maximum age of the sign-in, in milliseconds; 0 disables enrolment. */
  readonly maxAgeMs: number;
  /** Accepted values of `acr`; empty accepts any. */
  readonly acrValues: readonly string[];
}

/** Configuration values that the use cases read. */
export interface ApplicationSettings {
  /** Maximum size of an artifact, in bytes (`Artifacts:MaxBytes`). */
  readonly artifactMaxBytes: number;
  /** Time without progress after which a run counts as stuck, in milliseconds (`Runs:StuckAfter`). */
  readonly stuckAfterMs: number;
  /** Requirements for a sign-in to enrol a signing key (`Auth:SigningKeys`). */
  readonly enrolmentSignIn: EnrolmentSignIn;
  /** Version of the server, for evidence and health. */
  readonly serverVersion: string;
}

export const ApplicationSettings: ServiceIdentifier<ApplicationSettings> = Symbol.for(
  '@countersign/core:ApplicationSettings',
);
