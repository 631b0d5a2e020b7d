import type { StoragePort } from '@countersign/core/ports';

export interface StorageUnderTest {
  /** Two servers on the same, empty data. */
  readonly storage: StoragePort;
  readonly other: StoragePort;
  dispose(): Promise<void>;
}

/** Gives the storage of the test that runs. */
export type Subject = () => StorageUnderTest;
