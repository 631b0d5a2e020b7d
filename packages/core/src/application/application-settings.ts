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
  /** `Artifacts:MaxBytes`. */
  readonly artifactMaxBytes: number;
  /** `Runs:StuckAfter`, in milliseconds. */
  readonly stuckAfterMs: number;
  /** `Auth:SigningKeys`: the sign-in that enrols a signing key. */
  readonly enrolmentSignIn: EnrolmentSignIn;
  /** Version of the server, for evidence and health. */
  readonly serverVersion: string;
}

export const ApplicationSettings: ServiceIdentifier<ApplicationSettings> = Symbol.for(
  '@countersign/core:ApplicationSettings',
);
