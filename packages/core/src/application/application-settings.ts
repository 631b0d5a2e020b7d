import type { ServiceIdentifier } from 'inversify';

/** What of the configuration the use cases go by. */
export interface ApplicationSettings {
  /** `Artifacts:MaxBytes`. */
  readonly artifactMaxBytes: number;
  /** `Runs:StuckAfter`, in milliseconds. */
  readonly stuckAfterMs: number;
  /** Version of the server, for evidence and health. */
  readonly serverVersion: string;
}

export const ApplicationSettings: ServiceIdentifier<ApplicationSettings> = Symbol.for(
  '@countersign/core:ApplicationSettings',
);
